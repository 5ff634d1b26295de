"""The plan of a recorded scenario, and its differences from what the tool did."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from codegen.documents.yaml_text import documents
from engine.errors import UnknownKind
from kubemerge.apiserver.pipeline import Server
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs
from kubemerge.plan import PlanOptions, plan
from kubemerge.plan.cluster_view import ClusterView

from ..livediff.changes import changes, words
from ..livediff.drawn import DRAWN, DrawnValues
from ..livediff.subjects import schema_of
from ..ownership.real.kinds import CRDS, RELEASE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.plan import Plan, PlannedObject

Object = dict[str, Any]
NAMES = ("resourceVersion", "uid", "creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
CUSTOM = re.compile(r"(.*\.example\.com \S+ is invalid: )\[(.*)\]\Z", re.DOTALL)
"""The rejection of a custom resource with several problems."""
SEPARATOR = re.compile(r", (?=(?:spec|extra|metadata)\b)")
CLOCK = re.compile(r"/timeAdded\Z")
"""A field that the server sets from its clock, and that a plan leaves out."""
NUMBERS = re.compile(r"\b(\d+\.\d+\.\d+\.\d+|20\d\d-\d\d-\d\dT\S+Z|/dev/shm/\d+|/tmp/\d+)")


@cache
def server() -> Server:
    """A server of the release with the custom kinds."""
    definitions = [*documents(CRDS.read_text(encoding="utf-8"))]
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "tests"}}
    return Server(RELEASE, definitions, [namespace], keeps_owners=True)


def planned(tool: str, case: Object) -> Plan:
    """The plan for a recorded scenario."""
    lives = [one for one in case["live"] if one is not None]

    def find(manifest: Manifest) -> Inputs:
        live = next((one for one in lives if _identity(one) == _identity(manifest.content)), None)
        try:
            schema = schema_of(*manifest.key)
        except UnknownKind:
            schema = None
        return Inputs(manifest, None if live is None else Manifest("live.yaml", live), schema)

    inputs = [find(Manifest("config.yaml", one)) for one in case["configs"]]
    options = PlanOptions(namespace="tests", documents=(_settings(tool, case),))
    return plan(tool, inputs, ClusterView(find, server()), options)


def _settings(tool: str, case: Object) -> Object:
    """The tool's manifest. Without configs, the live objects are in its inventory."""
    settings: Object = case["settings"]
    if case["configs"]:
        return settings
    if tool == "flux":
        entries = []
        for one in case["live"]:
            group, _, version = one["apiVersion"].rpartition("/")
            metadata = one["metadata"]
            parts = (metadata.get("namespace") or "", metadata["name"], group, one["kind"])
            entries.append({"id": "_".join(parts), "v": version})
        return {**settings, "status": {"inventory": {"entries": entries}}}
    resources = []
    for one in case["live"]:
        group, _, version = one["apiVersion"].rpartition("/")
        metadata = one["metadata"]
        resource = {"group": group, "version": version, "kind": one["kind"], "name": metadata["name"]}
        resources.append({**resource, "namespace": metadata.get("namespace") or ""})
    return {**settings, "status": {"resources": resources}}


def _identity(content: Object) -> tuple[Any, ...]:
    metadata = content["metadata"]
    return content["apiVersion"].rpartition("/")[0], content["kind"], metadata.get("namespace") or "", metadata["name"]


def differences(tool: str, case: Object) -> list[str]:
    """How the plan differs from the tool."""
    found = planned(tool, case)
    compare = {"flux": _of_flux, "argocd": _of_argocd}[tool]
    by_identity = {_identity(one.config or one.before or {}): one for one in found.objects}
    lines = [*compare(found, case)]
    for number, content in enumerate(case["configs"] or case["live"]):
        mine = by_identity.get(_identity(content))
        if mine is None:
            lines.append(f"object {number} is not in the plan")
            continue
        lines += _of_objects(mine, case, number)
    return lines


