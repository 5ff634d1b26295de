"""Environment variables of containers, and their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...problems import Problem, invalid, required
from ...unchecked import as_text, maps
from .. import eras, names
from ..values import formats
from .fields import field_selector, resource_selector
from .files import backsteps, named_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...unchecked import Object

ONE_OF_BEFORE = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`"
ONE_OF = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
ONLY_ONE = "may not have more than one field specified at a time"


def env(at: str, container: Object) -> Iterator[Problem]:
    """Validate the variables of a container."""
    for index, variable in maps(container, "env"):
        place, name = f"{at}[{index}]", as_text(variable.get("name"))
        if not name:
            yield required(f"{place}.name")
        else:
            yield from _variable(f"{place}.name", name)
        if isinstance(variable.get("valueFrom"), dict):
            yield from _source(f"{place}.valueFrom", variable)


def _variable(at: str, name: str) -> Iterator[Problem]:
    yield from eras.STRICT_VARIABLES.limit(formats.each(at, name, formats.strict_variable))
    yield from eras.VARIABLES.limit(formats.each(at, name, formats.variable))


def _source(at: str, variable: Object) -> Iterator[Problem]:
    source = variable["valueFrom"]
    given = [field for field in SOURCES if isinstance(source.get(field), dict)]
    for field in given:
        yield from SOURCES[field](f"{at}.{field}", source[field])
    if not given:
        yield from eras.NO_FILE_VARIABLES.limit([invalid(at, "", ONE_OF_BEFORE)])
        yield from eras.FILE_VARIABLES.limit([invalid(at, "", ONE_OF)])
    elif variable.get("value"):
        yield invalid(at, "", "may not be specified when `value` is not empty")
    elif len(given) > 1:
        yield invalid(at, "", ONLY_ONE)


def env_from(at: str, container: Object) -> Iterator[Problem]:
    """Validate the ConfigMaps and Secrets with variables of a container."""
    for index, one in maps(container, "envFrom"):
        place, prefix = f"{at}[{index}]", as_text(one.get("prefix"))
        if prefix:
            yield from _variable(f"{place}.prefix", prefix)
        given = [field for field in ("configMapRef", "secretRef") if isinstance(one.get(field), dict)]
        for field in given:
            name = as_text(one[field].get("name"))
            if not name:
                yield required(f"{place}.{field}.name")
            else:
                as_prefix = f"{name[:-2]}a" if len(name) > 1 and name.endswith("-") else name
                yield from (invalid(f"{place}.{field}.name", name, why) for why in names.subdomain(as_prefix))
        if not given:
            yield invalid(at, "", "must specify one of: `configMapRef` or `secretRef`")
        elif len(given) > 1:
            yield invalid(at, "", ONLY_ONE)


def _key(at: str, selector: Object) -> Iterator[Problem]:
    name, key = as_text(selector.get("name")), as_text(selector.get("key"))
    yield from (invalid(f"{at}.name", name, why) for why in names.subdomain(name))
    if not key:
        yield required(f"{at}.key")
    else:
        yield from (invalid(f"{at}.key", key, why) for why in formats.config_key(key))


def _file(at: str, selector: Object) -> Iterator[Problem]:
    key, volume, path = (as_text(selector.get(field)) for field in ("key", "volumeName", "path"))
    if not key:
        yield required(f"{at}.key")
    yield from (invalid(f"{at}.key", key, why) for why in formats.variable(key))
    if not volume:
        yield required(f"{at}.volumeName")
    else:
        yield from named_label(f"{at}.volumeName", volume)
    if not path:
        yield required(f"{at}.path")
    yield from backsteps(f"{at}.path", path)


SOURCES: dict[str, Callable[[str, Object], Iterator[Problem]]] = {
    "fieldRef": field_selector,
    "resourceFieldRef": lambda at, selector: resource_selector(at, selector, in_volume=False),
    "configMapKeyRef": _key,
    "secretKeyRef": _key,
    "fileKeyRef": _file,
}
