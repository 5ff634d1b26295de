"""KYAML, the YAML with braces and quotes that `-o kyaml` prints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_STEP = "  "
_FOLD = "\\\n"
_PLAIN = re.compile(r"(?:[^\W]|_)(?:[\w./-]*\w)?\Z")
_AMBIGUOUS = re.compile(
    r"""(?ix) (?: null | ~ | true | t | y | yes | on | false | f | n | no | off
        | [+-]?[0-9][0-9_]* | [+-]?0x[0-9a-f_]+ | [+-]?0o?[0-7_]+ | [+-]?0b[01_]+
        | [+-]?(?:[0-9][0-9_]*)?\.?[0-9][0-9_]*\.?(?:e[+-]?[0-9]+)? | [+-]?inf(?:inity)? | nan
        | [+-]?[1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?
        | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)? ) \Z"""
)
_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\r": "\\r", "\v": "\\v", "\0": "\\0", "\x1b": "\\e",
    "\x85": "\\N", "\xa0": "\\_", "\u2028": "\\L", "\u2029": "\\P", '"': '\\"', "\\": "\\\\",
}  # fmt: skip


def kyaml(value: Any) -> str:
    """A document, with the line that begins it and a line end."""
    from engine.values.go_json import decode, encode

    return f"---\n{_node(decode(encode(value)), 0)}\n"


def _node(value: Any, depth: int) -> str:
    if isinstance(value, dict):
        return _map(value, depth)
    if isinstance(value, list):
        return _list(value, depth)
    if isinstance(value, str):
        return _text(value, depth + 1)
    from engine.values.go_json import encode

    return encode(value)


def _map(value: dict[str, Any], depth: int) -> str:
    if not value:
        return "{}"
    inside = _STEP * (depth + 1)
    lines = (f"{inside}{_key(key)}: {_node(value[key], depth + 1)},\n" for key in sorted(value))
    return f"{{\n{''.join(lines)}{_STEP * depth}}}"


def _list(value: list[Any], depth: int) -> str:
    if not value:
        return "[]"
    if all(isinstance(item, (dict, list)) for item in value):
        return f"[{', '.join(_node(item, depth) for item in value)}]"
    inside = _STEP * (depth + 1)
    return f"[\n{''.join(f'{inside}{_node(item, depth + 1)},{chr(10)}' for item in value)}{_STEP * depth}]"


def _key(key: str) -> str:
    if _PLAIN.match(key) and not _AMBIGUOUS.match(key):
        return key
    return f'"{"".join(_escaped(letter, on_one_line=True) for letter in key)}"'


def _text(text: str, depth: int) -> str:
    """A quoted text. Multiple lines are folded, so that each is on a separate line."""
    if "\n" not in text:
        return f'"{"".join(map(_escaped, text))}"'
    indent = _STEP * depth
    lines = "".join(f"{indent}{line}{_FOLD}" for line in _lines(text))
    return f'"{_FOLD}{lines}{indent}"'


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, each with its line end. A leading blank is protected by an escape."""
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        said = "".join(_escaped(letter) for letter in line.removesuffix("\n"))
        before = "\\" if line[0].isspace() and line[0] != "\n" else " "
        yield f"{before}{said}{chr(92)}n" if line.endswith("\n") else f"{before}{said}"


def _escaped(letter: str, *, on_one_line: bool = False) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter in "\n\t":
        return {"\n": "\\n", "\t": "\\t" if on_one_line else "\t"}[letter]
    if letter.isprintable():
        return letter
    code = ord(letter)
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
