"""ResourceSlice: what a driver says of its devices. Their attributes, capacities and counters are not judged."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from engine.values.unchecked import a_map, maps, number, text

from .....refusals import duplicate, immutable, invalid, required
from ...checks import names
from ...checks.values import formats
from ..record import KindRecord, Late
from ..storage.drivers import driver_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object

ONE_PLACE = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
MOST_DEVICES, LONGEST_POOL = 128, 253


def resource_slice(content: Object) -> Iterator[str]:
    """A slice of the devices of a pool."""
    spec = a_map(content.get("spec"))
    yield from driver_name("spec.driver", spec.get("driver"))
    yield from _pool("spec.pool", a_map(spec.get("pool")))
    yield from _place(spec)
    if spec.get("sharedCounters") is not None and spec.get("devices") is not None:
        yield invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed")
    devices = list(maps(spec, "devices"))
    if len(devices) > MOST_DEVICES:
        yield f"spec.devices: Too many: {len(devices)}: must have at most {MOST_DEVICES} items"
        return
    taken: set[str] = set()
    for index, device in devices:
        at, name = f"spec.devices[{index}]", text(device.get("name"))
        if not name:
            yield required(f"{at}.name")
        else:
            yield from formats.each(f"{at}.name", name, names.label)
        if name in taken:
            yield duplicate(at, name)
        taken.add(name)


def _pool(at: str, pool: Object) -> Iterator[str]:
    name, slices, generation = text(pool.get("name")), pool.get("resourceSliceCount"), pool.get("generation")
    if not name:
        yield required(f"{at}.name")
    elif len(name.encode()) > LONGEST_POOL:
        yield f"{at}.name: {formats.TOO_LONG} {LONGEST_POOL} bytes"
    for part in name.split("/") if name else ():
        yield from formats.each(f"{at}.name", part, names.subdomain)
    if (number(slices) or 0) <= 0:
        yield invalid(f"{at}.resourceSliceCount", number(slices) or 0, "must be greater than zero")
    if (number(generation) or 0) < 0:
        yield invalid(f"{at}.generation", generation, "must be greater than or equal to zero")


def _place(spec: Object) -> Iterator[str]:
    given = []
    if spec.get("nodeName"):
        given.append("`nodeName`")
        yield from formats.each("spec.nodeName", spec["nodeName"], names.subdomain)
    elif spec.get("nodeName") is not None:
        yield invalid("spec.nodeName", "", "must be either unset or set to a non-empty string")
    if spec.get("nodeSelector") is not None:
        given.append("`nodeSelector`")
    for field in ("allNodes", "perDeviceNodeSelection"):
        if spec.get(field) is True:
            given.append(f"`{field}`")
        elif spec.get(field) is not None:
            yield invalid(f"spec.{field}", False, "must be either unset or set to true")
    if not given:
        yield required("spec", ONE_PLACE)
    elif len(given) > 1:
        yield invalid("spec", f"{{{', '.join(given)}}}", f"{ONE_PLACE}, but multiple fields are set")


def changed_slice(content: Object, before: Object) -> Iterator[str]:
    """A slice stays with its driver, its pool and its node."""
    now, then = a_map(content.get("spec")), a_map(before.get("spec"))
    pool = a_map(now.get("pool")).get("name")
    if pool != a_map(then.get("pool")).get("name"):
        yield immutable("spec.pool.name", text(pool))
    for field in ("driver", "nodeName"):
        if now.get(field) != then.get(field):
            yield immutable(f"spec.{field}", now.get(field))


warned = Late("warnings.kinds")
RECORDS = (
    KindRecord(
        group="resource.k8s.io",
        kind="ResourceSlice",
        versions=("resource.k8s.io/v1", "resource.k8s.io/v1beta2"),
        check=resource_slice,
        check_update=lambda content, before: chain(changed_slice(content, before), resource_slice(content)),
        warnings=warned.resource_slice,
    ),
)
