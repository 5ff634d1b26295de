"""Errors of fields, as `field.Error` of upstream: type, path, value and detail, and their text.

Functions such as `immutable` and `required` build them. Errors of whole requests are in `errors`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .eras import NO_END
from .text.go_text import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

INVALID, REQUIRED, UNSUPPORTED, DUPLICATE = "Invalid value", "Required value", "Unsupported value", "Duplicate value"
FORBIDDEN, NOT_FOUND, TOO_LONG, TOO_MANY = "Forbidden", "Not found", "Too long", "Too many"
TOO_FEW = "Too few"
INTERNAL = "Internal error"
WRONG_TYPE = "Invalid value of a type"
"""Printed like any other invalid value, but with another reason in the Status."""
IMMUTABLE = "immutable"
"""The origin of an error about an immutable field."""
GO_SYNTAX_UNTIL = 33
"""The last minor release that prints values of a problem as Go syntax, and not as JSON."""
NO_PATH = "<nil>"
"""The path that Go prints for an empty path."""


class Printed(NamedTuple):
    """A value whose text the server prints instead of its JSON."""

    text: str
    go: str | None = None
    """The text until `GO_SYNTAX_UNTIL`, if it differs."""


OMITTED = Printed("")
"""The value of a problem that is printed without one."""


class Problem(NamedTuple):
    """An error about a field, like `field.Error` of Kubernetes. Problems with the same text are equal."""

    kind: str
    """The error type, one of the constants above. Empty if `detail` contains the whole text."""
    path: str
    """The field as the server prints it, `spec.ports[0].name`. Empty for the object."""
    value: object = OMITTED
    detail: str = ""
    declared: bool = False
    """Whether a declarative rule reports it. Servers print such problems last.

    Handwritten validation also marks problems that a declarative rule covers. Where both report one, the declarative
    problem is used.
    """
    supported: tuple[str, ...] = ()
    """The supported values, for an unsupported one. They are printed as the detail."""
    origin: str = ""
    """The broken declarative rule, as upstream's tests name it: `maxItems`, `format=k8s-short-name`."""
    since: int = 0
    until: int = NO_END
    """The first and the last minor release whose servers report it."""

    def __str__(self) -> str:
        return text(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and text(self) == text(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(text(self))


def declarative(problem: Problem) -> Problem:
    """Mark a problem as reported by a declarative rule."""
    return problem._replace(declared=True)


# ---- text ------------------------------------------------------------------------------------------------------------


def text(problem: Problem) -> str:
    """The problem as the API server prints it, like `field.Error.Error()`."""
    found = body(problem)
    return f"{problem.path}: {found}" if problem.kind else ": ".join(filter(None, (problem.path, found)))


def body(problem: Problem) -> str:
    """The problem without its path, like `field.Error.ErrorBody()`."""
    kind = INVALID if problem.kind == WRONG_TYPE else problem.kind
    detail = f"supported values: {', '.join(map(shown, problem.supported))}" if problem.supported else problem.detail
    value = [] if problem.value == OMITTED else [value_of(problem)]
    return ": ".join([*filter(None, [kind]), *value, *filter(None, [detail])])


def aggregate_text(problems: Sequence[Problem]) -> str:
    """All problems of an object in one text, each once: in brackets, unless there is only one."""
    said = list(dict.fromkeys(map(text, problems)))
    return said[0] if len(said) == 1 else f"[{', '.join(said)}]"


def value_of(problem: Problem) -> str:
    """The printed value. Empty if none is printed."""
    value = problem.value
    if isinstance(value, Printed):
        return value.text
    return typed_shown(value) if problem.kind == UNSUPPORTED else shown(value)


def shown(value: Any) -> str:
    """A value as the API prints it: a string in Go quotes, everything else as Go's JSON on one line."""
    if isinstance(value, str):
        return quoted(value)
    return _json(_in_go_order(value), separators=(",", ":"))


def _json(value: Any, **options: Any) -> str:
    return plain_json(value, **options).translate(_ESCAPED)


def plain_json(value: Any, **options: Any) -> str:
    """A value as JSON on one line, without the escapes that only messages have."""
    import json  # late, because every command imports this module and most find no problem

    return json.dumps(value, ensure_ascii=False, **options)


_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})
"""Characters that Go escapes in JSON."""
SELECTOR, REQUIREMENT = ("matchLabels", "matchExpressions"), ("key", "operator", "values")
"""Fields of a label selector and its expressions, in the order of the Go types."""


