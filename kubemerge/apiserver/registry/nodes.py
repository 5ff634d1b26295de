"""Node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..defaulting.rules import Computed, Default, Group, When, same_as
from ..problems import Problem, duplicate, forbidden, internal, invalid, required
from ..text.go_text import quoted
from ..unchecked import as_map, as_text, get_path, maps
from ..validation import names
from ..validation.eras import DECLARED_FEATURES, PROVIDER, PROVIDER_BEFORE
from ..validation.values import addresses, quantities
from ..validation.values.tolerations import effect_of
from ..warnings import addresses as warned
from ..warnings import eras
from .record import KindRecord, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object
    from ..warnings.eras import DatedWarning

NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}
KEPT_RANGE = 'node updates may not change podCIDR except from "" to valid'


def node(content: Object) -> Iterator[Problem]:
    """Validate a Node."""
    spec = as_map(content.get("spec"))
    yield from _taints("metadata.taints", spec)  # servers look for them there
    yield from _amounts(content)
    yield from DECLARED_FEATURES.limit(_declared_features(content))
    ranges = _ranges(spec)
    for index, value in enumerate(ranges):
        yield from addresses.network(f"spec.podCIDRs[{index}]", value)
    versions = [getattr(addresses.read_network(value), "version", None) for value in ranges]
    if len(ranges) > 1 and None in versions:
        at = versions.index(None)
        why = f"invalid CIDR[{at}]: <nil> (invalid CIDR address: {ranges[at]})"
        yield internal("spec.podCIDRs", f"invalid PodCIDRs. failed to check with dual stack with error:{why}")
    if len(ranges) > 1 and sorted(filter(None, versions)) != [4, 6]:
        yield invalid("spec.podCIDRs", ranges, "may specify no more than one CIDR for each IP family")


def _ranges(spec: Object) -> list[str]:
    listed = spec.get("podCIDRs")
    return [as_text(one) for one in listed] if isinstance(listed, list) else []


def _taints(at: str, spec: Object) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for index, taint in maps(spec, "taints"):
        key, value, effect = (as_text(taint.get(field)) for field in ("key", "value", "effect"))
        place = f"{at}[{index}]"
        yield from (invalid(f"{place}.key", key, why) for why in names.key(key))
        wrong = list(names.label_value(value))
        if wrong:
            yield invalid(f"{place}.value", value, ";".join(wrong))
        if not effect:
            yield required(f"{place}.effect")
        yield from effect_of(f"{place}.effect", effect)
        if (key, effect) in seen:
            shown = {"Key": key, "Value": value, "Effect": effect, "TimeAdded": taint.get("timeAdded")}
            yield duplicate(place, shown, "taints must be unique by key and effect pair")
        seen.add((key, effect))


def _amounts(content: Object) -> Iterator[Problem]:
    status = as_map(content.get("status"))
    for field in ("capacity", "allocatable"):
        for name, much in as_map(status.get(field)).items():
            yield from quantities.quantity(f"status.{field}.{name}", name, much)


_FEATURE = re.compile(r"[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*")
_NO_FEATURE = (
    "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or "
    "MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"
)


def _declared_features(content: Object) -> Iterator[Problem]:
    at, listed = "status.declaredFeatures", as_map(content.get("status")).get("declaredFeatures")
    features = [as_text(one) for one in listed] if isinstance(listed, list) else []
    for index, feature in enumerate(features):
        if not _FEATURE.fullmatch(feature):
            yield invalid(f"{at}[{index}]", feature, f"invalid feature name {quoted(feature)}: {_NO_FEATURE}")
        following = features[index + 1] if index + 1 < len(features) else None
        if feature == following:
            yield duplicate(f"{at}[{index + 1}]", following)
        elif following is not None and feature.encode() > following.encode():
            yield invalid(f"{at}[{index + 1}]", following, "list must be sorted alphabetically")


def changed_node(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a Node. podCIDRs and providerID are immutable."""
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    yield from _amounts(content)
    yield from DECLARED_FEATURES.limit(_declared_features(content))
    addresses: list[Any] = []
    for index, one in maps(as_map(content.get("status")), "addresses"):
        address = (as_text(one.get("type")), as_text(one.get("address")))
        if address in addresses:
            yield duplicate(f"status.addresses[{index}]", {"Type": address[0], "Address": address[1]})
        addresses.append(address)
    if _ranges(former) and _ranges(former) != _ranges(spec):
        yield forbidden("spec.podCIDRs", KEPT_RANGE)
    given, now = as_text(former.get("providerID")), as_text(spec.get("providerID"))
    if given and given != now:
        why = "field cannot be modified once set" if now else "field cannot be cleared once set"
        yield from PROVIDER.limit([invalid("spec.providerID", None, why)])
        said = 'node updates may not change providerID except from "" to valid'
        yield from PROVIDER_BEFORE.limit([forbidden("spec.providerID", said)])
    yield from _taints("metadata.taints", spec)
    if as_text(spec.get("externalID")) != as_text(former.get("externalID")):
        yield forbidden("spec.externalID", "may not be updated")


