"""The protection controllers: a claim stays while a scheduled Pod uses it, a volume while it is bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..deletion import POD, without_finalizer
from ..identity import ObjectId
from ..plugins.storage import CLAIM, VOLUME
from ..unchecked import as_map, get_path, maps
from .names import CLAIM_PROTECTION, VOLUME_PROTECTION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent

CLAIMS, VOLUMES = ("", "PersistentVolumeClaim"), ("", "PersistentVolume")


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Remove the finalizers of deleted claims and volumes that are no longer in use."""
    kind = event.key.group_kind
    if kind in (CLAIMS, POD) and CLAIM_PROTECTION not in changes.controllers:
        return
    if kind == CLAIMS:
        _release(changes, event.key)
    elif kind == VOLUMES and VOLUME_PROTECTION in changes.controllers:
        live = changes.get(event.key)
        if live is not None and _is_candidate(live, VOLUME) and get_path(live, "status.phase") != "Bound":
            without_finalizer(changes, event.key, live, VOLUME)
    elif kind == POD:
        for name in {claim for pod in (event.before, event.after) for claim, _ in _claims(pod)}:
            _release(changes, ObjectId(*CLAIMS, event.key.namespace, name))


def _release(changes: Changes, key: ObjectId) -> None:
    live = changes.get(key)
    if live is not None and _is_candidate(live, CLAIM) and not _is_used(changes, key, live):
        without_finalizer(changes, key, live, CLAIM)


def _is_candidate(live: Object, finalizer: str) -> bool:
    metadata = live["metadata"]
    return "deletionTimestamp" in metadata and finalizer in (metadata.get("finalizers") or ())


def _is_used(changes: Changes, key: ObjectId, claim: Object) -> bool:
    for pod in changes.store.of_kind(*POD, key.namespace):
        if not get_path(pod, "spec.nodeName"):  # no kubelet starts a Pod whose claim is being deleted
            continue
        for name, ephemeral in _claims(pod):
            if name == key.name and (not ephemeral or (_is_made_for(claim, pod) and not _is_shut_down(pod))):
                return True
    return False


def _claims(pod: Object | None) -> Iterator[tuple[str, bool]]:
    """The names of a Pod's claims, and whether each is an ephemeral volume's claim."""
    for _, volume in maps(as_map(as_map(pod).get("spec")), "volumes"):
        if "ephemeral" in volume:
            yield f"{get_path(pod, 'metadata.name')}-{volume.get('name')}", True
        elif name := get_path(volume, "persistentVolumeClaim.claimName"):
            yield str(name), False


def _is_made_for(claim: Object, pod: Object) -> bool:
    uid = pod["metadata"]["uid"]
    return any(one.get("uid") == uid and one.get("controller") for _, one in maps(claim["metadata"], "ownerReferences"))


def _is_shut_down(pod: Object) -> bool:
    return "deletionTimestamp" in pod["metadata"] and pod["metadata"].get("deletionGracePeriodSeconds") == 0
