"""The requests and limits that the containers of a Pod have together."""

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
