"""ResourceSlice: the devices of a driver, with their attributes, capacities and counters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..problems import Problem, duplicate, forbidden, immutable, invalid, required, too_long, too_many
from ..unchecked import as_list, as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.eras import (
    KEYS_IN_PATHS,
    KEYS_OF_MAPS,
    NO_ATTRIBUTE,
    NO_ATTRIBUTE_BEFORE,
    TWO_ATTRIBUTES,
    TWO_ATTRIBUTES_BEFORE,
    TWO_ATTRIBUTES_OR_LISTS,
)
from ..validation.pod_spec.internal_form import printed_invalid
from ..validation.pod_spec.scheduling import node_selector
from ..validation.values import formats
from .csi_drivers import driver_name
from .device_capacities import request_policy
from .device_names import each_item, pool_name, qualified
from .device_taints import taint
from .record import KindRecord, LazyModule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

ONE_PLACE = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
PLACE_OF_DEVICE = (
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true "
    "in the ResourceSlice spec"
)
NO_PLACE_OF_DEVICE = (
    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the "
    "ResourceSlice spec"
)
PLACES = ("nodeName", "nodeSelector", "allNodes")
MOST_DEVICES, MOST_WITH_FEATURES = 128, 64
MOST_SETS, MOST_COUNTERS, MOST_CONSUMED = 8, 32, 2
MOST_TAINTS, MOST_CONDITIONS = 16, 4
MOST_FIELDS, MOST_VALUES, LONGEST_VALUE = 32, 48, 64
ATTRIBUTE_TYPES, ONE_VALUE = ("int", "bool", "string", "version"), "exactly one value must be specified"
LISTS = frozenset({"ints", "bools", "strings", "versions"})
"""Attribute types with list values, which a server drops unless a feature gate is on."""
OFF_IN_SLICES = frozenset({"partitionTypeAttribute", "skipNodeOperations"})
_NUMBER = r"(0|[1-9][0-9]*)"
_BEFORE = r"(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
_VERSION = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_BEFORE}(\.{_BEFORE})*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?"
)


def resource_slice(content: Object) -> Iterator[Problem]:
    """Validate a ResourceSlice."""
    return _slice(content, {})


def _slice(content: Object, before: Object) -> Iterator[Problem]:
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    yield from driver_name("spec.driver", spec.get("driver"))
    yield from _pool("spec.pool", as_map(spec.get("pool")))
    if before:
        yield from _fixed(spec, former)
    yield from _place(spec)
    if spec.get("sharedCounters") is not None and spec.get("devices") is not None:
        yield invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed")
    devices = list(maps(spec, "devices"))
    advanced = any(one.get("taints") or one.get("consumesCounters") for _, one in devices)
    most = MOST_WITH_FEATURES if advanced else MOST_DEVICES
    if len(devices) > most:
        yield too_many("spec.devices", len(devices), most)
    else:
        by_name = {as_text(one.get("name")): one for _, one in reversed(list(maps(former, "devices")))}
        placed = spec.get("perDeviceNodeSelection") is True
        taken: set[str] = set()
        for index, device in devices:
            at, name = f"spec.devices[{index}]", as_text(device.get("name"))
            yield from _device(at, device, by_name.get(name, {}), placed=placed)
            if name in taken:
                yield duplicate(at, name)
            taken.add(name)
    yield from each_item("spec", spec, "sharedCounters", MOST_SETS, _counters)


def _pool(at: str, pool: Object) -> Iterator[Problem]:
    slices, generation = as_number(pool.get("resourceSliceCount")) or 0, as_number(pool.get("generation")) or 0
    yield from pool_name(f"{at}.name", as_text(pool.get("name")))
    if slices <= 0:
        yield invalid(f"{at}.resourceSliceCount", slices, "must be greater than zero")
    if generation < 0:
        yield invalid(f"{at}.generation", generation, "must be greater than or equal to zero")


def _fixed(spec: Object, former: Object) -> Iterator[Problem]:
    """driver, pool and node of a slice are immutable."""
    name = as_text(get_path(spec, "pool.name"))
    if name != as_text(get_path(former, "pool.name")):
        yield immutable("spec.pool.name", name)
    if as_text(spec.get("driver")) != as_text(former.get("driver")):
        yield immutable("spec.driver", as_text(spec.get("driver")))
    if spec.get("nodeName") != former.get("nodeName"):
        yield immutable("spec.nodeName", spec.get("nodeName"))


def _place(spec: Object) -> Iterator[Problem]:
    given = []
    if spec.get("nodeName"):
        given.append("`nodeName`")
        yield from formats.each("spec.nodeName", spec["nodeName"], names.subdomain)
    elif spec.get("nodeName") is not None:
        yield invalid("spec.nodeName", "", "must be either unset or set to a non-empty string")
    selector = spec.get("nodeSelector")
    if selector is not None:
        given.append("`nodeSelector`")
        yield from node_selector("spec.nodeSelector", as_map(selector))
        terms = as_list(as_map(selector).get("nodeSelectorTerms"))
        if len(terms) != 1:
            why = "must have exactly one node selector term"
            shown = as_map(selector).get("nodeSelectorTerms")
            yield from printed_invalid("spec.nodeSelector.nodeSelectorTerms", "[]NodeSelectorTerm", shown, why)
    for field in ("allNodes", "perDeviceNodeSelection"):
        if spec.get(field) is True:
            given.append(f"`{field}`")
        elif spec.get(field) is not None:
            yield invalid(f"spec.{field}", False, "must be either unset or set to true")
    if not given:
        yield required("spec", ONE_PLACE)
    elif len(given) > 1:
        yield invalid("spec", f"{{{', '.join(given)}}}", f"{ONE_PLACE}, but multiple fields are set")


def _device(at: str, device: Object, before: Object, *, placed: bool) -> Iterator[Problem]:
    yield from formats.each(f"{at}.name", as_text(device.get("name")), names.label)
    attributes, capacity = as_map(device.get("attributes")), as_map(device.get("capacity"))
    if len(attributes) + len(capacity) > MOST_FIELDS:
        why = f"the total number of attributes and capacities must not exceed {MOST_FIELDS}"
        yield invalid(at, len(attributes) + len(capacity), why)
    if len(attributes) > MOST_VALUES:
        yield invalid(at, len(attributes), f"the total number of attribute values must not exceed {MOST_VALUES}")
    for name, one in attributes.items():
        yield from KEYS_IN_PATHS.limit(qualified(f"{at}.attributes[{_shortened(name)}]", name))
        yield from KEYS_OF_MAPS.limit(qualified(f"{at}.attributes", name))
        yield from _attribute(f"{at}.attributes[{_shortened(name)}]", as_map(one))
    if capacity != before.get("capacity"):
        for name, one in capacity.items():
            yield from qualified(f"{at}.capacity", name)
            shared = device.get("allowMultipleAllocations") is True
            yield from _capacity(f"{at}.capacity[{_shortened(name)}]", as_map(one), shared=shared)
    taints = list(maps(device, "taints"))
    if device.get("taints") != before.get("taints"):
        if len(taints) > MOST_TAINTS:
            yield too_many(f"{at}.taints", len(taints), MOST_TAINTS)
        for index, one in taints if len(taints) <= MOST_TAINTS else ():
            yield from taint(f"{at}.taints[{index}]", one)
    yield from each_item(at, device, "consumesCounters", MOST_CONSUMED, _counters)
    yield from _place_of_device(at, device) if placed else _no_place(at, device)
    yield from binding_conditions(at, device)


def _shortened(name: str, most: int = 96) -> str:
    """A key in an error message: a long one without its middle."""
    if len(name) <= most:
        return name
    rest = most - 3
    return f"{name[: (rest + 1) // 2]}...{name[len(name) - rest // 2 :]}"


def _attribute(at: str, one: Object) -> Iterator[Problem]:
    for field in ("string", "version"):
        value = one.get(field)
        if value is None:
            continue
        if field == "version" and not _VERSION.fullmatch(as_text(value)):
            yield invalid(f"{at}.version", value, "must be a string compatible with semver.org spec 2.0.0")
        if len(as_text(value).encode()) > LONGEST_VALUE:
            yield too_long(f"{at}.{field}", LONGEST_VALUE)
    given = [field for field in ATTRIBUTE_TYPES if one.get(field) is not None]
    if not given:
        yield from NO_ATTRIBUTE_BEFORE.limit([required(at, ONE_VALUE)])
        yield from NO_ATTRIBUTE.limit([invalid(at, "", ONE_VALUE)])
    elif len(given) > 1:
        shown = {f"{field.capitalize()}Value": one.get(field) for field in ATTRIBUTE_TYPES}
        yield from TWO_ATTRIBUTES_BEFORE.limit([invalid(at, shown, ONE_VALUE.replace("value", "field"))])
        lists = {f"{field.capitalize()}Values": None for field in ATTRIBUTE_TYPES}
        yield from TWO_ATTRIBUTES.limit([invalid(at, shown, ONE_VALUE)])
        yield from TWO_ATTRIBUTES_OR_LISTS.limit([invalid(at, shown | lists, ONE_VALUE)])


def _capacity(at: str, one: Object, *, shared: bool) -> Iterator[Problem]:
    policy = one.get("requestPolicy")
    if policy is None:
        return
    if not shared:
        yield forbidden(f"{at}.requestPolicy", "allowMultipleAllocations must be true")
    else:
        yield from request_policy(f"{at}.requestPolicy", one.get("value", "0"), as_map(policy))


def _counters(at: str, one: Object) -> Iterator[Problem]:
    counters = as_map(one.get("counters"))
    if len(counters) > MOST_COUNTERS:
        yield too_many(f"{at}.counters", len(counters), MOST_COUNTERS)


def _place_of_device(at: str, device: Object) -> Iterator[Problem]:
    given = []
    if device.get("nodeName"):
        given.append("`nodeName`")
        yield from formats.each(f"{at}.nodeName", device["nodeName"], names.subdomain)
    elif device.get("nodeName") is not None:
        yield invalid(f"{at}.nodeName", "", "must not be empty")
    if device.get("nodeSelector") is not None:
        given.append("`nodeSelector`")
        yield from node_selector(f"{at}.nodeSelector", as_map(device["nodeSelector"]))
    if device.get("allNodes") is True:
        given.append("`allNodes`")
    elif device.get("allNodes") is not None:
        yield invalid(f"{at}.allNodes", False, "must be either unset or set to true")
    if not given:
        yield required(at, PLACE_OF_DEVICE)
    elif len(given) > 1:
        yield invalid(at, f"{{{', '.join(given)}}}", PLACE_OF_DEVICE)


def _no_place(at: str, device: Object) -> Iterator[Problem]:
    if any(device.get(field) is not None for field in PLACES):
        yield invalid(at, None, NO_PLACE_OF_DEVICE)


def binding_conditions(at: str, owner: Object) -> Iterator[Problem]:
    """Validate the binding conditions of a device."""
    lists = {field: [as_text(one) for one in as_list(owner.get(field))] for field in CONDITIONS}
    for field, listed in lists.items():
        for index, one in enumerate(listed if len(listed) <= MOST_CONDITIONS else ()):
            yield from formats.each(f"{at}.{field}[{index}]", one, names.key)
    ready, failed = lists.values()
    for field, listed in lists.items():
        for index, one in enumerate(listed):
            if one in listed[:index]:
                yield duplicate(f"{at}.{field}[{index}]", one)
            if listed is failed and one in ready:
                why = "bindingFailureConditions must not overlap with bindingConditions"
                yield invalid(f"{at}.{field}[{index}]", one, why)
    for field, other in (CONDITIONS, CONDITIONS[::-1]):
        if not lists[field] and lists[other]:
            yield invalid(f"{at}.{field}", owner.get(field), f"{field} are required to use {other}")


CONDITIONS = ("bindingConditions", "bindingFailureConditions")


def without_features(content: Object, _: Object | None = None) -> Object:
    """Return a slice without the fields of feature gates that are off by default."""
    spec = as_map(content.get("spec"))
    kept = {field: value for field, value in spec.items() if field not in OFF_IN_SLICES}
    if isinstance(spec.get("devices"), list):
        kept["devices"] = [_device_without(one) if isinstance(one, dict) else one for one in spec["devices"]]
    return content if kept == spec else {**content, "spec": kept}


def _device_without(device: Object) -> Object:
    made = {field: value for field, value in device.items() if field != "nodeAllocatableResources"}
    if isinstance(device.get("attributes"), dict):
        made["attributes"] = {key: _without(one, LISTS) for key, one in device["attributes"].items()}
    if isinstance(device.get("consumesCounters"), list):
        made["consumesCounters"] = [_without(one, {"compatibilityGroups"}) for one in device["consumesCounters"]]
    return made


def _without(value: Any, fields: frozenset[str] | set[str]) -> Any:
    return {key: one for key, one in value.items() if key not in fields} if isinstance(value, dict) else value


warned = LazyModule("warnings.kinds")
RECORDS = (
    KindRecord(
        group="resource.k8s.io",
        kind="ResourceSlice",
        versions=("resource.k8s.io/v1", "resource.k8s.io/v1beta2"),
        check=resource_slice,
        check_update=_slice,
        created=without_features,
        updated=without_features,
        warnings=warned.resource_slice,
    ),
)
