"""Random objects that a tool and other clients have written, the next config, and the tool's settings."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import engine

from ..livediff.drafts import created, deleted, draft, next_config, refresh, written_by_others
from ..livediff.subjects import schema_of
from .settings import argocd_application, flux_kustomization

if TYPE_CHECKING:
    from ..livediff.drafts import Draft
    from ..ownership.real.server import Server

Object = dict[str, Any]
SETTINGS = {"flux": flux_kustomization, "argocd": argocd_application}
WAYS = {"tool": 45, "kubectl": 20, "created": 10, "server-side": 10, "new": 10, "tool after kubectl": 5}
"""The ways to create the object, with their weights."""
MARKS = {
    "flux": [
        {"kustomize.toolkit.fluxcd.io/ssa": "Merge"},
        {"kustomize.toolkit.fluxcd.io/ssa": "IfNotPresent"},
        {"kustomize.toolkit.fluxcd.io/ssa": "Ignore"},
        {"kustomize.toolkit.fluxcd.io/reconcile": "disabled"},
        {"kustomize.toolkit.fluxcd.io/force": "enabled"},
        {"kustomize.toolkit.fluxcd.io/prune": "disabled"},
    ],
    "argocd": [
        {"argocd.argoproj.io/sync-options": one}
        for one in ("ServerSideApply=true", "ServerSideApply=false", "Replace=true", "Force=true", "Prune=false")
    ],
}
MARKED = 0.15
COMMON = "Deployment,StatefulSet,DaemonSet,Service,ConfigMap,Secret,HorizontalPodAutoscaler,CronJob,Ingress,Real,Kept"
"""The kinds of most scenarios."""


class Scene(NamedTuple):
    """A tool's settings, the drafts of objects, and those that are gone from the config."""

    tool: str
    settings: Object
    drafts: list[Draft]
    stale: list[Draft]


def scene(tool: str, seed: int, only: str = "") -> Scene:
    """The beginning of a scenario."""
    random = Random(f"{tool} {seed}")
    drafts: list[Draft] = []
    for at in range(random.choice((1, 1, 1, 2))):
        kinds = only or (COMMON if random.random() < 0.6 else "")
        found = draft(seed * 10 + at, apart=False, only=kinds)
        found.way = random.choices([*WAYS], [*WAYS.values()])[0]
        if (found.kind.kind, found.name) not in {(one.kind.kind, one.name) for one in drafts}:
            drafts.append(found)
    if tool == "argocd" and any(one.kind.kind == "Namespace" for one in drafts):
        drafts = drafts[:1]
    stale = drafts if random.random() < 0.06 else []
    return Scene(tool, SETTINGS[tool](random), [] if stale else drafts, stale)


def written(server: Server, scene: Scene, sync: Any) -> list[Draft]:
    """Write the objects; those that cannot be created are left out. `sync` lets the tool write a config."""
    return [one for one in (*scene.drafts, *scene.stale) if _written(server, scene, one, sync)]


def _written(server: Server, scene: Scene, one: Draft, sync: Any) -> bool:
    random = one.random
    if one.way == "new" and not scene.stale:
        one.config = _marked(random, scene.tool, one.start)
        return True
    if one.way.startswith("tool"):
        if one.way == "tool after kubectl" and created(server, one):
            _by_kubectl(server, one)
        sync(_marked(random, scene.tool, one.start))
        if not refresh(server, one) and not created(server, one):
            return False
    elif not created(server, one):
        return False
    refresh(server, one)
    if one.way == "kubectl":
        _by_kubectl(server, one)
    written_by_others(server, one)
    if scene.stale:
        one.config = one.live
        return bool(refresh(server, one))
    if not refresh(server, one):
        return False
    next_config(one)
    one.config = _marked(random, scene.tool, one.config)
    return True


def _by_kubectl(server: Server, one: Draft) -> None:
    """Apply the config as kubectl does."""
    if not refresh(server, one):
        return
    schema = schema_of(one.version, one.kind.kind)
    try:
        outcome = engine.apply(json.loads(json.dumps(one.start)), one.live, schema)
    except engine.MergeError:
        return
    if outcome.patch_type in ("strategic", "merge"):
        kind, manager = outcome.patch_type, "kubectl-client-side-apply"
        server.ask("PATCH", one.path(), outcome.patch, kind=kind, fieldManager=manager)
    refresh(server, one)


def _marked(random: Random, tool: str, config: Object) -> Object:
    """The config, perhaps with an annotation that the tool reads."""
    if random.random() >= MARKED:
        return config
    config = deepcopy(config)
    metadata = config.get("metadata")
    if isinstance(metadata, dict):
        known = metadata.get("annotations")
        metadata["annotations"] = {**(known if isinstance(known, dict) else {}), **random.choice(MARKS[tool])}
    return config


__all__ = ["Scene", "deleted", "scene", "written"]
