"""Random roles, bindings, users, requests and grants: our decisions beside those of a real server."""

from __future__ import annotations

import random
import re
import time
from typing import TYPE_CHECKING, Any

from .cases import GROUP, REVIEWS, Step, binding, path_of, role, rule
from .clients import Ours, Real

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .clients import Client

SPACES = ("fuzz-a", "fuzz-b")
VERBS = ("get", "list", "create", "deletecollection", "bind", "*")
GROUPS = ("", "apps", "example.com", "*")
RESOURCES = ("pods", "pods/log", "pods/status", "*/status", "*/scale", "deployments", "deployments/scale", "*", "*/*")
NAMES = ("a", "b", "c", "*")
URLS = ("/healthz", "/healthz/*", "/api/*", "/metrics", "/a*b", "/logs/**", "*", "/x/y/z", "/")
PATHS = (
    "/healthz",
    "/healthz/a",
    "/healthz/",
    "/api/v1",
    "/metrics",
    "/a*b",
    "/axb",
    "/logs/x",
    "/logs",
    "/",
    "/x/y/z",
)
USERS = (
    "u1",
    "u2",
    "system:serviceaccount:fuzz-a:s1",
    "system:serviceaccount:fuzz-b:s1",
    "system:serviceaccount:fuzz-a:s2",
)
OF_USERS = ("g1", "g2", "system:serviceaccounts", "system:serviceaccounts:fuzz-a", "system:masters")
SUBJECTS = (
    "User/u1",
    "User/u2",
    "User/system:serviceaccount:fuzz-a:s1",
    "Group/g1",
    "Group/g2",
    "Group/system:serviceaccounts:fuzz-a",
    "ServiceAccount/s1/fuzz-a",
    "ServiceAccount/s1/fuzz-b",
    "ServiceAccount/s2/fuzz-a",
)
ROUND = 100
"""Decisions for one set of roles and bindings."""
_ALLOWED = re.compile("RBAC: allowed by ")


def _some(chance: random.Random, values: tuple[str, ...], most: int = 3) -> list[str]:
    return chance.sample(values, chance.randint(1, most))


def _rule(chance: random.Random, *, namespaced: bool) -> dict[str, Any]:
    if not namespaced and chance.random() < 0.3:
        return {"verbs": _some(chance, ("get", "head", "post", "*")), "nonResourceURLs": _some(chance, URLS)}
    found = {
        "verbs": _some(chance, VERBS, 5),
        "apiGroups": _some(chance, GROUPS, 3),
        "resources": _some(chance, RESOURCES, 5),
    }
    return {**found, "resourceNames": _some(chance, NAMES, 2)} if chance.random() < 0.3 else found


def _objects(chance: random.Random) -> Iterator[dict[str, Any]]:
    for name in ("r1", "r2", "r3", "r4"):
        rules = [_rule(chance, namespaced=False) for _ in range(chance.randint(0, 3))]
        yield role(f"fuzz-{name}", *rules)
    for space in SPACES:
        for name in ("r1", "r2"):
            rules = [_rule(chance, namespaced=True) for _ in range(chance.randint(0, 3))]
            yield role(name, *rules, namespace=space)
    roles = ("r1", "r2", "r3", "r4", "gone")
    for name in ("b1", "b2", "b3"):
        yield binding(f"fuzz-{name}", f"ClusterRole/fuzz-{chance.choice(roles)}", *_some(chance, SUBJECTS))
    for space in SPACES:
        for name in ("b1", "b2", "b3"):
            to = chance.choice(
                (f"ClusterRole/fuzz-{chance.choice(roles)}", f"Role/{chance.choice(('r1', 'r2', 'r3'))}")
            )
            subjects = [one if chance.random() < 0.8 else one.rpartition("/")[0] for one in _some(chance, SUBJECTS)]
            subjects = [one for one in subjects if "/" in one]
            yield binding(name, to, *subjects, namespace=space)


