"""The judge of a repair: kubectl sends the patch to a real API server, and the tool's next apply shows what is left."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

from engine import FieldSet
from engine.paths import render
from engine.serverside.fields import trees
from engine.serverside.fields.path_elements import to_step
from engine.serverside.typed.compare import compare
from engine.serverside.typed.schema import atom_of
from engine.serverside.typed.to_field_set import to_field_set
from kubemerge.migrate.places import Values

from ..livediff.drafts import refresh
from ..livediff.subjects import schema_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from engine.serverside.fields.trees import Tree
    from kubemerge.repair import ObjectRepair

    from ..ownership.real.server import Server
    from .scene import Scene

Object = dict[str, Any]
OF_THE_SERVER = ("last-applied", "deprecated.daemonset.template.generation", "spec.allocateLoadBalancerNodePorts")
SERVED = ("resourceVersion", "generation", "managedFields", "uid", "creationTimestamp")
VERSION = "/metadata/resourceVersion"
TIMED = "DeviceTaintRule"
"""A kind in which the server sets the time of each write that leaves it out."""
OWN = {
    "kubectl": {"kubectl-client-side-apply", "kubectl-create", "kubectl-last-applied", "kubectl-replace"},
    "flux": {"kustomize-controller"},
}


class Judge:
    """kubectl and the server of KUBECONFIG."""

    def __init__(self, server: Server, folder: Path, kubectl: str) -> None:
        self._server, self._folder, self._kubectl = server, folder, kubectl
        self._env = {**os.environ, "KUBECACHEDIR": str(folder / "cache")}

    def faults(self, found: Scene, repair: ObjectRepair) -> tuple[list[str], Object]:
        """The faults of a repair, and the object after it."""
        one = found.draft
        before = one.live
        faults: list[str] = []
        if repair.patch is not None:
            faults += self._patched(found, repair)
            refresh(self._server, one)
            version = one.live["metadata"]["resourceVersion"]
            if not faults:
                again = self._patched(found, repair)
                refresh(self._server, one)
                changed = one.live["metadata"]["resourceVersion"] != version
                is_once = isinstance(repair.patch.body, list) and repair.patch.body[0]["path"] == VERSION
                is_once = is_once or one.kind.kind == TIMED
                faults += ["a second application changes the object"] if changed and not is_once else []
                faults += [f"a second application fails: {text}" for text in again if not is_once]
            faults += disturbed(found, before, one.live, repair)
        faults += self._drift_left(found, repair)
        return faults, one.live

    def _patched(self, found: Scene, repair: ObjectRepair) -> list[str]:
        patch = repair.patch
        if patch is None:
            return []
        file = self._folder / "patch.json"
        file.write_text(json.dumps(patch.body), encoding="utf-8")
        words = ["patch", patch.resource, found.draft.name, "--type", patch.type, "--patch-file", str(file)]
        words += ["--field-manager", patch.manager]
        words += ["-n", repair.namespace] if repair.namespace else []
        done = self._run(words)
        return [] if done.returncode == 0 else [f"the server rejects the patch: {done.stderr.strip()[:400]}"]

    def _run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self._kubectl, *words], capture_output=True, text=True, check=False, env=self._env)

    def _next(self, found: Scene) -> Object | str:
        """The object after the tool's next apply, as a dry run; or the error."""
        one = found.draft
        if found.is_server_side:
            query = {"fieldManager": found.manager, "force": "true", "dryRun": "All"}
            answer = self._server.ask("PATCH", one.path(), one.config, kind="apply", **query)
            return answer.body if answer.done else str(answer.body.get("message"))
        file = self._folder / "config.json"
        file.write_text(json.dumps(one.config), encoding="utf-8")
        done = self._run(["apply", "--dry-run=server", "-o", "json", "--validate=false", "-f", str(file)])
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()

    def _drift_left(self, found: Scene, repair: ObjectRepair) -> list[str]:
        one = found.draft
        after = self._next(found)
        if isinstance(after, str):
            return [] if repair.state == "failed" else [f"the tool's apply is rejected: {after[:400]}"]
        left = [field.path for field in repair.fields if field.repair != "patch"]
        atom = atom_of(schema_of(one.version, one.kind.kind))
        changed = compare(plain(one.live), plain(after), atom)
        tree = trees.union(changed.removed, changed.set)
        if left:  # the server changes other fields with those that are left
            tree = trees.intersection(tree, to_field_set(one.config, atom))
        wanted = to_field_set(one.config, atom)
        foreign = [tree for _, tree in others(found, one.live)]
        tree = trees.of_paths(
            [
                path
                for path in trees.paths(trees.leaves(tree))
                if trees.contains(wanted, path) or not any(trees.contains(owned, path) for owned in foreign)
            ]
        )  # kubectl itself would remove elements that others have added to lists of custom resources
        paths = [render(tuple(map(to_step, path))) for path in trees.paths(tree)]
        paths = [path for path in paths if not any(mark in path for mark in OF_THE_SERVER)]
        paths = [path for path in paths if not any(is_part(path, other) for other in left)]
        if repair.state == "failed":
            return [f"the tool's apply is accepted: {repair.problems}"]
        return [f"drift is left at {path}" for path in paths]


def plain(content: Object) -> Object:
    """The object without fields that the server sets."""
    metadata = {key: value for key, value in content["metadata"].items() if key not in SERVED}
    annotations = {key: value for key, value in metadata.get("annotations", {}).items() if "last-applied" not in key}
    metadata.pop("annotations", None)
    if annotations:
        metadata["annotations"] = annotations
    return {**{key: value for key, value in content.items() if key != "status"}, "metadata": metadata}


def is_part(path: str, other: str) -> bool:
    """Whether a path is another one, inside it, or around it."""
    return path == other or path.startswith((f"{other}.", f"{other}[")) or other.startswith((f"{path}.", f"{path}["))


def others(found: Scene, content: Object) -> Iterator[tuple[str, Tree]]:
    """The other managers with their fields."""
    for entry in content["metadata"].get("managedFields", ()):
        manager, is_apply = entry["manager"], entry["operation"] == "Apply"
        is_own = manager in OWN[found.tool] | {found.manager} and (manager != "kubectl" or is_apply)
        if not is_own and entry.get("subresource") != "status":
            yield manager, FieldSet.parse(entry["fieldsV1"]).tree


def disturbed(found: Scene, before: Object, after: Object, repair: ObjectRepair) -> list[str]:
    """The fields of other managers, besides the repaired ones, whose values changed."""
    one = found.draft
    atom = atom_of(schema_of(one.version, one.kind.kind))
    old, new = Values(before, atom), Values(after, atom)
    repaired = [field.path for field in repair.of("patch")]
    faults = []
    for manager, tree in others(found, before):
        for path in trees.paths(trees.leaves(tree)):
            text = render(tuple(map(to_step, path)))
            if any(mark in text for mark in OF_THE_SERVER) or any(is_part(text, other) for other in repaired):
                continue
            if old.at(path) != new.at(path):
                faults.append(f"{text} of {manager} changed: {old.at(path)!r} to {new.at(path)!r}")
    return faults
