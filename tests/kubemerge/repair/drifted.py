"""Live objects that other managers have changed, and their repair."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import engine
from kubemerge.apiserver.pipeline import Server
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs
from kubemerge.plan.cluster_view import ClusterView
from kubemerge.plan.tools import PlanOptions
from kubemerge.repair import repair_objects

from .. import objects

if TYPE_CHECKING:
    from kubemerge.repair import ObjectRepair

Object = dict[str, Any]
TOOL = "kubectl-client-side-apply"
WIDGETS: Object = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"kind": "Widget", "listKind": "WidgetList", "plural": "widgets", "singular": "widget"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                        },
                    }
                },
            }
        ],
    },
}


@cache
def server() -> Server:
    """A server of the newest release with one custom kind."""
    return Server(None, [WIDGETS], keeps_owners=True)


def deployment(**spec: Any) -> Object:
    """A Deployment with two environment variables."""
    env = [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    found = objects.deployment("web", {"name": "web", "image": "web:1", "env": env}, **{"replicas": 2, **spec})
    return {**found, "metadata": {"name": "web", "namespace": "shop"}}


def applied(config: Object, *, server_side: bool = False, manager: str = TOOL) -> Object:
    """The object as kubectl creates it."""
    if server_side:
        stored = server().apply(None, config, manager=manager)
    else:
        sent = engine.apply(config, None, server().schema(config)).patch
        stored = server().create(sent, manager=manager)
    assert stored.object is not None, stored.problems
    return stored.object


def patched(live: Object, patch: Any, manager: str = "kubectl-edit", kind: str = "strategic") -> Object:
    """The object after a patch of another manager."""
    stored = server().patch(live, live, patch, kind, manager=manager)
    assert stored.object is not None, stored.problems
    return stored.object


def container(**fields: Any) -> Object:
    """A patch of the container."""
    return {"spec": {"template": {"spec": {"containers": [{"name": "web", **fields}]}}}}


def repaired(
    config: Object, live: Object | None, *around: Object, tool: str = "kubectl", **options: Any
) -> ObjectRepair:
    """The repair of one object."""
    config = json.loads(json.dumps(config))
    there = None if live is None else Manifest("live.yaml", live)
    inputs = Inputs(Manifest("config.yaml", config), there, server().schema(config))

    def listed(version: str, kind: str, _: str | None) -> list[Object]:
        return [one for one in around if (one["apiVersion"], one["kind"]) == (version, kind)]

    view = ClusterView(lambda _: inputs, server(), None, listed)
    return repair_objects(tool, [inputs], view, PlanOptions(**options)).objects[0]


def fields(found: ObjectRepair) -> dict[str, str]:
    """The drifted fields with their repairs."""
    return {one.path: one.repair for one in found.fields}
