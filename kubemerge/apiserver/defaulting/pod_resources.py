"""Defaults of the resources of a whole Pod from 1.34 to 1.36. Since 1.37, they are part of creating and resizing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..pod_resources import can_be_added, default_requests, limits_with_huge_pages
from ..unchecked import as_map
from .rules import Computed, Default, When

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..unchecked import Object


def _when(words: str, fields: tuple[str, ...], computed: Callable[[Object], Any]) -> When:
    """The condition that some resources of the Pod are set, all of them can be added, and there is a result."""

    def holds(spec: Object) -> bool:
        resources = as_map(spec.get("resources"))
        return any(as_map(resources.get(field)) for field in fields) and can_be_added(spec) and bool(computed(spec))

    return When(words, holds)


OF_WHOLE_PODS = (
    Default(
        "resources.limits",
        Computed("with the huge pages of the containers that the Pod does not request", limits_with_huge_pages),
        _when("limits or requests of the Pod are set", ("limits", "requests"), limits_with_huge_pages),
        since="1.34",
        until="1.36",
        unset=None,
    ),
    Default(
        "resources.requests",
        Computed("the requests of the containers, and else the limits of the Pod", default_requests),
        _when("limits of the Pod are set", ("limits",), default_requests),
        since="1.34",
        until="1.36",
        unset=None,
    ),
)
"""Since the feature gate PodLevelResources is on."""
