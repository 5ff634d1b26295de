"""The namespace controller: deletes the content of a terminating namespace, its Pods first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..deletion import POD, DeleteOptions, as_sent, delete
from ..identity import ObjectId
from ..kinds.builtin_kinds import NAMESPACE
from ..kinds.names import plural
from ..storage.changes import ControllerDeletion
from ..storage.store import DELETIONS_DENIED
from ..unchecked import as_map, as_text, maps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent

CONTENT_FAILURE, REMAIN = "NamespaceDeletionContentFailure", "NamespaceContentRemaining"
ACCOUNT = "namespace-controller"
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
    denials: list[str] = []
    if not _is_marked(changes, first) or changes.store.text(DELETIONS_DENIED):  # else all are marked
        denials, has_deleted = _delete_all(changes, pods or list(changes.store.keys_in(name)))
        if has_deleted:
            return True
    if denials or REMAIN not in _statuses(live) or (not pods and _statuses(live)[REMAIN] != "True"):
        remaining = [one for one in changes.store.keys_in(name) if not pods and _is_marked(changes, one)]
        _note(changes, key, live, remaining, denials)
    return False


def retry(changes: Changes) -> Iterator[str]:
    """Yield the names of terminating namespaces."""
    for one in changes.store.of_kind(*NAMESPACE):
        if "deletionTimestamp" in one["metadata"]:
            yield one["metadata"]["name"]


def _delete_all(changes: Changes, keys: Sequence[ObjectId]) -> tuple[list[str], bool]:
    """Delete objects, and return the messages of policies, and whether any object was deleted.

    A server deletes the objects of a kind by name, until a policy denies one.
    """
    denied: dict[tuple[str, str], str] = {}
    has_deleted = False
    for one in keys:
        live = changes.get(one)
        if live is None or one.group_kind in denied or _is_marked(changes, one):
            continue
        options = DeleteOptions("Background")
        why = changes.denial(ControllerDeletion(one, live, ACCOUNT, as_sent(options, None, None), of_collection=True))
        if why:
            denied[one.group_kind] = why
        else:
            delete(changes, one, live, options)
            has_deleted = True
    return list(denied.values()), has_deleted


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


def _note(
    changes: Changes, key: ObjectId, live: Object, remaining: Sequence[ObjectId], denials: Sequence[str] = ()
) -> Object:
    """Set the conditions with the remaining content of a namespace, and the messages of denied deletions."""
    before = {one.get("type"): one for _, one in maps(as_map(live.get("status")), "conditions")}
    made = []
    for type_, is_so, reason, message in _conditions(changes, remaining, denials):
        now = {"type": type_, "status": is_so, "reason": reason, "message": message}
        old = before.get(type_)
        same = old is not None and all(old.get(field) == value for field, value in now.items())
        since = old["lastTransitionTime"] if old is not None and same else changes.origins.now()
        made.append({"lastTransitionTime": since, **now})
    status = {**as_map(live.get("status")), "conditions": made}
    if status == live.get("status"):
        return live
    return changes.by_controller(key, live, {**live, "status": status}, "status")


def _conditions(
    changes: Changes, remaining: Sequence[ObjectId], denials: Sequence[str]
) -> Iterator[tuple[str, str, str, str]]:
    yield "NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"
    parsed = "All legacy kube types successfully parsed"
    yield "NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions", parsed
    if denials:
        why = denials[0] if len(denials) == 1 else f"[{', '.join(denials)}]"
        said = f"Failed to delete all resource types, {len(denials)} remaining: {why}"
        yield CONTENT_FAILURE, "True", "ContentDeletionFailed", said
    else:
        deleted = "All content successfully deleted, may be waiting on finalization"
        yield CONTENT_FAILURE, "False", "ContentDeleted", deleted
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
