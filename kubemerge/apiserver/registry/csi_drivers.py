"""CSIDriver, CSINode and VolumeAttachment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..defaulting.rules import NO_ITEMS, Default, Group, TypePosition
from ..problems import (
    Printed,
    Problem,
    declarative,
    duplicate,
    forbidden,
    immutable,
    invalid,
    required,
    too_long,
    unsupported,
)
from ..text.go_text import quoted
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.declarative import by_table
from ..validation.eras import (
    ATTACHER,
    ATTACHER_AGAIN,
    DRIVER_FIELDS,
    DRIVER_MOUNTS,
    DRIVER_SPEC,
    DRIVER_STORAGE_CAPACITY,
    NODE_DRIVER,
    NODE_DRIVER_BEFORE,
    NODE_DRIVER_WITHOUT_COUNT,
)
from ..validation.pod_spec import volumes
from ..validation.values import formats
from ..warnings.eras import DRIVER_TOKENS
from .inline_volumes import inline_volume
from .record import KindRecord, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..unchecked import Object
    from ..warnings.eras import DatedWarning

RULES = """
CSIDriverSpec fsGroupPolicy *string optional enum=File|None|ReadWriteOnceWithFSType
"""
"""The checks of one field."""
LIFECYCLES = ("Persistent", "Ephemeral")
IMMUTABLE_FIELDS = (
    (DRIVER_FIELDS, "attachRequired"),
    (DRIVER_MOUNTS, "fsGroupPolicy"),
    (DRIVER_MOUNTS, "podInfoOnMount"),
    (DRIVER_FIELDS, "volumeLifecycleModes"),
    (DRIVER_STORAGE_CAPACITY, "storageCapacity"),
)
"""The immutable fields of a CSIDriver."""
MISSPELT = {"attachRequired": "attachedRequired"}
"""Fields with another name in messages."""
ADDRESS = "(0xc000000000)"
SHORTEST, LONGEST = 600, 2**32
TOKENS_IN_SECRETS = (
    "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent "
    "possible logging of tokens in volume attributes"
)
ONE_SOURCE = "must specify exactly one of inlineVolumeSpec and persistentVolumeName"


def driver_name(at: str, value: Any) -> Iterator[Problem]:
    """Validate the name of a CSI driver."""
    yield from volumes.driver(at, as_text(value))


def csi_driver(content: Object) -> Iterator[Problem]:
    """Validate a CSIDriver."""
    spec = as_map(content.get("spec"))
    yield from by_table(RULES, "CSIDriverSpec", "spec", spec)
    yield from _token_requests("spec.tokenRequests", spec)
    modes = spec.get("volumeLifecycleModes")
    for mode in modes if isinstance(modes, list) else ():
        if mode not in LIFECYCLES:
            yield unsupported("spec.volumeLifecycleModes", mode, LIFECYCLES)
    period = as_number(spec.get("nodeAllocatableUpdatePeriodSeconds"))
    if period is not None and period < 10:
        at = "spec.nodeAllocatableUpdatePeriodSeconds"
        yield invalid(at, period, "must be greater than or equal to 10 seconds")
    in_secrets = spec.get("serviceAccountTokenInSecrets")
    if in_secrets is not None and not spec.get("tokenRequests"):
        why = "serviceAccountTokenInSecrets is set but no tokenRequests are specified"
        yield invalid("spec.serviceAccountTokenInSecrets", in_secrets, why)


def _token_requests(at: str, spec: Object) -> Iterator[Problem]:
    audiences: set[str] = set()
    for index, one in maps(spec, "tokenRequests"):
        audience, seconds = as_text(one.get("audience")), as_number(one.get("expirationSeconds"))
        if audience in audiences:
            yield duplicate(f"{at}[{index}].audience", audience)
            continue
        audiences.add(audience)
        if seconds is not None and seconds < SHORTEST:
            why = "may not specify a duration less than 10 minutes"
            yield invalid(f"{at}[{index}].expirationSeconds", seconds, why)
        if seconds is not None and seconds > LONGEST:
            why = "may not specify a duration larger than 2^32 seconds"
            yield invalid(f"{at}[{index}].expirationSeconds", seconds, why)


def changed_driver(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a CSIDriver. Two fields are immutable, and more of them in older releases."""
    if content.get("spec") != before.get("spec"):
        shown = Printed(_driver_spec(as_map(content.get("spec"))))
        yield from DRIVER_SPEC.limit([immutable("spec", shown)])
    for era, field in IMMUTABLE_FIELDS:
        value = get_path(content, f"spec.{field}")
        if value != get_path(before, f"spec.{field}"):
            yield from era.limit([immutable(f"spec.{MISSPELT.get(field, field)}", value)])


