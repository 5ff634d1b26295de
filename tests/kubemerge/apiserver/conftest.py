"""Clusters with a fixed clock, and objects to store in them."""

from __future__ import annotations

from datetime import datetime, timezone
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.metadata import Origins
from kubemerge.cluster import Reference, open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.apiserver.cluster import EmbeddedCluster

NOW = "2026-01-02T03:04:05Z"

MADE_BY_SERVER = ("creationTimestamp", "generation", "resourceVersion", "uid")


def origins() -> Origins:
    """A fixed time, with predictable uids and suffixes."""
    uids, suffixes = count(1), count(1)
    return Origins(
        clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc),
        uid=lambda: f"uid-{next(uids)}",
        suffix=lambda: f"{next(suffixes):05}",
    )


@pytest.fixture
def cluster() -> Iterator[EmbeddedCluster]:
    with open_cluster(":memory:", origins=origins()) as made:
        yield made


def config_map(name: str = "settings", namespace: str = "default", **data: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def deployment(name: str = "web", namespace: str = "default", image: str = "nginx:1", **spec: Any) -> dict[str, Any]:
    labels = {"app": name}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": image}]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace, "labels": labels},
        "spec": {"selector": {"matchLabels": labels}, "template": pod, **spec},
    }


def namespace(name: str = "shop") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def crontabs(scope: str = "Namespaced", *, status: bool = True, names: tuple[str, ...] = ("v1",)) -> dict[str, Any]:
    """A definition whose objects may have fields unknown to its schema."""
    open_schema: dict[str, Any] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {**open_schema, "properties": {"spec": {**open_schema, "properties": {"cron": {"type": "string"}}}}}
    version = {"served": True, "schema": {"openAPIV3Schema": schema}}
    if status:
        version["subresources"] = {"status": {}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "crontabs.stable.example.com"},
        "spec": {
            "group": "stable.example.com",
            "scope": scope,
            "names": {"plural": "crontabs", "singular": "crontab", "kind": "CronTab", "shortNames": ["ct"]},
            "versions": [{**version, "name": name, "storage": name == "v1"} for name in names],
        },
    }


def crontab(name: str = "night", version: str = "v1", **spec: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": f"stable.example.com/{version}", "kind": "CronTab", "metadata": metadata, "spec": spec}


def version_of(content: dict[str, Any]) -> int:
    return int(content["metadata"]["resourceVersion"])


def config_map_ref(name: str = "settings", namespace: str = "default") -> Reference:
    return Reference("v1", "ConfigMap", name, namespace)
