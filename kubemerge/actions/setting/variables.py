"""Changes of the environment of containers, and what is in it now."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...apiserver.unchecked import as_map, as_text, get_path, maps
from ...cluster import NotFound, Reference
from ..generators.parts import BadOptions
from ..generators.sources import wrong_variable
from .pod_specs import containers, copied

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...cluster import Cluster, Object

_KEYS = {"Secret": "secretKeyRef", "ConfigMap": "configMapKeyRef"}


@dataclass(frozen=True)
class Variables:
    """The variables that are set, and the names of those that are removed."""

    added: Sequence[Object]
    removed: Sequence[str]


def split(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that name objects, and those that change variables."""
    at = next((at for at, word in enumerate(words) if _is_change(word)), len(words))
    if not all(map(_is_change, words[at:])):
        raise BadOptions(f"all resources must be specified before environment changes: {' '.join(words)}")
    return tuple(words[:at]), tuple(words[at:])


def _is_change(word: str) -> bool:
    return re.fullmatch(r"(?s).+=.*", word) is not None or word.endswith("-")


def read(words: Sequence[str], lines: Iterable[str]) -> Variables:
    """`KEY=value` and `KEY-`; `-` stands for the lines of standard input."""
    added: list[Object] = []
    removed: list[str] = []
    for word in words:
        name, equals, value = word.partition("=")
        if word == "-":
            texts = (line.rstrip("\r\n").partition("#")[0] for line in lines)
            added += [_variable(*text.split("=", 1)) for text in texts if "=" in text]
        elif equals:
            problems = wrong_variable(name)
            if problems:
                raise BadOptions(f'"{name}" is not a valid key name: {";".join(problems)}')
            added.append(_variable(name, value))
        elif word.endswith("-"):
            removed.append(word[:-1])
        else:
            raise BadOptions(f"unknown environment variable: {word}")
    if {one["name"] for one in added} & set(removed):
        raise BadOptions("can not both modify and remove the same environment variable in the same command")
    return Variables(added, removed)


def _variable(name: str, value: str) -> Object:
    return {"name": name, "value": value} if value else {"name": name}


def of_object(source: Object, keys: Sequence[str]) -> Iterator[tuple[str, Object]]:
    """A variable for each key of a ConfigMap or Secret, with the key it is of."""
    field = _KEYS.get(source["kind"])
    if field is None:
        raise BadOptions("unsupported resource specified in --from")
    for key in sorted(as_map(source.get("data"))):
        if not keys or key in keys:
            name = re.sub(r"[^a-zA-Z0-9_]", "_", key).upper()
            reference = {"name": source["metadata"]["name"], "key": key}
            yield key, {"name": name, "valueFrom": {field: reference}}


def with_variables(content: Object, pattern: str, wanted: Variables, *, overwrite: bool) -> tuple[Object, list[Object]]:
    """The object with these variables, and the containers that were changed."""
    after, spec = copied(content)
    picked = list(containers(spec, pattern))
    for one in picked:
        now = [each for _, each in maps(one, "env")]
        if not overwrite:
            _refuse_overwriting(now, wanted.added)
        updated = _updated(now, wanted)
        one.pop("env", None)
        if updated:
            one["env"] = updated
    return after, picked


def _refuse_overwriting(now: Sequence[Any], added: Sequence[Object]) -> None:
    values = {as_text(one.get("name")): one.get("value", "") for one in reversed(now)}
    for one in added:
        if one["name"] in values and values[one["name"]] != one.get("value", ""):
            raise BadOptions(f"'{one['name']}' already has a value ({values[one['name']]}), and --overwrite is false")


def _updated(now: Sequence[Any], wanted: Variables) -> list[Any]:
    """A variable that is set takes the place of the first one of its name, or comes last."""
    first: dict[str, Object] = {}
    for one in wanted.added:
        first.setdefault(one["name"], one)
    covered = set(wanted.removed)
    result = []
    for one in now:
        name = as_text(one.get("name"))
        if name in covered:
            continue
        if name in first:
            covered.add(name)
        result.append(first.get(name, one))
    return [*result, *(one for name, one in first.items() if name not in covered)]


# ---- what is there ---------------------------------------------------------------------------------------------------


def reference(source: Any) -> str:
    """Where a variable takes its value from, in words."""
    words = {
        "configMapKeyRef": "configmap {name}, key {key}",
        "secretKeyRef": "secret {name}, key {key}",
        "fieldRef": "field path {fieldPath}",
    }
    for field, form in words.items():
        if source.get(field):
            return form.format(**{"name": "", **source[field]})
    if source.get("resourceFieldRef"):
        inside = source["resourceFieldRef"]
        container = f"{inside['containerName']}/" if inside.get("containerName") else ""
        return f"resource field {container}{inside.get('resource', '')}"
    return "invalid valueFrom"


def resolved(cluster: Cluster, namespace: str, source: Any, content: Object) -> str:
    """The value that a variable takes from elsewhere."""
    if source.get("fieldRef"):
        return str(get_path(content, source["fieldRef"]["fieldPath"]) or "")
    for kind, field in _KEYS.items():
        if source.get(field):
            return _value_of(cluster, namespace, kind, source[field])
    raise BadOptions(f"{reference(source)} cannot be resolved here")


def _value_of(cluster: Cluster, namespace: str, kind: str, key: Any) -> str:
    name = key.get("name", "")
    try:
        holder = cluster.get(Reference("v1", kind, name, namespace))
    except NotFound as error:
        raise BadOptions(str(error)) from None
    data = as_map(holder.get("data"))
    if key["key"] not in data:
        raise BadOptions(f"key {key['key']} not found in {kind.lower()} {name}")
    return b64decode(data[key["key"]]).decode(errors="replace") if kind == "Secret" else str(data[key["key"]])
