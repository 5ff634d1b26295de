"""Objects that the server itself writes, with the owners of their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..identity import ObjectId
from ..kinds.builtin_kinds import NAMESPACE
from ..resources import key_in_store
from ..storage.store import VERSION
from .bootstrap import BOOKED_SINCE, SERVER

if TYPE_CHECKING:
    from ..protocol import Object
    from ..storage.changes import Changes

SUBRESOURCES_SINCE = 22
"""The first minor release whose managedFields name the subresource."""


class FieldsOwner(NamedTuple):
    """The owner of fields of a new object, like an entry of its managedFields."""

    fields: Object
    manager: str = SERVER
    operation: str = "Update"
    subresource: str = ""


def owned(*fields: str) -> Object:
    """Return an owned map or element with these owned fields, as in `fieldsV1`."""
    return {".": {}, **{f"f:{field}": {} for field in fields}}


def create(changes: Changes, content: Object, *owners: FieldsOwner) -> None:
    """Store an object, without defaulting and validation, if it is missing."""
    key = key_in_store(content)
    if changes.store.has(key):
        return
    now, minor = changes.origins.now(), changes.kinds.minor
    metadata = {**content["metadata"], "uid": _uid(changes, key), "creationTimestamp": now}
    if minor >= BOOKED_SINCE:
        metadata["managedFields"] = [_entry(one, content["apiVersion"], now, minor) for one in owners]
    changes.save(key, {**content, "metadata": metadata}, None)


def _entry(owner: FieldsOwner, api_version: str, now: str, minor: int) -> Object:
    entry = {
        "apiVersion": api_version,
        "fieldsType": "FieldsV1",
        "fieldsV1": owner.fields,
        "manager": owner.manager,
        "operation": owner.operation,
        "time": now,
    }
    if owner.subresource and minor >= SUBRESOURCES_SINCE:
        entry["subresource"] = owner.subresource
    return entry


def _uid(changes: Changes, key: ObjectId) -> str:
    """A uid derived from a namespace's and the resourceVersion, so that these objects use no random numbers."""
    from uuid import NAMESPACE_OID, uuid5  # late, because a command that only reads needs none

    namespace: Any = changes.store.get_shared(ObjectId(*NAMESPACE, "", "kube-system")) or {"metadata": {"uid": ""}}
    seed = f"{namespace['metadata']['uid']} {changes.store.number(VERSION)} {key.kind} {key.name}"
    return str(uuid5(NAMESPACE_OID, seed))
