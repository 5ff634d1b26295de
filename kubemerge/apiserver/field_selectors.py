"""Field selectors, such as `metadata.name=web,status.phase!=Running`, over the fields that each kind supports."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .crd.lookup import definition_of
from .errors import BadRequest
from .kinds.selectable_fields import ABSENT, NAME, NAMESPACE, OF_ALL, SELECTABLE, labels
from .selectors import parse_selector
from .unchecked import get_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .kinds.selectable_fields import Labels
    from .protocol import Cluster, Object, Resource

_TERMS = re.compile(r"(?:\\.?|[^,\\])+", re.DOTALL)
"""The separator of terms: a comma without a backslash before it. Empty terms are ignored."""
_TERM = re.compile(r"(?P<label>.*?)(?P<sign>!=|==|=)(?P<value>.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?P<escaped>.?)|=", re.DOTALL)


def parse_field_selector(text: str, cluster: Cluster, resource: Resource) -> Callable[[Object], bool]:
    """Return a function that tests whether an object matches. An empty selector matches everything."""
    if not text:
        return lambda _: True
    terms = parse_terms(text)
    known = _labels(cluster, resource)
    rules = []
    for label, sign, value in terms:
        if label not in known.paths:
            raise BadRequest(known.refusal.format(label=label, api_version=resource.api_version))
        rules.append((label, known.paths[label], value, sign != "!="))
    return lambda one: all((_value(one, label, paths) == value) == equal for label, paths, value, equal in rules)


def parse_terms(text: str) -> list[tuple[str, str, str]]:
    """Return the label, the sign and the value of each term. Raise BadRequest."""
    return [_parsed(term, text) for term in _TERMS.findall(text)]


def _parsed(term: str, text: str) -> tuple[str, str, str]:
    parts = _TERM.fullmatch(term)
    if not parts:
        raise BadRequest(f"invalid selector: '{text}'; can't understand '{term}'")
    return parts["label"], parts["sign"], _ESCAPE.sub(_unescaped, parts["value"])


def _unescaped(character: re.Match[str]) -> str:
    escaped: str | None = character["escaped"]
    if escaped is None:
        raise BadRequest(f"invalid field selector: unescaped character in value: {ord('=')}")
    if escaped not in ("\\", ",", "="):
        raise BadRequest(f"invalid field selector: invalid escape sequence: \\{escaped}")
    return escaped


def combined_selector(
    labels: str, fields: str, cluster: Cluster, resource: Resource
) -> Callable[[Object], bool] | None:
    """Return a function that tests whether an object matches both selectors, or None if both are empty."""
    if not labels and not fields:
        return None
    by_label, by_field = parse_selector(labels), parse_field_selector(fields, cluster, resource)
    return lambda one: by_label(one["metadata"].get("labels") or {}) and by_field(one)


def _labels(cluster: Cluster, resource: Resource) -> Labels:
    if resource.built_in:
        return SELECTABLE.get((resource.group, resource.kind), OF_ALL)
    definition: Any = definition_of(cluster, resource) or {}
    versions = (definition.get("spec") or {}).get("versions") or ()
    fields = [one.get("selectableFields") or () for one in versions if one.get("name") == resource.version]
    paths = [str(field.get("jsonPath", "")).lstrip(".") for several in fields for field in several]
    return labels(NAME, NAMESPACE, *filter(None, paths))


def _value(one: Object, label: str, paths: tuple[str, ...]) -> str:
    for path in paths:
        value = get_path(one, path)
        if isinstance(value, bool):
            return "true" if value else "false"
        if value not in (None, ""):
            return str(value)
    return ABSENT.get(label, "")
