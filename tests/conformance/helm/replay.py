"""A recorded command of Helm against its plan: exit, objects, owners and conflicts."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs
from kubemerge.offline.prediction import server_beside
from kubemerge.offline.tables import Schemas
from kubemerge.plan import Plan, PlanOptions, plan
from kubemerge.plan.cluster_view import ClusterView
from kubemerge.plan.helm.release import RELEASE_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Object = dict[str, Any]

RELEASE = "sh.helm.release.v1."
LIVE = "live objects"
RELEASE_OF_KUBERNETES = "1.37.1"
DEFINITION = "CustomResourceDefinition"
IN_USE = "cannot re-use a name that is still in use"
"""The error of an install after a failed one. A plan of an install knows no release."""
NO_RELEASE = {"upgrade": '"web" has no deployed releases', "rollback": "release: not found"}
"""The errors without a release. A plan takes this case for an install."""


def planned(record: Object) -> Plan:
    """The plan for a recorded command."""
    command, namespace = record["command"], record["namespace"]
    releases = [one for one in record["before"] if is_release(one)]
    if command["action"] != "install" and not releases:
        return Plan("helm", "helm", "none", error=NO_RELEASE[command["action"]])
    live = [one for one in record["before"] if not is_release(one)]
    definitions = [one for one in live if one["kind"] == "CustomResourceDefinition"]
    crds = [Manifest("crds", one) for one in command.get("crds", ())]
    manifests = [Manifest("chart/templates/all.yaml", one) for one in command.get("objects", ())]
    others = _others(live, [*crds, *manifests, *(Manifest(LIVE, one) for one in definitions)])
    known = [*definitions, *(one.content for one in crds)]
    server = server_beside(RELEASE_OF_KUBERNETES, known, live, keeps_owners=True)
    around = ClusterView(others, server)
    flags = command.get("flags", {})
    options = PlanOptions(
        server_side=flags.get("server_side"),
        force_conflicts=flags.get("force_conflicts", False),
        force=flags.get("force", False),
        take_ownership=flags.get("take_ownership", False),
        namespace=namespace,
        tool_version=str(command["version"]),
        documents=tuple(releases) if command["action"] != "install" else (),
        release_name="web",
        rollback=command["revision"] if command["action"] == "rollback" else None,
        definitions=tuple(crds),
    )
    objects = [around.inputs(one.with_content(around.with_namespace(one.content, namespace))) for one in manifests]
    return plan("helm", objects, around, options)


def _others(live: Sequence[Object], definitions: Sequence[Manifest]) -> Callable[[Manifest], Inputs]:
    given = [one for one in definitions if one.content["kind"] == DEFINITION]
    tables = Schemas(engine.load(RELEASE_OF_KUBERNETES), [], given, _quiet)
    by_id = {Manifest(LIVE, one).id: Manifest(LIVE, one) for one in live}

    def find(manifest: Manifest) -> Inputs:
        return Inputs(manifest, by_id.get(manifest.id), tables.of(manifest.key))

    return find


def _quiet(text: str, important: bool) -> None:
    del text, important


def is_release(one: Object) -> bool:
    """Whether an object is a release of Helm."""
    return bool(one["kind"] == "Secret" and one["metadata"]["name"].startswith(RELEASE))


def _identity(one: Object) -> tuple[str, str, str]:
    group = one["apiVersion"].rpartition("/")[0]
    return group, one["kind"], one["metadata"]["name"]


# ---- recordings -----------------------------------------------------------------------------------------------------

HERE = Path(__file__).parent
CASES_FILE, RANDOM_FILE = HERE / "recorded" / "cases.json.gz", HERE / "recorded" / "random.json.gz"
_KEPT = ("name", "namespace", "version", "manifest", "hooks", "apply_method")


def slim(record: Object) -> Object:
    """A record whose releases are decoded and have no chart, and whose `after` holds only changed objects."""
    before = [_slim(one) for one in record["before"]]
    after = [_slim(one) for one in record["after"] if not is_release(one)]
    same = [place for place, one in enumerate(after) if one in before]
    kept = [before.index(one) if place in same else one for place, one in enumerate(after)]
    return {**record, "before": before, "after": kept}


def _slim(one: Object) -> Object:
    if not is_release(one):
        return one
    release = json.loads(gzip.decompress(base64.b64decode(base64.b64decode(one["data"]["release"]))))
    facts = {key: release[key] for key in _KEPT if key in release}
    return {"name": one["metadata"]["name"], "release": {**facts, "info": {"status": release["info"]["status"]}}}


def whole(record: Object) -> Object:
    """The record with releases as Helm stores them."""
    before = [_secret(one) if "release" in one else one for one in record["before"]]
    after = [record["before"][one] if isinstance(one, int) else one for one in record["after"]]
    return {**record, "before": before, "after": after}


def _secret(one: Object) -> Object:
    data = base64.b64encode(base64.b64encode(gzip.compress(json.dumps(one["release"]).encode(), 1))).decode()
    metadata = {"name": one["name"], "labels": {"owner": "helm", "name": one["release"]["name"]}}
    return {"apiVersion": "v1", "kind": "Secret", "type": RELEASE_TYPE, "metadata": metadata, "data": {"release": data}}


# ---- comparison -----------------------------------------------------------------------------------------------------

_CHOSEN = ("uid", "resourceVersion", "creationTimestamp")


def differences(record: Object, found: Plan) -> list[str]:
    """The differences between a plan and the effects of a recorded command."""
    said = []
    if found.fails != (record["exit"] != 0):
        said.append(f"exit: Helm {record['exit']} {_error(record)[-300:]!r}, plan {found.error!r}")
    elif found.error and _text(record) not in (found.error.strip(), IN_USE):
        said.append(f"error: Helm {_text(record)!r}, plan {found.error!r}")
    theirs, ours = _conflicts(record["error"]), _conflicts(found.error)
    if theirs != ours:
        said.append(f"conflicts: Helm {theirs}, plan {ours}")
    mine = {_identity(one): one for one in record["before"] if not is_release(one)}
    before = dict(mine)
    for one in found.objects:
        key = one.api_version.rpartition("/")[0], one.kind, one.name
        if one.action == "skipped" or (one.action == "refused" and one.after is None):
            continue
        if one.after is None:
            mine.pop(key, None)
        else:
            mine[key] = one.after
    real = {_identity(one): one for one in record["after"] if not is_release(one)}
    for key in {**mine, **real}:
        kept = real.get(key)
        if key not in mine and kept is not None and kept["metadata"].get("deletionTimestamp"):
            continue
        ours_now, theirs_now = _comparable(mine.get(key), before.get(key)), _comparable(kept, before.get(key))
        if ours_now and theirs_now and ours_now["apiVersion"] != theirs_now["apiVersion"]:
            ours_now, theirs_now = ({"owners": it["metadata"]["managedFields"]} for it in (ours_now, theirs_now))
        if ours_now != theirs_now:
            said += [f"{'/'.join(key)}: {text}" for text in _first_differences(ours_now, theirs_now, ())][:6]
    return said


def _comparable(one: Object | None, before: Object | None) -> Object | None:
    """An object without values that the server chooses."""
    if one is None:
        return None
    metadata = {key: value for key, value in one["metadata"].items() if key not in _CHOSEN}
    metadata["managedFields"] = sorted(
        [
            {key: value for key, value in entry.items() if key != "time"}
            for entry in metadata.get("managedFields", ())
            if entry.get("manager") != "kube-apiserver"  # conditions of a definition, written later
        ],
        key=lambda entry: json.dumps(entry, sort_keys=True),
    )
    found = {**one, "metadata": metadata}
    if one["kind"] == "Service":
        spec = {**one["spec"]}
        known = (before or {}).get("spec", {})
        for field in ("clusterIP", "clusterIPs", "healthCheckNodePort"):
            if field in spec and spec[field] not in ("None", ["None"]) and spec[field] != known.get(field):
                del spec[field]
        spec["ports"] = [{k: v for k, v in port.items() if k != "nodePort"} for port in spec.get("ports", ())]
        found["spec"] = spec
    if one["kind"] == DEFINITION:
        found.pop("status", None)
    if one["kind"] == "Job":
        found = _without_uid(found)
    return found


def _without_uid(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_uid(one) for key, one in value.items() if "controller-uid" not in key}
    return [_without_uid(one) for one in value] if isinstance(value, list) else value


def _first_differences(one: Any, other: Any, path: tuple[Any, ...]) -> list[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        found = []
        for key in {**one, **other}:
            if one.get(key, _MISSING) != other.get(key, _MISSING):
                found += _first_differences(one.get(key, _MISSING), other.get(key, _MISSING), (*path, key))
        return found
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [text for at, (a, b) in pairs if a != b for text in _first_differences(a, b, (*path, at))]
    return [f"{'.'.join(map(str, path))}: plan {_brief(one)}, Helm {_brief(other)}"]


_MISSING = "(missing)"


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 400 else f"{text[:400]}..."


_PREFIX = re.compile(r"^Error: (?:(?:INSTALLATION|UPGRADE|ROLLBACK) FAILED: )?")
_CONFLICT = re.compile(r'conflicts? with ("[^"]*"(?: with subresource "[^"]*")?(?: using [^:\s]+)?)')
_FIELD = re.compile(r"^- (\.\S.*)$", re.MULTILINE)
_ONE = re.compile(r'conflict with "[^\n]*?: (\.[^\n]*?)(?: && |$)', re.MULTILINE)


def _conflicts(text: str) -> list[str]:
    return sorted({*_CONFLICT.findall(text), *_FIELD.findall(text), *_ONE.findall(text)})


def _text(record: Object) -> str:
    """Helm's error without the words before it."""
    return _PREFIX.sub("", _error(record)).strip()


def _error(record: Object) -> str:
    lines = record["error"].splitlines()
    starts = [at for at, line in enumerate(lines) if line.startswith("Error: ")]
    return "\n".join(lines[starts[-1] :]) if starts else record["error"]
