"""Label selectors, such as `app=web,tier!=test,env in (a,b),!canary`, read like `labels.Parse` of upstream."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .errors import BadRequest
from .problems import invalid
from .validation import names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .problems import Problem

    Test = Callable[[Mapping[str, Any]], bool]

END = ""
_TOKENS = re.compile(r"[ \t\r\n]*(==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+)")
_SIGNS = frozenset({"==", "!=", "=", "!", "(", ")", ",", "<", ">", END})
IN, NOT_IN = ("in", "=", "=="), ("notin", "!=")
OPERATORS = ("in", "notin", "=", "==", "!=", "gt", "lt")
"""The operators as a server lists them; gt and lt are written as signs."""
_WRITTEN = frozenset({*IN, *NOT_IN, "<", ">"})
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_NUMBERS = range(-(2**63), 2**63)
NO_INTEGER = "for 'Gt', 'Lt' operators, the value must be an integer"


def parse_selector(text: str) -> Test:
    """Return a function that tests whether labels match. An empty selector matches everything."""
    tests = list(_Parser([*_TOKENS.findall(text), END]).requirements())
    return lambda labels: all(test(labels) for test in tests)


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at = tokens, 0

    def _next(self) -> str:
        return self._tokens[self._at]

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def requirements(self) -> Iterator[Test]:
        while self._next() != END:
            if not _is_word(self._next()) and self._next() != "!":
                raise BadRequest(f"found '{self._next()}', expected: !, identifier, or 'end of string'")
            try:
                yield self._requirement()
            except _Unreadable as error:
                raise BadRequest(f"unable to parse requirement: {error}") from None
            sign = self._take()
            if sign == END:
                return
            if sign != ",":
                raise BadRequest(f"found '{sign}', expected: ',' or 'end of string'")
            if not _is_word(self._next()) and self._next() != "!":
                raise BadRequest(f"found '{self._next()}', expected: identifier after ','")

    def _requirement(self) -> Test:
        key = self._take()
        negated = key == "!"
        if negated:
            key = self._take()
        if not _is_word(key):
            raise _Unreadable(f"found '{key}', expected: identifier")
        if why := [*names.key(key)]:
            raise _Unreadable(invalid("<nil>", key, "; ".join(why)))
        if negated:
            return lambda labels: key not in labels
        if self._next() in (END, ","):
            return lambda labels: key in labels
        operator = self._take()
        if operator not in _WRITTEN:
            raise _Unreadable(f"found '{operator}', expected: {', '.join(OPERATORS)}")
        values = self._values() if operator in ("in", "notin") else {self._value()}
        _check(key, operator, sorted(values))
        return _test(key, operator, values)

    def _value(self) -> str:
        if self._next() in (END, ","):
            return ""
        value = self._take()
        if not _is_word(value):
            raise _Unreadable(f"found '{value}', expected: identifier")
        return value

    def _values(self) -> set[str]:
        if (sign := self._take()) != "(":
            raise _Unreadable(f"found '{sign}' expected: '('")
        if self._next() == ")":
            self._take()
            return {""}
        if not _is_word(self._next()) and self._next() != ",":
            raise _Unreadable(f"found '{self._next()}', expected: ',', ')' or identifier")
        found: set[str] = set()
        before = ","
        while (one := self._take()) != ")":
            if not _is_word(one) and one != ",":
                raise _Unreadable(f"found '{one}', expected: ',', or identifier")
            if _is_word(one):
                found.add(one)
                if self._next() not in (",", ")"):
                    raise _Unreadable(f"found '{self._next()}', expected: ',' or ')'")
            elif before == "," or self._next() == ")":
                found.add("")
            before = one
        return found


class _Unreadable(Exception):
    """A requirement that cannot be read."""


def _is_word(token: str) -> bool:
    return token not in _SIGNS


def _check(key: str, operator: str, values: list[str]) -> None:
    found: list[Problem] = []
    if operator in ("<", ">"):
        found += (invalid(f"values[{at}]", one, NO_INTEGER) for at, one in enumerate(values) if _number(one) is None)
    for index, one in enumerate(values):
        if why := [*names.label_value(one)]:
            found.append(invalid(f"values[{index}][{key}]", one, "; ".join(why)))
    if found:
        said = ", ".join(map(str, found))
        raise _Unreadable(said if len(found) == 1 else f"[{said}]")


def _test(key: str, operator: str, values: set[str]) -> Test:
    """A missing label is in no set."""
    if operator in IN:
        return lambda labels: key in labels and labels[key] in values
    if operator in NOT_IN:
        return lambda labels: key not in labels or labels[key] not in values
    limit = _number(*values)
    return lambda labels: _compares(_number(labels.get(key, "")), operator, limit)


def _compares(number: int | None, operator: str, limit: int | None) -> bool:
    if number is None or limit is None:
        return False
    return number > limit if operator == ">" else number < limit


def _number(text: Any) -> int | None:
    """A 64-bit integer, or None."""
    if not isinstance(text, str) or _INTEGER.fullmatch(text) is None:
        return None
    return int(text) if len(text) < 99 and int(text) in _NUMBERS else None
