"""A complete run: find the parts of the dumps, skip finished parts, check the others, and summarize."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from codegen.credentials import without_credentials
from engine import MergeError
from engine.version import __version__

from ..apiserver.text.text import how_many
from .checks.table import FIND_MISSING, WITH_DEFINITIONS, CheckSpec
from .gaps import key_of, with_gaps
from .reading.parts import SIZE, parts, whole
from .reading.sources import among, sources
from .results import Results
from .summary import Summary, summarized
from .workers import Workers, cluster_of, key, request, workers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set

    from .cluster import SchedulerLocation
    from .reading.parts import Part
    from .results import Written

    OnProgress = Callable[[int, int, int, int], None]
    """Called with the finished bytes, all bytes, the objects checked by this run, and the bytes finished before it."""


_ELSEWHERE = (
    "a worker wrote it to a path that is not visible here. Use an --out that all workers and this machine share"
)


class OtherResults(MergeError):
    """A folder with the results of another run."""


class AmongDumps(MergeError):
    """A results folder inside a folder of dumps."""


@dataclass(frozen=True)
class Run:
    """The check, dumps and options of a run."""

    spec: CheckSpec
    paths: Sequence[str]
    out: str
    where: SchedulerLocation
    by: str = "auto"
    """The source of cluster names."""
    size: int = SIZE
    replace: bool = False
    """Whether results of another run may be removed."""
    definitions: bool = True
    """Whether the definitions in the dumps are used."""
    expected: Set[str] | None = None
    """The expected clusters, if known."""


@dataclass
class Outcome:
    """The outcome of a run."""

    results: Results
    keys: Sequence[str]
    """The parts that are in the results."""
    summary: Summary
    again: int
    """Number of parts that were finished before."""
    finished: bool
    """Whether nothing was left to do."""
    failed: list[tuple[Part, str]] = field(default_factory=list)


def carry_out(run: Run, on_progress: OnProgress) -> Outcome:
    """Carry a run out, or the rest of an interrupted one."""
    dumps = sources(run.paths, run.by)
    if among(run.out, run.paths, dumps):
        raise AmongDumps(
            f"{without_credentials(run.out)}: it is among the dumps, so the next run would read results "
            "as dumps. Use another --out"
        )
    found = parts(dumps, run.size)
    results = Results(run.out)
    results.prepare()
    with ExitStack() as stack:
        stack.enter_context(results.alone())
        there, before = _Workers(run.where, stack), results.whole()
        spec = run.spec._replace(searched=run.definitions and run.spec.check in WITH_DEFINITIONS)
        wanted = _finished(spec, found, results, before) if spec.searched else None
        if spec.searched and wanted is None:
            spec = spec._replace(known=there.begun().known(whole(found)))
        wanted = wanted or {key(spec, part): part for part in found}
        return _carried_out(run, spec, wanted, results, before, there, on_progress)


def _finished(
    spec: CheckSpec, found: Sequence[Part], results: Results, before: Mapping[str, Written]
) -> dict[str, Part] | None:
    """The parts by their results if all results exist; None if definitions have to be searched for.

    If all exist, the dumps and their definitions are unchanged: with another definition, the results of its cluster
    would have been removed before any was written.
    """
    by_request = {request(spec, part): part for part in found}
    wanted = {
        key: by_request[one.request] for key, one in before.items() if one.request in by_request and not one.killed
    }
    if len(wanted) != len(found) or len({*wanted.values()}) != len(found):
        return None
    if spec.check in FIND_MISSING and results.done(key_of(wanted)) is None:  # missing objects depend on definitions
        return None
    return wanted


class _Workers:
    """The workers, started when first needed."""

    def __init__(self, where: SchedulerLocation, stack: ExitStack) -> None:
        self._where, self._stack = where, stack
        self._begun: Workers | None = None

    def begun(self) -> Workers:
        if self._begun is None:
            self._begun = self._stack.enter_context(workers(self._where))
        return self._begun


def _carried_out(
    run: Run,
    spec: CheckSpec,
    wanted: dict[str, Part],
    results: Results,
    before: Mapping[str, Written],
    there: _Workers,
    on_progress: OnProgress,
) -> Outcome:
    extra = key_of(wanted)
    others = results.keys() - wanted.keys() - {extra}
    if others and not run.replace:
        raise OtherResults(
            f"{without_credentials(run.out)} contains {how_many(len(others), 'part')} of another run, "
            "or of files that changed since. Use another --out, or --replace"
        )
    results.remove(others)
    again = {key for key, part in before.items() if key in wanted and not part.killed}
    todo = [part for key, part in wanted.items() if key not in again]
    if todo:  # other results may have other gaps
        results.remove(results.keys() & {extra})
    progress = _Progress([*wanted.values()], todo, on_progress)
    try:
        failed = there.begun().run(spec, todo, run.out, progress) if todo else []
    finally:
        results.sweep()
    done = results.whole() if todo else before
    held = {key: part for key, part in wanted.items() if key in done}
    told_of = {part for part, _ in failed}
    failed += [(part, _ELSEWHERE) for key, part in wanted.items() if key not in done and part not in told_of]
    summary = summarized(results, {key: cluster_of(part) for key, part in held.items()})
    lost = [part for part, _ in failed]
    summary, more = with_gaps(
        results,
        spec,
        held,
        summary,
        lost,
        run.expected,
        find_missing=lambda spec, groups: there.begun().missing(spec, groups),
    )
    finished = not todo and before.keys() >= {*more}
    return Outcome(results, [*held, *more], summary, len(again), finished, failed)


class _Progress:
    def __init__(self, every: Sequence[Part], todo: Sequence[Part], on_progress: OnProgress) -> None:
        self._total = sum(max(part.weight, 1) for part in every)
        self._began = self._done = self._total - sum(max(part.weight, 1) for part in todo)
        self._objects, self._on_progress = 0, on_progress

    def __call__(self, part: Part | None, objects: int) -> None:
        self._done += max(part.weight, 1) if part else 0
        self._objects += objects
        self._on_progress(self._done, self._total, self._objects, self._began)


def digest(*about: object) -> str:
    """A key for a check with its options and the version of kubemerge."""
    return blake2b(repr((__version__, about)).encode(), digest_size=16).hexdigest()
