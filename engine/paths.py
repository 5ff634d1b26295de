"""Paths of values in an object: steps, and how they are written as text.

A path is a tuple of steps. A `str` is a field, an `int` is a position in a list, and a tuple of
(key, value) pairs identifies an element of a keyed list, as in `spec.containers[name=web].image`.
An element of a set is identified by its value under the empty key: `finalizers[="x"]`.
"""

# `re` and `json` are not imported here: they would take half of the time of `import engine`.

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from . import typed

    Step: TypeAlias = typed.Step
    Steps: TypeAlias = typed.Steps

_SPECIAL = frozenset('.[]"=,')


def render(steps: Steps) -> str:
    """The path as text; `.` for the object itself."""
    text = ""
    for step in steps:
        if isinstance(step, str):
            text = join(text, step)
        elif isinstance(step, int):
            text += f"[{step}]"
        else:
            text += "[" + ",".join(f"{key}={_scalar(value)}" for key, value in step) + "]"
    return text or "."


def join(path: str, field: str) -> str:
    """The path of a field below `path`; a name with special characters is quoted, as in `labels["a.b/c"]`."""
    if not _is_plain(field):
        return f"{path}[{_quoted(field)}]"
    return f"{path}.{field}" if path else field


def _is_plain(text: str) -> bool:
    return text.isidentifier() or (
        bool(text) and not _SPECIAL.intersection(text) and text.isprintable() and " " not in text
    )


def _quoted(value: Any) -> str:
    import json

    return json.dumps(value, default=str)


def _scalar(value: Any) -> str:
    """The text of a key's value; a string that looks like another type is quoted."""
    if isinstance(value, str) and _is_plain(value) and not _looks_typed(value):
        return value
    return _quoted(value)


def _looks_typed(text: str) -> bool:
    return text in ("true", "false", "null") or text.lstrip("+-")[:1].isdigit()


ELEMENT = object()
"""In a parsed field path: step into the elements of a list (`ports[]`) or the values of a map."""


def parse_fields(path: str) -> list[object]:
    """The field names of a path; `ELEMENT` stands for each pair of brackets that names an element.

    Brackets hold an element (`[]`, `[3]`, `[name=web]`; rules do not depend on which one) or a quoted
    field (`["a.b/c"]`). Raises `ValueError` with what is wrong.
    """
    fields: list[object] = []
    at = 0
    while at < len(path):
        if path[at] == "[":
            field, at = _bracket(path, at)
        else:
            if path[at] == "." and fields:
                at += 1
            elif fields:
                raise ValueError(f"a dot or a bracket was expected at character {at + 1}")
            field, at = _field(path, at)
        fields.append(field)
    return fields


def _field(path: str, at: int) -> tuple[str, int]:
    """The field name that starts at `at`, and where it ends."""
    end = at
    while end < len(path) and path[end] not in '.[]"':
        end += 1
    if end == at:
        raise ValueError(f"a field name was expected at character {at + 1}")
    return path[at:end], end


def _bracket(path: str, at: int) -> tuple[object, int]:
    """The content of the brackets that open at `at`, and where they end."""
    end = at + 1
    while end < len(path) and path[end] != "]":
        end = _end_of_quotes(path, end) if path[end] == '"' else end + 1
    if end >= len(path):
        raise ValueError(f"the bracket at character {at + 1} is not closed")
    inner = path[at + 1 : end]
    if inner.startswith('"'):
        import json

        return str(json.loads(inner)), end + 1
    return ELEMENT, end + 1


def _end_of_quotes(path: str, at: int) -> int:
    end = at + 1
    while end < len(path) and path[end] != '"':
        end += 2 if path[end] == "\\" else 1
    return end + 1


def parse(path: str) -> Steps:
    """The steps of a path as `render` prints it. Raises `ValueError` with what is wrong."""
    steps: list[Step] = []
    at = 0
    for field in parse_fields(path):
        if path[at : at + 1] == ".":
            at += 1
        if path[at] == "[":
            end = _bracket(path, at)[1]
            steps.append(field if isinstance(field, str) else _element(path[at + 1 : end - 1]))
        else:
            end = _field(path, at)[1]
            steps.append(str(field))
        at = end
    return tuple(steps)


_LONGEST = 18
"""How many digits a position may have."""


def _element(inner: str) -> Step:
    """The element that is named in brackets: `3`, `name=web`, `port=53,protocol="UDP"`, `="x"`."""
    if inner.isascii() and inner.isdigit():
        if len(inner) > _LONGEST:
            raise ValueError(f"the position {inner[:_LONGEST]}... exceeds the length of any list")
        return int(inner)
    pairs = []
    at = 0
    while at < len(inner):
        key, sign, _ = inner[at:].partition("=")
        if not sign:
            raise ValueError(f"[{inner}] does not name an element. Write a position or key=value")
        start = end = at + len(key) + 1
        while end < len(inner) and inner[end] != ",":
            end = _end_of_quotes(inner, end) if inner[end] == '"' else end + 1
        pairs.append((key, _value(inner[start:end])))
        at = end + 1
    if not pairs:
        raise ValueError("[] does not name an element. Write a position or key=value")
    return tuple(pairs)


def _value(text: str) -> Any:
    import json

    if text.startswith('"'):
        return json.loads(text)
    try:
        return json.loads(text) if _looks_typed(text) else text
    except ValueError:
        return text  # it only starts like a number, as an IP address does
