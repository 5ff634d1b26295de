"""A whole run: the files, their parts, what is done already, the rest, and what it all comes to."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from engine import MergeError
from engine.version import __version__

from ..output.text import how_many
from .reading.parts import SIZE, parts
from .reading.sources import sources
from .results import Results
from .rows import batch
from .running import Where, run
from .summary import Summary, summarized
from .works.drift import Drift

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .reading.parts import Part
    from .works.table import Asked

    Told = Callable[[int, int, int, int], None]
    """Called with the bytes that are done, of how many, the objects that this run did, and the bytes it began with."""


class OtherResults(MergeError):
    """A folder that holds the results of another run."""


@dataclass(frozen=True)
class Run:
    """What a run is to do, and where."""

    asked: Asked
    paths: Sequence[str]
    out: str
    where: Where
    by: str = "auto"
    """What names a cluster."""
    size: int = SIZE
    replace: bool = False
    """Whether results of another run may be removed."""


@dataclass
class Outcome:
    """What came of a run."""

    summary: Summary
    again: int
    """How many parts were there before."""
    failed: list[tuple[Part, str]] = field(default_factory=list)


def carry_out(asked: Run, told: Told) -> Outcome:
    """Carry a run out, or the rest of one that was interrupted."""
    work = asked.asked
    wanted = {part.key(work.about): part for part in parts(sources(asked.paths, asked.by), asked.size)}
    results = Results(asked.out)
    results.prepare()
    there = results.keys()
    extra = _missing_key(wanted)
    others = there - wanted.keys() - {extra}
    if others and not asked.replace:
        raise OtherResults(
            f"{asked.out} holds {how_many(len(others), 'part')} of another run, or of files that have changed since; "
            "give another --out, or --replace them"
        )
    results.remove(others)
    again = there & wanted.keys()
    todo = [part for key, part in wanted.items() if key not in again]
    progress = _Progress([*wanted.values()], todo, told)
    try:
        failed = run(work, todo, asked.out, asked.where, progress) if todo else []
    finally:
        results.sweep()
    whole = results.keys()
    keys = [key for key in wanted if key in whole]
    if work.work == "drift" and not failed:
        _write_missing(results, work, keys, extra)
        keys.append(extra)
    return Outcome(summarized(results, keys), len(again), failed)


class _Progress:
    def __init__(self, every: Sequence[Part], todo: Sequence[Part], told: Told) -> None:
        self._total = sum(max(part.weight, 1) for part in every)
        self._began = self._done = self._total - sum(max(part.weight, 1) for part in todo)
        self._objects, self._told = 0, told

    def __call__(self, part: Part | None, objects: int) -> None:
        self._done += max(part.weight, 1) if part else 0
        self._objects += objects
        self._told(self._done, self._total, self._objects, self._began)


def _missing_key(wanted: dict[str, Part]) -> str:
    return blake2b("\n".join(sorted(wanted)).encode(), digest_size=16, person=b"missing").hexdigest()


def _write_missing(results: Results, asked: Asked, keys: Sequence[str], key: str) -> None:
    """Write what is in the config but in no part; only now that is known."""
    seen: dict[str, set[str]] = {}
    for one in keys:
        for cluster, found in results.about(one).seen.items():
            seen.setdefault(cluster, set()).update(found)
    work = asked.made()
    if isinstance(work, Drift):
        rows = [*work.missing(seen)]
        results.write(key, [batch(rows)] if rows else [], work)


def digest(*about: object) -> str:
    """What names a work with its options, and the release of what does it."""
    return blake2b(repr((__version__, about)).encode(), digest_size=16).hexdigest()
