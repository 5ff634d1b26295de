"""Defaults of the resources of a whole Pod, which depend on the resources of its containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount

from ..pod_resources import higher, together
from ..unchecked import as_map, maps
from .rules import Computed, Default, When

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..unchecked import Object

HUGE_PAGES = "hugepages-"
OVERCOMMITTED = ("cpu", "memory")
"""The resources of whole Pods whose requests may be lower than their limits."""


def _with_huge_pages(spec: Object) -> dict[str, Any]:
    """The limits of the Pod, with the huge pages of its containers that it does not request."""
    own = as_map(spec["resources"])
    requests = as_map(own.get("requests"))
    pages = {name: value for name, value in together(spec, "limits").items() if name.startswith(HUGE_PAGES)}
    return {**{name: value for name, value in pages.items() if name not in requests}, **as_map(own.get("limits"))}


def _requests(spec: Object) -> dict[str, Any]:
    """The requests of the Pod, with those of its containers, and else with its limits."""
    own = as_map(spec["resources"])
    of_containers = together(spec, "requests")
    containers = {name: value for name, value in of_containers.items() if name in OVERCOMMITTED}
    return {**as_map(own.get("limits")), **containers, **as_map(own.get("requests"))}


def _limits(spec: Object) -> dict[str, Any]:
    """The limits of the Pod, with those that all its containers have, or with its requests if these are higher."""
    own = as_map(spec["resources"])
    limits, of_containers = as_map(own.get("limits")), together(spec, "limits")
    every = [as_map(as_map(one.get("resources")).get("limits")) for one in _containers(spec)]
    found = {
        name: higher(request, of_containers[name])
        for name, request in as_map(own.get("requests")).items()
        if all(name in one for one in every)
    }
    return {**found, **limits}


def _containers(spec: Object) -> list[Object]:
    return [one for field in ("containers", "initContainers", "ephemeralContainers") for _, one in maps(spec, field)]


def _when(words: str, fields: tuple[str, ...], computed: Callable[[Object], Any]) -> When:
    """The condition that some resources of the Pod are set, all of them can be added, and there is a result."""

    def holds(spec: Object) -> bool:
        resources = as_map(spec.get("resources"))
        return any(as_map(resources.get(field)) for field in fields) and _can_be_added(spec) and bool(computed(spec))

    return When(words, holds)


def _can_be_added(spec: Object) -> bool:
    """Whether all resources are quantities. Validation rejects others."""
    owners = [spec, *_containers(spec)]
    values = [as_map(as_map(one.get("resources")).get(which)) for one in owners for which in ("limits", "requests")]
    return all(amount(value) is not None for one in values for value in one.values())


BOTH = ("limits", "requests")
_SOME = "limits or requests of the Pod are set"
_OF_CONTAINERS = Computed("the requests of the containers, and else the limits of the Pod", _requests)
OF_WHOLE_PODS = (
    Default(
        "resources.limits",
        Computed("with the huge pages of the containers that the Pod does not request", _with_huge_pages),
        _when(_SOME, BOTH, _with_huge_pages),
        since="1.34",
        unset=None,
    ),
    Default(
        "resources.requests",
        _OF_CONTAINERS,
        _when("limits of the Pod are set", ("limits",), _requests),
        since="1.34",
        until="1.36",
        unset=None,
    ),
    Default("resources.requests", _OF_CONTAINERS, _when(_SOME, BOTH, _requests), since="1.37", unset=None),
    Default(
        "resources.limits",
        Computed("the limits of the containers if all have one, or higher requests of the Pod", _limits),
        _when(_SOME, BOTH, _limits),
        since="1.37",
        unset=None,
    ),
)
"""Since the feature gates PodLevelResources and PodLevelResourcesFixDefaulting are on."""
