"""The index of roles is the same after any writes as a new one."""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.authorization.role_index import KINDS, RoleIndex
from kubemerge.apiserver.user import User
from kubemerge.cluster import Reference, open_cluster

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

GROUP = "rbac.authorization.k8s.io"
API = f"{GROUP}/v1"
ACCOUNTS = "system:serviceaccount:default:"
USERS = [User(f"{prefix}{name}", groups=(f"g{name}",)) for prefix in ("u", ACCOUNTS) for name in range(3)]
SUBJECTS = ["User u0", "User u1", "Group g1", "Group g2", "ServiceAccount 0", "ServiceAccount 2 default"]


def subject(words: str) -> dict[str, str]:
    kind, name, *namespace = words.split()
    return {"kind": kind, "name": name, **({"namespace": namespace[0]} if namespace else {})}


def change(cluster: EmbeddedCluster, chance: random.Random) -> None:
    """Create, change or delete an object."""
    kind = chance.choice(KINDS)
    reference = Reference(API, kind, f"n{chance.randrange(3)}", "default" if kind.startswith("Role") else None)
    exists = any(one["metadata"]["name"] == reference.name for one in cluster.list(API, kind))
    if exists and chance.random() < 0.5:
        cluster.delete(reference)
        return
    content: dict[str, Any] = {"apiVersion": API, "kind": kind, "metadata": {"name": reference.name}}
    if kind.endswith("Binding"):
        if exists:
            ref = cluster.get(reference)["roleRef"]
        else:
            role = chance.choice(("ClusterRole", "Role")) if kind == "RoleBinding" else "ClusterRole"
            ref = {"apiGroup": GROUP, "kind": role, "name": f"n{chance.randrange(4)}"}
        subjects = [subject(one) for one in chance.sample(SUBJECTS, chance.randint(0, 3))]
        if kind == "ClusterRoleBinding":
            subjects = [{"namespace": "default", **one} if one["kind"] == "ServiceAccount" else one for one in subjects]
        content |= {"roleRef": ref, "subjects": subjects}
    else:
        verbs = chance.sample(("get", "list", "watch"), chance.randint(1, 2))
        content["rules"] = [{"apiGroups": [""], "resources": ["pods"], "verbs": verbs}]
    (cluster.replace if exists else cluster.create)(content)


def granted(index: RoleIndex) -> list[Any]:
    return [index.granted(user, namespace) for user in USERS for namespace in ("", "default", "other")]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_writes_keep_the_index_up_to_date(seed: int) -> None:
    chance = random.Random(seed)
    with open_cluster(":memory:") as cluster:
        cluster.use_authorization("rbac")
        found = 0
        for _ in range(60):
            change(cluster, chance)
            index = cluster._roles()
            fresh = RoleIndex(one for kind in KINDS for one in cluster.list(API, kind))
            assert granted(index) == granted(fresh)
            found += sum(map(len, granted(fresh)))
        assert found > 100


def test_a_write_during_a_request_does_no_harm() -> None:
    index = RoleIndex(())
    ended = threading.Event()

    def write() -> None:
        for number in range(3000):
            metadata = {"name": f"b{number}"}
            ref = {"kind": "ClusterRole", "name": "r"}
            content = {"metadata": metadata, "roleRef": ref, "subjects": [{"kind": "User", "name": "u0"}]}
            index.update("ClusterRoleBinding", "", metadata["name"], content)
        ended.set()

    thread = threading.Thread(target=write)
    thread.start()
    while not ended.is_set():
        index.granted(USERS[0], "")
    thread.join()
    assert len(index.granted(USERS[0], "")) == 3000
