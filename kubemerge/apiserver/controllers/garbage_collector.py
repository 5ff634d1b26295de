"""The garbage collector, for dependents of deleted owners and of owners that never existed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.values.go_json import encode

from ..deletion import FOREGROUND, ORPHAN, DeleteOptions, as_sent, delete, without_finalizer
from ..errors import NoMatch
from ..identity import ObjectId
from ..resources import key_of
from ..storage.changes import ControllerDeletion
from ..storage.store import DELETIONS_DENIED
from ..unchecked import as_text, maps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent

ACCOUNT = "generic-garbage-collector"
EVENT = ("", "Event")  # both groups of events are stored as this one


class _OwnerReferences(NamedTuple):
    """The owners of an object by uid: existing ones, missing ones, and those that wait for its deletion."""

    solid: list[str]
    dangling: list[str]
    waiting_for_dependents: list[str]


class _Unresolvable(Exception):
    """An owner of an unknown kind, or a namespaced owner of a cluster-scoped object. The object stays."""


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Process one change."""
    key, before, after = event
    if after is None:
        _on_deleted(changes, before or {})
        return
    had, has = _references(before), _references(after)
    if had != has or (has and changes.store.text(DELETIONS_DENIED)):
        _attempt_to_delete(changes, key)
    if had and had != has:
        stay = set(map(encode, has))
        _finish_owners(changes, key, [one for one in had if encode(one) not in stay])
    if "deletionTimestamp" in after["metadata"]:
        finalizers = after["metadata"].get("finalizers") or ()
        if ORPHAN in finalizers:
            _orphan(changes, key)
        elif FOREGROUND in finalizers:
            if not _is_deleting_dependents(before):
                for dependent in changes.index.dependents(changes.store, after["metadata"]["uid"]):
                    _attempt_to_delete(changes, dependent)
            _finish(changes, key)


def _on_deleted(changes: Changes, before: Object) -> None:
    for dependent in changes.index.dependents(changes.store, before["metadata"]["uid"]):
        _attempt_to_delete(changes, dependent)
    _finish_owners(changes, None, _references(before), before["metadata"].get("namespace") or "")


def _finish_owners(changes: Changes, key: ObjectId | None, references: list[Object], namespace: str = "") -> None:
    """Finish the deletion of owners that may have waited only for this object."""
    for reference in references:
        try:
            found = _owner(changes, reference, namespace if key is None else key.namespace)
        except _Unresolvable:
            continue
        if found is not None and _is_deleting_dependents(found[1]):
            _finish(changes, found[0])


def _attempt_to_delete(changes: Changes, key: ObjectId) -> None:
    """Delete an object without existing owners, or remove its references to missing ones."""
    live = changes.get(key)
    if live is None or key.group_kind == EVENT or "deletionTimestamp" in live["metadata"]:
        return
    references = _references(live)
    if not references:
        return
    try:
        owners = _classify_references(changes, key, references)
    except _Unresolvable:
        return
    if owners.solid:
        _remove_references(changes, key, live, {*owners.dangling, *owners.waiting_for_dependents})
    elif owners.waiting_for_dependents and changes.index.dependents(changes.store, live["metadata"]["uid"]):
        _unblock(changes, key, live)
        _delete(changes, key, changes.get(key) or live, "Foreground")
    else:
        finalizers = live["metadata"].get("finalizers") or ()
        propagation = "Orphan" if ORPHAN in finalizers else "Foreground" if FOREGROUND in finalizers else "Background"
        _delete(changes, key, live, propagation)


def _delete(changes: Changes, key: ObjectId, live: Object, propagation: str) -> None:
    """Delete an object, unless a policy denies it."""
    options, metadata = DeleteOptions(propagation), live["metadata"]
    sent = as_sent(options, metadata["uid"], metadata.get("resourceVersion"))
    if not changes.denial(ControllerDeletion(key, live, ACCOUNT, sent)):
        delete(changes, key, live, options)


def retry(changes: Changes) -> None:
    """Attempt to delete all objects without existing owners again."""
    for key in changes.index.all_dependents(changes.store):
        _attempt_to_delete(changes, key)


def _classify_references(changes: Changes, key: ObjectId, references: list[Object]) -> _OwnerReferences:
    owners = _OwnerReferences([], [], [])
    for reference in references:
        found = _owner(changes, reference, key.namespace)
        uids = (
            owners.dangling
            if found is None
            else owners.waiting_for_dependents
            if _is_deleting_dependents(found[1])
            else owners.solid
        )
        uids.append(as_text(reference.get("uid")))
    return owners


def _owner(changes: Changes, reference: Object, namespace: str) -> tuple[ObjectId, Object] | None:
    """The referenced owner, if it exists with this uid."""
    try:
        resource = changes.kinds.resource(as_text(reference.get("apiVersion")), as_text(reference.get("kind")))
    except NoMatch:
        raise _Unresolvable from None
    if resource.namespaced and not namespace:
        raise _Unresolvable
    key = key_of(resource, as_text(reference.get("name")), namespace)
    found = changes.get(key)
    return None if found is None or found["metadata"]["uid"] != reference.get("uid") else (key, found)


def _finish(changes: Changes, key: ObjectId) -> None:
    """Finish the foreground deletion of an owner once no dependent blocks it."""
    live = changes.get(key)
    if live is None or not _is_deleting_dependents(live):
        return
    uid = live["metadata"]["uid"]
    blocking = [one for one in changes.index.dependents(changes.store, uid) if _blocks(changes.get(one), uid)]
    for one in blocking:
        _attempt_to_delete(changes, one)
    if not blocking:
        without_finalizer(changes, key, live, FOREGROUND)


def _orphan(changes: Changes, key: ObjectId) -> None:
    live = changes.get(key)
    if live is None:
        return
    uid = live["metadata"]["uid"]
    for dependent in changes.index.dependents(changes.store, uid):
        found = changes.get(dependent)
        if found is not None:
            _remove_references(changes, dependent, found, {uid})
    without_finalizer(changes, key, live, ORPHAN)


def _remove_references(changes: Changes, key: ObjectId, live: Object, uids: Collection[str]) -> None:
    kept = [one for one in _references(live) if one.get("uid") not in uids]
    if len(kept) < len(_references(live)):
        changes.by_controller(key, live, _with(live, "ownerReferences", kept))


def _unblock(changes: Changes, key: ObjectId, live: Object) -> None:
    """Unblock the owners of an object whose dependents are in foreground deletion, too. This ends cycles."""
    uid = live["metadata"]["uid"]
    if any(_is_deleting_dependents(changes.get(one)) for one in changes.index.dependents(changes.store, uid)):
        free = [{**one, "blockOwnerDeletion": False} for one in _references(live)]
        changes.by_controller(key, live, _with(live, "ownerReferences", free))


def _with(live: Object, field: str, value: list[object] | list[Object]) -> Object:
    metadata = {name: one for name, one in live["metadata"].items() if name != field}
    return {**live, "metadata": {**metadata, **({field: value} if value else {})}}


def _references(content: Object | None) -> list[Object]:
    return [one for _, one in maps(content["metadata"], "ownerReferences")] if content else []


def _is_deleting_dependents(content: Object | None) -> bool:
    """Whether an object is in foreground deletion."""
    metadata = content["metadata"] if content else {}
    return "deletionTimestamp" in metadata and FOREGROUND in (metadata.get("finalizers") or ())


def _blocks(content: Object | None, uid: str) -> Iterator[bool] | bool:
    return any(one.get("uid") == uid and one.get("blockOwnerDeletion") is True for one in _references(content))
