"""The requests to the judges, from the manifests of settings."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

Object = dict[str, Any]
TRACKING = "argocd.argoproj.io/tracking-id"
COMPARE = "argocd.argoproj.io/compare-options"
MIGRATION = "argocd.argoproj.io/client-side-apply-migration-manager"


def flux_request(settings: Object, objects: list[Object], stale: list[Object]) -> Object:
    """The request for a Kustomization."""
    spec = settings["spec"]
    rules = [
        {"Paths": rule["paths"], "Selector": _selector(rule["target"]) if "target" in rule else None}
        for rule in spec.get("ignore") or ()
    ]
    return {
        **{key: settings["metadata"][key] for key in ("name", "namespace")},
        **{key: spec[key] for key in ("force", "prune", "commonMetadata") if key in spec},
        "ignore": rules,
        "objects": objects,
        "stale": stale,
    }


def _selector(target: Object) -> Object:
    return {key[0].upper() + key[1:]: value for key, value in target.items()}


def argocd_request(settings: Object, objects: list[Object], stale: list[Object]) -> Object:
    """The request for an Application, with tracked objects."""
    metadata, spec = settings["metadata"], settings["spec"]
    annotations = metadata.get("annotations") or {}
    options = spec["syncPolicy"]["syncOptions"]
    compare = annotations.get(COMPARE, "")
    server_side = compare != "ServerSideDiff=false" and (
        compare == "ServerSideDiff=true" or "ServerSideApply=true" in options
    )
    namespace = spec["destination"]["namespace"]
    return {
        "namespace": namespace,
        "syncOptions": options,
        "ignoreDifferences": spec.get("ignoreDifferences") or [],
        "serverSideDiff": server_side,
        "prune": spec["syncPolicy"]["automated"]["prune"],
        "migrationManager": annotations.get(MIGRATION, ""),
        "trackingMethod": "annotation",
        "objects": [_tracked(one, metadata["name"], namespace) for one in objects],
        "stale": stale,
    }


def _tracked(config: Object, name: str, namespace: str) -> Object:
    """The config with a tracking ID, as the repository server adds it."""
    if config.get("kind") == "CustomResourceDefinition":
        return config
    config = deepcopy(config)
    metadata = config["metadata"]
    group = config["apiVersion"].rpartition("/")[0]
    place = metadata.get("namespace") or namespace
    value = f"{name}:{group}/{config['kind']}:{place}/{metadata['name']}"
    known = metadata.get("annotations")
    metadata["annotations"] = {**(known if isinstance(known, dict) else {}), TRACKING: value}
    return config
