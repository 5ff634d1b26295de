"""Cells of Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...unchecked import as_number, as_text, condition_of, get_path, has_condition
from ..ages import age, moment
from .shared import NONE, UNKNOWN, items

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...protocol import Object

_ENDED = ("Succeeded", "Failed")


class _InitProgress(NamedTuple):
    """The progress of a Pod's init containers."""

    blocked: str
    """The reason why the Pod is not initialised. Empty if it is."""
    seen: list[Object]
    """The checked states: all, or those up to the blocking one."""


def _states(one: Object) -> list[Object]:
    return items(one, "status.containerStatuses")


def _sidecars(one: Object) -> set[object]:
    """The names of sidecars: init containers that keep running."""
    return {each.get("name") for each in items(one, "spec.initContainers") if each.get("restartPolicy") == "Always"}


def _init_progress(one: Object) -> _InitProgress:
    sidecars, seen = _sidecars(one), []
    for index, state in enumerate(items(one, "status.initContainerStatuses")):
        seen.append(state)
        up = state.get("name") in sidecars and state.get("started") is True
        if not up and get_path(state, "state.terminated.exitCode") != 0:
            all_ = len(items(one, "spec.initContainers"))
            return _InitProgress(f"Init:{_why_not(state) or f'{index}/{all_}'}", seen)
    return _InitProgress("", seen)


def _why_not(state: Object) -> str:
    """The reason why an init container is not done. Empty if it is still running."""
    waits = as_text(get_path(state, "state.waiting.reason"))
    return _end(state) or ("" if waits == "PodInitializing" else waits)


def _end(state: Object) -> str:
    """The reason why a container ended, if it did."""
    ended = get_path(state, "state.terminated")
    if not isinstance(ended, dict):
        return ""
    signal = ended.get("signal")
    return as_text(ended.get("reason")) or (f"Signal:{signal}" if signal else f"ExitCode:{ended.get('exitCode', 0)}")


def _is_ready(state: Object) -> bool:
    return state.get("ready") is True


def ready(one: Object) -> str:
    """The number of ready containers of a Pod, with sidecars."""
    progress, sidecars = _init_progress(one), _sidecars(one)
    counted = [state for state in progress.seen if state.get("name") in sidecars and state.get("started") is True]
    counted += [] if progress.blocked and not has_condition(one, "Initialized") else filter(_runs, _states(one))
    return f"{sum(map(_is_ready, counted))}/{len(items(one, 'spec.containers')) + len(sidecars)}"


def status(one: Object) -> str:
    """The status of a Pod: the reason of a waiting or terminated container, else the phase."""
    phase = as_text(get_path(one, "status.phase"))
    if get_path(one, "metadata.deletionTimestamp") and get_path(one, "status.reason") == "NodeLost":
        return "Unknown"
    if get_path(one, "metadata.deletionTimestamp") and phase not in _ENDED:
        return "Terminating"
    reason = as_text(get_path(one, "status.reason")) or phase or UNKNOWN
    if condition_of(one, "PodScheduled").get("reason") == "SchedulingGated":
        reason = "SchedulingGated"
    blocked = _init_progress(one).blocked
    return blocked if blocked and not has_condition(one, "Initialized") else _of_containers(one) or blocked or reason


def _of_containers(one: Object) -> str:
    """The reason of the first waiting or terminated container."""
    reasons = (as_text(get_path(state, "state.waiting.reason")) or _end(state) for state in _states(one))
    reason = next(filter(None, reasons), "")
    if reason == "Completed" and any(_is_ready(state) and _runs(state) for state in _states(one)):
        return "Running" if has_condition(one, "Ready") else "NotReady"
    return reason


def _runs(state: Object) -> bool:
    return isinstance(get_path(state, "state.running"), dict)


def restarts(one: Object) -> str:
    """The number of restarts of a Pod's containers, and the age of the last one."""
    progress, sidecars = _init_progress(one), _sidecars(one)
    states = progress.seen
    if not progress.blocked or has_condition(one, "Initialized"):
        states = [*(state for state in progress.seen if state.get("name") in sidecars), *_states(one)]
    count = sum(as_number(state.get("restartCount")) or 0 for state in states)
    last = _latest(get_path(state, "lastState.terminated.finishedAt") for state in states)
    return f"{count} ({age(last)} ago)" if count and last else str(count)


def _latest(times: Iterable[object]) -> object:
    known = [(then, reason) for reason in times if (then := moment(reason)) is not None]
    return max(known, key=lambda pair: pair[0])[1] if known else None


def gates(one: Object) -> str:
    """The number of readiness gates of a Pod that are true."""
    wanted = [each.get("conditionType") for each in items(one, "spec.readinessGates")]
    if not wanted:
        return NONE
    return f"{sum(has_condition(one, str(kind)) for kind in wanted)}/{len(wanted)}"
