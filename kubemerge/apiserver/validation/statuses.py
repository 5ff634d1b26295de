"""The status of workloads and claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount

from ..eras import asked_minor
from ..problems import Printed, Problem, duplicate, forbidden, immutable, internal, invalid, required, unsupported
from ..registry.feature_gates import CLEARED_AFTER_BINDING, RESTART_RULES, is_on
from ..text.go_text import quoted
from ..unchecked import as_list, as_map, as_number, as_text, maps
from . import names
from .eras import (
    CLASS_IMMUTABLE,
    DUPLICATE_ADDRESSES,
    EXTENDED_CLAIMS,
    KEPT_ADDRESSES,
    POD_CONDITIONS,
    POD_CONDITIONS_BEFORE,
)
from .values import addresses, formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

MORE = "cannot be greater than status.replicas"


def deployment(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the status of a Deployment."""
    status = as_map(content.get("status"))
    counts = ("observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    yield from formats.not_negative("status", status, *counts, "unavailableReplicas", "terminatingReplicas")
    yield from formats.not_negative("status", status, "collisionCount")
    yield from _within(status, "updatedReplicas", "readyReplicas", "availableReplicas")
    yield from _available(status, "cannot be greater than readyReplicas")
    yield from _collisions(content, before)


CLASS_KEPT_SINCE, GENERATIONS_KEPT_SINCE, CLAIMS_KEPT_SINCE = 32, 33, 37
"""The first minor releases in which a Pod keeps fields that an update of its status leaves out."""
CLAIM_FIELDS = ("resourceClaimStatuses", "extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses")


def with_kept_fields(content: Object, before: Object, minor: int) -> Object:
    """Return a Pod after an update of its status. It keeps the fields that older clients leave out."""
    status, old = as_map(content.get("status")), as_map(before.get("status"))
    kept: Object = {}
    if minor >= CLASS_KEPT_SINCE and old.get("qosClass") and not status.get("qosClass"):
        kept["qosClass"] = old["qosClass"]
    if minor >= CLAIMS_KEPT_SINCE:
        kept |= {name: old[name] for name in CLAIM_FIELDS if old.get(name) is not None and status.get(name) is None}
    if minor >= GENERATIONS_KEPT_SINCE:
        if old.get("observedGeneration") and not status.get("observedGeneration"):
            kept["observedGeneration"] = old["observedGeneration"]
        kept |= _kept_generations(status, old)
    return {**content, "status": {**status, **kept}} if kept else content


def _kept_generations(status: Object, old: Object) -> Object:
    """The conditions with the generations of the old conditions of the same types, in their order. Empty if no
    condition changes.
    """
    known: dict[str, list[Any]] = {}
    for _, one in maps(old, "conditions"):
        known.setdefault(as_text(one.get("type")), []).append(one.get("observedGeneration"))
    if not any(any(generations) for generations in known.values()):
        return {}
    conditions = []
    for one in as_list(status.get("conditions")):
        generations = known.get(as_text(one.get("type")), []) if isinstance(one, dict) else []
        generation = generations.pop(0) if generations else None
        is_kept = generation and not one.get("observedGeneration")
        conditions.append({**one, "observedGeneration": generation} if is_kept else one)
    return {"conditions": conditions} if conditions else {}


def pod(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the conditions and addresses of a Pod."""
    status, old = as_map(content.get("status")), as_map(before.get("status"))
    for index, one in maps(status, "conditions"):
        place, type_ = f"status.conditions[{index}]", as_text(one.get("type"))
        seen = as_number(one.get("observedGeneration")) or 0
        if seen < 0:
            yield invalid(f"{place}.observedGeneration", seen, "must be a non-negative integer")
        if type_ not in ("PodScheduled", "Ready", "Initialized"):
            for era, owner in ((POD_CONDITIONS_BEFORE, "metadata"), (POD_CONDITIONS, "status")):
                found = [invalid(f"{owner}.conditions[{index}].Type", type_, why) for why in names.key(type_)]
                yield from era.limit(found)
    if (as_number(status.get("observedGeneration")) or 0) < 0:
        yield invalid("status.observedGeneration", status["observedGeneration"], "must be a non-negative integer")
    if old.get("qosClass") and status.get("qosClass") != old["qosClass"]:
        yield from CLASS_IMMUTABLE.limit([immutable("status.qosClass", status.get("qosClass") or "")])
    node = as_text(status.get("nominatedNodeName"))
    if node and node != old.get("nominatedNodeName"):
        yield from (invalid("status.nominatedNodeName", node, why) for why in names.subdomain(node))
        if as_map(before.get("spec")).get("nodeName") and is_on(CLEARED_AFTER_BINDING, asked_minor()):
            yield forbidden("status.nominatedNodeName", "may not be set on pods that are already bound to a node")
    yield from _transitions(status, old, as_map(before.get("spec")))
    yield from _claims(status, as_map(content.get("spec")))
    extended = status.get("extendedResourceClaimStatus")
    if isinstance(extended, dict):
        yield from EXTENDED_CLAIMS.limit(_extended_claim(extended, as_map(content.get("spec"))))
    yield from _new_addresses("podIPs", _addresses(status, "podIPs"), _addresses(old, "podIPs"))
    host, several = status.get("hostIP") or "", _addresses(status, "hostIPs")
    if several and host != several[0]:
        yield invalid("status.hostIPs[0].ip", several[0], "must be equal to `hostIP`")
    yield from _new_addresses("hostIPs", several, _addresses(old, "hostIPs"))


RESTART_ALL, RESTART_ALL_GATE = "RestartAllContainers", "RestartAllContainersOnContainerExits"
SIDECARS_SINCE, EPHEMERAL_SINCE = 28, 34
"""The first minor releases that let init containers with a policy restart, and that check ephemeral containers."""
NO_EXTENDED_RESOURCE = (
    "must match the extended resource name of an entry in spec.initContainers.resources.requests or "
    "spec.containers.resources.requests"
)
RUNNING_AGAIN = "may not be transitioned to non-terminated state"


def _transitions(status: Object, old: Object, spec: Object) -> Iterator[Problem]:
    """A terminated container does not run again, unless it restarts."""
    minor = asked_minor()
    every = [one for field in ("initContainers", "containers") for _, one in maps(spec, field)]
    actions = [rule.get("action") for one in every for _, rule in maps(one, "restartPolicyRules")]
    restarts_all = RESTART_ALL in actions and is_on(RESTART_ALL_GATE, minor)
    for field, containers in (("containerStatuses", "containers"), ("initContainerStatuses", "initContainers")):
        named = {as_text(one.get("name")): one for _, one in reversed([*maps(spec, containers)])}
        for index, code, name in () if restarts_all else _running_again(status, old, field):
            if not _may_restart(named.get(name), code, spec, minor, init=containers == "initContainers"):
                yield forbidden(f"status.{field}[{index}].state", RUNNING_AGAIN)
    if minor >= EPHEMERAL_SINCE:
        for index, _, _ in _running_again(status, old, "ephemeralContainerStatuses"):
            yield forbidden(f"status.ephemeralContainerStatuses[{index}].state", RUNNING_AGAIN)


def _running_again(status: Object, old: Object, field: str) -> Iterator[tuple[int, int, str]]:
    """The containers that were terminated and are not any more: their index, exit code and name."""
    for index, before in maps(old, field):
        terminated = as_map(before.get("state")).get("terminated")
        now = next((one for _, one in maps(status, field) if one.get("name") == before.get("name")), None)
        if terminated is not None and now is not None and as_map(now.get("state")).get("terminated") is None:
            yield index, as_number(as_map(terminated).get("exitCode")) or 0, as_text(before.get("name"))


def _may_restart(container: Object | None, code: int, spec: Object, minor: int, *, init: bool) -> bool:
    policy = spec.get("restartPolicy")
    if is_on(RESTART_RULES, minor):
        if container is None:
            return False
        if container.get("restartPolicy") is not None:
            rule = next((one for _, one in maps(container, "restartPolicyRules") if _matches(one, code)), {})
            if rule.get("action") == "Restart":
                return True
            policy = container["restartPolicy"]
    elif init and policy != "Always" and minor >= SIDECARS_SINCE and as_map(container).get("restartPolicy") == "Always":
        return True
    return policy == "Always" or (policy == "OnFailure" and code != 0)


def _matches(rule: Object, code: int) -> bool:
    codes = as_map(rule.get("exitCodes"))
    return bool(codes) and (code in as_list(codes.get("values"))) is (codes.get("operator") == "In")


def _claims(status: Object, spec: Object) -> Iterator[Problem]:
    """The ResourceClaims of a Pod that were generated from templates."""
    known = {as_text(one.get("name")) for _, one in maps(spec, "resourceClaims")}
    seen: set[str] = set()
    for index, one in maps(status, "resourceClaimStatuses"):
        at = f"status.resourceClaimStatuses[{index}]"
        name, claim = as_text(one.get("name")), one.get("resourceClaimName")
        if name not in known:
            yield invalid(f"{at}.name", name, "must match the name of an entry in `spec.resourceClaims`")
        if name in seen:
            yield duplicate(f"{at}.name", name)
        seen.add(name)
        if claim is not None:
            yield from (invalid(f"{at}.resourceClaimName", claim, why) for why in names.subdomain(as_text(claim)))


def _extended_claim(claim: Object, spec: Object) -> Iterator[Problem]:
    """The ResourceClaim for extended resources of a Pod."""
    at = "status.extendedResourceClaimStatus"
    containers = {
        as_text(one.get("name")): one for field in ("initContainers", "containers") for _, one in maps(spec, field)
    }
    listed = list(maps(claim, "requestMappings"))
    if not listed:
        yield required(f"{at}.requestMappings", "at least one request mapping is required")
    seen: set[tuple[str, str, str]] = set()
    for index, one in listed:
        place = f"{at}.requestMappings[{index}]"
        key = as_text(one.get("containerName")), as_text(one.get("resourceName")), as_text(one.get("requestName"))
        of = containers.get(key[0])
        if of is None:
            why = "must match the name of an entry in spec.initContainers.name or spec.containers.name"
            yield invalid(f"{place}.containerName", key[0], why)
        elif key[1] not in as_map(as_map(of.get("resources")).get("requests")):
            yield invalid(f"{place}.resourceName", key[1], NO_EXTENDED_RESOURCE)
        yield from (invalid(f"{at}.requestName", key[2], why) for why in names.label(key[2]))
        if key in seen:
            for field, value in zip(("containerName", "resourceName", "requestName"), key, strict=True):
                yield duplicate(f"{place}.{field}", value)
        seen.add(key)
    name = as_text(claim.get("resourceClaimName"))
    if not name:
        yield required(f"{at}.resourceClaimName")
    yield from (invalid(f"{at}.resourceClaimName", name, why) for why in (names.subdomain(name) if name else ()))


def _addresses(status: Object, field: str) -> list[str]:
    return [as_text(one.get("ip")) for _, one in maps(status, field)]


def _new_addresses(field: str, given: list[str], old: list[str]) -> Iterator[Problem]:
    for index, one in enumerate(given):
        wrong = addresses.address(f"status.{field}[{index}]", one)
        yield from KEPT_ADDRESSES.limit(wrong) if one in old else wrong
    repeated = [index for index, one in enumerate(given) if one in given[:index]]
    type_ = f"core.{field[0].upper()}{field[1:-1]}"
    shown = [Printed(f"{type_}{{IP:{quoted(given[index])}}}") for index in repeated]
    found = [duplicate(f"status.{field}[{index}]", one) for index, one in zip(repeated, shown, strict=True)]
    yield from DUPLICATE_ADDRESSES.limit(found)
    if len(given) < 2:
        return
    families = [getattr(addresses.read_address(one), "version", None) for one in given]
    if None in families:
        at = families.index(None)
        why = f"failed to check for dual stack with error:invalid IP[{at}]: {given[at]}"
        yield internal(f"status.{field}", why)
    if sorted(map(str, families)) != ["4", "6"]:
        said = [{"IP": one} for one in given]  # as in Go, where it has no JSON name
        yield invalid(f"status.{field}", said, "may specify no more than one IP for each IP family")


RESIZES = (
    "ControllerResizeInProgress",
    "ControllerResizeInfeasible",
    "NodeResizeInProgress",
    "NodeResizeInfeasible",
    "NodeResizePending",
)


def claim(content: Object, _: Object) -> Iterator[Problem]:
    """Validate the capacity of a claim, and its pending changes."""
    status = as_map(content.get("status"))
    if not as_map(content.get("spec")).get("accessModes"):
        yield required("Spec.accessModes")
    yield from _sizes("status.capacity", status.get("capacity"))
    at = "status.allocatedResourceStatuses"
    for name, state in as_map(status.get("allocatedResourceStatuses")).items():
        yield from _resource(at, name)
        if state not in RESIZES:
            yield unsupported(at, name, sorted(RESIZES))
    at, allocated = "status.allocatedResources", as_map(status.get("allocatedResources"))
    for name, size in allocated.items():
        yield from [*_resource(at, name)] or _sizes(at, {name: size})


def _resource(at: str, name: str) -> Iterator[Problem]:
    """A resource name of a claim. The only native one allowed is storage."""
    problems = [invalid(at, name, why) for why in names.key(name)]
    yield from problems
    if not problems and name != "storage" and ("/" not in name or "kubernetes.io/" in name):
        yield unsupported(at, name, ("storage",))


def _sizes(at: str, sizes: Any) -> Iterator[Problem]:
    for name, size in as_map(sizes).items():
        found = amount(size)
        if found is not None and found < 0:
            yield invalid(f"{at}[{name}]", int(found), "must be a valid resource quantity")


def replica_set(content: Object, _: Object) -> Iterator[Problem]:
    """Validate the status of a ReplicaSet."""
    status = as_map(content.get("status"))
    counts = ("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration")
    yield from formats.not_negative("status", status, *counts, "terminatingReplicas")
    yield from _within(status, "fullyLabeledReplicas", "readyReplicas", "availableReplicas")
    yield from _available(status, "cannot be greater than readyReplicas")


def stateful_set(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the status of a StatefulSet."""
    status = as_map(content.get("status"))
    counts = ("replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas")
    yield from formats.not_negative("status", status, *counts, "observedGeneration", "collisionCount")
    yield from _within(status, *counts[1:])
    yield from _available(status, "cannot be greater than status.readyReplicas")
    yield from _collisions(content, before)


def daemon_set(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the status of a DaemonSet."""
    status = as_map(content.get("status"))
    counts = ("currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady")
    yield from formats.not_negative("status", status, *counts, "observedGeneration", "updatedNumberScheduled")
    yield from formats.not_negative("status", status, "numberAvailable", "numberUnavailable", "collisionCount")
    yield from _collisions(content, before)


def _within(status: Object, *fields: str) -> Iterator[Problem]:
    all_ = as_number(status.get("replicas")) or 0
    for field in fields:
        value = as_number(status.get(field)) or 0
        if value > all_:
            yield invalid(f"status.{field}", value, MORE)


def _available(status: Object, why: str) -> Iterator[Problem]:
    ready, available = (as_number(status.get(field)) or 0 for field in ("readyReplicas", "availableReplicas"))
    if available > ready:
        yield invalid("status.availableReplicas", available, why)


def _collisions(content: Object, before: Object) -> Iterator[Problem]:
    now, then = (as_number(as_map(side.get("status")).get("collisionCount")) for side in (content, before))
    if then is not None and (now is None or now < then):
        yield invalid("status.collisionCount", now or 0, "cannot be decremented")
