"""The status of a Job: counts, conditions, times, indexes, and the allowed transitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..problems import OMITTED, Problem, duplicate, invalid, required
from ..unchecked import as_map, as_number, as_text, maps
from .job_indexes import first_overlap, parse_indexes
from .values import formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

SUCCESS_SINCE, TRANSITIONS_SINCE = 30, 32
"""The first release that checks transitions: the feature gate JobManagedBy is on by default."""


class _Status(NamedTuple):
    content: Object
    true: frozenset[str]
    false: frozenset[str]

    @classmethod
    def of(cls, job: Object) -> _Status:
        status = as_map(job.get("status"))
        listed = [(as_text(one.get("type")), one.get("status")) for _, one in maps(status, "conditions")]
        by = [frozenset(type_ for type_, state in listed if state == wanted) for wanted in ("True", "False")]
        return cls(status, *by)

    @property
    def finished(self) -> bool:
        return bool(self.true & {"Complete", "Failed"})

    def count(self, field: str) -> int:
        return as_number(self.content.get(field)) or 0

    def differs(self, other: _Status, *fields: str) -> bool:
        return any(self.content.get(field) != other.content.get(field) for field in fields)

    def switches(self, other: _Status, *conditions: str) -> bool:
        return bool((self.true ^ other.true) & {*conditions})


def job(content: Object, before: Object, minor: int) -> Iterator[Problem]:
    """Validate an update of a Job's status."""
    spec, new, old = as_map(content.get("spec")), _Status.of(content), _Status.of(before)
    yield from formats.not_negative("status", new.content, "active", "succeeded", "failed", "ready", "terminating")
    yield from _uncounted(new.content)
    strict = minor >= TRANSITIONS_SINCE
    if strict:
        yield from _consistent(spec, new, old)
    if minor >= SUCCESS_SINCE:
        yield from _success(spec, new)
    if strict:
        yield from _transitions(spec, new, old)
    if minor >= SUCCESS_SINCE:
        yield from _success_changes(new, old)


def _consistent(spec: Object, new: _Status, old: _Status) -> Iterator[Problem]:
    changed = new.finished != old.finished
    yield from _completion(new, old)
    yield from _ends(spec, new, old, changed=changed)
    yield from _indexes(spec, new, old)
    if (changed or new.differs(old, "terminating")) and new.finished and new.count("terminating") > 0:
        yield invalid("status.terminating", new.count("terminating"), "terminating>0 is invalid for finished job")
    ready = as_number(new.content.get("ready"))
    grown = new.differs(old, "ready") or new.count("active") != old.count("active")
    if grown and ready is not None and ready > new.count("active"):
        yield invalid("status.ready", ready, "cannot set more ready pods than active")


def _uncounted(status: Object) -> Iterator[Problem]:
    uncounted = as_map(status.get("uncountedTerminatedPods"))
    seen: set[str] = set()
    for field in ("succeeded", "failed"):
        for index, one in enumerate(uncounted.get(field) or ()):
            place = f"status.uncountedTerminatedPods.{field}[{index}]"
            if not one:
                yield invalid(place, one, "must not be empty")
            elif one in seen:
                yield duplicate(place, one)
            seen.add(one)


def _conditions(why: str) -> Problem:
    return invalid("status.conditions", OMITTED, why)


def _completion(new: _Status, old: _Status) -> Iterator[Problem]:
    complete, at = "Complete" in new.true, new.content.get("completionTime")
    if complete and "Failed" in new.true and new.switches(old, "Complete", "Failed"):
        yield _conditions("cannot set Complete=True and Failed=true conditions")
    if complete and "FailureTarget" in new.true and new.switches(old, "Complete", "FailureTarget"):
        yield _conditions("cannot set Complete=True and FailureTarget=true conditions")
    if new.switches(old, "Complete") or new.differs(old, "completionTime"):
        if at is not None and not complete:
            why = "cannot set completionTime when there is no Complete=True condition"
            yield invalid("status.completionTime", at, why)
        if at is None and complete:
            yield required("status.completionTime", "completionTime is required for Complete jobs")
    start = new.content.get("startTime")
    if new.differs(old, "startTime", "completionTime") and start is not None and at is not None and at < start:
        yield invalid("status.completionTime", at, "must be equal to or after `startTime`")


