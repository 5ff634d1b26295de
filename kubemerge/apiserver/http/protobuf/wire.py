"""The protobuf wire format: varints and unknown fields."""

from __future__ import annotations

import codecs

NUMBER, EIGHT_BYTES, SIZED, OPENS, CLOSES, FOUR_BYTES = range(6)
"""The wire types, which give the length of a field."""
ENDED = "unexpected EOF"
OVERFLOW = "proto: integer overflow"
NEGATIVE = "proto: negative length found during unmarshaling"
GROUP_END = "proto: unexpected end of group"


class BadMessage(ValueError):
    """Bytes that are not a valid message. The text is the server's error."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at a position, and its end."""
    value = shift = 0
    while True:
        if shift >= 64:
            raise BadMessage(OVERFLOW)
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
        shift += 7


def signed(value: int, bits: int = 64) -> int:
    """Return a number of so many bits as signed."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def sized(data: bytes, at: int, stop: int) -> tuple[int, int]:
    """Return the start and end of a field's content, after its length."""
    size, at = varint(data, at)
    if size >> 63:
        raise BadMessage(NEGATIVE)
    if at + size > stop:
        raise BadMessage(ENDED)
    return at, at + size


def skipped(data: bytes, at: int, stop: int) -> int:
    """Return the end of the field whose tag is here, including the content of a group."""
    depth = 0
    while at < stop:
        tag, at = varint(data, at)
        if at > stop:
            break
        wire = tag & 7
        if wire == NUMBER:
            _, at = varint(data, at)
        elif wire == SIZED:
            _, at = sized(data, at, stop)
        elif wire in (EIGHT_BYTES, FOUR_BYTES):
            at += 8 if wire == EIGHT_BYTES else 4
        elif wire == OPENS:
            depth += 1
        elif wire == CLOSES:
            if not depth:
                raise BadMessage(GROUP_END)
            depth -= 1
        else:
            raise BadMessage(f"proto: illegal wireType {wire}")
        if not depth:
            break
    if depth or at > stop:
        raise BadMessage(ENDED)
    return at


def _one_by_one(error: UnicodeError) -> tuple[str, int]:
    """Replace each invalid byte by one replacement character, as in Go."""
    return "\ufffd", getattr(error, "start", 0) + 1


codecs.register_error("go", _one_by_one)


def text(data: bytes, at: int, stop: int, _: int = 0) -> str:
    """Return a text."""
    return str(data[at:stop], "utf-8", "go")
