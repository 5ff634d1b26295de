"""JSON encoding and decoding with orjson, on request. Where its results would differ, `go_json` takes over.

orjson is stricter than Go, and rejects some input, such as lone surrogates. It decodes the rest identically, except for
integers of 2**63 and above. It encodes floats differently from Go.
"""

from __future__ import annotations

import re
from importlib import import_module

from .guard import COMPILED, MAX_DEPTH
from .plain import DEEP, FLOATS, LARGE, has_floats, traits_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    Text: TypeAlias = str | bytes | bytearray
    Reader = Callable[[Text], Any]
    ReaderOfAll = Callable[[Sequence[Text]], tuple[list[Any], int]]
    Writer = Callable[[Any, bool], str]

_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_LARGE_NUMBER = b"0" * 19
"""A number of 2**63 or above has at least so many digits in a row."""
_EACH = 4
_SOME_OF_LARGE = b"0" * (len(_LARGE_NUMBER) // _EACH)
"""The rest of such digits in every fourth character, which takes less than half of the time to search."""

# Floats in orjson's text; a few strings match too.
_fraction = re.compile(r"\.[0-9]+[,}\]]").search
_small = re.compile(r"e-[0-9]+[,}\]]").search
_LARGE_FLOAT = b"e+"


def may_have_floats(text: str) -> bool:
    """True if the text of a map or list has floats, and for a few texts without.

    One character is found faster than two, and two faster than a pattern.
    """
    if "+" in text and "e+" in text:
        return True
    start = text.find("e-")
    return (start >= 0 and _small(text, start) is not None) or _fraction(text) is not None


class NeedsSlowPath(ValueError):
    """A text or a value that orjson accepts, but with another result."""


def load_orjson() -> tuple[Reader, Writer, ReaderOfAll] | None:
    """The functions to decode, to encode and to decode several texts, if orjson is installed.

    They raise ValueError or TypeError on other input. The last one also returns the traits that the values may have.
    """
    try:
        orjson: Any = import_module("orjson")
    except ImportError:
        return None
    loads, dumps, option = orjson.loads, orjson.dumps, orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS

    # Older releases write no + into exponents. Compiled, `has_floats` is faster than the search.
    searches_first = _LARGE_FLOAT in dumps(1e100) and hasattr(has_floats, "__code__")

    def read(text: Text) -> Any:
        data = text.encode() if isinstance(text, str) else text
        if _has_large(data):
            raise NeedsSlowPath
        return loads(data)

    def read_all(texts: Sequence[Any]) -> tuple[list[Any], int]:
        if _has_large(b" ".join(texts)):  # a TypeError for strings
            raise NeedsSlowPath
        return [*map(loads, texts)], FLOATS | DEEP

    def read_all_compiled(texts: Sequence[Text]) -> tuple[list[Any], int]:
        values = [*map(loads, texts)]
        found = traits_of(values, MAX_DEPTH + 1)
        if found & (LARGE | DEEP):
            raise NeedsSlowPath
        return values, found

    def write(value: Any, floats: bool) -> str:
        text: str = dumps(value, option=option).decode()
        if (
            floats
            and not (searches_first and not may_have_floats(text) and type(value) is not float)
            and has_floats(value)
        ):
            raise NeedsSlowPath
        return text

    return read, write, read_all_compiled if COMPILED else read_all


def _has_large(data: bytes | bytearray) -> bool:
    """True if a text has numbers of 2**63 and above, and for a few texts without."""
    return _SOME_OF_LARGE in data[::_EACH].translate(_DIGITS) and _LARGE_NUMBER in data.translate(_DIGITS)
