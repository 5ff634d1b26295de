"""The initial objects of clusters and namespaces, which other objects reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..eras import minor_of
from ..identity import ObjectId
from ..kinds.builtin_kinds import NAMESPACE
from ..metadata import as_active_namespace
from ..registry.core import NAMES_ARE_LABELS_SINCE, with_name_as_label
from ..resources import key_in_store
from ..storage.store import KINDS_CHANGED, VERSION
from .names import SERVICE_ACCOUNT as SERVICE_ACCOUNTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..metadata import Origins
    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent
    from ..storage.store import Store

NAMESPACES = ("default", "kube-node-lease", "kube-public", "kube-system")
SERVER = "kube-apiserver"
BOOKED_SINCE = 18
"""The first minor release that records managedFields of all writes."""

SERVICE_ACCOUNT: Object = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
_PORT: Any = {"name": "https", "port": 443, "protocol": "TCP", "targetPort": 6443}
KUBERNETES: Object = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {
        "labels": {"component": "apiserver", "provider": "kubernetes"},
        "name": "kubernetes",
        "namespace": "default",
    },
    "spec": {
        "clusterIP": "10.0.0.1",
        "clusterIPs": ["10.0.0.1"],
        "internalTrafficPolicy": "Cluster",
        "ipFamilies": ["IPv4"],
        "ipFamilyPolicy": "SingleStack",
        "ports": [_PORT],
        "sessionAffinity": "None",
        "type": "ClusterIP",
    },
    "status": {"loadBalancer": {}},
}
_SPEC_SINCE = {"clusterIPs": 20, "internalTrafficPolicy": 22, "ipFamilies": 21, "ipFamilyPolicy": 21}
"""Fields of the Service with their first releases."""
_OWNED_PORT: Any = {".": {}, **{f"f:{field}": {} for field in _PORT}}
_KUBERNETES_OWNED: Any = {
    "f:metadata": {"f:labels": {".": {}, "f:component": {}, "f:provider": {}}},
    "f:spec": {
        "f:clusterIP": {},
        "f:internalTrafficPolicy": {},
        "f:ipFamilyPolicy": {},
        "f:ports": {".": {}, 'k:{"port":443,"protocol":"TCP"}': _OWNED_PORT},
        "f:sessionAffinity": {},
        "f:type": {},
    },
}

PRIORITIES_SINCE = 11
PRIORITIES: dict[str, tuple[int, str]] = {
    "system-cluster-critical": (
        2000000000,
        "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
    "system-node-critical": (
        2000001000,
        "Used for system critical pods that must not be moved from their current node.",
    ),
}
_PRIORITY_OWNED: Any = {"f:description": {}, "f:preemptionPolicy": {}, "f:value": {}}


def populate(store: Store, origins: Origins, controllers: frozenset[str]) -> None:
    """Create the initial objects of a cluster, as the server and its controllers do."""
    making = _Making(store, origins)
    for name in NAMESPACES:
        making.namespace(name)
    for one in making.whole_cluster():
        making.put(one)
    for name in NAMESPACES if SERVICE_ACCOUNTS in controllers else ():
        for one in making.in_namespace(name):
            making.put(one)
    store.set(KINDS_CHANGED, store.number(VERSION))


def create_namespaces(store: Store, origins: Origins, names: Iterable[str]) -> None:
    """Create the namespaces of imported objects."""
    for name in names:
        _Making(store, origins).namespace(name)


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Create the default objects of a namespace, and create removed ones again."""
    key, before, after = event
    if key.group_kind == NAMESPACE and before is None:
        wanted = list(_Making(changes.store, changes.origins).in_namespace(key.name))
    elif (
        after is None and key.name in DEFAULT_OBJECTS and "deletionTimestamp" not in _namespace(changes, key.namespace)
    ):
        making = _Making(changes.store, changes.origins)
        everything = [*making.in_namespace(key.namespace), *making.whole_cluster()]
        wanted = [one for one in everything if key_in_store(one) == key]
    else:
        return
    if SERVICE_ACCOUNTS not in changes.controllers:
        wanted = [one for one in wanted if one["kind"] != SERVICE_ACCOUNT["kind"]]
    for one in wanted:
        if changes.get(key_in_store(one)) is None:
            changes.save(key_in_store(one), one, None)


