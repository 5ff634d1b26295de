"""Realistic fleets, the same for the same seed: live objects of many clusters, some of them changed by hand.

`python -m tests.kubemerge.fleet.fleets FOLDER CLUSTERS OBJECTS [SEED]` writes one as JSON Lines.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import engine
from engine.directives import ANNOTATION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Object = dict[str, Any]
TIME = "2026-01-01T00:00:00Z"


def _pods(random: Random, name: str) -> Object:
    containers = [
        {
            "name": f"{name}-{number}" if number else name,
            "image": f"shop/{name}:1.{random.randrange(9)}",
            "env": [{"name": f"SETTING_{at}", "value": str(random.randrange(99))} for at in range(random.randrange(8))],
            "ports": [{"name": "http", "containerPort": 8080 + number}],
            "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
        }
        for number in range(random.choice((1, 1, 1, 2, 3)))
    ]
    return {"metadata": {"labels": {"app": name}}, "spec": {"containers": containers}}


def _workload(api_version: str, kind: str) -> Callable[[Random, str], Object]:
    def made(random: Random, name: str) -> Object:
        spec = {"selector": {"matchLabels": {"app": name}}, "template": _pods(random, name)}
        more = {"serviceName": name} if kind == "StatefulSet" else {}
        replicas = {} if kind == "DaemonSet" else {"replicas": random.randrange(1, 9)}
        return {"apiVersion": api_version, "kind": kind, "spec": {**replicas, **more, **spec}}

    return made


def _pod(random: Random, name: str) -> Object:
    return {"apiVersion": "v1", "kind": "Pod", "spec": _pods(random, name)["spec"]}


def _service(random: Random, name: str) -> Object:
    ports = [{"name": "http", "port": 80, "targetPort": "http"}]
    if random.random() < 0.05:
        ports = [{"name": f"dns-{one.lower()}", "port": 53, "protocol": one} for one in ("TCP", "UDP")]
    return {"apiVersion": "v1", "kind": "Service", "spec": {"selector": {"app": name}, "ports": ports}}


def _config_map(random: Random, name: str) -> Object:
    data = {f"{name}-{at}.conf": f"level = {random.randrange(9)}\n" * random.randrange(20) for at in range(4)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "data": data}


def _secret(random: Random, name: str) -> Object:
    return {"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "stringData": {"password": f"hunter-{name}"}}


def _budget(random: Random, name: str) -> Object:
    spec = {"minAvailable": 1, "selector": {"matchLabels": {"app": name}}}
    return {"apiVersion": random.choice(("policy/v1beta1", "policy/v1")), "kind": "PodDisruptionBudget", "spec": spec}


def _custom(random: Random, name: str) -> Object:
    spec = {"size": random.randrange(9), "members": [{"host": f"{name}-{at}"} for at in range(3)]}
    return {"apiVersion": "shop.example.com/v1", "kind": "Ledger", "spec": spec}


KINDS: dict[Callable[[Random, str], Object], int] = {
    _pod: 40,
    _workload("apps/v1", "Deployment"): 15,
    _workload("apps/v1", "StatefulSet"): 3,
    _workload("apps/v1", "DaemonSet"): 2,
    _service: 12,
    _config_map: 12,
    _secret: 10,
    _budget: 3,
    _custom: 3,
}
"""The kinds of objects, with how many of a hundred there are about."""


@cache
def tables() -> engine.Tables:
    return engine.load("1.31")


def config(seed: int, number: int) -> Object:
    """An object as its config has it."""
    random = Random(f"{seed}/{number}")
    name = f"app-{number}"
    made = random.choices([*KINDS], [*KINDS.values()])[0](random, name)
    place = {"name": name, "namespace": f"team-{number % 7}", "labels": {"app": name}}
    return {"apiVersion": made.pop("apiVersion"), "kind": made.pop("kind"), "metadata": place, **made}


def live(seed: int, cluster: str, number: int) -> Object:
    """The live object in a cluster: it was applied, and a few were changed by hand."""
    random = Random(f"{seed}/{cluster}/{number}")
    wanted = config(seed, number)
    key = wanted["apiVersion"], wanted["kind"]
    schema = tables().schema(*key) if key in tables() else None
    found = engine.server_side_apply(wanted, None, schema, manager="argocd-controller", time=TIME).merged
    if random.random() < 0.5:
        entry = found["metadata"]["managedFields"][0]
        entry |= {"manager": "kubectl-client-side-apply", "operation": "Update"}
        text = json.dumps(wanted, sort_keys=True, separators=(",", ":"))
        found["metadata"]["annotations"] = {ANNOTATION: f"{text}\n"}
    if random.random() < 0.1:
        changed = {**wanted, "metadata": {**wanted["metadata"], "labels": {"app": "by-hand"}}}
        changed = {one: changed[one] for one in ("apiVersion", "kind", "metadata")}
        found = engine.server_side_apply(changed, found, schema, manager="edit", force=True, time=TIME).merged
    found["metadata"] |= {"uid": f"{random.getrandbits(128):032x}", "creationTimestamp": TIME}
    return found


def objects(seed: int, cluster: str, count: int) -> Iterator[Object]:
    return (live(seed, cluster, number) for number in range(count))


def write(folder: Path, clusters: int, count: int, seed: int = 1) -> None:
    """Write a fleet, with a file of JSON Lines for each cluster."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(clusters):
        name = f"prod-{number}"
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(one)}\n" for one in objects(seed, name, count))


if __name__ == "__main__":
    write(Path(sys.argv[1]), *map(int, sys.argv[2:]))
