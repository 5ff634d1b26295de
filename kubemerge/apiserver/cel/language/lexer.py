"""The lexer: numbers, texts, names and signs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from .tree import CelSyntaxError, Uint

_SPACE = re.compile(r"(?:[ \t\n\r\f]+|//[^\n]*)+")
_NUMBER = re.compile(
    r"(?P<hex>0x[0-9a-fA-F]+)(?P<hexu>[uU])?"
    r"|(?P<float>[0-9]+(?:\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<int>[0-9]+)(?P<intu>[uU])?"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPED = re.compile(r"`[A-Za-z0-9_.\-/ ]+`")
_TEXT = re.compile(
    r"""(?P<prefix>[rRbB]{0,2})(?P<quote>\"\"\"|'''|"|')""",
)
_SIGN = re.compile(r"[=!<>]=|&&|\|\||[-+*/%<>!?:.,()\[\]{}]")
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})"
    r"""|([abfnrtv"'\\?`]))"""
)
_BEGUN = re.compile(
    rf"""[=&|]|`[A-Za-z0-9_.\-/ ]*|(?P<quote>["'])(?:{_ESCAPE.pattern}|(?!(?P=quote))[^\\\n\r])*"""
    r"(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?)?"
)
"""The half of a sign, a name in backquotes, or a text, without its end."""
LONGEST_NUMBER = 1000
LITERALS = {"true": True, "false": False, "null": None}
RESERVED = frozenset(
    "as break const continue else for function if import let loop package namespace return var void while".split()  # noqa: SIM905 - one line
)
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class Token(NamedTuple):
    """One token: `name`, `escaped` for a name in backquotes, `value` for a literal, `sign`, or `end`."""

    kind: str
    text: str
    at: int
    value: Any = None


class Tokens(NamedTuple):
    """The tokens of an expression, and the errors about characters that belong to none."""

    words: tuple[Token, ...]
    wrong: tuple[CelSyntaxError, ...]


@lru_cache(maxsize=16)
def tokenize(text: str) -> Tokens:
    """Return all tokens of an expression. One expression is compiled in several environments."""
    found: list[Token] = []
    wrong: list[CelSyntaxError] = []
    at = 0
    while True:
        space = _SPACE.match(text, at)
        at = space.end() if space else at
        if at >= len(text):
            found.append(Token("end", "<EOF>", at))
            return Tokens(tuple(found), tuple(wrong))
        word = _text(text, at) or _number(text, at) or _name(text, at) or _sign(text, at) or _escaped(text, at)
        if word is not None:
            found.append(word)
            at += len(word.text)
            continue
        skipped = _no_token(text, at)
        wrong.append(CelSyntaxError(at, f"Syntax error: token recognition error at: '{skipped}'"))
        at += len(skipped)


def _no_token(text: str, at: int) -> str:
    """Return what a server's lexer skips: the beginning of a token, and the character that does not continue it."""
    begun = _BEGUN.match(text, at)
    return text[at : (begun.end() if begun else at) + 1]


def _number(text: str, at: int) -> Token | None:
    found = _NUMBER.match(text, at)
    if found is None:
        return None
    if found["float"]:
        return Token("value", found[0], at, float(found["float"]))
    digits = found["hex"] or found["int"]
    unsigned = bool(found["hexu"] or found["intu"])
    number = int(digits, 16 if found["hex"] else 10) if len(digits) <= LONGEST_NUMBER else 2**64
    if number >= (2**64 if unsigned else 2**63 + 1):
        raise CelSyntaxError(at, f"invalid {'uint' if unsigned else 'int'} literal")
    return Token("value", found[0], at, Uint(number) if unsigned else number)


def _name(text: str, at: int) -> Token | None:
    found = _NAME.match(text, at)
    if found is None:
        return None
    if found[0] in LITERALS:
        return Token("value", found[0], at, LITERALS[found[0]])
    return Token("sign" if found[0] == "in" else "name", found[0], at, found[0])


def _escaped(text: str, at: int) -> Token | None:
    found = _ESCAPED.match(text, at)
    return None if found is None else Token("escaped", found[0], at, found[0][1:-1])


def _sign(text: str, at: int) -> Token | None:
    found = _SIGN.match(text, at)
    return None if found is None else Token("sign", found[0], at)


def _text(text: str, at: int) -> Token | None:
    found = _TEXT.match(text, at)
    if found is None:
        return None
    prefix, quote = found["prefix"].lower(), found["quote"]
    if prefix not in ("", "r", "b", "rb", "br"):
        return None
    raw = "r" in prefix
    end = found.end()
    while not text.startswith(quote, end):
        is_wrong = text[end : end + 1] == "\\" and not raw and not _ESCAPE.match(text, end)
        if end >= len(text) or is_wrong or (len(quote) == 1 and text[end] in "\r\n"):
            # a server takes the first two of three quotes for an empty text
            return Token("value", quote[:2], at, "") if len(quote) == 3 and not prefix else None
        end += 2 if text[end] == "\\" and not raw else 1
    inside = text[found.end() : end]
    value: Any = inside
    if "b" in prefix:
        value = inside.encode() if raw else _bytes(inside)
    elif not raw:
        value = _ESCAPE.sub(lambda one: _unescaped(one, at), inside)
    return Token("value", text[at : end + len(quote)], at, value)


def _unescaped(found: re.Match[str], at: int) -> str:
    code = found[1] or found[2] or found[3] or found[4]
    if code:
        if int(code, 16) > 0x10FFFF:
            raise CelSyntaxError(at, "invalid unicode code point")
        return chr(int(code, 16))
    if found[5]:
        return chr(int(found[5], 8))
    return _ESCAPES.get(found[6], found[6])


def _bytes(inside: str) -> bytes:
    found = bytearray()
    last = 0
    for one in _ESCAPE.finditer(inside):
        found += inside[last : one.start()].encode()
        code = one[1] or one[2]
        if code or one[5]:
            found.append(int(code, 16) if code else int(one[5], 8))
        else:
            found += _unescaped(one, 0).encode()
        last = one.end()
    return bytes(found + inside[last:].encode())
