"""An operator's code against the typed API: one reconcile of a shop, with its Deployment and its ConfigMap.

mypy and pyright check it, both strict; a test runs it. Nothing here needs a cluster: `Server` stands for one.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Protocol

import codegen
import engine
from engine import Finding, MergeError, Object, Outcome, PatchType, Schema, Severity, Tables

CONTENT_TYPES: Mapping[PatchType, str] = {
    "create": "application/json",
    "strategic": "application/strategic-merge-patch+json",
    "merge": "application/merge-patch+json",
}
WORST: tuple[Severity, ...] = ("error", "warning")


class Server(Protocol):
    """The methods of a cluster that an operator needs."""

    def get(self, api_version: str, kind: str, name: str) -> Object | None:
        """The live object, or None."""

    def send(self, name: str, body: Object | list[Object], content_type: str) -> None:
        """Create or patch an object."""


@dataclass(frozen=True)
class Shop:
    """The custom resource that is made into a Deployment and a ConfigMap."""

    name: str
    image: str
    settings: Mapping[str, str] = field(default_factory=dict[str, str])

    def objects(self) -> Iterator[Object]:
        """The config of everything that the shop needs."""
        labels = {"app": self.name}
        containers: list[Object] = [{"name": "shop", "image": self.image}]
        template: Object = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
        spec: Object = {"selector": {"matchLabels": labels}, "template": template}
        metadata: Object = {"name": self.name, "namespace": "default"}
        yield {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
        yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": dict(self.settings)}


def rules(release: str, definitions: str | None = None) -> Tables:
    """The merge rules of the cluster's release, including those for custom resources."""
    tables = engine.load(release)
    return tables if definitions is None else tables.overlay(codegen.read(definitions))


def problems(config: engine.Document, tables: Tables, live: engine.Document | None) -> list[Finding]:
    """Fields that an apply would lose."""
    return [finding for finding in engine.lint(config, tables, live=live) if finding.severity in WORST]


def body_of(outcome: Outcome, live: Object | None) -> Object:
    """The request body: the patch, with the resourceVersion that it was made for."""
    if live is None:
        return outcome.patch
    version: Object = {"resourceVersion": live["metadata"]["resourceVersion"]}
    metadata: Object = outcome.patch.get("metadata", {})
    return {**outcome.patch, "metadata": {**metadata, **version}}


def reconcile(shop: Shop, server: Server, tables: Tables) -> list[Outcome]:
    """Apply all objects of a shop. Fields of other managers stay."""
    outcomes: list[Outcome] = []
    for config in shop.objects():
        live = server.get(config["apiVersion"], config["kind"], shop.name)
        outcome = engine.apply(config, live, tables, safe=True)
        if outcome.patch_type != "none":
            server.send(shop.name, body_of(outcome, live), CONTENT_TYPES[outcome.patch_type])
        outcomes.append(outcome)
    return outcomes


def told(outcome: Outcome) -> list[str]:
    """Why fields change, for the log."""
    return [
        f"{change.path} {change.reason}"
        for change in outcome.changes
        if change.action in ("added", "changed", "cleared")
    ]


def refused(config: engine.Document, schema: Schema) -> str:
    """The reason why a config cannot be applied, or an empty string."""
    try:
        engine.apply(config, None, schema)
    except engine.WrongKind as error:
        return f"{error.document}: {error.expected}"
    except MergeError as error:
        return f"{error.path}: {error}"
    return ""


def merge_keys(schema: Schema) -> dict[str, str]:
    """The lists of a kind whose elements merge by a key."""
    return {path: rule.merge_key for path, rule in schema.walk() if rule.kind == "list" and rule.merge_key}


def plan(pool: Executor, configs: list[Object], tables: Tables) -> list[list[Object]]:
    """JSON patches for many objects, worked out by other processes."""
    futures = [pool.submit(engine.apply, config, None, tables) for config in configs]
    return [future.result().json_patch(test=True) for future in futures]


def kept(outcome: Outcome) -> Any:
    """The outcome after a round trip through storage, to look at its reasons later."""
    return pickle.loads(pickle.dumps(outcome))
