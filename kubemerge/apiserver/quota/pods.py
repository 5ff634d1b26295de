"""The usage of Pods."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from ..decoding import go_times
from ..deletion import FINISHED
from ..pod_resources import HUGE_PAGES, together
from ..registry.feature_gates import is_on
from ..registry.qos import qos_class
from ..unchecked import as_map, as_number, as_text, find_condition, get_path, maps
from ..validation.selectors import OPERATORS
from ..validation.values.quantities import is_extended, is_native, size
from .amounts import added, highest
from .evaluators import CREATE, UPDATE, Evaluator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..protocol import Object

COMPUTED = ("cpu", "memory", "ephemeral-storage")
LIMITED = frozenset(
    ("pods", *COMPUTED, *(f"requests.{one}" for one in COMPUTED), *(f"limits.{one}" for one in COMPUTED))
)
REQUIRED = frozenset(("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"))
"""Resources that each container must specify if a quota limits them."""
DEVICE_CLASS = "deviceclass.resource.kubernetes.io/"
DEVICE_CLASSES_SINCE = 35
WITH_NAMES_SINCE = 24
"""The first minor release that names the containers without a required amount."""
SCOPE_CHANGES_SINCE = 33
"""The first minor release that charges a Pod again if its activeDeadlineSeconds is set."""
RESIZED_SINCE = 33


class Pods(Evaluator):
    """Pods, with the requests and limits of their containers."""

    def handles(self, operation: str, content: Object, before: Object | None, subresource: str) -> bool:
        """Whether a request may change the usage."""
        if subresource == "resize":
            return operation == UPDATE and self.context.minor >= RESIZED_SINCE
        if subresource:
            return False
        if operation == UPDATE and before is not None and self.context.minor >= SCOPE_CHANGES_SINCE:
            return is_terminating(before) != is_terminating(content)
        return operation == CREATE

    def matching(self, names: Iterable[str]) -> list[str]:
        """Return the resources in `names` that Pods use."""
        return [name for name in names if name == self.count or name in LIMITED or self._is_prefixed(name)]

    def _is_prefixed(self, name: str) -> bool:
        if name.startswith((HUGE_PAGES, f"requests.{HUGE_PAGES}")):
            return True
        implicit = self.context.minor >= DEVICE_CLASSES_SINCE and name.startswith(f"requests.{DEVICE_CLASS}")
        return name.startswith("requests.") and (not is_native(name) or implicit)

    def matches_scope(self, requirement: Object, content: Object) -> bool:
        """Whether a Pod is in a scope of a quota."""
        scope, operator = as_text(requirement.get("scopeName")), as_text(requirement.get("operator"))
        if scope in ("Terminating", "NotTerminating"):
            return is_terminating(content) is (scope == "Terminating")
        if scope in ("BestEffort", "NotBestEffort"):
            quality = as_text(get_path(content, "status.qosClass")) or qos_class(as_map(content.get("spec")))
            return (quality == "BestEffort") is (scope == "BestEffort")
        if scope == "CrossNamespacePodAffinity":
            return _uses_other_namespaces(as_map(get_path(content, "spec.affinity")))
        if scope != "PriorityClass":
            return False
        name = as_text(get_path(content, "spec.priorityClassName"))
        if operator == "Exists":
            return bool(name)
        return is_selected(requirement, {scope: name} if name else {})

    def missing(self, names: Iterable[str], content: Object) -> str:
        """Return the reason for a rejection if a container lacks a required amount."""
        spec = as_map(content.get("spec"))
        if is_on("PodLevelResources", self.context.minor) and _has_own_resources(spec):
            return ""
        required = REQUIRED & set(names)
        lacking: dict[str, set[str]] = {}
        for field in ("containers", "initContainers") if required else ():
            for _, container in maps(spec, field):
                resources = as_map(container.get("resources"))
                has = self._computed(as_map(resources.get("requests")), as_map(resources.get("limits")))
                for name in required - has.keys():
                    lacking.setdefault(name, set()).add(as_text(container.get("name")))
        if not lacking:
            return ""
        if self.context.minor < WITH_NAMES_SINCE:
            return f"must specify {','.join(sorted(lacking))}"
        listed = (f"{name} for: {','.join(sorted(lacking[name]))}" for name in sorted(lacking))
        return f"must specify {'; '.join(listed)}"

    def usage(self, content: Object) -> dict[str, Any]:
        """Return the number of the Pod, and its requests and limits while it may run."""
        found = {self.count: "1"}
        if not self._is_charged(content):
            return found
        requests, limits = (self._whole(content, which) for which in ("requests", "limits"))
        return found | self._computed(requests, limits)

    def _is_charged(self, content: Object) -> bool:
        if get_path(content, "status.phase") in FINISHED:
            return False
        metadata = content["metadata"]
        deleted, grace = metadata.get("deletionTimestamp"), as_number(metadata.get("deletionGracePeriodSeconds"))
        if not isinstance(deleted, str) or grace is None:
            return True
        end = go_times.parsed(deleted) + timedelta(seconds=grace)
        return self.context.clock() <= end

    def _whole(self, content: Object, which: str) -> dict[str, Any]:
        """The requests or limits of the whole Pod."""
        spec, minor = as_map(content.get("spec")), self.context.minor
        found = together(spec, which)
        if is_on("InPlacePodVerticalScaling", minor) and as_map(content.get("status")):
            found = _with_status(content, which, found)
        own = as_map(as_map(spec.get("resources")).get(which))
        if own and is_on("PodLevelResources", minor):
            found |= {name: value for name, value in own.items() if _is_of_whole_pods(name)}
        overhead = as_map(spec.get("overhead"))
        if which == "limits":
            overhead = {name: value for name, value in overhead.items() if size(found.get(name, "0"))}
        return added(found, overhead)

    def _computed(self, requests: Object, limits: Object) -> dict[str, Any]:
        found = {"pods": "1"}
        for name in COMPUTED:
            if name in requests:
                found[name] = found[f"requests.{name}"] = requests[name]
            if name in limits:
                found[f"limits.{name}"] = limits[name]
        for name, value in requests.items():
            if name.startswith(HUGE_PAGES):
                found[name] = found[f"requests.{name}"] = value
            elif is_extended(name) or (name.startswith(DEVICE_CLASS) and self.context.minor >= DEVICE_CLASSES_SINCE):
                found[f"requests.{name}"] = value
        return found


def is_terminating(pod: Object) -> bool:
    """Whether a Pod ends by itself: it has activeDeadlineSeconds."""
    seconds = as_number(get_path(pod, "spec.activeDeadlineSeconds"))
    return seconds is not None and seconds >= 0


def is_selected(requirement: Object, labels: dict[str, str]) -> bool:
    """Whether a requirement selects the value of its scope."""
    values = requirement.get("values")
    holds = OPERATORS.get(as_text(requirement.get("operator")))
    listed = values if isinstance(values, list) else []
    return holds is not None and holds(labels, as_text(requirement.get("scopeName")), listed)


def _uses_other_namespaces(affinity: Object) -> bool:
    for field in ("podAffinity", "podAntiAffinity"):
        own = as_map(affinity.get(field))
        terms = [one for _, one in maps(own, "requiredDuringSchedulingIgnoredDuringExecution")]
        preferred = maps(own, "preferredDuringSchedulingIgnoredDuringExecution")
        terms += [as_map(one.get("podAffinityTerm")) for _, one in preferred]
        if any(one.get("namespaces") or one.get("namespaceSelector") is not None for one in terms):
            return True
    return False


def _is_of_whole_pods(name: str) -> bool:
    return name in ("cpu", "memory") or name.startswith(HUGE_PAGES)


def _has_own_resources(spec: Object) -> bool:
    own = as_map(spec.get("resources"))
    return any(_is_of_whole_pods(name) for which in ("requests", "limits") for name in as_map(own.get(which)))


def _with_status(pod: Object, which: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """The amounts of the containers together, if they run with others than those of the spec."""
    spec, status = as_map(pod.get("spec")), as_map(pod.get("status"))
    running = {
        as_text(one.get("name")): one
        for field in ("initContainerStatuses", "containerStatuses")
        for _, one in maps(status, field)
    }
    if not any("resources" in one or "allocatedResources" in one for one in running.values()):
        return wanted
    pending = find_condition(status.get("conditions"), "PodResizePending")
    infeasible = pending.get("reason") == "Infeasible"

    def amounts(container: Object, *fields: str) -> Object:
        one = running.get(as_text(container.get("name")), {})
        for field in fields:
            found = get_path(one, field)
            if isinstance(found, dict):
                return found
        return {} if infeasible else as_map(as_map(container.get("resources")).get(which))

    allocated = ("allocatedResources",) if which == "requests" else ()
    actual = together(spec, which, lambda one: amounts(one, f"resources.{which}", *allocated))
    found = highest({} if infeasible else wanted, actual)
    return highest(found, together(spec, which, lambda one: amounts(one, *allocated))) if allocated else found
