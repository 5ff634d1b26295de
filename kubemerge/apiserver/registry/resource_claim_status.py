"""ResourceClaim, and its status: the devices that a claim was given, and who uses them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.values.unchecked import a_list, a_map, found, maps, text

from ..problems import (
    Printed,
    Problem,
    declarative,
    duplicate,
    forbidden,
    handwritten,
    invalid,
    required,
    too_long,
    unsupported,
)
from ..validation import names
from ..validation.pod_spec import printed
from ..validation.pod_spec.scheduling import node_selector
from ..validation.values import formats
from ..validation.values.addresses import interface_address
from ..validation.values.conditions import conditions
from .csi_drivers import driver_name
from .device_names import declared_pool_name, pool_name, texts, too_many
from .device_taints import toleration
from .record import KindRecord
from .resource_claims import (
    COUNTED,
    GROUP,
    MOST,
    VERSIONS,
    changed_claim,
    claim,
    claim_without,
    configuration,
    places,
    raw_object,
    reference,
    references,
    request_names,
)
from .resource_slices import binding_conditions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object

MOST_USERS, MOST_CONFIGS, MOST_CONDITIONS, MOST_ADDRESSES = 256, 64, 8, 16
SOURCES = ("FromClaim", "FromClass")
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NO_UUID = "must be a lowercase UUID in 8-4-4-4-12 format"
LONGEST = {"interfaceName": 256, "hardwareAddress": 128}
Device = tuple[str, str, str, str]


def claim_status(content: Object, before: Object) -> Iterator[Problem]:
    """The problems of the status of a claim."""
    status, former = a_map(content.get("status")), a_map(before.get("status"))
    allocation = status.get("allocation")
    yield from _users(status)
    yield from _devices(status)
    if status.get("reservedFor"):
        if allocation is None:
            yield forbidden("status.reservedFor", "may not be specified when `allocated` is not set")
        elif found(content, "metadata.deletionTimestamp") and _new_users(status, former):
            why = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
            yield forbidden("status.reservedFor", why)
    if allocation is not None and former.get("allocation") is not None:
        if allocation != former["allocation"]:
            yield declarative(invalid("status.allocation", None, "field cannot be modified once set"))
    elif allocation is not None:
        known = request_names(a_map(found(content, "spec.devices")))
        yield from _allocation("status.allocation", a_map(allocation), known)


def _new_users(status: Object, former: Object) -> bool:
    return any(one not in a_list(former.get("reservedFor")) for one in a_list(status.get("reservedFor")))


def _users(status: Object) -> Iterator[Problem]:
    listed, at = list(maps(status, "reservedFor")), "status.reservedFor"
    if len(listed) > MOST_USERS:
        yield too_many(at, len(listed), MOST_USERS)
        return
    seen: set[str] = set()
    for index, one in listed:
        for field in ("resource", "name", "uid"):
            if not one.get(field):
                yield required(f"{at}[{index}].{field}")
        if text(one.get("uid")) in seen:
            shown = printed.as_sent("ResourceClaimConsumerReference", one)
            yield declarative(duplicate(f"{at}[{index}]", Printed(shown)))
        seen.add(text(one.get("uid")))


def _identity(one: Object) -> Device:
    driver, pool, device, share = (text(one.get(field)) for field in ("driver", "pool", "device", "shareID"))
    return driver, pool, device, share


def _devices(status: Object) -> Iterator[Problem]:
    given = {_identity(one) for _, one in maps(a_map(found(status, "allocation.devices")), "results")}
    seen: set[Device] = set()
    for index, one in maps(status, "devices"):
        at, identity = f"status.devices[{index}]", _identity(one)
        driver, pool, device, share = identity
        yield from driver_name(f"{at}.driver", driver)
        yield from pool_name(f"{at}.pool", pool)
        yield from formats.each(f"{at}.device", device, names.label)
        yield from _share(f"{at}.shareID", one)
        if identity not in given:
            shown = {"Driver": driver, "Pool": pool, "Device": device, "ShareID": share}
            yield invalid(at, shown, "must be an allocated device in the claim")
        listed = a_list(one.get("conditions"))
        if len(listed) > MOST_CONDITIONS:
            yield too_many(f"{at}.conditions", len(listed), MOST_CONDITIONS, handwritten)
        for why in conditions({"status": one}, {}):
            yield why._replace(path=f"{at}{why.path.removeprefix('status')}")
        if one.get("data") is not None:
            yield from raw_object(f"{at}.data", one["data"])
        yield from _network(f"{at}.networkData", a_map(one.get("networkData")))
        if identity in seen:
            yield declarative(duplicate(at, Printed(printed.as_sent("AllocatedDeviceStatus", one))))
        seen.add(identity)


def _share(at: str, one: Object) -> Iterator[Problem]:
    share = one.get("shareID")
    if share is not None and not _UUID.fullmatch(text(share)):
        yield declarative(invalid(at, share, NO_UUID))


def _network(at: str, data: Object) -> Iterator[Problem]:
    for field, most in LONGEST.items():
        if len(text(data.get(field)).encode()) > most:
            yield declarative(too_long(f"{at}.{field}", most))
    yield from texts(at, data, "ips", MOST_ADDRESSES, interface_address)


def _allocation(at: str, allocation: Object, known: set[str]) -> Iterator[Problem]:
    devices = a_map(allocation.get("devices"))
    results, configs = list(maps(devices, "results")), list(maps(devices, "config"))
    if len(results) > MOST:
        yield too_many(f"{at}.devices.results", len(results), MOST)
    for index, one in results if len(results) <= MOST else ():
        yield from _result(f"{at}.devices.results[{index}]", one, known)
    if len(configs) > MOST_CONFIGS:
        yield too_many(f"{at}.devices.config", len(configs), MOST_CONFIGS)
    for index, one in configs if len(configs) <= MOST_CONFIGS else ():
        place, source = f"{at}.devices.config[{index}]", text(one.get("source"))
        if not source:
            yield declarative(required(f"{place}.source"))
        elif source not in SOURCES:
            yield declarative(unsupported(f"{place}.source", source, SOURCES))
        yield from references(place, one, known)
        yield from configuration(place, one)
    if allocation.get("nodeSelector") is not None:
        yield from node_selector(f"{at}.nodeSelector", a_map(allocation["nodeSelector"]))


def _result(at: str, one: Object, known: set[str]) -> Iterator[Problem]:
    yield from reference(f"{at}.request", text(one.get("request")), known)
    yield from driver_name(f"{at}.driver", one.get("driver"), declarative)
    yield from declared_pool_name(f"{at}.pool", text(one.get("pool")))
    yield from formats.each(f"{at}.device", text(one.get("device")), names.label)
    yield from binding_conditions(at, one)
    for index, toleration_ in maps(one, "tolerations"):
        yield from toleration(f"{at}.tolerations[{index}]", toleration_)
    yield from _share(f"{at}.shareID", one)


def without_deallocated(content: Object, before: Object) -> Object:
    """A claim whose status says nothing of devices that were taken from it."""
    status, former = a_map(content.get("status")), a_map(before.get("status"))
    before_, now = (
        {_identity(one) for _, one in maps(a_map(found(side, "allocation.devices")), "results")}
        for side in (former, status)
    )
    gone = before_ - now
    devices = a_list(status.get("devices"))
    kept = [one for one in devices if not (isinstance(one, dict) and _identity(one) in gone)]
    if kept == devices:
        return content
    rest = {field: value for field, value in status.items() if field != "devices"}
    return {**content, "status": {**rest, "devices": kept} if kept else rest}


RECORDS = (
    KindRecord(
        group=GROUP,
        kind="ResourceClaim",
        versions=VERSIONS,
        defaults=COUNTED,
        places=places("ResourceClaim", "spec"),
        named_again=True,
        check=claim,
        check_update=changed_claim,
        check_status=claim_status,
        created=claim_without,
        updated=claim_without,
        status_updated=without_deallocated,
    ),
)
