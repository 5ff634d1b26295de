"""Inline volumes of a VolumeAttachment, which may not have all fields of a PersistentVolume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..problems import Problem, forbidden, required
from ..validation.claims import access_modes
from .persistent_volumes import sources_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

INSIDE = "may not be specified in the context of inline volumes"


def inline_volume(at: str, spec: Object) -> Iterator[Problem]:
    """Validate an inline volume."""
    if spec.get("claimRef") is not None:
        yield forbidden(f"{at}.claimRef", INSIDE)
    if spec.get("capacity"):
        yield forbidden(f"{at}.capacity", INSIDE)
    if spec.get("csi") is None:
        yield required(f"{at}.csi", "has to be specified in the context of inline volumes")
    if not spec.get("accessModes"):
        yield required(f"{at}.accessModes")
    yield from access_modes(f"{at}.accessModes", spec.get("accessModes"))
    policy, mode = spec.get("persistentVolumeReclaimPolicy"), spec.get("volumeMode")
    if policy and policy != "Retain":
        yield forbidden(f"{at}.persistentVolumeReclaimPolicy", "may only be Retain in the context of inline volumes")
    if spec.get("nodeAffinity") is not None:
        yield forbidden(f"{at}.nodeAffinity", INSIDE)
    yield from (
        why._replace(path=f"{at}{why.path.removeprefix('spec')}") for why in sources_of({**spec, "nodeAffinity": None})
    )
    if spec.get("storageClassName"):
        yield forbidden(f"{at}.storageClassName", INSIDE)
    if mode is not None and mode != "Filesystem":
        why = "may not specify volumeMode other than Filesystem in the context of inline volumes"
        yield forbidden(f"{at}.volumeMode", why)