def _review(chance: random.Random) -> dict[str, Any]:
    groups = _some(chance, OF_USERS, 2) if chance.random() < 0.5 else []
    if "system:masters" in groups and chance.random() < 0.9:
        groups.remove("system:masters")
    user = {"user": chance.choice(USERS), "groups": groups}
    if chance.random() < 0.25:
        other = {"path": chance.choice(PATHS), "verb": chance.choice(("get", "head", "post", "*"))}
        return {**user, "nonResourceAttributes": other}
    resource, _, part = chance.choice(RESOURCES).partition("/")
    attributes = {
        "verb": chance.choice(VERBS),
        "group": chance.choice(GROUPS),
        "resource": resource,
        "subresource": part,
        "name": chance.choice(("", "", *NAMES)),
        "namespace": chance.choice(("", *SPACES, "other")),
    }
    return {**user, "resourceAttributes": attributes}


MANAGERS = (
    role("fuzz-manage", rule("create", GROUP, "roles clusterroles rolebindings clusterrolebindings")),
    binding("fuzz-manage", "ClusterRole/fuzz-manage", "User/u1", "User/u2", "ServiceAccount/s1/fuzz-a"),
)
"""Permission to write roles, so that only what they grant is checked."""


def _grant(chance: random.Random) -> Step:
    """A role or binding, created by a user who may hold what it grants."""
    space = chance.choice(("", *SPACES))
    if chance.random() < 0.6:
        rules = [_rule(chance, namespaced=bool(space)) for _ in range(chance.randint(1, 2))]
        more: dict[str, Any] = (
            {"aggregationRule": {"clusterRoleSelectors": [{}]}} if not space and chance.random() < 0.2 else {}
        )
        content = role("fuzz-new", *rules, namespace=space, **more)
    else:
        to = chance.choice(("ClusterRole/fuzz-", "Role/")) if space else "ClusterRole/fuzz-"
        content = binding("fuzz-new", f"{to}{chance.choice(('r1', 'r2', 'r3', 'r4'))}", "User/z", namespace=space)
    user = chance.choice(("u1", "u2", "system:serviceaccount:fuzz-a:s1"))
    step = Step("POST", f"{path_of(content)}?dryRun=All", content)
    return step.by(user, "g1") if ":" not in user and chance.random() < 0.5 else step.by(user)


def _refusal(client: Client, step: Step) -> tuple[int, str]:
    code, found = client.send(step)
    return code, found["message"] if code >= 400 else ""


def _decision(client: Client, spec: dict[str, Any]) -> tuple[Any, str]:
    _, found = client.send(Step("POST", f"{REVIEWS}/subjectaccessreviews", {"spec": spec}))
    return found["status"]["allowed"], found["status"].get("reason", "")


def _same(real: tuple[Any, str], ours: tuple[Any, str]) -> bool:
    """Whether decisions are the same. The real server walks bindings in any order, so reasons may name another one."""
    if real[0] or ours[0]:
        return real[0] == ours[0] and bool(_ALLOWED.match(real[1])) == bool(_ALLOWED.match(ours[1]))
    return sorted(re.split("[][,] ?", real[1])) == sorted(re.split("[][,] ?", ours[1]))


def differences(count: int, seed: int) -> Iterator[str]:
    """Yield a line for each decision that differs from that of the server of `$KUBECONFIG`."""
    chance = random.Random(seed)
    real, ours = Real(), Ours()
    real.PAUSE = 0
    for client in (real, ours):
        for space in SPACES:
            client.send(Step("POST", "/api/v1/namespaces", {"metadata": {"name": space}}))
        for content in MANAGERS:
            client.send(Step("POST", path_of(content), content))
    allowed = granted = 0
    for _ in range(0, count, ROUND):
        objects = list(_objects(chance))
        for client in (real, ours):
            for content in objects:
                client.send(Step("DELETE", path_of(content, named=True)))
                code, answer = client.send(Step("POST", path_of(content), content))
                if code != 201:
                    yield f"{code} {content} {answer}"
        time.sleep(0.5)
        for _ in range(ROUND):
            spec = _review(chance)
            one, other = _decision(real, spec), _decision(ours, spec)
            allowed += one[0]
            if not _same(one, other):
                yield f"{spec}\n  real {one}\n  ours {other}"
        for _ in range(ROUND // 4):
            step = _grant(chance)
            refused, as_ours = _refusal(real, step), _refusal(ours, step)
            granted += refused[0] < 400
            if refused != as_ours:
                yield f"{step}\n  real {refused}\n  ours {as_ours}"
    ours.close()
    print(f"{allowed} of {count} requests allowed, {granted} of {count // 4} roles and bindings granted")
