"""How files are cut into parts that can be looked at one by one, and again after a failure."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from ..extra import library
from .sources import BadSource
from .streams import damages, told_by_arrow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .sources import Source

SIZE = 16 << 20
"""How many bytes of objects a part has, about."""
UNPACKED = 8
"""How many times larger a packed dump is, about; it only decides how many parts there are."""


class Part(NamedTuple):
    """Part of a file.

    Bytes from `start` to `end` where lines can be found from anywhere; some row `groups` of Parquet; and of what is
    there, one of several stripes of equal blocks of objects, where a file cannot be entered in the middle.
    """

    source: Source
    start: int = 0
    end: int | None = None
    groups: tuple[int, ...] = ()
    stripe: int = 0
    stripes: int = 1
    weight: int = 0
    """How many bytes it has, about."""

    def key(self, about: str) -> str:
        """What names its result: a hash of what is in it and of what is done with it."""
        source = self.source
        facts = (about, source.url, source.cluster, source.version, self.start, self.end, self.groups)
        return blake2b(repr((*facts, self.stripe, self.stripes)).encode(), digest_size=16).hexdigest()


def parts(sources: Sequence[Source], size: int = SIZE) -> list[Part]:
    """The parts of these files, the largest of which are not much larger than the others."""
    return [part for one in sources for part in _parts(one, size)]


def whole(found: Iterable[Part]) -> list[Part]:
    """The same parts, but with all stripes of what is entered at its beginning as one: to be read once."""
    return [part._replace(stripes=1) for part in found if not part.stripe]


def _parts(source: Source, size: int) -> Iterator[Part]:
    if source.form == "lines" and not source.packing:
        for start in range(0, max(source.size, 1), size):
            end = min(start + size, source.size)
            yield Part(source, start, end, weight=end - start)
    elif source.form == "parquet" and not source.packing:
        yield from _groups(source, size)
    else:
        yield from _stripes(Part(source), source.size * (UNPACKED if source.packing else 1), size)


def _stripes(part: Part, weight: int, size: int) -> Iterator[Part]:
    count = max(1, -(-weight // size))
    for at in range(count):
        yield part._replace(stripe=at, stripes=count, weight=weight // count)


def _groups(source: Source, size: int) -> Iterator[Part]:
    """Row groups, some together where they are small; damage is found out when they are looked at."""
    try:
        with library("fsspec").open(source.url, "rb") as file, told_by_arrow():
            about = library("pyarrow.parquet").read_metadata(file)
        weights = [about.row_group(at).total_byte_size for at in range(about.num_row_groups)]
    except damages():
        yield Part(source, weight=source.size)
        return
    except OSError as error:  # other parts than those of the next run would be in its way
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
