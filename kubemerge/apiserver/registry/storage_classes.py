"""StorageClass, VolumeAttributesClass and CSIStorageCapacity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..defaulting.rules import Default, Group
from ..problems import Problem, duplicate, forbidden, immutable, invalid, required, too_long
from ..unchecked import as_map, as_text, maps
from ..validation import names
from ..validation.declarative import by_table
from ..validation.eras import CLASS_FIELDS, CLASS_FIELDS_BEFORE
from ..validation.selectors import label_selector
from ..validation.values import formats, quantities
from .record import KindRecord, LazyModule, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

RULES = """
StorageClass reclaimPolicy string optional enum=Delete|Retain
StorageClass volumeBindingMode *string required enum=Immediate|WaitForFirstConsumer
"""
"""The checks of one field."""
MOST_PARAMETERS, MOST_BYTES = 512, 256 * 1024
PROTECTION = "kubernetes.io/vac-protection"
KEPT = ("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")


def storage_class(content: Object) -> Iterator[Problem]:
    """Validate a StorageClass."""
    yield from provisioner("provisioner", content.get("provisioner"))
    yield from parameters("parameters", content.get("parameters"))
    yield from by_table(RULES, "StorageClass", "", content)
    yield from _topologies(content)


def provisioner(at: str, value: Any) -> Iterator[Problem]:
    """Validate the name of a provisioner."""
    if value:
        yield from (invalid(at, as_text(value).lower(), why) for why in names.key(as_text(value).lower()))


def parameters(at: str, value: Any, *, needed: bool = False) -> Iterator[Problem]:
    """Validate the parameters of a driver."""
    given = as_map(value)
    if len(given) > MOST_PARAMETERS:
        yield too_long(at, MOST_PARAMETERS)
        return
    if "" in given:
        yield invalid(at, "", "field can not be empty.")
    if sum(len(key.encode()) + len(as_text(one).encode()) for key, one in given.items()) > MOST_BYTES:
        yield too_long(at, MOST_BYTES)
    if needed and not given:
        yield required(at, "must contain at least one key/value pair")


def _topologies(content: Object) -> Iterator[Problem]:
    before: list[Any] = []
    listed = list(maps(content, "allowedTopologies"))
    for index, term in listed:
        at = f"allowedTopologies[{index}].matchLabelExpressions"
        seen: dict[str, frozenset[str]] = {}
        for place, one in maps(term, "matchLabelExpressions"):
            key, values = as_text(one.get("key")), one.get("values")
            yield from _expression(f"{at}[{place}]", one)
            if key in seen:
                yield duplicate(f"{at}[{place}].key", key)
            seen[key] = frozenset(map(as_text, values if isinstance(values, list) else ()))
        copies = before.count(seen) + (0 if seen else len(listed) - index)
        yield from (duplicate(at, "") for _ in range(copies))
        before.append(seen)


def _expression(at: str, one: Object) -> Iterator[Problem]:
    values = one.get("values")
    listed = values if isinstance(values, list) else []
    if not listed:
        yield required(f"{at}.values")
    taken: set[str] = set()
    for index, value in enumerate(map(as_text, listed)):
        if value in taken:
            yield duplicate(f"{at}.values[{index}]", value)
        taken.add(value)
    yield from (invalid(f"{at}.key", one.get("key") or "", why) for why in names.key(as_text(one.get("key"))))


def changed_class(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a StorageClass. Declarative rules replaced three of its checks."""
    yield from storage_class(content)
    for field in KEPT:
        if (value := content.get(field) or None) == (before.get(field) or None):
            continue
        if field == "volumeBindingMode":
            yield from CLASS_FIELDS_BEFORE.limit([immutable(field, value)])
        else:
            yield from CLASS_FIELDS_BEFORE.limit([forbidden(field, f"updates to {field} are forbidden.")])
        yield from CLASS_FIELDS.limit([immutable(field, "" if field == "provisioner" and value is None else value)])


def attributes_class(content: Object) -> Iterator[Problem]:
    """Validate a VolumeAttributesClass."""
    if not content.get("driverName"):
        yield required("driverName")
    yield from provisioner("driverName", content.get("driverName"))
    yield from parameters("parameters", content.get("parameters"), needed=True)


def changed_attributes(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a VolumeAttributesClass. It is immutable."""
    for field in ("driverName", "parameters"):
        if (content.get(field) or None) != (before.get(field) or None):
            yield forbidden(field, f"updates to {field} are forbidden.")
    yield from attributes_class(content)


def protected(content: Object) -> Object:
    """Return a new VolumeAttributesClass with the finalizer that protects it while it is in use."""
    metadata = as_map(content.get("metadata"))
    finalizers = metadata.get("finalizers") or []
    if PROTECTION in finalizers:
        return content
    return {**content, "metadata": {**metadata, "finalizers": [*finalizers, PROTECTION]}}


def capacity(content: Object) -> Iterator[Problem]:
    """Validate a CSIStorageCapacity."""
    yield from label_selector("nodeTopology", content.get("nodeTopology"))
    yield from formats.each("storageClassName", content.get("storageClassName") or "", names.subdomain)
    yield from quantities.not_negative("capacity", content.get("capacity"))


def changed_capacity(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a CSIStorageCapacity. Its class and topology are immutable."""
    for field in ("nodeTopology", "storageClassName"):
        if content.get(field) != before.get(field):
            yield immutable(field, content.get(field))


warned = LazyModule("warnings.kinds")
RECORDS = (
    KindRecord(
        group="storage.k8s.io",
        kind="StorageClass",
        versions=("storage.k8s.io/v1", "storage.k8s.io/v1beta1"),
        defaults=(
            Group(
                ("StorageClass",),
                "storage/v1/defaults.go SetDefaults_StorageClass",
                (
                    Default("reclaimPolicy", "Delete", since="1.8", unset=(None,)),
                    Default("volumeBindingMode", "Immediate", since="1.10", unset=(None,)),
                ),
            ),
        ),
        named_again=True,
        check=storage_class,
        check_update=changed_class,
        warnings=warned.storage_class,
    ),
    KindRecord(
        group="storage.k8s.io",
        kind="VolumeAttributesClass",
        versions=("storage.k8s.io/v1", "storage.k8s.io/v1beta1", "storage.k8s.io/v1alpha1"),
        named_again=True,
        check=attributes_class,
        created=protected,
        check_update=changed_attributes,
    ),
    KindRecord(
        group="storage.k8s.io",
        kind="CSIStorageCapacity",
        versions=("storage.k8s.io/v1", "storage.k8s.io/v1beta1", "storage.k8s.io/v1alpha1"),
        named_again=True,
        check=capacity,
        check_update=after_create_check(capacity, changed_capacity),
        warnings=warned.capacity,
    ),
)