def _in_go_order(value: Any) -> Any:
    """Sort the keys of label selectors like the Go type. Other keys are sorted already."""
    if isinstance(value, list):
        return [_in_go_order(one) for one in value]
    if not isinstance(value, dict):
        return value
    if value.keys() <= {*SELECTOR} and isinstance(value.get("matchLabels"), dict):
        value = {**value, "matchLabels": dict(sorted(value["matchLabels"].items()))}
    order = next((one for one in (SELECTOR, REQUIREMENT) if value and value.keys() <= {*one}), value)
    return {key: _in_go_order(value[key]) for key in order if key in value}


def typed_shown(value: Any) -> str:
    """A value like `shown`, but with a string of a named type as JSON."""
    return _json(value) if isinstance(value, str) else shown(value)


def named(value: Any) -> Any:
    """A value of a named Go type, such as `PersistentVolumeMode`: its text is printed as JSON."""
    return Printed(typed_shown(value)) if isinstance(value, str) else value


# ---- error types -----------------------------------------------------------------------------------------------------


def invalid(at: str, value: Any, why: str) -> Problem:
    """The value of the field is invalid."""
    return Problem(INVALID, at, value, why)


def invalid_map(at: str, value: Any, why: str) -> Problem:
    """The map is invalid. Go prints it with sorted keys, like all maps with free keys."""
    return invalid(at, dict(sorted(value.items())) if isinstance(value, dict) else value, why)


def immutable(at: str, value: Any) -> Problem:
    """The field is immutable."""
    return Problem(INVALID, at, value, "field is immutable", origin=IMMUTABLE)


def forbidden(at: str, why: str = "") -> Problem:
    """The field must not be set or changed."""
    return Problem(FORBIDDEN, at, detail=why)


def required(at: str, why: str = "") -> Problem:
    """The field must be set."""
    return Problem(REQUIRED, at, detail=why)


def duplicate(at: str, value: Any, why: str = "") -> Problem:
    """Another element has the same value."""
    return Problem(DUPLICATE, at, value, why)


def unsupported_text(at: str, value: str, supported: Sequence[str]) -> Problem:
    """Like `unsupported`, for a plain string without a named type."""
    return unsupported(at, Printed(shown(value)), supported)


def unsupported(at: str, value: Any, supported: Iterable[str]) -> Problem:
    """The value is not one of the supported values."""
    return Problem(UNSUPPORTED, at, value, supported=tuple(supported))


def not_found(at: str, value: Any, why: str = "") -> Problem:
    """The field references something that does not exist."""
    return Problem(NOT_FOUND, at, value, why)


def too_long(at: str, most: int, unit: str = "bytes") -> Problem:
    """The text has too many bytes. Declarative rules count characters."""
    return Problem(TOO_LONG, at, detail=f"may not be more than {most} {unit.removesuffix('s') if most == 1 else unit}")


def too_many(at: str, count: int, most: int) -> Problem:
    """The list has too many items."""
    return Problem(TOO_MANY, at, count, f"must have at most {most} {'item' if most == 1 else 'items'}")


def internal(at: str, why: str) -> Problem:
    """The server failed to check the field."""
    return Problem(INTERNAL, at, detail=why)


def verbatim(words: str, path: str = "") -> Problem:
    """A problem with the exact text of another server, without a type or a value."""
    return Problem("", path, detail=words)
