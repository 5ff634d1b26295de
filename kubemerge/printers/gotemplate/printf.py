"""Go's `printf`, for JSON values."""

from __future__ import annotations

import re
from typing import Any

from ...apiserver.text.go_text import go_text, quoted

_VERB = re.compile(r"%(?P<flags>[-+# 0]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d*))?(?P<verb>.)?", re.DOTALL)
_NAMES = {bool: "bool", int: "int", float: "float64", str: "string"}
_INTEGERS = {"d": "d", "x": "x", "X": "X", "o": "o", "b": "b", "c": "c"}
_FLOATS = "eEfFgG"


def formatted(form: str, values: list[Any]) -> str:
    """The text of a format and its values. As in Go, mismatches are reported in the text."""
    rest = list(values)

    def one(found: re.Match[str]) -> str:
        if found["verb"] == "%":
            return "%"
        if found["verb"] is None:
            return "%!(NOVERB)"
        width = _width(found["width"], rest)
        if not rest:
            return f"%!{found['verb']}(MISSING)"
        return _padded(_said(found, rest.pop(0)), width, found["flags"], found["verb"])

    text = _VERB.sub(one, form)
    if rest:
        text += f"%!(EXTRA {', '.join(_typed(value) for value in rest)})"
    return text


def _width(text: str | None, rest: list[Any]) -> int:
    if text == "*":
        return int(rest.pop(0)) if rest and isinstance(rest[0], int) else 0
    return int(text or 0)


def _typed(value: Any) -> str:
    return "<nil>" if value is None else f"{_name(value)}={go_text(value)}"


def _name(value: Any) -> str:
    if isinstance(value, dict):
        return "map[string]interface {}"
    return "[]interface {}" if isinstance(value, list) else _NAMES[type(value)]


def _said(found: re.Match[str], value: Any) -> str:
    verb = found["verb"]
    precision = None if found["precision"] is None else int(found["precision"] or 0)
    if verb == "v":
        return go_text(value)
    if verb == "T":
        return "<nil>" if value is None else _name(value)
    if isinstance(value, str) and verb in "sqxX":
        text = value if precision is None else value[:precision]
        return {"s": text, "q": quoted(text), "x": text.encode().hex(), "X": text.encode().hex().upper()}[verb]
    if isinstance(value, bool):
        return go_text(value) if verb == "t" else _wrong(verb, value)
    if isinstance(value, int) and verb in _INTEGERS:
        sign = "+" if "+" in found["flags"] else " " if " " in found["flags"] else ""
        return format(value, f"{sign}{_INTEGERS[verb]}")
    if isinstance(value, float) and verb in _FLOATS:
        return _float(value, verb, precision)
    if isinstance(value, (list, dict)) and verb == "s":
        return _each(value)
    return _wrong(verb, value)


def _float(value: float, verb: str, precision: int | None) -> str:
    if verb in "gG" and precision is None:
        return go_text(value)
    return format(value, f".{6 if precision is None else precision}{verb}")


def _each(value: Any) -> str:
    """A list or a map whose elements are printed with %s."""
    if isinstance(value, list):
        return f"[{' '.join(_one(item) for item in value)}]"
    return f"map[{' '.join(f'{key}:{_one(value[key])}' for key in sorted(value))}]"


def _one(value: Any) -> str:
    if isinstance(value, (list, dict)):
        return _each(value)
    return value if isinstance(value, str) else _wrong("s", value)


def _wrong(verb: str, value: Any) -> str:
    return f"%!{verb}({_typed(value)})"


def _padded(text: str, width: int, flags: str, verb: str) -> str:
    if "-" in flags:
        return text.ljust(width)
    if "0" in flags and verb in "deEfFgGxXob":
        return text.zfill(width)
    return text.rjust(width)
