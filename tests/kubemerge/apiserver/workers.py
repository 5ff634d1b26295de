"""The work of processes that share a file. Each line of output is a fact."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import engine
from engine.directives import ANNOTATION
from kubemerge.cluster import AlreadyExists, Conflict, NotFound, Reference, open_cluster

from .conftest import config_map, deployment

OBJECTS = 120
LONG = "x" * 3000
WEB = Reference("apps/v1", "Deployment", "web")


def say(*words: object) -> None:
    print(*words, flush=True)


def begin(start: str, *files: str) -> None:
    """Create or open these files, one every 20 ms from this time on, like other processes."""
    open_cluster(":memory:").close()
    for number, file in enumerate(files):
        time.sleep(max(0.0, float(start) + number / 50 - time.time()))
        open_cluster(file).close()


def apply(file: str, run: str) -> None:
    """Apply this run to every object, and print each as soon as it is done."""
    with open_cluster(file) as cluster:
        say("ready")
        for number in range(OBJECTS):
            wanted = marked(f"m{number}", run)
            while not brought(cluster, wanted):
                pass
            say(wanted["metadata"]["name"])


def brought(cluster: Any, wanted: dict[str, Any]) -> bool:
    """Apply an object. Return False if another process created it in the meantime."""
    reference, schema = Reference.of(wanted), cluster.schema("v1", "ConfigMap")
    try:
        outcome = engine.apply(wanted, cluster.get(reference), schema)
        cluster.patch(reference, outcome.patch, "strategic")
    except NotFound:
        try:
            cluster.create(engine.apply(wanted, None, schema).patch)
        except AlreadyExists:
            return False
    return True


def marked(name: str, run: str) -> dict[str, Any]:
    """An object with its run in several places."""
    wanted = config_map(name, first=run, filler=LONG + run, last=run)
    wanted["metadata"]["labels"] = {"run": run}
    return wanted


def run_of(content: dict[str, Any]) -> str:
    """The run of an object, which must have only one."""
    data, run = content["data"], content["metadata"]["labels"]["run"]
    assert (data["first"], data["filler"], data["last"]) == (run, LONG + run, run)
    assert json.loads(content["metadata"]["annotations"][ANNOTATION])["data"] == data
    return str(run)


def create_and_count(file: str, who: str, times: int) -> None:
    """Create objects, and count each in a shared object."""
    with open_cluster(file) as cluster:
        for number in range(times):
            cluster.create(config_map(f"{who}-{number}", "default", a=LONG))
            count(cluster)
        say("done")


def count(cluster: Any) -> None:
    while True:
        counter = cluster.get(Reference("v1", "ConfigMap", "counter"))
        counter["data"]["count"] = str(int(counter["data"]["count"]) + 1)
        try:
            cluster.replace(counter)
        except Conflict:
            continue
        return


def config_of(image: str) -> dict[str, Any]:
    """The config of an applier. Another one sets another environment, and none sets replicas."""
    config = deployment(image=image)
    config["spec"]["template"]["spec"]["containers"][0]["env"] = [{"name": image, "value": "yes"}]
    return config


def apply_again_and_again(file: str, image: str, times: int) -> None:
    """Apply like kubectl, and retry with the live object after a conflict."""
    with open_cluster(file) as cluster:
        for _ in range(times):
            version = applied(cluster, image)
            while version is None:
                version = applied(cluster, image)
            say(version, "apply", image)


def applied(cluster: Any, image: str) -> str | None:
    """The resourceVersion after an apply. None after a conflict."""
    live = cluster.get(WEB)
    outcome = engine.apply(config_of(image), live, cluster.schema("apps/v1", "Deployment"))
    if outcome.patch_type == "none":
        return str(live["metadata"]["resourceVersion"])
    pinned = {"resourceVersion": live["metadata"]["resourceVersion"]}
    patch = {**outcome.patch, "metadata": {**outcome.patch.get("metadata", {}), **pinned}}
    try:
        return str(cluster.patch(WEB, patch, outcome.patch_type)["metadata"]["resourceVersion"])
    except Conflict:
        return None


def scale(file: str, times: int) -> None:
    """Set the replicas, which no config contains."""
    with open_cluster(file) as cluster:
        for number in range(times):
            after = cluster.patch(WEB, {"spec": {"replicas": number}}, "strategic")
            say(after["metadata"]["resourceVersion"], "scale", number)


if __name__ == "__main__":
    globals()[sys.argv[1]](*(int(word) if word.isdigit() else word for word in sys.argv[2:]))
