"""The checks as plain functions on Arrow record batches, for any engine: Spark's `mapInArrow`, Ray, Dask, a loop.

Each function takes an iterator of record batches and returns an iterator of batches with the columns of `rows.Row`.
`COLUMNS` lists these columns for Spark. The input has the column `object`, an object as JSON or YAML text. It may also
have the columns `cluster` and `source`, the place the object was read from. `overlay` contains tables that override
those of the release. Secrets are masked in the output, and an unreadable object becomes a row with the severity
`error`.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ..apiserver.registry.feature_gates import known_gates
from .checks.base import Rules
from .checks.table import CheckSpec
from .reading.items import Item
from .rows import COLUMNS, MOST, batch, schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from engine import Tables

    from .checks.base import Check
    from .checks.config import ConfigFile

__all__ = ["COLUMNS", "drift", "lint", "migrate", "owners", "repair", "run", "schema", "upgrade"]

_SLICE = 512
"""Number of objects extracted from a batch at once; each of them is in memory twice."""
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
    """Lint each object like `kubemerge lint`."""
    options = (("select", tuple(select)), ("ignore", tuple(ignore)), ("severity", severity))
    return run(_cached(CheckSpec("lint", Rules(release, tuple(overlay)), options)), batches)


def upgrade(
    batches: Iterable[Any],
    releases: str,
    overlay: Sequence[Tables] = (),
    *,
    severity: str = "notable",
    feature_gates: Mapping[str, bool] | None = None,
) -> Iterator[Any]:
    """Find the effects of a release range such as `1.30..1.37` on each object.

    `feature_gates` are those that the clusters set.
    """
    for gate in set(feature_gates or ()) - known_gates():
        raise ValueError(f"no release has the feature gate {gate!r}. Check its name")
    options = (("releases", releases), ("severity", severity))
    rules = Rules(None, tuple(overlay), gates=tuple(sorted((feature_gates or {}).items())))
    return run(_cached(CheckSpec("upgrade", rules, options)), batches)


def drift(
    batches: Iterable[Any], config: Iterable[ConfigFile], release: str | None = None, overlay: Sequence[Tables] = ()
) -> Iterator[Any]:
    """Find changes that an apply of the config would make to each object.

    Missing objects are not reported, because a part of a fleet has no access to the other parts.
    """
    spec = CheckSpec("drift", Rules(release, tuple(overlay)), (("config", tuple(config)),))
    return run(_cached(spec), batches)


def owners(
    batches: Iterable[Any], release: str | None = None, overlay: Sequence[Tables] = (), *, managers: Sequence[str] = ()
) -> Iterator[Any]:
    """List the owners of each field of each object."""
    return run(_cached(CheckSpec("owners", Rules(release, tuple(overlay)), (("managers", tuple(managers)),))), batches)


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
    """Predict the effects of the first server-side apply on the objects.

    The config is applied or, without one, the configuration that was last applied to each object.
    """
    options = (
        ("config", None if config is None else tuple(config)),
        ("by", by),
        ("before", tuple(before)),
        ("manager", manager),
    )
    return run(_cached(CheckSpec("migrate", Rules(release, tuple(overlay)), options)), batches)


def repair(
    batches: Iterable[Any],
    config: Iterable[ConfigFile],
    release: str | None = None,
    overlay: Sequence[Tables] = (),
    *,
    tool: str = "kubectl",
    server_side: bool = False,
    force_conflicts: bool = False,
) -> Iterator[Any]:
    """Find the drifted fields of each object, and the patch that repairs it.

    Missing objects are not reported, because a part of a fleet has no access to the other parts.
    """
    options = (
        ("config", tuple(config)),
        ("tool", tool),
        ("server_side", "true" if server_side else None),
        ("force_conflicts", force_conflicts),
    )
    return run(_cached(CheckSpec("repair", Rules(release, tuple(overlay)), options)), batches)


def _cached(spec: CheckSpec) -> Check:
    """Return the last check of this thread if its options are equal, so that a large config is read only once."""
    if getattr(_last, "spec", None) != spec:
        _last.spec, _last.check = None, None  # so that two are never in memory at once
        _last.spec, _last.check = spec, spec.create()
    check: Check = _last.check
    return check


def run(check: Check, batches: Iterable[Any]) -> Iterator[Any]:
    """The rows of a check on these objects."""
    held = []
    for found in batches:
        check.begin()  # its counts are not used here, and would grow
        for item in _items(found):
            held += check.rows(item)
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
