"""The engine's response to a write, beside a real server's."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import engine
from kubemerge.apiserver.patches.json_patch import apply_json_patch

from .kinds import RELEASE, by_name, schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .sequences import Write

TEMPLATE_GENERATION = "metadata/annotations/deprecated.daemonset.template.generation"
KEPT = object()


def _labels_of_job(sent: dict[str, Any]) -> Any:
    """The default is the labels of its template, the same map in Go, so the server's labels are in both."""
    return ((sent.get("spec") or {}).get("template", {}).get("metadata") or {}).get("labels")


def _allocatable_of_node(sent: dict[str, Any]) -> Any:
    """The default is the capacity. An empty one is filled only when read back, as empty maps are not stored."""
    return None if (sent.get("status") or {}).get("allocatable") == {} else KEPT


LATER: dict[str, dict[str, Any]] = {
    "DaemonSet": {TEMPLATE_GENERATION: "0"},
    "CSINode": {"spec/drivers/*/topologyKeys": KEPT},
    "Job": {"spec/selector": None, "spec/template/metadata": None, "metadata/labels": _labels_of_job},
    "Namespace": {"spec/finalizers": None},
    "Node": {"spec/taints": None, "status/allocatable": _allocatable_of_node},
    "PersistentVolume": {"metadata/finalizers": None, "status/lastPhaseTransitionTime": None},
    "PersistentVolumeClaim": {"metadata/finalizers": None},
    "Pod": {"spec/tolerations": None, "spec/priority": None, "spec/preemptionPolicy": None},
    "ServiceAccount": {"secrets/*/namespace": None},
    "Real": {"status": None},
    "Service": {
        "spec/allocateLoadBalancerNodePorts": KEPT,
        "spec/clusterIP": None,
        "spec/clusterIPs": None,
        "spec/ipFamilies": None,
        "spec/ipFamilyPolicy": None,
        "spec/healthCheckNodePort": None,
        "spec/ports/*/nodePort": None,
    },
}
"""By kind, the fields that the server sets after it has recorded a write: in admission, or in the store. The value is
the one it records if the client did not send one: none, or the stored one (`KEPT`).
"""
DRAWN = {"Job", "Service"}
"""Kinds in which the server draws values when an object is created, so that two responses differ."""
WITHOUT_STATUS = {"Plain"}
"""Custom resources without a status subresource, which schemas do not state."""

Answer = dict[str, Any]

LISTED: dict[str, tuple[str, Callable[[Write, Answer, Answer], bool]]] = {
    "HorizontalPodAutoscaler in two apiVersions": (
        "v1 and v2 have other fields, and the engine does not convert their values",
        lambda write, ours, theirs: write["kind"] == "HorizontalPodAutoscaler" and len(_versions(write)) > 1,
    ),
    "status of a CertificateSigningRequest": (
        "a server resets its conditions as far as owners are concerned, and stores those that are not of an approval",
        lambda write, ours, theirs: (
            (write["kind"], write["subresource"]) == ("CertificateSigningRequest", "status")
            and ours.get("managers") == theirs.get("managers")
        ),
    ),
}
"""The known differences, by name: the reason, and a predicate for their writes and responses."""


def theirs(write: Write) -> Answer:
    """The managers that the server stored, or its conflicts, or a marker for any other rejection."""
    if write["code"] < 300:
        return {"managers": _managers(write["after"]), **({"object": bare(write["after"])} if "put" in write else {})}
    causes = (write["said"].get("details") or {}).get("causes") or []
    if write["code"] == 409 and any(cause.get("reason") == "FieldManagerConflict" for cause in causes):
        conflicts = [{"field": cause["field"], "message": cause["message"]} for cause in causes]
        return {"conflicts": sorted(conflicts, key=_by_text), "message": write["said"]["message"]}
    return {"refused": f"{write['code']} {write['said'].get('message')}"}


def agree(write: Write, ours: Answer, theirs: Answer) -> bool:
    """True if two responses agree. Rejections after the write was recorded are unknown to the engine."""
    if "refused" in theirs:
        return "conflicts" not in ours and (write["code"] != 500 or "refused" in ours)
    return ours == theirs


def ours(write: Write) -> Answer:
    """The same for the engine."""
    try:
        if write["do"] == "apply":
            stored = {"object": bare(write["put"])} if "put" in write else {}
            return {"managers": _managers(applied(write)), **stored}
        after = booked(write)
        schema = _schema(write)
        return {"managers": _managers(engine.record_update(write["before"], after, schema, **_settings(write)))}
    except engine.FieldConflict as error:
        conflicts = [{"field": one.field, "message": f"conflict with {one.owner}"} for one in error.conflicts]
        return {"conflicts": sorted(conflicts, key=_by_text), "message": str(error)}
    except engine.MergeError as error:
        return {"refused": str(error)}


