"""Strategies: changes and warnings of a write, from the record of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..eras import NO_END
from ..unchecked import as_map
from ..warnings.eras import sent_by
from .feature_gates import drop_disabled
from .gated_statuses import drop_disabled_status
from .table import find

if TYPE_CHECKING:
    from ..unchecked import Object
    from .record import FieldsSubresource

STATUS = "status"
APPROVAL = "approval"
"""The approval subresource of a CertificateSigningRequest: a status write that may add approval conditions."""


def prepare(content: Object, live: Object | None, minor: int, subresource: str | None = None) -> Object:
    """Return the object to validate and store. `live` is the object before the update, None for a creation."""
    record = find(content.get("apiVersion"), content.get("kind"))
    if record is None:
        return content
    if subresource not in (STATUS, APPROVAL):
        content = drop_disabled(content, live, minor)
    if live is None:
        if record.created_in is not None:
            return record.created_in(content, minor)
        return record.created(content) if record.created else content
    if part := record.parts.get(subresource or ""):
        return part.written(content, live, minor)
    if subresource not in (STATUS, APPROVAL):
        return record.updated(content, live) if record.updated and minor >= record.updated_since else content
    content = drop_disabled_status(content, live, minor)
    if subresource == APPROVAL:
        return record.approved(content, live) if record.approved else content
    if record.status_updated_in is not None:
        return record.status_updated_in(content, live, minor)
    return record.status_updated(content, live) if record.status_updated else content


def part_of(api_version: str, kind: str, subresource: str | None) -> FieldsSubresource | None:
    """Return a subresource that writes fields of the object itself, or None."""
    record = find(api_version, kind) if subresource else None
    return record.parts.get(subresource or "") if record else None


VOLUME_KEPT = 24
"""The minor release whose servers, by mistake, keep the status of a new PersistentVolume."""


RANGE, RANGE_KEPT_UNTIL = ("networking.k8s.io", "ServiceCIDR"), 35
"""The kind whose status is written with the object, by mistake, until this minor release."""


def writes_status(group: str, kind: str, minor: int) -> bool:
    """Whether a write to an object of the kind changes its status."""
    return (group, kind) == RANGE and minor <= RANGE_KEPT_UNTIL


def keeps_status(api_version: str, kind: str, minor: int) -> bool:
    """Whether a new object of the kind keeps its status."""
    if minor == VOLUME_KEPT and (api_version, kind) == ("v1", "PersistentVolume"):
        return True
    if writes_status(api_version.rpartition("/")[0], kind, minor):
        return True
    record = find(api_version, kind)
    return record is not None and record.keeps_status


PHASELESS = {("", "PersistentVolume"): 28, ("", "PersistentVolumeClaim"): NO_END}
"""The kinds whose new objects are stored without a phase, which a server sets when it decodes them: the last minor."""


def is_phaseless(group_kind: tuple[str, str], minor: int) -> bool:
    """Whether a server stores new objects of a kind without a phase."""
    if minor == VOLUME_KEPT and group_kind == ("", "PersistentVolume"):
        return False
    return minor <= PHASELESS.get(group_kind, -1)


def as_created(content: Object) -> Object:
    """Return a new volume or claim as a server stores it."""
    return {**content, "status": {}}


def is_as_created(stored: Object) -> bool:
    """Whether the stored object lacks defaults set on decoding, so that any write changes it."""
    is_phaseless = stored["apiVersion"] == "v1" and ("", stored["kind"]) in PHASELESS
    return is_phaseless and not as_map(stored.get("status")).get("phase")


def as_read(stored: Object) -> Object:
    """Return the object with the fields that a server sets on decoding."""
    if not is_as_created(stored):
        return stored
    return {**stored, "status": {"phase": "Pending", **as_map(stored.get("status"))}}


def hubs(api_version: str, kind: str) -> tuple[str, ...]:
    """Return the versions in which an object can be kept without loss, for a kind whose versions have other fields."""
    record = find(api_version, kind)
    return record.hubs if record is not None else ()


def read_back(content: Object, minor: int) -> Object:
    """Return the object as a server of a minor release reads it from its storage."""
    record = find(content.get("apiVersion"), content.get("kind"))
    return content if record is None or record.read_back is None else record.read_back(content, minor)


def in_version(content: Object, api_version: str, minor: int) -> Object:
    """Convert an object to another apiVersion of its kind, as a server of a minor release does."""
    if content.get("apiVersion") == api_version:
        return content
    record = find(api_version, content.get("kind"))
    if record is not None and record.converted is not None:
        return record.converted(content, api_version, minor)
    return {**content, "apiVersion": api_version}


def warnings(content: Object, live: Object | None, minor: int) -> list[str]:
    """Return the warnings of a server of a minor release about an accepted object."""
    record = find(content.get("apiVersion"), content.get("kind"))
    return [] if record is None or record.warnings is None else sent_by(record.warnings(content, live or {}), minor)