DEFAULT_OBJECTS = frozenset({"default", "kubernetes"})
"""The names of the objects that are created without a request, and again after a deletion."""


def _namespace(changes: Changes, name: str) -> Object:
    """The metadata of a namespace. A missing one counts as terminating."""
    found = changes.get(ObjectId(*NAMESPACE, "", name))
    return found["metadata"] if found else {"deletionTimestamp": ""}


class _Making:
    """Creates objects as a server of the release has them."""

    def __init__(self, store: Store, origins: Origins) -> None:
        self._store, self._origins = store, origins
        self._release = store.release()
        self._minor = minor_of(self._release)

    def put(self, content: Object) -> None:
        """Store an object in the transaction of the last namespace."""
        metadata = {**content["metadata"], "resourceVersion": str(self._store.number(VERSION))}
        self._store.put(key_in_store(content), {**content, "metadata": metadata})

    def namespace(self, name: str) -> None:
        """Create a namespace."""
        made: Object = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        made = with_name_as_label(made) if self._minor >= NAMES_ARE_LABELS_SINCE else made
        owned: Object = {"f:metadata": {"f:labels": {".": {}, "f:kubernetes.io/metadata.name": {}}}}
        self._store.next_version()
        made = self._made(made, SERVER, owned if "labels" in made["metadata"] else None, self._origins.uid())
        self.put(as_active_namespace(made))

    def in_namespace(self, name: str) -> Iterator[Object]:
        """Yield the default objects of a namespace."""
        yield self._made(_within(SERVICE_ACCOUNT, name), "", None)

    def whole_cluster(self) -> Iterator[Object]:
        """Yield the cluster-scoped and unique objects."""
        spec = {name: value for name, value in KUBERNETES["spec"].items() if self._minor >= _SPEC_SINCE.get(name, 0)}
        owned = {name: one for name, one in _KUBERNETES_OWNED["f:spec"].items() if name[2:] in spec}
        yield self._made({**KUBERNETES, "spec": spec}, SERVER, {**_KUBERNETES_OWNED, "f:spec": owned})
        for name, (value, description) in PRIORITIES.items() if self._minor >= PRIORITIES_SINCE else ():
            yield self._priority(name, value, description)

    def _priority(self, name: str, value: int, description: str) -> Object:
        version = "v1" if self._minor >= 14 else "v1beta1"
        policy = {"preemptionPolicy": "PreemptLowerPriority"} if self._minor >= 19 else {}
        made = {
            "apiVersion": f"scheduling.k8s.io/{version}",
            "kind": "PriorityClass",
            "metadata": {"name": name, "generation": 1},
            "value": value,
            "description": description,
            **policy,
        }
        return self._made(made, SERVER, {name: one for name, one in _PRIORITY_OWNED.items() if name[2:] in made})

    def _made(self, content: Object, manager: str, owned: Object | None, uid: str = "") -> Object:
        now = self._origins.now()
        metadata = {**content["metadata"], "uid": uid or self._uid_beside_namespace(content), "creationTimestamp": now}
        if owned and self._minor >= BOOKED_SINCE:
            entry = {"apiVersion": content["apiVersion"], "fieldsType": "FieldsV1", "fieldsV1": owned}
            metadata["managedFields"] = [{**entry, "manager": manager, "operation": "Update", "time": now}]
        return {**content, "metadata": metadata}

    def _uid_beside_namespace(self, content: Object) -> str:
        """A uid derived from the namespace's, so that default objects use no random numbers."""
        from uuid import NAMESPACE_OID, uuid5  # late, because a command that only reads needs none

        at = content["metadata"].get("namespace", NAMESPACES[0])
        namespace = self._store.get(ObjectId(*NAMESPACE, "", at))
        beside = namespace["metadata"]["uid"] if namespace else self._origins.uid()
        return str(uuid5(NAMESPACE_OID, f"{beside} {content['kind']} {content['metadata']['name']}"))


def _within(content: Object, namespace: str) -> Object:
    return {**content, "metadata": {**content["metadata"], "namespace": namespace}}