def _driver_spec(spec: Object) -> str:
    """The spec as Go syntax. Releases that print it drop the tokens and the storage capacity."""
    modes = ", ".join(quoted(as_text(mode)) for mode in spec.get("volumeLifecycleModes") or ())
    pointers = (
        f"{name}:(*{of}){'(nil)' if spec.get(field) is None else ADDRESS}"
        for field, name, of in (
            ("attachRequired", "AttachRequired", "bool"),
            ("fsGroupPolicy", "FSGroupPolicy", "storage.FSGroupPolicy"),
            ("podInfoOnMount", "PodInfoOnMount", "bool"),
        )
    )
    return (
        f"storage.CSIDriverSpec{{{', '.join(pointers)}, VolumeLifecycleModes:[]storage.VolumeLifecycleMode{{{modes}}}, "
        "StorageCapacity:(*bool)(nil), TokenRequests:[]storage.TokenRequest(nil), RequiresRepublish:(*bool)(nil)}"
    )


def csi_node(content: Object) -> Iterator[Problem]:
    """Validate a CSINode."""
    taken: set[str] = set()
    for index, driver in maps(as_map(content.get("spec")), "drivers"):
        at, name = f"spec.drivers[{index}]", as_text(driver.get("name"))
        yield from driver_name(f"{at}.name", name)
        if not driver.get("nodeID"):
            yield required(f"{at}.nodeID")
        elif len(as_text(driver["nodeID"]).encode()) > 256:
            yield invalid(f"{at}.nodeID", driver["nodeID"], "must be 256 characters or less")
        yield from formats.not_negative(f"{at}.allocatable", as_map(driver.get("allocatable")), "count")
        if name in taken:
            yield duplicate(f"{at}.name", name)
        taken.add(name)
        keys = driver.get("topologyKeys")
        seen: set[str] = set()
        for key in map(as_text, keys if isinstance(keys, list) else ()):
            if not key:
                yield required(at)
            if key in seen:
                yield duplicate(at, key)
            seen.add(key)
            yield from (invalid(at, key, why) for why in names.key(key))