def applied(write: Write) -> dict[str, Any]:
    """The object after an apply, as the engine merges it."""
    schema = _schema(write)
    outcome = engine.server_side_apply(write["body"], write["before"], schema, force=write["force"], **_settings(write))
    return dict(outcome.merged)


def _schema(write: Write) -> engine.Schema:
    return schema_of(write["kind"], write["version"], write.get("release", RELEASE))


def _settings(write: Write) -> dict[str, Any]:
    settings: dict[str, Any] = {"manager": write["manager"], "subresource": write["subresource"] or None}
    if write["kind"] in WITHOUT_STATUS:
        settings["reset_fields"] = engine.FieldSet.of([])
    if by_name()[write["kind"]].custom:
        settings["scaled_by"] = "spec.size.count"
    return settings


SERVED = ("managedFields", "resourceVersion", "generation", "uid", "creationTimestamp")


def bare(document: dict[str, Any]) -> dict[str, Any]:
    """An object without fields that differ from write to write."""
    metadata = {name: value for name, value in document["metadata"].items() if name not in SERVED}
    found = {**document, "metadata": metadata}
    if "lastPhaseTransitionTime" in (document.get("status") or {}):
        found["status"] = {**document["status"], "lastPhaseTransitionTime": None}
    if document["kind"] == "Service":  # drawn by the server
        ports = [{**port, "nodePort": None} for port in document["spec"].get("ports") or ()]
        found["spec"] = {**document["spec"], "ports": ports}
    return found


def _by_text(one: dict[str, str]) -> str:
    return one["message"] + one["field"]


def _managers(document: dict[str, Any]) -> list[dict[str, Any]]:
    entries = document["metadata"].get("managedFields") or []
    timeless = [{name: value for name, value in entry.items() if name != "time"} for entry in entries]
    return sorted(
        timeless,
        key=lambda entry: [entry.get(name, "") for name in ("operation", "manager", "apiVersion", "subresource")],
    )


def booked(write: Write) -> dict[str, Any]:
    """The object as the server saw it when it recorded the write: with defaults, without later changes."""
    if write["subresource"] == "scale":
        return dict(write["body"])
    after: dict[str, Any] = deepcopy(write["after"])
    given = sent(write)
    if "managedFields" in (given.get("metadata") or {}):
        after["metadata"]["managedFields"] = given["metadata"]["managedFields"]
    else:
        after["metadata"].pop("managedFields", None)
    for path, otherwise in LATER.get(write["kind"], {}).items():
        if path == "status" and write["subresource"]:
            continue
        _set_back(after, given, path.split("/"), otherwise(given) if callable(otherwise) else otherwise)
    return after


def sent(write: Write) -> dict[str, Any]:
    """The object that the write made of the previous one, as far as the client sent it."""
    before, body = write["before"] or {}, write["body"]
    found: dict[str, Any] = dict(body) if isinstance(body, dict) else {}
    if write["do"] == "json":
        found = apply_json_patch(before, body)
    elif write["do"] == "merge":
        found = engine.json_apply_patch(before, body)
    elif write["do"] == "strategic":
        found = engine.apply_patch(
            before, body, schema_of(write["kind"], write["version"], write.get("release", RELEASE))
        )
    return found


def _set_back(after: Any, given: Any, path: list[str], otherwise: Any) -> None:
    name, *rest = path
    if name == "*":
        if isinstance(after, list) and isinstance(given, list) and len(after) == len(given):
            for one, other in zip(after, given, strict=True):
                _set_back(one, other, rest, otherwise)
    elif rest:
        if isinstance(after, dict) and name in after:
            _set_back(after[name], given.get(name) if isinstance(given, dict) else None, rest, otherwise)
    elif isinstance(after, dict):
        if isinstance(given, dict) and given.get(name) is not None and (given[name] != {} or name == "status"):
            after[name] = given[name]
        elif otherwise is None:
            after.pop(name, None)
        elif otherwise is not KEPT:
            after[name] = otherwise


def listed(write: Write, ours: Answer, theirs: Answer) -> str | None:
    """The name of the known difference for a write with these responses."""
    return next((name for name, (_, is_about) in LISTED.items() if is_about(write, ours, theirs)), None)


def _versions(write: Write) -> set[str]:
    entries = ((write["before"] or {}).get("metadata") or {}).get("managedFields") or ()
    return {write["version"], *(entry["apiVersion"] for entry in entries)}
