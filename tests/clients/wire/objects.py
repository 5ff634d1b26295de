"""The objects that the clients create."""

from __future__ import annotations

from typing import Any


def config_map(name: str, **data: str) -> dict[str, Any]:
    """A ConfigMap."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "default"}, "data": data}


def deployment(name: str, image: str = "web:1") -> dict[str, Any]:
    """A Deployment with one container."""
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "default", "labels": labels},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "web", "image": image}]},
            },
        },
    }


GROUP, VERSION, PLURAL = "example.com", "v1", "shops"


def definition() -> dict[str, Any]:
    """The definition of Shops, which have a status and a number of replicas that can be scaled."""
    schema = {
        "type": "object",
        "properties": {
            "spec": {
                "type": "object",
                "required": ["image"],
                "properties": {
                    "image": {"type": "string"},
                    "replicas": {"type": "integer", "minimum": 0, "default": 1},
                },
            },
            "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        },
    }
    scale = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
    version = {
        "name": VERSION,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": schema},
        "subresources": {"status": {}, "scale": scale},
    }
    names = {"plural": PLURAL, "singular": "shop", "kind": "Shop", "shortNames": ["sh"]}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{PLURAL}.{GROUP}"},
        "spec": {"group": GROUP, "scope": "Namespaced", "names": names, "versions": [version]},
    }


def shop(name: str, image: str = "shop:1") -> dict[str, Any]:
    """A Shop."""
    return {
        "apiVersion": f"{GROUP}/{VERSION}",
        "kind": "Shop",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"image": image},
    }
