"""What the API does not allow in the status of the kinds that run pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.unchecked import a_map, maps, number, text

from ....refusals import invalid
from .values import addresses, formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object

MORE = "cannot be greater than status.replicas"


def deployment(content: Object, before: Object) -> Iterator[str]:
    """A deployment."""
    status = a_map(content.get("status"))
    counts = ("observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    yield from formats.not_negative("status", status, *counts, "unavailableReplicas", "terminatingReplicas")
    yield from formats.not_negative("status", status, "collisionCount")
    yield from _within(status, "updatedReplicas", "readyReplicas", "availableReplicas")
    yield from _available(status, "cannot be greater than readyReplicas")
    yield from _collisions(content, before)


def kept_class(content: Object, before: Object) -> Object:
    """A pod whose status was written, with the class of service that it had."""
    old = a_map(before.get("status")).get("qosClass")
    return {**content, "status": {**a_map(content.get("status")), "qosClass": old}} if old else content


def pod(content: Object, before: Object) -> Iterator[str]:
    """The addresses of a pod."""
    status, old = a_map(content.get("status")), a_map(before.get("status"))
    yield from _new_addresses("podIPs", _addresses(status, "podIPs"), _addresses(old, "podIPs"))
    one, several = status.get("hostIP") or "", _addresses(status, "hostIPs")
    if several and one != several[0]:
        yield invalid("status.hostIPs[0].ip", several[0], "must be equal to `hostIP`")
    yield from _new_addresses("hostIPs", several, _addresses(old, "hostIPs"))


def _addresses(status: Object, field: str) -> list[str]:
    return [text(one.get("ip")) for _, one in maps(status, field)]


def _new_addresses(field: str, given: list[str], old: list[str]) -> Iterator[str]:
    for index, one in enumerate(given):
        if one not in old:
            yield from addresses.address(f"status.{field}[{index}]", one)
    if len(given) < 2:
        return
    families = [getattr(addresses.read_address(one), "version", None) for one in given]
    if None in families:
        at = families.index(None)
        yield f"status.{field}: Internal error: failed to check for dual stack with error:invalid IP[{at}]: {given[at]}"
    if sorted(map(str, families)) != ["4", "6"]:
        said = [{"IP": one} for one in given]  # as in Go, where it has no other name
        yield invalid(f"status.{field}", said, "may specify no more than one IP for each IP family")


def replica_set(content: Object, _: Object) -> Iterator[str]:
    """A replica set."""
    status = a_map(content.get("status"))
    counts = ("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration")
    yield from formats.not_negative("status", status, *counts, "terminatingReplicas")
    yield from _within(status, "fullyLabeledReplicas", "readyReplicas", "availableReplicas")
    yield from _available(status, "cannot be greater than readyReplicas")


def stateful_set(content: Object, before: Object) -> Iterator[str]:
    """A stateful set."""
    status = a_map(content.get("status"))
    counts = ("replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas")
    yield from formats.not_negative("status", status, *counts, "observedGeneration", "collisionCount")
    yield from _within(status, *counts[1:])
    yield from _available(status, "cannot be greater than status.readyReplicas")
    yield from _collisions(content, before)


def daemon_set(content: Object, before: Object) -> Iterator[str]:
    """A daemon set."""
    status = a_map(content.get("status"))
    counts = ("currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady")
    yield from formats.not_negative("status", status, *counts, "observedGeneration", "updatedNumberScheduled")
    yield from formats.not_negative("status", status, "numberAvailable", "numberUnavailable", "collisionCount")
    yield from _collisions(content, before)


def _within(status: Object, *fields: str) -> Iterator[str]:
    all_ = number(status.get("replicas")) or 0
    for field in fields:
        value = number(status.get(field)) or 0
        if value > all_:
            yield invalid(f"status.{field}", value, MORE)


def _available(status: Object, why: str) -> Iterator[str]:
    ready, available = (number(status.get(field)) or 0 for field in ("readyReplicas", "availableReplicas"))
    if available > ready:
        yield invalid("status.availableReplicas", available, why)


def _collisions(content: Object, before: Object) -> Iterator[str]:
    now, then = (number(a_map(side.get("status")).get("collisionCount")) for side in (content, before))
    if then is not None and (now is None or now < then):
        yield invalid("status.collisionCount", now or 0, "cannot be decremented")
