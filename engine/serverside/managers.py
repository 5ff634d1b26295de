"""Entries of metadata.managedFields: manager, operation, apiVersion, time and fields."""

from __future__ import annotations

from ..errors import MergeError, brief
from ..values.go_json import encode
from .fields import trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from .fields.trees import Tree

    Identity: TypeAlias = tuple[str, str, str, str]
    """The identity of an entry: manager, operation, apiVersion (for updates only) and subresource."""
    Managed: TypeAlias = "dict[Identity, ManagedFieldsEntry]"

APPLY, UPDATE = "Apply", "Update"
MOST_UPDATES = 10
"""The maximum number of Update entries; beyond it the oldest are merged into one."""
ANCIENT = "ancient-changes"


class BadManagedFields(MergeError):
    """metadata.managedFields that no API server has written."""

    def __init__(self, what: str) -> None:
        super().__init__(f"metadata.managedFields: {what}. Pass it as an API server stored it, or remove it")


class ManagedFieldsEntry:
    __slots__ = ("identity", "time", "tree", "version")

    def __init__(self, identity: Identity, version: str, tree: Tree, time: str | None) -> None:
        self.identity, self.version, self.tree, self.time = identity, version, tree, time

    @property
    def applied(self) -> bool:
        """True if server-side apply wrote the entry."""
        return self.identity[1] == APPLY

    def with_tree(self, tree: Tree) -> ManagedFieldsEntry:
        return self if tree is self.tree else ManagedFieldsEntry(self.identity, self.version, tree, self.time)


def managed_fields_of(document: Any) -> Any:
    """metadata.managedFields of an object."""
    metadata = document.get("metadata")
    return metadata.get("managedFields") if type(metadata) is dict else None


def identity(manager: str, operation: str, version: str, subresource: str | None) -> Identity:
    """The identity of a writer's entry."""
    return manager, operation, "" if operation == APPLY else version, subresource or ""


def parse_entries(entries: Any) -> Managed:
    """Parse managedFields into entries by identity. The later of two entries with one identity counts."""
    managed: Managed = {}
    if entries is None:
        return managed
    if type(entries) is not list:
        raise BadManagedFields(f"it is a {type(entries).__name__}, not a list")
    for entry in entries:
        made = _entry(entry)
        managed[made.identity] = made
    return managed


def _entry(entry: Any) -> ManagedFieldsEntry:
    if type(entry) is not dict:
        raise BadManagedFields(f"an entry is {brief(entry)}, not an object")
    texts = {
        name: entry.get(name) or ""
        for name in ("manager", "operation", "apiVersion", "fieldsType", "subresource", "time")
    }
    if any(type(value) is not str for value in texts.values()):
        raise BadManagedFields(
            f"an entry of the manager {brief(entry.get('manager'))} has a value that is not a string"
        )
    operation, version = texts["operation"], texts["apiVersion"]
    if operation not in (APPLY, UPDATE):
        raise BadManagedFields(f"the operation of an entry is {brief(operation)}, not Apply or Update")
    if not version:
        raise BadManagedFields("an entry has no apiVersion")
    if texts["fieldsType"] != "FieldsV1":
        raise BadManagedFields(f"the fieldsType of an entry is {brief(texts['fieldsType'])}, not FieldsV1")
    tree = trees.parse(entry.get("fieldsV1"))
    return ManagedFieldsEntry(
        identity(texts["manager"], operation, version, texts["subresource"]), version, tree, to_utc(texts["time"])
    )


def to_utc(time: str) -> str | None:
    """A time as API servers write it: UTC, without fractions; None for None."""
    if not time or (len(time) == 20 and time[-1] == "Z"):
        return time or None
    from datetime import datetime, timezone  # rarely needed

    try:
        # Python 3.10 does not parse the final Z.
        given = datetime.fromisoformat(f"{time[:-1]}+00:00" if time[-1] in "zZ" else time)
    except ValueError:
        given = datetime.min
    if given.tzinfo is None:
        raise BadManagedFields(f"the time {brief(time)} is not in RFC 3339 format")
    return given.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def now() -> str:
    """The current time as API servers write it."""
    from time import gmtime, strftime  # rarely needed

    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())


def encode_entries(managed: Managed) -> list[dict[str, Any]]:
    """The managedFields to store, sorted by operation, time and name."""
    return [encode_entry(entry) for entry in sorted(managed.values(), key=_stored_order)]


def _stored_order(entry: ManagedFieldsEntry) -> tuple[str, ...]:
    manager, operation, _, subresource = entry.identity
    return operation, entry.time or "", manager, entry.version, subresource


def encode_entry(entry: ManagedFieldsEntry) -> dict[str, Any]:
    manager, operation, _, subresource = entry.identity
    made: dict[str, Any] = {
        "apiVersion": entry.version,
        "fieldsType": "FieldsV1",
        "fieldsV1": trees.to_fields_v1(entry.tree),
    }
    if manager:
        made["manager"] = manager
    made["operation"] = operation
    if subresource:
        made["subresource"] = subresource
    if entry.time is not None:
        made["time"] = entry.time
    return made


def update_trees(managed: Managed, change: Callable[[ManagedFieldsEntry], Tree]) -> Managed:
    """The entries with changed fields, without those left empty."""
    changed: Managed = {}
    for key, entry in managed.items():
        tree = change(entry)
        if tree:
            changed[key] = entry.with_tree(tree)
    return changed


def cap_updates(managed: Managed) -> Managed:
    """Merge the oldest updates of each apiVersion into one entry if there are too many."""
    updates = [entry for entry in managed.values() if not entry.applied]
    count = len(updates)
    if count <= MOST_UPDATES:
        return managed
    result = dict(managed)
    first: dict[str, Identity] = {}
    merged: dict[Identity, list[Tree]] = {}
    for entry in sorted(updates, key=lambda one: (one.time or "", _text(one.identity))):
        if count <= MOST_UPDATES:
            break
        version = entry.version
        bucket = identity(ANCIENT, UPDATE, version, None)
        if version not in first:
            first[version] = entry.identity
            continue
        if bucket not in result:
            old = result.pop(first[version])
            result[bucket] = ManagedFieldsEntry(bucket, old.version, old.tree, None)
            merged[bucket] = [old.tree]
        elif bucket not in merged:
            merged[bucket] = [result[bucket].tree]
        if entry.identity != bucket:
            merged[bucket].append(result[entry.identity].tree)
        # The time is that of the incoming update, which is more recent.
        result[bucket] = ManagedFieldsEntry(bucket, version, trees.EMPTY, entry.time)
        # As in the reference: a bucket that is newer than the first update of its version is lost.
        del result[entry.identity]
        count -= 1
    for bucket, found in merged.items():
        if bucket in result:
            result[bucket] = result[bucket].with_tree(trees.union_all(found[::-1]))
    return result


def _text(one: Identity) -> str:
    """The identity as text, by which the API server sorts."""
    names = ("manager", "operation", "apiVersion", "subresource")
    pairs = [f'"{name}":{encode(value)}' for name, value in zip(names, one, strict=True) if value]
    return f"{{{','.join(pairs)}}}"


def without_time(entry: dict[str, Any]) -> dict[str, Any]:
    """A managedFields entry without its time."""
    return {name: value for name, value in entry.items() if name != "time"}


def with_time(entry: dict[str, Any], time: str | None) -> dict[str, Any]:
    """A managedFields entry with another time, or none."""
    return without_time(entry) if time is None else {**entry, "time": time}
