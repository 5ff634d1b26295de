"""The namespace controller: deletes the content of a terminating namespace, its Pods first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..deletion import POD, DeleteOptions, delete
from ..identity import ObjectId
from ..kinds.builtin_kinds import NAMESPACE
from ..kinds.names import plural
from ..unchecked import as_map, as_text, maps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent

REMAIN = "NamespaceContentRemaining"
FINALIZER = "kubernetes"
"""The finalizer in the spec of every namespace, which the controller removes last."""


def affected_namespace(event: StoreEvent) -> str:
    """Return the namespace that one change may help to terminate, or an empty text."""
    if event.key.group_kind == NAMESPACE:
        return event.key.name if event.after and "deletionTimestamp" in event.after["metadata"] else ""
    return event.key.namespace if event.after is None else ""


def delete_content(changes: Changes, name: str) -> bool:
    """Take one step. Return False if there is nothing to do at the moment."""
    key = ObjectId(*NAMESPACE, "", name)
    live = changes.get(key)
    if live is None or "deletionTimestamp" not in live["metadata"]:
        return False
    if FINALIZER not in (as_map(live.get("spec")).get("finalizers") or ()):
        return _released(changes, key, live)
    pods = list(changes.store.keys_of(*POD, name))
    first = pods[0] if pods else next(changes.store.keys_in(name), None)
    if first is None:
        return _finalized(changes, key, live)
    if not _is_marked(changes, first):  # then no other one is marked
        for one in pods or list(changes.store.keys_in(name)):
            delete(changes, one, changes.get(one) or {}, DeleteOptions("Background"))
        return True
    if REMAIN not in _statuses(live) or (not pods and _statuses(live)[REMAIN] != "True"):
        _note(changes, key, live, [] if pods else list(changes.store.keys_in(name)))
    return False


def _is_marked(changes: Changes, key: ObjectId) -> bool:
    return "deletionTimestamp" in (changes.get(key) or {"metadata": {}})["metadata"]


def _finalized(changes: Changes, key: ObjectId, live: Object) -> bool:
    others = [one for one in live["spec"]["finalizers"] if one != FINALIZER]
    if not others and not live["metadata"].get("finalizers"):
        changes.remove(key, live)
        return True
    live = _note(changes, key, live, [])
    changes.save(key, {**live, "spec": {"finalizers": others} if others else {}}, live)
    return False


def _released(changes: Changes, key: ObjectId, live: Object) -> bool:
    if live["metadata"].get("finalizers") or as_map(live.get("spec")).get("finalizers"):
        return False
    changes.remove(key, live)
    return True


# ---- conditions ------------------------------------------------------------------------------------------------------


def _statuses(live: Object) -> dict[str, str]:
    return {
        as_text(one.get("type")): as_text(one.get("status"))
        for _, one in maps(as_map(live.get("status")), "conditions")
    }


def _note(changes: Changes, key: ObjectId, live: Object, remaining: Sequence[ObjectId]) -> Object:
    """Set the conditions with the remaining content of a namespace."""
    before = {one.get("type"): one for _, one in maps(as_map(live.get("status")), "conditions")}
    made = []
    for type_, is_so, reason, message in _conditions(changes, remaining):
        now = {"type": type_, "status": is_so, "reason": reason, "message": message}
        old = before.get(type_)
        same = old is not None and all(old.get(field) == value for field, value in now.items())
        since = old["lastTransitionTime"] if old is not None and same else changes.origins.now()
        made.append({"lastTransitionTime": since, **now})
    status = {**as_map(live.get("status")), "conditions": made}
    if status == live.get("status"):
        return live
    return changes.by_controller(key, live, {**live, "status": status}, "status")


def _conditions(changes: Changes, remaining: Sequence[ObjectId]) -> Iterator[tuple[str, str, str, str]]:
    yield "NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"
    parsed = "All legacy kube types successfully parsed"
    yield "NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions", parsed
    deleted = "All content successfully deleted, may be waiting on finalization"
    yield "NamespaceDeletionContentFailure", "False", "ContentDeleted", deleted
    if remaining:
        kinds = Counter(f"{plural(one.kind)}.{one.group}" for one in remaining)
        said = f"Some resources are remaining: {_listed('{} has {} resource instances', kinds)}"
        yield REMAIN, "True", "SomeResourcesRemain", said
    else:
        yield REMAIN, "False", "ContentRemoved", "All content successfully removed"
    live = filter(None, map(changes.get, remaining))
    finalizers = Counter(str(one) for found in live for one in found["metadata"].get("finalizers") or ())
    if finalizers:
        said = _listed("{} in {} resource instances", finalizers)
        said = f"Some content in the namespace has finalizers remaining: {said}"
        yield "NamespaceFinalizersRemaining", "True", "SomeFinalizersRemain", said
    else:
        done = "All content-preserving finalizers finished"
        yield "NamespaceFinalizersRemaining", "False", "ContentHasNoFinalizers", done


def _listed(form: str, counted: Counter[str]) -> str:
    return ", ".join(form.format(name, count) for name, count in sorted(counted.items()))
