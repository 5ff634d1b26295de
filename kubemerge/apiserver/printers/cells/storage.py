"""Cells of volumes and claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...unchecked import as_map, get_path
from .shared import UNSET, items

if TYPE_CHECKING:
    from ...protocol import Object
    from .shared import Cell

_SHORT = {"ReadWriteOnce": "RWO", "ReadOnlyMany": "ROX", "ReadWriteMany": "RWX", "ReadWriteOncePod": "RWOP"}
"""The access modes of a volume, in the order of printing."""
_OLD_CLASS = "volume.beta.kubernetes.io/storage-class"


def phase(one: Object) -> str:
    """The phase of a volume or claim."""
    return "Terminating" if get_path(one, "metadata.deletionTimestamp") else str(get_path(one, "status.phase") or "")


def access(path: str) -> Cell:
    """The access modes: `RWO,ROX`."""

    def cell(one: Object) -> str:
        values = get_path(one, path)
        return ",".join(_SHORT[way] for way in _SHORT if isinstance(values, list) and way in values)

    return cell


def once_bound(bound: Cell) -> Cell:
    """A cell that is empty until a claim is bound."""

    def cell(one: Object) -> Any:
        return bound(one) if get_path(one, "spec.volumeName") else ""

    return cell


def storage_class(one: Object) -> str:
    """The storage class of a volume or claim. An older annotation takes precedence."""
    old = as_map(get_path(one, "metadata.annotations")).get(_OLD_CLASS)
    return str(old if old is not None else get_path(one, "spec.storageClassName") or "")


def claim(one: Object) -> str:
    """The claim of a volume."""
    reference = as_map(get_path(one, "spec.claimRef"))
    return f"{reference.get('namespace') or ''}/{reference.get('name') or ''}" if reference else ""


def claim_state(one: Object) -> str:
    """The state of a resource claim: `allocated,reserved`."""
    said = {
        "deleted": get_path(one, "metadata.deletionTimestamp"),
        "allocated": isinstance(get_path(one, "status.allocation"), dict),
        "reserved": get_path(one, "status.reservedFor"),
    }
    return ",".join(word for word, so in said.items() if so) or "pending"


def audiences(one: Object) -> str:
    """The audiences of the service account tokens that a driver requests."""
    return ",".join(str(each.get("audience") or "") for each in items(one, "spec.tokenRequests")) or UNSET
