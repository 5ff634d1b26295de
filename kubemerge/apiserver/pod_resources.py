"""Requests and limits of whole Pods: those of their containers together, and the defaults that follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount, total

from .unchecked import as_map, maps

if TYPE_CHECKING:
    from collections.abc import Callable

    from .unchecked import Object


def together(spec: Object, which: str, amounts: Callable[[Object], Object] | None = None) -> dict[str, Any]:
    """The requests or limits that the containers have together, each resource by its name.

    Containers and sidecars run side by side. Other init containers run one after the other, beside the sidecars that
    were started before. `amounts` returns those of one container, by default from its spec.
    """
    of = amounts or (lambda one: as_map(as_map(one.get("resources")).get(which)))
    running = [of(one) for _, one in maps(spec, "containers")]
    sidecars: list[dict[str, Any]] = []
    starting: list[dict[str, Any]] = []
    for _, one in maps(spec, "initContainers"):
        own = of(one)
        sidecars += [own] if one.get("restartPolicy") == "Always" else []
        starting.append(_added([*sidecars] if sidecars and sidecars[-1] is own else [own, *sidecars]))
    found = _added([*running, *sidecars])
    for one in starting:
        found |= {name: higher(value, found.get(name, "0")) for name, value in one.items()}
    return found


def _added(resources: list[dict[str, Any]]) -> dict[str, Any]:
    names = {name: None for one in resources for name in one}
    return {name: total(one[name] for one in resources if name in one) for name in names}


def higher(one: Any, other: Any) -> Any:
    return one if (amount(one) or 0) > (amount(other) or 0) else other


HUGE_PAGES = "hugepages-"
OVERCOMMITTED = ("cpu", "memory")
"""The resources of whole Pods whose requests may be lower than their limits."""


def limits_with_huge_pages(spec: Object) -> dict[str, Any]:
    """The limits of the Pod, with the huge pages of its containers that it does not request."""
    own = as_map(spec["resources"])
    requests = as_map(own.get("requests"))
    pages = {name: value for name, value in together(spec, "limits").items() if name.startswith(HUGE_PAGES)}
    return {**{name: value for name, value in pages.items() if name not in requests}, **as_map(own.get("limits"))}


def default_requests(spec: Object) -> dict[str, Any]:
    """The requests of the Pod, with those of its containers, and else with its limits."""
    own = as_map(spec["resources"])
    of_containers = together(spec, "requests")
    containers = {name: value for name, value in of_containers.items() if name in OVERCOMMITTED}
    return {**as_map(own.get("limits")), **containers, **as_map(own.get("requests"))}


def default_limits(spec: Object) -> dict[str, Any]:
    """The limits of the Pod, with those that all its containers have, or with its requests if these are higher."""
    own = as_map(spec["resources"])
    limits, of_containers = as_map(own.get("limits")), together(spec, "limits")
    every = [as_map(as_map(one.get("resources")).get("limits")) for one in _containers(spec)]
    found = {
        name: higher(request, of_containers[name])
        for name, request in as_map(own.get("requests")).items()
        if name in of_containers and all(name in one for one in every)
    }
    return {**found, **limits}


def can_be_added(spec: Object) -> bool:
    """Whether all resources are quantities. Validation rejects others."""
    owners = [spec, *_containers(spec)]
    values = [as_map(as_map(one.get("resources")).get(which)) for one in owners for which in ("limits", "requests")]
    return all(amount(value) is not None for one in values for value in one.values())


def _containers(spec: Object) -> list[Object]:
    return [one for field in ("containers", "initContainers") for _, one in maps(spec, field)]


STEPS = (
    ("limits", limits_with_huge_pages),
    ("requests", default_requests),
    ("limits", default_limits),
)
"""The defaults of a whole Pod since 1.37, in order. Each uses the results of those before."""


def with_defaults(pod: Object) -> Object:
    """Return a Pod whose own requests and limits are complete. A Pod without any of them keeps none."""
    spec = as_map(pod.get("spec"))
    resources = as_map(spec.get("resources"))
    if not (resources.get("limits") or resources.get("requests")) or not can_be_added(spec):
        return pod
    for field, computed in STEPS:
        found = computed(spec)
        if found:
            spec = {**spec, "resources": {**spec["resources"], field: found}}
    return {**pod, "spec": spec}
