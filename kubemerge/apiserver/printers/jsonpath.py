r"""kubectl's JSONPath templates: `{.items[*].metadata.name}`, `{range .items[*]}{.kind}{"\n"}{end}`."""

from __future__ import annotations

import re
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.go_json import encode

from .jsonpath_steps import (
    COMPARISONS,
    BadPath,
    Work,
    along,
    below,
    comparing,
    constant,
    element,
    elements,
    field,
    having,
    stay,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .jsonpath_steps import Step

_NAME = r"(?:\\.|[^\s.,\[\]$@{}\\])*"
_QUOTED = r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'"""
_TOKEN = re.compile(
    rf"""(?P<space>\s+)|\.\.(?P<below>(?:(?=[\w*\\]){_NAME})?)|\.(?P<field>{_NAME})
    |\[\?\((?P<filter>(?:{_QUOTED}|[^"'])*?)\)\]|\[(?P<list>[^\]?][^\]]*|)\]
    |(?P<quoted>{_QUOTED})|(?P<stay>[$@])|(?P<number>[-+]?\d[\d.]*)|(?P<word>[^\W\d][^\s.,\[\]$@{{}}]*)|(?P<end>\}})""",
    re.VERBOSE,
)
"""The tokens inside braces."""
_SLICE = re.compile(r"(?P<first>-?\d*)(?P<more>:(?P<end>-?\d*)(?::(?P<by>-?\d*))?)?")
_SIGN = re.compile(rf"(?P<left>.+?)(?P<sign>{'|'.join(COMPARISONS)})(?P<right>.+)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_RELAXED = re.compile(r"\{\.?(?P<inner>[^{}]+)\}|\.?(?P<bare>[^{}]+)")
_WORDS = {"true": True, "false": False}
_OF_PATH, _OF_TEMPLATE = 10_000, 100_000
"""The number of values allowed for any input: for one path, of which a table has many, and for a whole template."""
_DEEPEST = 100
"""The maximum nesting of ranges."""
_LARGEST = 2**63


class _Braces(NamedTuple):
    """The content of a pair of braces."""

    step: Step
    word: str
    """`range`, `end` or nothing."""


class _Range(NamedTuple):
    """A range: the template for each of the values found."""

    step: Step
    body: list[Any]


def template(text: str, *, missing_is_empty: bool = True) -> Callable[[Any], str]:
    """Compile a template to a function from an object to a text: text outside of braces stays, paths are replaced."""
    found = arrays(text, missing_is_empty=missing_is_empty)

    def printed(value: Any) -> str:
        return "".join(" ".join(one if isinstance(one, str) else encode(one) for one in part) for part in found(value))

    return printed


def arrays(text: str, *, missing_is_empty: bool = True) -> Callable[[Any], Iterator[list[Any]]]:
    """Compile a template to a function from an object to the values of each path."""
    try:
        body = _body(_parts(text), depth=0)
    except BadPath as error:
        raise BadPath(f"error parsing jsonpath {text}, {error}") from None

    def found(value: Any) -> Iterator[list[Any]]:
        for values in _found(body, value, Work(value, _OF_TEMPLATE)):
            if not (values or missing_is_empty):
                raise BadPath(f'error executing jsonpath "{text}": Error executing template: {text} is not found')
            yield values

    return found


def problem(text: str) -> str:
    """Return the error in a template, in the words of a server. Empty if there is none."""
    try:
        _body(_parts(text), depth=0)
    except BadPath as error:
        return error.why
    return ""


def path(text: str) -> Callable[[Any], list[Any]]:
    """Compile one path, whose braces and first dot are optional, to a function that finds values."""
    if not text:
        return lambda _: []
    relaxed = _RELAXED.fullmatch(text)
    if not relaxed:
        raise BadPath(f"unexpected path string {text!r}: write .metadata.name or {{.metadata.name}}")
    step = _path(f".{relaxed['inner'] or relaxed['bare']}")
    return lambda value: list(step([value], Work(value, _OF_PATH)))


def _parts(text: str) -> Iterator[str | _Braces]:
    at = 0
    while at < len(text):
        opened = text.find("{", at)
        if opened < 0:
            yield text[at:]
            return
        if opened > at:
            yield text[at:opened]
        braces, at = _braces(text, opened + 1)
        yield braces


def _braces(text: str, at: int) -> tuple[_Braces, int]:
    """The braces at a position, and the position after them."""
    steps: list[Step] = []
    keyword = ""
    while True:
        token = _TOKEN.match(text, at)
        if not token:
            raise _unread(text[at:])
        at = token.end()
        if token.lastgroup == "end":
            return _Braces(along(steps), keyword), at
        if token["word"] in ("range", "end"):
            keyword = token["word"]
        else:
            steps += _steps(token)


def _unread(rest: str) -> BadPath:
    if not rest:
        return BadPath("unclosed action")
    what = "unterminated filter" if rest.startswith("[?") else "unterminated array" if rest[0] == "[" else ""
    return BadPath(what or f"unrecognized character in action: U+{ord(rest[0]):04X} '{rest[0]}'", rest)


def _path(text: str) -> Step:
    """A path as if it were in braces."""
    braces, end = _braces(f"{text}}}", 0)
    if end <= len(text) or braces.word:
        raise BadPath(f"unexpected path string {text!r}")
    return braces.step


def _steps(token: re.Match[str]) -> list[Step]:
    kind, text = str(token.lastgroup), token[str(token.lastgroup)]
    if kind == "space":
        return []
    if kind == "below":
        return [below, field(_plain(text))] if text else [below]
    return [_READ[kind](text)]


def _plain(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name)


def _word(text: str) -> Step:
    return constant(_WORDS[text]) if text in _WORDS else partial(_unknown, text)


def _unknown(text: str, _: list[Any], __: Work) -> Iterable[Any]:
    """A word that has no meaning, which upstream only rejects when it prints a value."""
    raise BadPath(f"unrecognized identifier {text}")


def _number(text: str) -> Step:
    whole = None if "." in text else _whole(text)
    try:
        value = float(text) if whole is None else whole
    except ValueError:
        value = inf
    if abs(value) == inf:
        raise BadPath(f"cannot parse number {text}")
    return constant(value)


def _whole(digits: str) -> int | None:
    """An integer. None if it does not fit into 64 bits."""
    value = int(digits) if len(digits) < 1000 else _LARGEST
    return value if -_LARGEST <= value < _LARGEST else None


def _index(digits: str | None) -> int | None:
    value = _whole(digits) if digits else None
    if digits and value is None:
        raise BadPath(f"array index {digits} is not a number")
    return value


def _text(text: str) -> Step:
    def plain(escape: re.Match[str]) -> str:
        if escape[1] and "d800" <= escape[1].lower() < "e000":
            raise BadPath(f"unquote string {text} error invalid syntax: a half of a character stands alone")
        return chr(int(escape[1], 16)) if escape[1] else _ESCAPED.get(escape[2], escape[2])

    return constant(_ESCAPE.sub(plain, text[1:-1]))


def _filter(text: str) -> Step:
    compared = _SIGN.fullmatch(text)
    if not compared and set(text) & set("=<>!"):
        raise BadPath(f"the filter {text!r} does not compare with one of {', '.join(COMPARISONS)}")
    if not compared:
        return having(_path(text))
    return comparing(_path(compared["left"]), compared["sign"], _path(compared["right"]))


def _list(text: str) -> Step:
    steps = [_of_list(one.strip()) for one in text.split(",")]
    return steps[0] if len(steps) == 1 else union(steps)


def _of_list(text: str) -> Step:
    """`2`, `1:3`, `*`, or a quoted path."""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return _path(f".{text[1:-1]}")
    found = _SLICE.fullmatch(":" if text == "*" else text or "0")
    if not found:
        raise BadPath(f"invalid array index {text}")
    first, end, by = (_index(found[name]) for name in ("first", "end", "by"))
    return elements(first, end, by) if found["more"] or first is None else element(first)


_READ: dict[str, Callable[[str], Step]] = {
    "field": lambda text: field(_plain(text)),
    "filter": _filter,
    "list": _list,
    "quoted": _text,
    "stay": lambda _: stay,
    "number": _number,
    "word": _word,
}
"""The parser of each token that finds values."""


def _body(parts: Iterator[str | _Braces], *, depth: int) -> list[Any]:
    """The texts, paths and ranges up to the end of the enclosing range."""
    if depth > _DEEPEST:
        raise BadPath(f"more than {_DEEPEST} ranges inside each other; use fewer")
    body: list[Any] = []
    for part in parts:
        if isinstance(part, str):
            body.append(part)
        elif part.word == "range":
            body.append(_Range(part.step, _body(parts, depth=depth + 1)))
        elif part.word == "end":
            if not depth:
                raise BadPath("not in range, nothing to end")
            return body
        else:
            body.append(part)
    return body


def _found(body: list[Any], value: Any, work: Work) -> Iterator[list[Any]]:
    for part in body:
        if isinstance(part, str):
            yield [part]
        elif isinstance(part, _Range):
            for inner in part.step([value], work):
                yield from _found(part.body, inner, work)
        else:
            yield list(part.step([value], work))
