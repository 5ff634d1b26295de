"""Ways to damage a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

PAGE = 4096


def truncated(data: bytes, random: Random) -> bytes:
    """The file is cut off anywhere."""
    return data[: random.randrange(len(data))]


def flipped(data: bytes, random: Random) -> bytes:
    """Flip a few bits."""
    found = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 8])):
        found[random.randrange(len(found))] ^= 1 << random.randrange(8)
    return bytes(found)


def zeroed(data: bytes, random: Random) -> bytes:
    """A page was never written."""
    return _page(data, random, lambda page: bytes(len(page)))


def scrambled(data: bytes, random: Random) -> bytes:
    """Overwrite a page."""
    return _page(data, random, lambda page: random.randbytes(len(page)))


def stale(data: bytes, random: Random) -> bytes:
    """A page is where another one belongs."""
    pages = [data[at : at + PAGE] for at in range(0, len(data), PAGE)]
    return _page(data, random, lambda page: random.choice(pages)[: len(page)].ljust(len(page), b"\0"))


def lengthened(data: bytes, random: Random) -> bytes:
    """Append data to the file."""
    return data + random.choice([bytes(100), random.randbytes(5000), data])


def emptied(data: bytes, random: Random) -> bytes:
    """Nothing is left."""
    return b""


def _page(data: bytes, random: Random, change: Callable[[bytes], bytes]) -> bytes:
    at = random.randrange(0, len(data), PAGE)
    return data[:at] + change(data[at : at + PAGE]) + data[at + PAGE :]


WAYS = (truncated, flipped, flipped, zeroed, scrambled, stale, lengthened, emptied)


def damaged(data: bytes, random: Random) -> tuple[str, bytes]:
    """Damaged bytes that differ from these, and the way they were damaged."""
    while True:
        way = random.choice(WAYS)
        found = way(data, random)
        if found != data:
            return way.__name__, found
