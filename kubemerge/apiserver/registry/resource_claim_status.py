"""ResourceClaim and its status: allocated devices and their consumers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..defaulting.rules import TypePosition
from ..problems import Problem, forbidden, invalid, required, too_many
from ..unchecked import as_list, as_map, as_text, get_path, maps
from ..validation import names
from ..validation.eras import DEVICE_NAMES_BEFORE
from ..validation.pod_spec.scheduling import node_selector
from ..validation.values import formats
from ..validation.values.addresses import interface_address
from ..validation.values.conditions import conditions
from .csi_drivers import driver_name
from .device_names import each_text, pool_name
from .device_taints import toleration
from .record import KindRecord
from .resource_claims import (
    COUNTED,
    GROUP,
    MOST,
    VERSIONS,
    changed_claim,
    claim,
    configuration,
    drop_disabled_claim_fields,
    places,
    raw_object,
    reference,
    references,
    request_names,
)
from .resource_slices import binding_conditions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

MOST_USERS, MOST_CONFIGS, MOST_CONDITIONS, MOST_ADDRESSES = 256, 64, 8, 16
Device = tuple[str, str, str, str]


def claim_status(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the status of a ResourceClaim."""
    status, former = as_map(content.get("status")), as_map(before.get("status"))
    allocation = status.get("allocation")
    yield from _users(status)
    yield from _devices(status)
    if status.get("reservedFor"):
        if allocation is None:
            yield forbidden("status.reservedFor", "may not be specified when `allocated` is not set")
        elif get_path(content, "metadata.deletionTimestamp") and _new_users(status, former):
            why = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
            yield forbidden("status.reservedFor", why)
    if allocation is not None and former.get("allocation") is None:
        known = request_names(as_map(get_path(content, "spec.devices")))
        yield from _allocation("status.allocation", as_map(allocation), known)


def _new_users(status: Object, former: Object) -> bool:
    return any(one not in as_list(former.get("reservedFor")) for one in as_list(status.get("reservedFor")))


def _users(status: Object) -> Iterator[Problem]:
    listed, at = list(maps(status, "reservedFor")), "status.reservedFor"
    for index, one in listed if len(listed) <= MOST_USERS else ():
        for field in ("resource", "name", "uid"):
            if not one.get(field):
                yield required(f"{at}[{index}].{field}")


def _identity(one: Object) -> Device:
    driver, pool, device, share = (as_text(one.get(field)) for field in ("driver", "pool", "device", "shareID"))
    return driver, pool, device, share


def _devices(status: Object) -> Iterator[Problem]:
    given = {_identity(one) for _, one in maps(as_map(get_path(status, "allocation.devices")), "results")}
    for index, one in maps(status, "devices"):
        at, identity = f"status.devices[{index}]", _identity(one)
        driver, pool, device, share = identity
        yield from driver_name(f"{at}.driver", driver)
        yield from pool_name(f"{at}.pool", pool)
        yield from formats.each(f"{at}.device", device, names.label)
        if identity not in given:
            shown = {"Driver": driver, "Pool": pool, "Device": device, "ShareID": share}
            yield invalid(at, shown, "must be an allocated device in the claim")
        listed = as_list(one.get("conditions"))
        if len(listed) > MOST_CONDITIONS:
            yield too_many(f"{at}.conditions", len(listed), MOST_CONDITIONS)
        for why in conditions({"status": one}, {}):
            yield why._replace(path=f"{at}{why.path.removeprefix('status')}")
        if one.get("data") is not None:
            yield from raw_object(f"{at}.data", one["data"])
        data = as_map(one.get("networkData"))
        yield from each_text(f"{at}.networkData", data, "ips", MOST_ADDRESSES, interface_address)


def _allocation(at: str, allocation: Object, known: set[str]) -> Iterator[Problem]:
    devices = as_map(allocation.get("devices"))
    results, configs = list(maps(devices, "results")), list(maps(devices, "config"))
    for index, one in results if len(results) <= MOST else ():
        yield from _result(f"{at}.devices.results[{index}]", one, known)
    for index, one in configs if len(configs) <= MOST_CONFIGS else ():
        place = f"{at}.devices.config[{index}]"
        yield from references(place, one, known)
        yield from configuration(place, one)
    if allocation.get("nodeSelector") is not None:
        yield from node_selector(f"{at}.nodeSelector", as_map(allocation["nodeSelector"]))


def _result(at: str, one: Object, known: set[str]) -> Iterator[Problem]:
    yield from reference(f"{at}.request", as_text(one.get("request")), known)
    yield from DEVICE_NAMES_BEFORE.limit(driver_name(f"{at}.driver", one.get("driver")))
    yield from DEVICE_NAMES_BEFORE.limit(pool_name(f"{at}.pool", as_text(one.get("pool"))))
    yield from formats.each(f"{at}.device", as_text(one.get("device")), names.label)
    yield from binding_conditions(at, one)
    for index, toleration_ in maps(one, "tolerations"):
        yield from toleration(f"{at}.tolerations[{index}]", toleration_)


def written_status(content: Object, before: Object) -> Object:
    """Return a claim after an update of its status, without the fields that a server drops."""
    return _without_deallocated(_without_operations(content, before), before)


def _without_operations(content: Object, before: Object) -> Object:
    """Drop operations that nodes skip, whose feature gate is off."""
    results, former = (as_list(get_path(side, "status.allocation.devices.results")) for side in (content, before))
    if any("skipNodeOperations" in one for one in former) or not any("skipNodeOperations" in one for one in results):
        return content
    kept = [{field: value for field, value in one.items() if field != "skipNodeOperations"} for one in results]
    status, allocation = content["status"], content["status"]["allocation"]
    devices = {**allocation["devices"], "results": kept}
    return {**content, "status": {**status, "allocation": {**allocation, "devices": devices}}}


def _without_deallocated(content: Object, before: Object) -> Object:
    """Drop the status of deallocated devices."""
    status, former = as_map(content.get("status")), as_map(before.get("status"))
    before_, now = (
        {_identity(one) for _, one in maps(as_map(get_path(side, "allocation.devices")), "results")}
        for side in (former, status)
    )
    gone = before_ - now
    devices = as_list(status.get("devices"))
    kept = [one for one in devices if not (isinstance(one, dict) and _identity(one) in gone)]
    if kept == devices:
        return content
    rest = {field: value for field, value in status.items() if field != "devices"}
    return {**content, "status": {**rest, "devices": kept} if kept else rest}


_ASKED = places("ResourceClaim", "spec")
_TOLERATED = TypePosition("status.allocation?.devices.results[].tolerations[]", "DeviceToleration")
PLACES = {**_ASKED, "ResourceClaim": (*_ASKED["ResourceClaim"], _TOLERATED)}
RECORDS = (
    KindRecord(
        group=GROUP,
        kind="ResourceClaim",
        versions=VERSIONS,
        defaults=COUNTED,
        places=PLACES,
        named_again=True,
        check=claim,
        check_update=changed_claim,
        check_status=claim_status,
        created=drop_disabled_claim_fields,
        updated=drop_disabled_claim_fields,
        status_updated=written_status,
    ),
)
