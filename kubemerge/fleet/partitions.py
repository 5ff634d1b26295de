"""The works as plain functions on Arrow record batches, for any engine: Spark's `mapInArrow`, Ray, Dask, a loop.

Each takes an iterator of record batches and gives one of batches with the columns of `rows.Row`; `COLUMNS` are these
for Spark. What comes in has the column `object`, the text of an object as JSON or YAML, and may have `cluster`, and
`source`, which is where the object was read. `overlay` are tables to lay over those of the release. Secrets are masked
in what comes out, and an object that cannot be read is a row of the severity `error`.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from .reading.items import Item
from .rows import COLUMNS, MOST, batch, schema
from .works.base import Rules
from .works.table import Asked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine import Tables

    from .works.base import Work
    from .works.config import ConfigFile

__all__ = ["COLUMNS", "drift", "lint", "migrate", "owners", "run", "schema", "upgrade"]

_SLICE = 512
"""How many objects are taken out of a batch at once; each is in memory twice then."""
_last = threading.local()


def lint(
    batches: Iterable[Any],
    release: str | None = None,
    overlay: Sequence[Tables] = (),
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    severity: str = "info",
) -> Iterator[Any]:
    """What `kubemerge lint` finds in each object."""
    options = (("select", tuple(select)), ("ignore", tuple(ignore)), ("severity", severity))
    return run(_made(Asked("lint", Rules(release, tuple(overlay)), options)), batches)


def upgrade(
    batches: Iterable[Any], releases: str, overlay: Sequence[Tables] = (), *, severity: str = "notable"
) -> Iterator[Any]:
    """What the releases of a range such as `1.30..1.37` do to each object."""
    options = (("releases", releases), ("severity", severity))
    return run(_made(Asked("upgrade", Rules(None, tuple(overlay)), options)), batches)


def drift(
    batches: Iterable[Any], config: Iterable[ConfigFile], release: str | None = None, overlay: Sequence[Tables] = ()
) -> Iterator[Any]:
    """What an apply of the config would change in each object.

    Objects that are not there at all are not told: no part of a fleet knows of the others.
    """
    asked = Asked("drift", Rules(release, tuple(overlay)), (("config", tuple(config)),))
    return run(_made(asked), batches)


def owners(
    batches: Iterable[Any], release: str | None = None, overlay: Sequence[Tables] = (), *, managers: Sequence[str] = ()
) -> Iterator[Any]:
    """Who owns each field of each object."""
    return run(_made(Asked("owners", Rules(release, tuple(overlay)), (("managers", tuple(managers)),))), batches)


def migrate(
    batches: Iterable[Any],
    config: Iterable[ConfigFile] | None = None,
    release: str | None = None,
    overlay: Sequence[Tables] = (),
    *,
    by: str = "kubectl",
    before: Sequence[str] = (),
    manager: str | None = None,
) -> Iterator[Any]:
    """What the first server-side apply of the config, or without one of what was applied last, would do to objects."""
    options = (
        ("config", None if config is None else tuple(config)),
        ("by", by),
        ("before", tuple(before)),
        ("manager", manager),
    )
    return run(_made(Asked("migrate", Rules(release, tuple(overlay)), options)), batches)


def _made(asked: Asked) -> Work:
    """A work, which is the last one of this thread if that was asked the same: a large config is read once only."""
    if getattr(_last, "asked", None) != asked:
        _last.asked, _last.work = None, None  # so that the memory of two is never used at once
        _last.asked, _last.work = asked, asked.made()
    work: Work = _last.work
    return work


def run(work: Work, batches: Iterable[Any]) -> Iterator[Any]:
    """The rows of a work on these objects."""
    held = []
    for found in batches:
        work.begin()  # what it has counted is nobody's here, and would grow
        for item in _items(found):
            held += work.rows(item)
            if len(held) >= MOST:
                yield batch(held)
                held = []
    if held:
        yield batch(held)


def _items(found: Any) -> Iterator[Item]:
    names = [name for name in ("object", *Item._fields) if name in found.schema.names]
    for begin in range(0, found.num_rows, _SLICE):
        columns = [found.column(name).slice(begin, _SLICE).to_pylist() for name in names]
        for at, row in enumerate(zip(*columns, strict=True), begin):
            text, *rest = row
            data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text or b""
            one = dict(zip(names[1:], rest, strict=True))
            yield Item(one.get("cluster") or "", data, one.get("source") or f"row {at}", one.get("problem") or "")
