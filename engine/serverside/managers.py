"""The entries of metadata.managedFields: who wrote, by which operation, in which apiVersion, when, and which fields."""

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
    """Manager, operation, apiVersion (of updates only) and subresource: two entries with the same are one."""
    Managed: TypeAlias = "dict[Identity, Entry]"

APPLY, UPDATE = "Apply", "Update"
MOST_UPDATES = 10
"""Of more managers that update, the oldest become one."""
ANCIENT = "ancient-changes"


class BadManagedFields(MergeError):
    """metadata.managedFields that no API server has written."""

    def __init__(self, what: str) -> None:
        super().__init__(f"metadata.managedFields: {what}. Pass it as an API server stored it, or remove it")


class Entry:
    """What one manager owns."""

    __slots__ = ("identity", "time", "tree", "version")

    def __init__(self, identity: Identity, version: str, tree: Tree, time: str | None) -> None:
        self.identity, self.version, self.tree, self.time = identity, version, tree, time

    @property
    def applied(self) -> bool:
        """Whether it was written by server-side apply."""
        return self.identity[1] == APPLY

    def owning(self, tree: Tree) -> Entry:
        """The same entry with other fields."""
        return self if tree is self.tree else Entry(self.identity, self.version, tree, self.time)


def of_object(document: Any) -> Any:
    """metadata.managedFields of an object."""
    metadata = document.get("metadata")
    return metadata.get("managedFields") if type(metadata) is dict else None


def identity(manager: str, operation: str, version: str, subresource: str | None) -> Identity:
    """What tells the entry of a writer from others."""
    return manager, operation, "" if operation == APPLY else version, subresource or ""


def read(entries: Any) -> Managed:
    """The entries by identity. Of two entries of one writer, the later one counts."""
    managed: Managed = {}
    if entries is None:
        return managed
    if type(entries) is not list:
        raise BadManagedFields(f"it is a {type(entries).__name__}, not a list")
    for entry in entries:
        made = _entry(entry)
        managed[made.identity] = made
    return managed


def _entry(entry: Any) -> Entry:
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
    tree = trees.read(entry.get("fieldsV1"))
    return Entry(
        identity(texts["manager"], operation, version, texts["subresource"]), version, tree, utc(texts["time"])
    )


def utc(time: str) -> str | None:
    """A time as API servers write it: in UTC, without fractions; None for none."""
    if not time or (len(time) == 20 and time[-1] == "Z"):
        return time or None
    from datetime import datetime, timezone  # hardly ever needed

    try:
        # The last letter is for Python 3.10, which does not know it.
        given = datetime.fromisoformat(f"{time[:-1]}+00:00" if time[-1] in "zZ" else time)
    except ValueError:
        given = datetime.min
    if given.tzinfo is None:
        raise BadManagedFields(f"the time {brief(time)} is not in RFC 3339 format")
    return given.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def now() -> str:
    """The time of a write that happens now."""
    from time import gmtime, strftime  # hardly ever needed where exactness matters

    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())


def written(managed: Managed) -> list[dict[str, Any]]:
    """The entries as they are stored: by operation, time and name."""
    return [_written(entry) for entry in sorted(managed.values(), key=_stored_order)]


def _stored_order(entry: Entry) -> tuple[str, ...]:
    manager, operation, _, subresource = entry.identity
    return operation, entry.time or "", manager, entry.version, subresource


def _written(entry: Entry) -> dict[str, Any]:
    manager, operation, _, subresource = entry.identity
    made: dict[str, Any] = {
        "apiVersion": entry.version,
        "fieldsType": "FieldsV1",
        "fieldsV1": trees.written(entry.tree),
    }
    if manager:
        made["manager"] = manager
    made["operation"] = operation
    if subresource:
        made["subresource"] = subresource
    if entry.time is not None:
        made["time"] = entry.time
    return made


def by_all(managed: Managed, change: Callable[[Entry], Tree]) -> Managed:
    """The entries with changed fields, without those that are left with none."""
    changed: Managed = {}
    for key, entry in managed.items():
        tree = change(entry)
        if tree:
            changed[key] = entry.owning(tree)
    return changed


def capped(managed: Managed) -> Managed:
    """The entries, with the oldest updates of each apiVersion as one if there are too many."""
    updates = [entry for entry in managed.values() if not entry.applied]
    count = len(updates)
    if count <= MOST_UPDATES:
        return managed
    result = dict(managed)
    first: dict[str, Identity] = {}
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
            result[bucket] = Entry(bucket, old.version, old.tree, None)
        union = trees.union(result[entry.identity].tree, result[bucket].tree)
        # The time is that of the update that comes in, which is more recent.
        result[bucket] = Entry(bucket, version, union, entry.time)
        # As in the reference: a bucket that is newer than the first update of its version is lost.
        del result[entry.identity]
        count -= 1
    return result


def _text(one: Identity) -> str:
    """The identity as text, by which the API server sorts."""
    names = ("manager", "operation", "apiVersion", "subresource")
    pairs = [f'"{name}":{encode(value)}' for name, value in zip(names, one, strict=True) if value]
    return f"{{{','.join(pairs)}}}"


def as_written(entry: Entry) -> dict[str, Any]:
    """One entry as it is stored."""
    return _written(entry)


def timeless(entry: dict[str, Any]) -> dict[str, Any]:
    """A stored entry without its time."""
    return {name: value for name, value in entry.items() if name != "time"}


def with_time(entry: dict[str, Any], time: str | None) -> dict[str, Any]:
    """A stored entry with another time, or none."""
    return timeless(entry) if time is None else {**entry, "time": time}
