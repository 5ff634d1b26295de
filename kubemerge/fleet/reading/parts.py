"""Division of files into parts, checked separately and again after a failure."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from ..extra import library
from .sources import BadSource
from .streams import arrow_errors_as_damage, damages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .sources import Source

SIZE = 16 << 20
"""Approximate bytes of objects in a part."""
UNPACKED = 8
"""Approximate ratio of a dump's unpacked and packed size. It only affects the number of parts."""


class Part(NamedTuple):
    """Part of a file.

    It has the bytes from `start` to `end` if lines can be found anywhere, or some row `groups` of Parquet. If a file
    can be read only from its beginning, it has one of several stripes, made of equal blocks of objects.
    """

    source: Source
    start: int = 0
    end: int | None = None
    groups: tuple[int, ...] = ()
    stripe: int = 0
    stripes: int = 1
    weight: int = 0
    """Its approximate size in bytes."""

    def key(self, about: str) -> str:
        """The key of its result: a hash of its content and of the check."""
        source = self.source
        facts = (about, source.url, source.cluster, source.version, self.start, self.end, self.groups)
        return blake2b(repr((*facts, self.stripe, self.stripes)).encode(), digest_size=16).hexdigest()


def parts(sources: Sequence[Source], size: int = SIZE) -> list[Part]:
    """The parts of these files; the largest ones are not much larger than the others."""
    return [part for one in sources for part in _parts(one, size)]


def whole(found: Iterable[Part]) -> list[Part]:
    """The same parts, with all stripes of a file combined, so that the file is read once."""
    return [part._replace(stripes=1, weight=part.weight * part.stripes) for part in found if not part.stripe]


def _parts(source: Source, size: int) -> Iterator[Part]:
    if source.form == "lines" and not source.packing:
        for start in range(0, max(source.size, 1), size):
            end = min(start + size, source.size)
            yield Part(source, start, end, weight=end - start)
    elif source.form == "archive":
        yield Part(source, weight=source.size * UNPACKED)  # each further part would unpack all of it again
    elif source.form == "parquet" and not source.packing:
        yield from _groups(source, size)
    else:
        yield from _stripes(Part(source), source.size * (UNPACKED if source.packing else 1), size)


def _stripes(part: Part, weight: int, size: int) -> Iterator[Part]:
    count = max(1, -(-weight // size))
    for at in range(count):
        yield part._replace(stripe=at, stripes=count, weight=weight // count)


def _groups(source: Source, size: int) -> Iterator[Part]:
    """Row groups, with small ones combined; damaged data is reported when they are checked."""
    try:
        with library("fsspec").open(source.url, "rb") as file, arrow_errors_as_damage():
            about = library("pyarrow.parquet").read_metadata(file)
        weights = [about.row_group(at).total_byte_size for at in range(about.num_row_groups)]
    except damages():
        yield Part(source, weight=source.size)
        return
    except OSError as error:  # the next run would have other parts, which conflict with these
        raise BadSource(f"{source.name}: {error.strerror or type(error).__name__}. Start the run again") from None
    held: list[int] = []
    for at, weight in enumerate(weights):
        if held and sum(weights[one] for one in held) + weight > size:
            yield Part(source, groups=tuple(held), weight=sum(weights[one] for one in held))
            held = []
        if weight > size:
            yield from _stripes(Part(source, groups=(at,)), weight, size)
        else:
            held.append(at)
    if held:
        yield Part(source, groups=tuple(held), weight=sum(weights[one] for one in held))
