"""Last-applied annotations that stay JSON text, because a merge only compares and copies them.

An annotation is a third of most texts. Where it has no escapes but quotes, as kubectl writes it, two translations by
tables prove that its text is Go's, and `NaN` takes its place for the parser and the encoder. No other `NaN` is valid in
a text.
"""

from __future__ import annotations

from ..directives import ANNOTATION
from ..errors import MergeError
from .go_json import decode_with_constants, decode_with_traits, encode, is_accelerated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from .plain import Object

    Text: TypeAlias = str | bytes | bytearray
    Kept: TypeAlias = Sequence[str | None]
    """For each document, the text of its annotation, without the start and the end; None if it was decoded."""

_START = f'"{ANNOTATION}":"'.encode()
_END = b'}\\n"'
_PLACE = f'"{ANNOTATION}":NaN'
_PLACE_IN_BYTES = _PLACE.encode()
_NAN = float("nan")
_UNESCAPED = {*range(0x20, 0x7F)} - {*b"<>&"}
_BACKSLASHES = bytes(char == ord("\\") if char in _UNESCAPED else 2 for char in range(256))
_QUOTES = bytes(char == ord('"') if char in _UNESCAPED else 3 for char in range(256))
"""Tables to translate by: 1 for the character, 0 for others that Go does not escape, and an own number for the rest."""
_LEAST = 2048
"""If all texts are shorter, the search takes as long as decoding and encoding the annotations."""


def has_long(*texts: Text) -> bool:
    """True if `decode_kept` is faster than `decode_with_traits`."""
    return max(map(len, texts)) >= _LEAST and not is_accelerated()


def decode_kept(*texts: Text) -> tuple[list[Any], int, Kept]:
    """The values of JSON texts, the traits that they may have, and the annotations that stayed text.

    Either all annotations stay text or none does, so that they can be compared.
    """
    shorter, kept = zip(*map(_cut, texts), strict=True)
    if any(kept):
        try:
            values, traits = decode_with_constants([raw for raw in kept if raw is not None], *shorter)
        except MergeError:  # the text itself has the place of the error
            return *decode_with_traits(*texts), ()
        if all(_annotations(value).get(ANNOTATION) is raw for value, raw in zip(values, kept, strict=True)):
            return values, traits, kept
    return *decode_with_traits(*texts), ()


def _cut(text: Text) -> tuple[Text, str | None]:
    """A text without its annotation, and the annotation; the text itself and None if it must be decoded."""
    if type(text) is not bytes:
        return text, None
    head, start, rest = text.partition(_START)
    raw, end, rest = rest.partition(_END)
    # Each backslash must stand before a quote, and each quote after a backslash.
    if not (start and end) or (b"{" + raw).translate(_BACKSLASHES) != (raw + b"}").translate(_QUOTES):
        return text, None
    return b"".join((head, _PLACE_IN_BYTES, rest)), raw.decode()


def restore(values: Sequence[Any], kept: Kept) -> None:
    """Decode the annotations that stayed text."""
    for value, raw in zip(values, kept, strict=True):
        if raw is not None:
            _annotations(value)[ANNOTATION] = _decoded(raw)


def encode_kept(value: Object, kept: Kept, *, floats: bool) -> str:
    """The text of a value that may have one of these annotations."""
    if not kept:
        return encode(value, floats=floats, read=True)
    annotations = _annotations(value)
    raw = annotations.get(ANNOTATION)
    if raw is None or not any(raw is one for one in kept):
        return encode(value, floats=floats, read=True)
    if floats:
        annotations[ANNOTATION] = _decoded(raw)
        return encode(value, read=True)
    annotations[ANNOTATION] = _NAN
    head, _, tail = encode(value, floats=False, read=True, constants=True).partition(_PLACE)
    return f'{head}"{ANNOTATION}":"{raw}}}\\n"{tail}'


def _annotations(value: Any) -> Object:
    metadata = value.get("metadata") if type(value) is dict else None
    found = metadata.get("annotations") if type(metadata) is dict else None
    return found if type(found) is dict else {}


def _decoded(raw: str) -> str:
    return raw.replace('\\"', '"') + "}\n"
