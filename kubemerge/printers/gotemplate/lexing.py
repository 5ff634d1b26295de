"""The tokens of a template: text, and the words of its actions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from engine import MergeError

if TYPE_CHECKING:
    from collections.abc import Iterator


class BadTemplate(MergeError):
    """A template that cannot be parsed, or that fails for an object. The message is Go's."""


class Token(NamedTuple):
    """A token of a template: its sort, its text, and its offset."""

    sort: str
    text: str
    at: int


_WORDS = re.compile(
    r"""
    (?P<space>[ \t\r\n]+)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<raw>`[^`]*`)
    |(?P<char>'(?:[^'\\\n]|\\.)+')
    |(?P<number>[+-]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:[0-9][0-9_]*)?\.?[0-9][0-9_]*(?:[eE][+-]?[0-9]+)?\.?))
    |(?P<variable>\$\w*)
    |(?P<field>\.[^\W\d]\w*)
    |(?P<dot>\.)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign>:=|=|\||\(|\)|,)
    """,
    re.VERBOSE,
)
_TRIMMED = " \t\r\n"


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a template. An action ends with a token of the sort `end`."""
    at = 0
    trim = False
    while at < len(text):
        begin = text.find("{{", at)
        piece = text[at:] if begin < 0 else text[at:begin]
        piece = piece.lstrip(_TRIMMED) if trim else piece
        if begin < 0:
            if piece:
                yield Token("text", piece, at)
            return
        inside = begin + 2
        if text[inside : inside + 1] == "-" and text[inside + 1 : inside + 2] in (*_TRIMMED,):
            inside += 2
            piece = piece.rstrip(_TRIMMED)
        if piece:
            yield Token("text", piece, at)
        if text.startswith("/*", inside):
            at, trim = _after_comment(text, inside)
            continue
        yield from _action(text, inside)
        at, trim = _end_of_action(text, inside)


def _after_comment(text: str, at: int) -> tuple[int, bool]:
    end = text.find("*/", at)
    if end < 0:
        raise failure(text, at, "unclosed comment")
    found = re.compile(r"(\s-)?\}\}").match(text, end + 2)
    if not found:
        raise failure(text, end, "comment ends before closing delimiter")
    return found.end(), bool(found[1])


_END = re.compile(r"(\s+-)?\}\}")


def _action(text: str, at: int) -> Iterator[Token]:
    while True:
        if _END.match(text, at):
            yield Token("end", "", at)
            return
        found = _WORDS.match(text, at)
        if not found:
            raise failure(text, at, _unread(text, at))
        if found.lastgroup != "space":
            yield Token(str(found.lastgroup), found[0], at)
        elif _END.match(text, at):
            yield Token("end", "", at)
            return
        else:
            yield Token("space", found[0], at)
        at = found.end()


def _end_of_action(text: str, at: int) -> tuple[int, bool]:
    while True:
        found = _END.match(text, at)
        if found:
            return found.end(), bool(found[1])
        word = _WORDS.match(text, at)
        at = word.end() if word else at + 1


def _unread(text: str, at: int) -> str:
    if at >= len(text) or text[at] == "{":
        return "unclosed action"
    if text[at] == '"':
        return "unterminated quoted string"
    if text[at] == "`":
        return "unterminated raw quoted string"
    return f"unexpected U+{ord(text[at]):04X} {text[at]!r}" if text[at] != "}" else 'unexpected "}" in command'


def line_of(text: str, at: int) -> int:
    """The line of an offset in a template."""
    return text.count("\n", 0, at) + 1


def failure(text: str, at: int, why: str) -> BadTemplate:
    """The error about a template that cannot be parsed, with its line."""
    return BadTemplate(f"template: output:{line_of(text, at)}: {why}")
