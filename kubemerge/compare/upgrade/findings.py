"""The effects on one object in successive sides, each compared with the one before."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode
from engine.values.plain import same

from ...apiserver.kinds.deprecated import advice, lifecycle
from ...apiserver.problem_paths import steps_of, value_at
from ...kinds.hazards import instead_of
from ..model import SEVERITIES, SORTS, Difference, Finding
from ..results import differences
from .places import without_keys
from .stated import stated
from .stored import NOT_SERVED, without_way

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .stored import Key, Simulation

_NOT_STORED = ("apiVersion", "metadata.managedFields", "metadata.creationTimestamp", "status")
"""Fields whose differences do not belong to the object: metadata kept by a server, and a null that it prints."""


_DISABLED = "the feature gate {} is off, so the API server drops the field"
_NULL = "kubectl sends the null on one side only, because it omits nulls on create since 1.31"
_REORDERED = "the API server stores the elements in another order"
_UNORDERED = ("spec.metrics",)
"""Lists whose order has no effect. Until 1.26, servers store autoscalers as v1, with a target CPU utilization last."""
_NO_MATTER = ("spec.internalTrafficPolicy",)
"""Fields that servers of 1.22 and 1.23 default although they have no meaning, for an ExternalName Service."""


def findings_of(key: Key, config: dict[str, Any], played: Sequence[Simulation]) -> tuple[Finding, ...]:
    """All effects of the sides on an object, in the order of the sides, the worst first in each."""
    documented = [*stated(config, played)]
    found = [*_at_first(played), *documented]
    explained = {(one.at, one.sort, one.path) for one in documented}
    for before, after in pairwise(played):
        steps = _step(key, config, before, after)
        found += (one for one in steps if (one.at, one.sort, one.path) not in explained)
    found += _deprecated(key, played, found)
    order = {one.side.name: at for at, one in enumerate(played)}
    sorts = list(SORTS)
    return tuple(
        sorted(
            {(one.at, one.sort, one.path, one.text): one for one in found}.values(),
            key=lambda one: (order[one.at], SEVERITIES.index(one.severity), sorts.index(one.sort), one.path),
        )
    )


def worst(findings: Sequence[Finding]) -> str:
    """The worst severity of the findings; empty if there are none."""
    return min((one.severity for one in findings), key=SEVERITIES.index, default="")


def _at_first(played: Sequence[Simulation]) -> Iterator[Finding]:
    """Effects of the first side itself, which no step shows."""
    first = played[0]
    if first.problem and all(one.problem for one in played):
        sort, (text, way) = "gone", without_way(first.problem)
        if first.gone:
            text = f"{text} (also in the release you start from)"
        else:
            sort = "refused"
            text, _, way = first.problem.partition(". ")
        yield Finding(first.side.name, "", sort, "breaking", "", text, way)
    for place in first.dropped:
        yield Finding(first.side.name, "", "dropped", "info", place, "the kind has no such field, so it is dropped")
    for place, gate in first.disabled.items():
        yield Finding(first.side.name, "", "dropped", "info", place, _DISABLED.format(gate))
    if first.unreadable:
        yield Finding(first.side.name, "", "refused", "info", "", f"the object cannot be decoded: {first.unreadable}")


def _step(key: Key, config: dict[str, Any], before: Simulation, after: Simulation) -> Iterator[Finding]:
    """Effects of the second of two successive sides that the first does not have."""
    at, previous = after.side.name, before.side.name
    if before.problem or after.problem:
        yield from _served(before, after)
        return
    for place in after.dropped:
        if not _is_within(place, before.dropped):
            yield Finding(
                at,
                previous,
                "dropped",
                "breaking",
                place,
                "the field was removed, so kubectl rejects the object, and a server that only warns drops the field",
                instead_of(place),
            )
    yield from _kept_and_disabled(before, after)
    if after.unreadable and not before.unreadable:
        yield Finding(
            at, previous, "refused", "breaking", "", f"the object can no longer be decoded: {after.unreadable}"
        )
    yield from _other_results(key, config, before, after)


def _kept_and_disabled(before: Simulation, after: Simulation) -> Iterator[Finding]:
    """Fields that are stored from now on, and fields whose feature gate is off now."""
    at, previous = after.side.name, before.side.name
    lost = dict.fromkeys(before.dropped, "it was unknown and dropped")
    lost |= {place: f"the feature gate {gate} was off, so it was dropped" for place, gate in before.disabled.items()}
    for place, why in lost.items():
        if not _is_within(place, (*after.dropped, *after.all_disabled)) and not after.answer.problems:
            text = f"the field is now stored (before, {why})"
            yield Finding(at, previous, "kept", "notable", place, text, "check whether you want this value")
    for place, gate in after.disabled.items():
        if not _is_within(place, lost):
            yield Finding(at, previous, "dropped", "breaking", place, _DISABLED.format(gate))


def _is_within(place: str, fields: Iterable[str]) -> bool:
    """Whether a place is one of some fields, or inside one."""
    return any(place == one or place.startswith((f"{one}.", f"{one}[")) for one in fields)


def _served(before: Simulation, after: Simulation) -> Iterator[Finding]:
    at, previous = after.side.name, before.side.name
    if after.problem and after.problem != before.problem and not before.gone:
        if after.gone:
            text, way = without_way(after.problem)
            yield Finding(at, previous, "gone", "breaking", "", text, way)
        elif not before.problem:
            yield Finding(at, previous, "refused", "breaking", "", f"no result: {after.problem}")
    elif before.problem and not after.problem:
        sort, severity = (
            ("new", "info")
            if not before.outcome and (before.gone or NOT_SERVED in before.problem)
            else ("merge", "breaking")
        )
        yield Finding(at, previous, sort, severity, "", f"it is served (before: {before.problem})")


def _other_results(key: Key, config: dict[str, Any], before: Simulation, after: Simulation) -> Iterator[Finding]:
    """Differences between the results of an apply, or between the stored objects."""
    at, previous = after.side.name, before.side.name
    schema = after.side.tables.schema(*key) if key in after.side.tables else None
    merged: tuple[Difference, ...] = ()
    if before.merged is not None and after.merged is not None and not same(before.merged, after.merged):
        merged = differences(before.merged, after.merged, schema)
    for one in merged:
        if one.is_null:
            yield Finding(at, previous, "merge", "info", one.path, _NULL)
            continue
        text = "the result of kubectl apply changes"
        yield Finding(at, previous, "merge", "breaking", one.path, text, "", one.before, one.after)
    yield from _by_server(at, previous, before, after, schema, {one.path for one in merged})
    if merged or before.stored is None or after.stored is None:
        return
    gone = {*before.dropped, *after.dropped, *before.disabled, *after.disabled}
    policies = {**_mutated(before, schema), **_mutated(after, schema)}
    for found in differences(before.stored, after.stored, schema):
        if _is_reordered(found):
            yield Finding(at, previous, "changed", "info", found.path, _REORDERED)
            continue
        for one in _deeper(found):
            if one.path in policies:
                text = f"MutatingAdmissionPolicy '{policies[one.path]}' changes the field on one side only"
                yield Finding(at, previous, "changed", "breaking", one.path, text, "", one.before, one.after)
            elif not _is_about(one.path, gone) or _is_forced(one, before, after):
                yield _default(at, previous, one, config)


def _mutated(played: Simulation, schema: Any) -> dict[str, str]:
    """The paths that mutating policies change on a side, each with the last policy."""
    return {
        inner.path: one.policy
        for one in played.answer.mutations
        for found in differences(one.before, one.after, schema)
        for inner in _deeper(found)
    }


def _is_reordered(found: Difference) -> bool:
    """Whether a list without order has the same elements on both sides."""
    if found.path not in _UNORDERED or not isinstance(found.before, list) or not isinstance(found.after, list):
        return False
    return sorted(map(encode, found.before)) == sorted(map(encode, found.after))


def _deeper(found: Difference) -> Iterator[Difference]:
    """The differences inside a list whose elements have no names, one by one."""
    before, after = found.before, found.after
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _deeper(Difference(f"{found.path}[{index}]", one, other))
    elif isinstance(before, dict) and isinstance(after, dict):
        for field in sorted({*before, *after}):
            yield from _deeper(Difference(f"{found.path}.{field}", before.get(field), after.get(field)))
    elif not same(before, after):
        yield found


def _is_about(path: str, dropped: set[str]) -> bool:
    """Whether a difference is reported separately, or does not belong to the object."""
    if any(path == one or path.startswith(f"{one}.") for one in _NOT_STORED) or path.endswith(".creationTimestamp"):
        return True
    plain = without_keys(path)
    lost = [*map(without_keys, dropped)]
    if plain.endswith(".emptyDir") and any(one.startswith(plain.removesuffix("emptyDir")) for one in lost):
        return True  # a volume whose source is dropped
    return any(plain == other or plain.startswith(f"{other}.") for other in lost)


def _is_forced(one: Difference, before: Simulation, after: Simulation) -> bool:
    """Whether a server stores its own value in a field that is lost on both sides."""
    return one.before is None and one.path in before.dropped and one.path in after.disabled


def _default(at: str, previous: str, one: Difference, config: dict[str, Any]) -> Finding:
    if one.before is None:
        return Finding(at, previous, "default", "info", one.path, "the API server sets a default", "", None, one.after)
    if one.after is None:
        text = "the API server no longer sets a default"
        is_info = one.path in _NO_MATTER or one.path.startswith("metadata.annotations")  # a note of the server
        severity = "info" if is_info else "notable"
        return Finding(at, previous, "changed", severity, one.path, text, "", one.before, None)
    if same(value_at(config, steps_of(one.path, config)), one.before):
        text, way = "the API server replaces the value of the config", ""
    else:
        text, way = "the API server sets another default", "set the value in the config"
    return Finding(at, previous, "changed", "breaking", one.path, text, way, one.before, one.after)


def _by_server(
    at: str, previous: str, before: Simulation, after: Simulation, schema: Any, known: set[str]
) -> Iterator[Finding]:
    """Differences in the result of a server-side apply to the live object, or in its owners."""
    one, other = before.by_server, after.by_server
    if one is None or other is None:
        return
    if isinstance(one, str) or isinstance(other, str):
        if type(one) is not type(other):
            text = f"no server-side apply: {other}" if isinstance(other, str) else "a server-side apply now works"
            yield Finding(at, previous, "merge", "breaking" if isinstance(other, str) else "info", "", text)
        return
    owned = False
    for found in differences(one, other, schema):
        if found.path.startswith("metadata.managedFields"):
            owned = True
        elif found.path not in known:
            text = "the result of a server-side apply changes"
            yield Finding(at, previous, "merge", "breaking", found.path, text, "", found.before, found.after)
    if owned:
        text = "a server-side apply assigns other owners to the fields"
        yield Finding(at, previous, "merge", "notable", "metadata.managedFields", text)


def _deprecated(key: Key, played: Sequence[Simulation], found: Sequence[Finding]) -> Iterator[Finding]:
    """The deprecation of the version, if its removal is not in the range."""
    cycle = lifecycle(*key)
    if cycle is None or not cycle.deprecated or any(one.sort == "gone" for one in found):
        return
    served = [one for one in played if not one.problem and one.side.tables.release]
    at = next((one for one in served if cycle.is_deprecated_in(str(one.side.tables.release))), None)
    if at is None:
        return
    previous = next((one.side.name for one, other in pairwise(played) if other is at), "")
    gone = f", and removed in {cycle.gone}" if cycle.gone else ""
    last = str(served[-1].side.tables.release)
    yield Finding(
        at.side.name,
        previous,
        "deprecated",
        "notable" if cycle.gone or previous else "info",
        "",
        f"{key[0]} {key[1]} is deprecated since {cycle.deprecated}{gone}",
        advice(*key, last),
    )
