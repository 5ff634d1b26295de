"""JSON read and written by orjson, for processes that ask for it. Whatever it would do otherwise is left to `go_json`.

It is stricter than Go, and refuses what it does not take, such as halves of surrogate pairs. What it takes it reads as
we do, but for whole numbers of 2**63 and above. It writes floats in another form than Go.
"""

from __future__ import annotations

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
"""As many digits in a row may be a number of 2**63 or above."""
_EACH = 4
_SOME_OF_LARGE = b"0" * (len(_LARGE) // _EACH)
"""What is left of them where only each fourth character is looked at, which takes less than half of the time."""


class Otherwise(ValueError):
    """A text or a value that orjson takes, but not as we do."""


def library() -> tuple[Reader, Writer] | None:
    """What reads and what writes, if orjson is installed; a ValueError or TypeError says that it is not for them."""
    try:
        orjson: Any = import_module("orjson")
    except ImportError:
        return None
    loads, dumps, option = orjson.loads, orjson.dumps, orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS

    def read(text: str | bytes | bytearray) -> Any:
        data = text.encode() if isinstance(text, str) else text
        if _SOME_OF_LARGE in data[::_EACH].translate(_DIGITS) and _LARGE in data.translate(_DIGITS):
            raise Otherwise
        return loads(data)

    def write(value: Any) -> str:
        text: bytes = dumps(value, option=option)
        if has_floats(value):
            raise Otherwise
        return text.decode()

    return read, write
