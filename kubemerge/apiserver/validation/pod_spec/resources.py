"""Resource requirements of containers and Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount, canonical

from ...pod_resources import HUGE_PAGES, together
from ...problems import Problem, duplicate, forbidden, invalid, not_found, required, unsupported
from ...unchecked import as_map, as_text, maps
from .. import names
from ..eras import SHOWN_LIMIT, UNSHOWN_LIMIT
from ..values import quantities
from ..values.formats import NOT_NEGATIVE
from ..values.quantities import is_extended, is_whole, may_be_overcommitted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from decimal import Decimal

    from ...unchecked import Object


def of_pods(at: str, name: str) -> Iterator[Problem]:
    """Validate the name of a Pod-level resource."""
    found = list(quantities.resource_name(at, name))
    yield from found
    if not found and name not in ("cpu", "memory") and not name.startswith(HUGE_PAGES):
        yield unsupported(at, name, ("cpu", "hugepages-", "memory"))


def quantity(at: str, name: str, value: Any) -> Iterator[Problem]:
    """Validate a quantity."""
    found = amount(value)
    if found is None:
        return
    if found < 0:
        yield invalid(at, canonical(value), NOT_NEGATIVE)
    if (name in quantities.COUNTED or is_extended(name)) and not is_whole(value):
        yield invalid(at, quantities.printed_quantity(canonical(value)), quantities.NOT_WHOLE)


def requirements(
    at: str,
    resources: Any,
    claims: frozenset[str],
    name_of: Callable[[str, str], Iterator[Problem]] = quantities.container_resource,
) -> Iterator[Problem]:
    """Validate requests and limits."""
    limits, requests = (as_map(as_map(resources).get(field)) for field in ("limits", "requests"))
    for name, value in limits.items():
        yield from name_of(f"{at}.limits[{name}]", name)
        yield from quantity(f"{at}.limits[{name}]", name, value)
        yield from _pages(f"{at}.limits[{name}]", name, value)
    for name, value in requests.items():
        place = f"{at}.requests[{name}]"
        yield from name_of(place, name)
        yield from quantity(place, name, value)
        yield from _against_limit(at, name, value, limits)
        yield from _pages(place, name, value)
    every = {*limits, *requests}
    if any(name.startswith(HUGE_PAGES) for name in every) and not every & {"cpu", "memory"}:
        yield forbidden(at, "HugePages require cpu or memory")
    yield from _claims(f"{at}.claims", as_map(resources), claims)


def _against_limit(at: str, name: str, value: Any, limits: Object) -> Iterator[Problem]:
    if name not in limits:
        if not may_be_overcommitted(name):
            yield required(f"{at}.limits", "Limit must be set for non overcommitable resources")
        return
    asked, most = amount(value), amount(limits[name])
    if asked is None or most is None or asked == most:
        return
    is_strict = not may_be_overcommitted(name)
    if asked > most or is_strict:
        why = f"must be equal to {name} limit" if is_strict else f"must be less than or equal to {name} limit"
        found = invalid(f"{at}.requests", canonical(value), why)
        yield from UNSHOWN_LIMIT.limit([found])
        yield from SHOWN_LIMIT.limit([found._replace(detail=f"{why} of {canonical(limits[name])}")])


def _pages(at: str, name: str, value: Any) -> Iterator[Problem]:
    if not name.startswith(HUGE_PAGES):
        return
    size, asked = amount(name[len(HUGE_PAGES) :]), amount(value)
    if asked is not None and (not size or size < 0 or _rounded(asked) % _rounded(size)):
        yield invalid(at, canonical(value), f"{canonical(value)} is not positive integer multiple of {name}")


def _rounded(value: Decimal) -> int:
    return -int(-value // 1)


def _claims(at: str, resources: Object, known: frozenset[str]) -> Iterator[Problem]:
    taken: set[str] = set()
    for index, claim in maps(resources, "claims"):
        place, name, request = f"{at}[{index}]", as_text(claim.get("name")), as_text(claim.get("request"))
        key = f"{name}/{request}" if request else name
        if not name:
            yield required(place)
            continue
        if name in taken:
            yield duplicate(place, name)
        else:
            if request:
                yield from (invalid(f"{place}.request", request, why) for why in names.label(request))
            if key in taken or (not request and any(one.startswith(f"{name}/") for one in taken)):
                yield duplicate(place, key)
            taken.add(key)
        if name not in known:
            which = f": {', '.join(sorted(known))}" if known else " which is empty"
            yield not_found(place, name, f"must be one of the names in pod.spec.resourceClaims{which}")


def of_pod(at: str, spec: Object, claims: frozenset[str]) -> Iterator[Problem]:
    """Validate Pod-level resources, which must cover those of the containers."""
    resources = spec.get("resources")
    if not isinstance(resources, dict):
        return
    if as_map(spec.get("os")).get("name") == "windows":
        yield forbidden(at, "may not be set for a windows pod")
        return
    if resources.get("claims") is not None:
        yield forbidden(f"{at}.claims", "claims may not be set for Resources at pod-level")
    yield from requirements(at, resources, claims, of_pods)
    for name, needed in together(spec, "requests").items():
        asked = as_map(resources.get("requests")).get(name)
        if asked is not None and (amount(needed) or 0) > (amount(asked) or 0):
            why = f"must be greater than or equal to aggregate container requests of {needed}"
            yield invalid(f"{at}.requests[{name}]", canonical(asked), why)
    limits = as_map(resources.get("limits"))
    for index, container in maps(spec, "containers"):
        for name, value in as_map(as_map(container.get("resources")).get("limits")).items():
            if name in limits and (amount(value) or 0) > (amount(limits[name]) or 0):
                why = f"must be less than or equal to pod limits of {canonical(limits[name])}"
                yield invalid(f"{at}.containers[{index}][{name}].limits", canonical(value), why)