def _ends(spec: Object, new: _Status, old: _Status, *, changed: bool) -> Iterator[Problem]:
    failed = new.switches(old, "Failed") or new.differs(old, "failedIndexes")
    if failed and "Failed" in new.true and "FailureTarget" not in new.true:
        yield _conditions("cannot set Failed=True condition without the FailureTarget=true condition")
    complete = new.switches(old, "Complete", "SuccessCriteriaMet")
    if complete and "Complete" in new.true and "SuccessCriteriaMet" not in new.true:
        yield _conditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition")
    if not new.finished:
        return
    if (changed or new.count("active") != old.count("active")) and new.count("active") > 0:
        yield invalid("status.active", new.count("active"), "active>0 is invalid for finished job")
    nothing = spec.get("suspend") is True and as_number(spec.get("completions")) == 0
    if (changed or new.differs(old, "startTime")) and not nothing and new.content.get("startTime") is None:
        yield required("status.startTime", "startTime is required for finished job")
    pods = as_map(new.content.get("uncountedTerminatedPods"))
    if (changed or new.differs(old, "uncountedTerminatedPods")) and any(pods.values()):
        shown = {name: pods.get(name.lower()) for name in ("Succeeded", "Failed")}  # it has no JSON names
        yield invalid("status.uncountedTerminatedPods", shown, "must be empty for finished job")


def _indexes(spec: Object, new: _Status, old: _Status) -> Iterator[Problem]:
    completed, failed = as_text(new.content.get("completedIndexes")), new.content.get("failedIndexes")
    changed = completed != as_text(old.content.get("completedIndexes"))
    changed_failed = failed != old.content.get("failedIndexes")
    completions, per_index = as_number(spec.get("completions")), spec.get("backoffLimitPerIndex")
    if changed and completions is not None:
        yield from _parsed("completedIndexes", completed, completions)
    if changed_failed and failed is not None and completions is not None and per_index is not None:
        yield from _parsed("failedIndexes", failed, completions)
    if changed and completed and spec.get("completionMode") != "Indexed":
        why = "cannot set non-empty completedIndexes when non-indexed completion mode"
        yield invalid("status.completedIndexes", completed, why)
    if changed_failed and failed is not None and per_index is None:
        why = "cannot set non-null failedIndexes when backoffLimitPerIndex is null"
        yield invalid("status.failedIndexes", failed, why)
    if (changed or changed_failed) and completions is not None and failed is not None:
        index = first_overlap(completed, failed, completions)
        if index is not None:
            why = f"failedIndexes and completedIndexes overlap at index: {index}"
            yield invalid("status.failedIndexes", failed, why)


def _parsed(field: str, indexes: str, completions: int) -> Iterator[Problem]:
    _, why = parse_indexes(indexes, completions)
    if why:
        yield invalid(f"status.{field}", indexes, f"error parsing {field}: {why}")


def _success(spec: Object, new: _Status) -> Iterator[Problem]:
    met = "SuccessCriteriaMet" in new.true
    for other in ("Failed", "FailureTarget"):
        if met and other in new.true:
            yield _conditions(f"cannot set SuccessCriteriaMet=True and {other}=true conditions")
    if isinstance(spec.get("successPolicy"), dict) and not met and "Complete" in new.true:
        yield _conditions("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True")


def _success_changes(new: _Status, old: _Status) -> Iterator[Problem]:
    met, was = ("SuccessCriteriaMet" in one.true for one in (new, old))
    if was and not met:
        yield _conditions("cannot disable the SuccessCriteriaMet=True condition")
    if "Complete" in old.true and met and not was:
        yield _conditions("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions")


def _transitions(spec: Object, new: _Status, old: _Status) -> Iterator[Problem]:
    for condition in ("Failed", "Complete", "FailureTarget"):
        if condition in old.true and condition not in new.true:
            yield _conditions(f"cannot disable the terminal {condition}=True condition")
    counted = ["failed"]
    if spec.get("completionMode") != "Indexed" or spec.get("completions") != spec.get("parallelism"):
        counted.append("succeeded")
    for field in counted:
        if new.count(field) < old.count(field):
            yield invalid(f"status.{field}", new.count(field), f"cannot decrease the {field} counter")
    times = [status.content.get("completionTime") for status in (new, old)]
    if None not in times and times[0] != times[1]:
        yield invalid("status.completionTime", times[0], "field is immutable")
    resumed = "Suspended" in old.true and "Suspended" in new.false
    started = old.content.get("startTime") is not None and new.differs(old, "startTime")
    if started and not resumed and spec.get("suspend") is not True:
        why = "field is immutable for unsuspended job once set"
        yield invalid("status.startTime", new.content.get("startTime"), why)
