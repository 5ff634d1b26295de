"""The API server's wording of what is wrong with a field: the place, the kind of problem, and the reason."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .text.go_text import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence


class Later(str):
    """A problem that servers find by rules declared on the types, after all others."""

    __slots__ = ()


def shown(value: Any) -> str:
    """A value as the API shows it: a string as Go quotes it, everything else as Go's JSON on one line."""
    if isinstance(value, str):
        return quoted(value)
    return json.dumps(_in_go_order(value), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)


_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})
"""Characters that Go escapes in JSON."""
SELECTOR, REQUIREMENT = ("matchLabels", "matchExpressions"), ("key", "operator", "values")
"""Fields of a label selector and of its expressions, in the order of the Go types."""


def _in_go_order(value: Any) -> Any:
    """The value with the keys of label selectors in the order of the Go type; other keys are in order already."""
    if isinstance(value, list):
        return [_in_go_order(one) for one in value]
    if not isinstance(value, dict):
        return value
    order = next((one for one in (SELECTOR, REQUIREMENT) if value and value.keys() <= {*one}), value)
    return {key: _in_go_order(value[key]) for key in order if key in value}


def typed_shown(value: Any) -> str:
    """A value as `shown`, but for a string of a named type, which Go shows as JSON."""
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPED) if isinstance(value, str) else shown(value)


def invalid(at: str, value: Any, why: str) -> str:
    """The field cannot have this value."""
    return f"{at}: Invalid value: {shown(value)}" + (f": {why}" if why else "")


def immutable(at: str, value: Any) -> str:
    """The field has changed, but must not."""
    return invalid(at, value, "field is immutable")


def declared_immutable(at: str) -> str:
    """The field has changed, but its type declares that it must not; such a problem shows no value."""
    return Later(immutable(at, None))


def forbidden(at: str, why: str) -> str:
    """The field must not be set, or not be changed."""
    return f"{at}: Forbidden: {why}"


def declared_forbidden(at: str) -> str:
    """The field must not be set, as its type declares; such a problem has no reason."""
    return Later(f"{at}: Forbidden")


def required(at: str, why: str = "") -> str:
    """The field must be set."""
    return f"{at}: Required value" + (f": {why}" if why else "")


def duplicate(at: str, value: Any) -> str:
    """Another element has the value already."""
    return f"{at}: Duplicate value: {shown(value)}"


def unsupported_text(at: str, value: str, supported: Sequence[str]) -> str:
    """The same for a string of no type of its own."""
    return f"{at}: Unsupported value: {shown(value)}: supported values: {', '.join(map(shown, supported))}"


def unsupported(at: str, value: Any, supported: Sequence[str]) -> str:
    """The value is not one of the supported ones."""
    return f"{at}: Unsupported value: {typed_shown(value)}: supported values: {', '.join(map(shown, supported))}"


def not_found(at: str, value: Any) -> str:
    """The field names something that does not exist."""
    return f"{at}: Not found: {shown(value)}"