def changed_node(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a CSINode. Its drivers are immutable, except for their allocatable counts."""
    for _, old in maps(as_map(before.get("spec")), "drivers"):
        for _, new in maps(as_map(content.get("spec")), "drivers"):
            if old.get("name") != new.get("name"):
                continue
            counted = {"allocatable": new.get("allocatable")}
            if _fixed(old) | {"allocatable": old.get("allocatable")} != _fixed(new) | counted:
                shown = _as_go(new) | {"Allocatable": _allocatable(new)}
                yield from NODE_DRIVER_BEFORE.limit([immutable("CSINodeDriver", shown)])
                yield from NODE_DRIVER.limit([immutable("spec.drivers", shown)])
            if _fixed(old) != _fixed(new):
                yield from NODE_DRIVER_WITHOUT_COUNT.limit([immutable("spec.drivers", _as_go(new))])


def _fixed(driver: Object) -> Object:
    return {**driver, "allocatable": None, "topologyKeys": driver.get("topologyKeys") or []}


def _allocatable(driver: Object) -> Object | None:
    counted = driver.get("allocatable")
    return {"Count": counted.get("count")} if isinstance(counted, dict) else None


def _as_go(driver: Object) -> Object:
    return {
        "Name": driver.get("name", ""),
        "NodeID": driver.get("nodeID", ""),
        "TopologyKeys": driver.get("topologyKeys"),
        "Allocatable": None,
    }


def attachment(content: Object) -> Iterator[Problem]:
    """Validate a VolumeAttachment."""
    spec = as_map(content.get("spec"))
    volume = as_map(spec.get("source")).get("persistentVolumeName")
    yield from ATTACHER_AGAIN.limit(_old_attachment(content))
    yield from map(declarative, driver_name("spec.attacher", spec.get("attacher")))
    yield from ATTACHER.limit(_attachment(content))
    if volume is not None:
        yield from formats.each("spec.source.persistentVolumeName", volume, names.subdomain)


def changed_attachment(content: Object) -> Iterator[Problem]:
    """Validate an update of a VolumeAttachment."""
    yield from ATTACHER_AGAIN.limit(_old_attachment(content))
    yield from ATTACHER.limit(attachment(content))


def _old_attachment(content: Object) -> Iterator[Problem]:
    if not as_map(content.get("spec")).get("attacher"):
        yield required("spec.attacher")
    yield from _attachment(content)


def _attachment(content: Object) -> Iterator[Problem]:
    spec = as_map(content.get("spec"))
    source = as_map(spec.get("source"))
    volume, inline = source.get("persistentVolumeName"), source.get("inlineVolumeSpec")
    if volume is None and inline is None:
        yield required("spec.source", ONE_SOURCE)
    elif volume is not None and inline is not None:
        yield forbidden("spec.source", ONE_SOURCE)
    elif volume == "":
        yield required("spec.source.persistentVolumeName", "must specify non empty persistentVolumeName")
    elif inline is not None:
        yield from inline_volume("spec.source.inlineVolumeSpec", as_map(inline))
    yield from formats.each("spec.nodeName", spec.get("nodeName") or "", names.subdomain)
    yield from attachment_status(content)


def attachment_status(content: Object) -> Iterator[Problem]:
    """Validate the status of a VolumeAttachment."""
    status = as_map(content.get("status"))
    given = as_map(status.get("attachmentMetadata"))
    if sum(len(key.encode()) + len(as_text(value).encode()) for key, value in given.items()) > 256 * 1024:
        yield too_long("status.attachmentMetadata", 256 * 1024)
    for field in ("attachError", "detachError"):
        error = as_map(status.get(field))
        if len(as_text(error.get("message")).encode()) > 1024:
            yield too_long(f"status.{field}.message", 1024)
        code = as_number(error.get("errorCode"))
        if code is not None and code < 0:
            yield invalid(f"status.{field}.errorCode", code, "must be between 0 and 2147483647, inclusive")


def driver_warnings(content: Object, before: Object) -> Iterator[DatedWarning]:
    """Warn about a driver whose service account tokens have no target."""
    requests, in_secrets = (
        get_path(content, f"spec.{one}") for one in ("tokenRequests", "serviceAccountTokenInSecrets")
    )
    if requests and in_secrets is None and requests != get_path(before, "spec.tokenRequests"):
        yield DRIVER_TOKENS(TOKENS_IN_SECRETS)


PLACES = {
    "VolumeAttachment": tuple(
        TypePosition(f"spec.source.inlineVolumeSpec?.{field}?", type_)
        for field, type_ in (
            ("hostPath", "HostPathVolumeSource"),
            ("iscsi", "ISCSIVolumeSource"),
            ("rbd", "RBDVolumeSource"),
            ("azureDisk", "AzureDiskVolumeSource"),
            ("scaleIO", "ScaleIOVolumeSource"),
        )
    )
}
RECORDS = (
    KindRecord(
        group="storage.k8s.io",
        kind="CSIDriver",
        versions=("storage.k8s.io/v1", "storage.k8s.io/v1beta1"),
        defaults=(
            Group(
                ("CSIDriver",),
                "storage/v1/defaults.go SetDefaults_CSIDriver",
                (
                    Default("spec.attachRequired", True),
                    Default("spec.podInfoOnMount", False),
                    Default("spec.storageCapacity", False, since="1.21"),
                    Default("spec.fsGroupPolicy", "ReadWriteOnceWithFSType", since="1.20", unset=(None,)),
                    Default("spec.volumeLifecycleModes", ["Persistent"], since="1.16", unset=NO_ITEMS),
                    Default("spec.requiresRepublish", False, since="1.21"),
                    Default("spec.seLinuxMount", False, since="1.28"),
                    Default("spec.preventPodSchedulingIfMissing", False, since="1.37"),
                ),
            ),
        ),
        check=csi_driver,
        check_update=after_create_check(csi_driver, changed_driver),
        warnings=driver_warnings,
    ),
    KindRecord(
        group="storage.k8s.io",
        kind="CSINode",
        versions=("storage.k8s.io/v1", "storage.k8s.io/v1beta1"),
        named_again=True,
        check=csi_node,
        check_update=after_create_check(csi_node, changed_node),
    ),
    KindRecord(
        group="storage.k8s.io",
        kind="VolumeAttachment",
        versions=("storage.k8s.io/v1", "storage.k8s.io/v1beta1", "storage.k8s.io/v1alpha1"),
        named_again=True,
        places=PLACES,
        check=attachment,
        check_update=lambda content, _: changed_attachment(content),
        check_status=lambda content, _: changed_attachment(content),
    ),
)
