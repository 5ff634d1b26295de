"""Field selectors: `metadata.name=web,status.phase!=Running`, by the fields that the API has for each kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.values.unchecked import found

from ..kinds.field_selectors import ABSENT, OF_ALL, SELECTABLE
from .definitions import definition_of
from .errors import BadRequest
from .selectors import selector

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .protocol import Cluster, Object, Resource

_RULE = re.compile(r"\s*(?P<field>[^=!\s]+)\s*(?P<sign>==?|!=)\s*(?P<value>[^=!\s]*)\s*")


def field_selector(text: str, cluster: Cluster, resource: Resource) -> Callable[[Object], bool]:
    """A function that says whether an object of the kind is selected. An empty selector selects everything."""
    if not text:
        return lambda _: True
    known = {**dict(zip(OF_ALL, OF_ALL, strict=True)), **_selectable(cluster, resource)}

    rules = []
    for part in filter(str.strip, text.split(",")):
        rule = _RULE.fullmatch(part)
        if not rule:
            raise BadRequest(f"invalid selector: '{part}'; can't understand '{part}'")
        if rule["field"] not in known:
            raise BadRequest(_unknown(rule["field"], resource))
        rules.append((rule["field"], known[rule["field"]], rule["value"], rule["sign"] != "!="))
    return lambda one: all((_said(one, field, path) == value) == equal for field, path, value, equal in rules)


def selecting(labels: str, fields: str, cluster: Cluster, resource: Resource) -> Callable[[Object], bool] | None:
    """A function that says whether both selectors select an object of the kind; None if both are empty."""
    if not labels and not fields:
        return None
    by_label, by_field = selector(labels), field_selector(fields, cluster, resource)
    return lambda one: by_label(one["metadata"].get("labels") or {}) and by_field(one)


def _selectable(cluster: Cluster, resource: Resource) -> dict[str, str]:
    """The fields of a kind: those of the API, or those that a definition names."""
    if resource.built_in:
        return SELECTABLE.get((resource.group, resource.kind), {})
    definition: Any = definition_of(cluster, resource) or {}
    versions = (definition.get("spec") or {}).get("versions") or ()
    fields = [one.get("selectableFields") or () for one in versions if one.get("name") == resource.version]
    paths = [str(field.get("jsonPath", "")).lstrip(".") for several in fields for field in several]
    return {path: path for path in paths if path}


def _unknown(field: str, resource: Resource) -> str:
    """How a server refuses a field, which differs from kind to kind."""
    if (resource.group, resource.kind) == ("batch", "Job"):
        return f'field label "{field}" not supported for Job'
    if (resource.group, resource.kind) in SELECTABLE or not resource.built_in:
        return f"field label not supported: {field}"
    only = ", ".join(f'"{one}"' for one in OF_ALL)
    return f'"{field}" is not a known field selector: only {only}'


def _said(one: Object, field: str, path: str) -> str:
    """The value of a field as the API compares it."""
    value = found(one, path)
    if isinstance(value, bool):
        return "true" if value else "false"
    return ABSENT.get(field, "") if value in (None, "") else str(value)
