"""Small objects that tests of commands begin with, and writing them to files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine import last_applied_text

if TYPE_CHECKING:
    from pathlib import Path

ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"


def config_map(name: str = "settings", data: dict[str, Any] | None = None, **metadata: Any) -> dict[str, Any]:
    """A ConfigMap, as a person writes it."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, **metadata}, "data": data or {}}


def deployment(name: str = "web", *containers: dict[str, Any], **spec: Any) -> dict[str, Any]:
    """A Deployment, as a person writes it."""
    template = {
        "metadata": {"labels": {"app": name}},
        "spec": {"containers": list(containers) or [{"name": name, "image": f"{name}:1"}]},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {"selector": {"matchLabels": {"app": name}}, "template": template, **spec},
    }


def applied(config: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The live object that a config was made into, with more fields that others set."""
    metadata = {**config["metadata"], "annotations": {ANNOTATION: last_applied_text(config)}}
    return {**config, "metadata": metadata, **more}


def write(folder: Path, name: str, *objects: Any) -> str:
    """Write objects to a file as JSON, or as a stream of YAML documents (which JSON is too), and return its path."""
    file = folder / name
    file.write_text("\n---\n".join(json.dumps(one) for one in objects), encoding="utf-8")
    return str(file)
