"""The API server's wording of what is wrong with a field: the place, the kind of problem, and the reason."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


LONGEST = 200
"""The longest map or list that is shown; a whole template would hide the reason."""


class Later(str):
    """A problem that servers find by rules declared on the types, after all others."""

    __slots__ = ()


def shown(value: Any) -> str:
    """A value as the API shows it: JSON on one line."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, (dict, list)) and len(text) > LONGEST:
        return "{...}" if isinstance(value, dict) else "[...]"
    return text


def invalid(at: str, value: Any, why: str) -> str:
    """The field cannot have this value."""
    return f"{at}: Invalid value: {shown(value)}: {why}"


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


def unsupported(at: str, value: Any, supported: Sequence[str]) -> str:
    """The value is not one of the supported ones."""
    return f"{at}: Unsupported value: {shown(value)}: supported values: {', '.join(map(shown, supported))}"


def not_found(at: str, value: Any) -> str:
    """The field names something that does not exist."""
    return f"{at}: Not found: {shown(value)}"