ONE_RANGE_UNTIL = 20
"""The last minor release whose feature gate IPv6DualStack is off. It stores one range of a new Node."""


def created(content: Object, minor: int) -> Object:
    """Return a new Node with the not-ready taint."""
    spec = dict(as_map(content.get("spec")))
    if minor <= ONE_RANGE_UNTIL and len(_ranges(spec)) > 1:
        spec["podCIDRs"] = _ranges(spec)[:1]
    marks = [(one.get("key"), one.get("effect")) for _, one in maps(spec, "taints")]
    if (NOT_READY["key"], NOT_READY["effect"]) not in marks:
        spec["taints"] = [*(spec.get("taints") or ()), NOT_READY]
    return {**content, "spec": spec}


def warnings(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warn about deprecated fields and ambiguous CIDRs."""
    spec = as_map(content.get("spec"))
    if spec.get("configSource") is not None:
        yield eras.CONFIG_SOURCE_BEFORE("spec.configSource: deprecated in v1.22, support removal is planned in v1.23")
        yield eras.CONFIG_SOURCE("spec.configSource: the feature is removed")
    if spec.get("externalID"):
        yield eras.EXTERNAL_ID("spec.externalID: this field is deprecated, and is unused by Kubernetes")
    for index, value in enumerate(_ranges(spec)):
        yield from eras.ADDRESSES.limit(warned.of_network(f"spec.podCIDRs[{index}]", value))


_ONLY_RANGE = Computed("podCIDR alone", lambda node: [get_path(node, "spec.podCIDR")])
_ANOTHER_RANGE = When(
    "spec.podCIDR is not the first of spec.podCIDRs",
    lambda node: (
        bool(get_path(node, "spec.podCIDR")) and _ranges(as_map(node.get("spec")))[:1] != [node["spec"]["podCIDR"]]
    ),
)
_FIRST_RANGE = Computed("the first of podCIDRs", lambda node: _ranges(as_map(node.get("spec")))[0])
_SOME_RANGES = When("spec.podCIDRs is set", lambda node: bool(_ranges(as_map(node.get("spec")))))
_CAPACITY = When("status.capacity is set", lambda node: as_map(as_map(node.get("status")).get("capacity")) != {})
RECORDS = (
    KindRecord(
        group="",
        kind="Node",
        versions=("v1",),
        defaults=(
            Group(
                ("Node",),
                "core/v1/defaults.go SetDefaults_NodeStatus",
                (Default("status.allocatable", same_as("status.capacity"), _CAPACITY, unset=(None,)),),
            ),
            Group(
                ("Node",),
                "core/v1/conversion.go Convert_v1_NodeSpec_To_core_NodeSpec",
                (
                    Default("spec.podCIDRs", _ONLY_RANGE, _ANOTHER_RANGE, since="1.16", unset=None),
                    Default("spec.podCIDR", _FIRST_RANGE, _SOME_RANGES, since="1.16"),
                ),
            ),
        ),
        keeps_status=True,
        named_again=True,
        check=node,
        check_update=after_create_check(node, changed_node),
        check_status=changed_node,
        created_in=created,
        warnings=warnings,
    ),
)