def _of_flux(found: Plan, case: Object) -> Iterator[str]:
    result = case["result"]
    error = result.get("error", "")
    if _in_order(error) != _in_order(found.error):
        yield f"error: theirs {error!r}, ours {found.error!r}"
    if error:
        return
    for subject, action in sorted(result["actions"].items()):
        one = next((one for one in found.objects if _subject(one) == subject), None)
        mine = one.action if one else None
        wanted = {"configured": "changed"}.get(action, action)
        if one is not None and (mine, action) == ("kept", "skipped"):
            continue
        if mine != wanted:
            yield f"{subject}: theirs {action}, ours {mine}"


def _in_order(error: str) -> str:
    """The error with sorted problems, where the server walks over maps of Go, whose order is random."""
    error = NUMBERS.sub("*", error)
    head, errors, lines = error.partition("errors:\n")
    if errors:
        return head + errors + "\n".join(sorted(lines.split("\n")))
    found = CUSTOM.match(error)
    return error if found is None else f"{found[1]}[{', '.join(sorted(SEPARATOR.split(found[2])))}]"


def _of_argocd(found: Plan, case: Object) -> Iterator[str]:
    result = case["result"]
    if result.get("stage") == "compare":
        if not found.error.startswith("Failed to compare"):
            yield f"error: theirs {result['error']!r}, ours {found.error!r}"
        return
    by_identity = {_identity(one.config or one.before or {}): one for one in found.objects}
    for number, one in enumerate(result["objects"] or ()):
        content = (case["configs"] or case["live"])[number]
        mine = by_identity.get(_identity(content))
        if mine is None:
            continue
        if case["configs"] and one["modified"] != (mine.status == "OutOfSync"):
            yield f"object {number}: modified {one['modified']}, ours {mine.status}: {json.dumps(one['diff'])[:400]}"
        code = {"refused": "SyncFailed", "deleted": "Pruned", "kept": "PruneSkipped"}.get(mine.action, "Synced")
        code = "SyncFailed" if mine.problems else code
        if one["status"] not in ("", code) and not (one["status"] == "SyncFailed" and mine.action == "skipped"):
            theirs = f"{one['status']} {one['message'][:300]!r}"
            yield f"object {number}: theirs {theirs}, ours {mine.action} {mine.problems}"


def _subject(one: PlannedObject) -> str:
    return "/".join(filter(None, (one.kind, one.namespace, one.name)))


def _of_objects(mine: PlannedObject, case: Object, number: int) -> Iterator[str]:
    """Differences of the stored object, with its owners."""
    after, live = case["after"][number], case["live"][number]
    config = (case["configs"] or case["live"])[number]
    ours = mine.after if mine.after is not None or mine.action == "deleted" else live
    if mine.action in ("refused", "skipped") and mine.after is None:
        ours = live
    if after is None or ours is None:
        if (after is None) != (ours is None) and not (
            mine.action == "deleted" and "deletionTimestamp" in after["metadata"]
        ):
            theirs, mine_now = ("deleted" if one is None else "there" for one in (after, ours))
            yield f"object {number}: theirs {theirs}, ours {mine_now}"
        return
    drawn = DrawnValues({"live": live, "config": config})
    for change in changes(*(_masked(drawn.marked(one)) for one in (after, ours))):
        if not change[2] and (
            change[1] == [DRAWN] or any(isinstance(one, str) and UUID.match(one) for one in change[1])
        ):
            continue
        if CLOCK.search(change[0]) and change[2] == []:
            continue
        yield f"object {number} {change[0]}: {words(change[1:])}"


def _masked(content: Object) -> Object:
    metadata = {key: value for key, value in content["metadata"].items() if key not in NAMES}
    entries = [_entry(one) for one in metadata.pop("managedFields", ())]
    owners = {f"{at} {one['manager']} {one['operation']}": one for at, one in enumerate(sorted(entries, key=_order))}
    return {**content, "metadata": metadata, "owners": owners}


def _entry(entry: Object) -> Object:
    return {key: value for key, value in entry.items() if key != "time"}


def _order(entry: Object) -> str:
    return json.dumps([entry.get("manager"), entry.get("operation"), entry.get("subresource"), entry["apiVersion"]])
