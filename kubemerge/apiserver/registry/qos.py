"""Quality-of-service classes of Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.quantities import amount

from ..unchecked import as_map, maps

if TYPE_CHECKING:
    from ..unchecked import Object

COUNTED = ("cpu", "memory")


def qos_class(spec: Object) -> str:
    """Return the QoS class of a Pod: that of its containers if they are alike, else Burstable."""
    own = as_map(spec.get("resources"))
    containers = [one for field in ("initContainers", "containers") for _, one in maps(spec, field)]
    parts = [own] if own else [as_map(one.get("resources")) for one in containers]
    found = {_class_of(part, name) for part in parts for name in COUNTED}
    return found.pop() if len(found) == 1 else "Burstable" if found else "BestEffort"


def _class_of(resources: Object, name: str) -> str:
    asked, most = (amount(as_map(resources.get(field)).get(name, 0)) for field in ("requests", "limits"))
    return "Burstable" if asked != most else "Guaranteed" if asked else "BestEffort"
