"""The works as plain functions on Arrow record batches, for any engine: Spark's `mapInArrow`, Ray, Dask, a loop.

Each takes an iterator of record batches and gives one of batches with the columns of `rows.Row`; `COLUMNS` are these
for Spark. What comes in has the column `object`, the text of an object as JSON or YAML, and may have `cluster`, and
`source`, which is where the object was read. `overlay` are tables to lay over those of the release. Secrets are masked
in what comes out, and an object that cannot be read is a row of the severity `error`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .reading.items import Item
from .rows import COLUMNS, batch, schema
from .works.base import Rules
from .works.table import Asked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine import Tables

    from .works.base import Work
    from .works.config import ConfigFile

__all__ = ["COLUMNS", "drift", "lint", "migrate", "owners", "run", "schema", "upgrade"]

MOST = 4096
"""How many rows a batch has, about."""


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
    return run(Asked("lint", Rules(release, tuple(overlay)), options).made(), batches)


def upgrade(
    batches: Iterable[Any], releases: str, overlay: Sequence[Tables] = (), *, severity: str = "notable"
) -> Iterator[Any]:
    """What the releases of a range such as `1.30..1.37` do to each object."""
    options = (("releases", releases), ("severity", severity))
    return run(Asked("upgrade", Rules(None, tuple(overlay)), options).made(), batches)


def drift(
    batches: Iterable[Any], config: Iterable[ConfigFile], release: str | None = None, overlay: Sequence[Tables] = ()
) -> Iterator[Any]:
    """What an apply of the config would change in each object.

    Objects that are not there at all are not told: no part of a fleet knows of the others.
    """
    asked = Asked("drift", Rules(release, tuple(overlay)), (("config", tuple(config)),))
    return run(asked.made(), batches)


def owners(
    batches: Iterable[Any], release: str | None = None, overlay: Sequence[Tables] = (), *, managers: Sequence[str] = ()
) -> Iterator[Any]:
    """Who owns each field of each object."""
    return run(Asked("owners", Rules(release, tuple(overlay)), (("managers", tuple(managers)),)).made(), batches)


def migrate(
    batches: Iterable[Any],
    config: Iterable[ConfigFile] = (),
    release: str | None = None,
    overlay: Sequence[Tables] = (),
    *,
    by: str = "kubectl",
    before: Sequence[str] = (),
    manager: str | None = None,
) -> Iterator[Any]:
    """What the first server-side apply of the config, or of what was applied last, would do to each object."""
    options = (("config", tuple(config)), ("by", by), ("before", tuple(before)), ("manager", manager))
    return run(Asked("migrate", Rules(release, tuple(overlay)), options).made(), batches)


def run(work: Work, batches: Iterable[Any]) -> Iterator[Any]:
    """The rows of a work on these objects."""
    held = []
    for found in batches:
        for item in _items(found):
            held += work.rows(item)
            if len(held) >= MOST:
                yield batch(held)
                held = []
    if held:
        yield batch(held)


def _items(found: Any) -> Iterator[Item]:
    names = found.schema.names
    for row in range(found.num_rows):
        one = {name: found.column(name)[row].as_py() for name in Item._fields if name in names}
        text = found.column("object")[row].as_py()
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text or b""
        source = one.get("source") or f"row {row}"
        yield Item(one.get("cluster") or "", data, source, one.get("problem") or "")
