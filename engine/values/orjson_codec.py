"""JSON encoding and decoding with orjson, on request. Where its results would differ, `go_json` takes over.

orjson is stricter than Go, and rejects some input, such as lone surrogates. It decodes the rest identically, except for
integers of 2**63 and above. It encodes floats differently from Go.
"""

from __future__ import annotations

import re
from importlib import import_module

from .plain import has_floats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Reader = Callable[[str | bytes | bytearray], Any]
    Writer = Callable[[Any], str]

_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_LARGE = b"0" * 19
"""A number of 2**63 or above has at least so many digits in a row."""
_EACH = 4
_SOME_OF_LARGE = b"0" * (len(_LARGE) // _EACH)
"""The rest of such digits in every fourth character, which takes less than half of the time to search."""

# Floats in orjson's text; a few strings match too.
_fraction = re.compile(rb"\.[0-9]+[,}\]]").search
_small = re.compile(rb"e-[0-9]+[,}\]]").search
_LARGE_FLOAT = b"e+"


def may_have_floats(text: bytes) -> bool:
    """True if the text of a map or list has floats, and for a few texts without."""
    return _LARGE_FLOAT in text or _fraction(text) is not None or _small(text) is not None


class NeedsSlowPath(ValueError):
    """A text or a value that orjson accepts, but with another result."""


def load_orjson() -> tuple[Reader, Writer] | None:
    """The functions to decode and encode, if orjson is installed. They raise ValueError or TypeError on other input."""
    try:
        orjson: Any = import_module("orjson")
    except ImportError:
        return None
    loads, dumps, option = orjson.loads, orjson.dumps, orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS

    # Older releases write no + into exponents. Compiled, `has_floats` is faster than the search.
    searches_first = _LARGE_FLOAT in dumps(1e100) and hasattr(has_floats, "__code__")

    def read(text: str | bytes | bytearray) -> Any:
        data = text.encode() if isinstance(text, str) else text
        if _SOME_OF_LARGE in data[::_EACH].translate(_DIGITS) and _LARGE in data.translate(_DIGITS):
            raise NeedsSlowPath
        return loads(data)

    def write(value: Any) -> str:
        text: bytes = dumps(value, option=option)
        if (searches_first and not may_have_floats(text) and type(value) is not float) or not has_floats(value):
            return text.decode()
        raise NeedsSlowPath

    return read, write
