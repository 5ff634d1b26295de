"""Read the corpus: an entry with kinds or a Pod spec is expanded to an object of each kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kubemerge.kinds.hazard import POD_SPECS

from ....conftest import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
GROUPS = {
    "CronJob": "batch/v1",
    "Job": "batch/v1",
    **dict.fromkeys(("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"), "apps/v1"),
}
FIRST = {"CronJob": "1.21"}
"""The first release that has a kind with the spec of a pod."""


class Hazard(NamedTuple):
    """An object, and the known effect of an upgrade on it."""

    at: str
    finds: str
    path: str
    source: str
    content: dict[str, Any]


def hazards() -> list[Hazard]:
    """Every object of the corpus."""
    found = read_yaml(HERE / "hazards.yaml")
    return [
        Hazard(
            one.get("at_in", {}).get(content["kind"], one["at"]),
            one["finds"],
            one.get("path", ""),
            one["source"],
            named(content, f"{number}-{at}"),
        )
        for number, one in enumerate(found)
        for at, content in enumerate(_objects(one))
    ]


def _objects(one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for words in one.get("kinds", ()):
        api_version, kind = words.split()
        yield {"apiVersion": api_version, "kind": kind, "metadata": dict(one.get("metadata", {}))}
    if "object" in one:
        yield one["object"]
    if "volume" in one:
        spec = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], **one["volume"]}
        yield {"apiVersion": "v1", "kind": "PersistentVolume", "spec": spec}
    for word in ("pod", "template"):
        if word in one:
            for kind in POD_SPECS:
                begins = tuple(map(int, FIRST.get(kind, "1.15").split(".")))
                if (word == "pod" or kind != "Pod") and begins < tuple(map(int, one["at"].split("."))):
                    yield with_pod(kind, one[word], one.get("notes", {}))


def with_pod(kind: str, given: dict[str, Any], notes: dict[str, str]) -> dict[str, Any]:
    """An object of a kind with this Pod spec and these annotations."""
    often = kind in ("CronJob", "Job")
    spec = {"containers": [{"name": "a", "image": "x:1"}], **({"restartPolicy": "Never"} if often else {}), **given}
    template: dict[str, Any] = {"metadata": {"labels": {"app": "a"}, "annotations": notes}, "spec": spec}
    head = {"apiVersion": GROUPS.get(kind, "v1"), "kind": kind}
    if kind == "Pod":
        return {**head, **template}
    if kind == "PodTemplate":
        return {**head, "template": template}
    if kind == "CronJob":
        return {**head, "spec": {"schedule": "0 * * * *", "jobTemplate": {"spec": {"template": template}}}}
    whole: dict[str, Any] = {"template": template}
    if kind == "ReplicationController":
        whole["selector"] = {"app": "a"}
    elif kind != "Job":
        whole["selector"] = {"matchLabels": {"app": "a"}}
    if kind == "StatefulSet":
        whole["serviceName"] = "a"
    return {**head, "spec": whole}


def named(content: dict[str, Any], name: str) -> dict[str, Any]:
    """The object with a name, unless a server generates one."""
    metadata = content.get("metadata", {})
    return content if "generateName" in metadata else {**content, "metadata": {"name": f"n-{name}", **metadata}}


def clean() -> list[dict[str, Any]]:
    """Objects that no upgrade from 1.16 to 1.37 touches: all their fields exist in all of these releases."""
    found = read_yaml(HERE / "clean.yaml")
    pods = [
        with_pod(kind, one, {})
        for one in found["pods"]
        for kind in POD_SPECS
        if kind != "CronJob" and not ("hostNetwork" in one and kind != "Pod")
    ]
    return [named(one, str(number)) for number, one in enumerate([*pods, *found["objects"]])]
