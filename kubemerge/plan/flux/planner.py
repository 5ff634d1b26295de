"""The plan of Flux's kustomize-controller for rendered manifests.

It follows kustomize-controller v1.10.1 and github.com/fluxcd/pkg/ssa v0.83.0. Each object passes the dry run of a
server-side apply first. All objects of a stage pass it before any of them is applied, so one rejection stops the stage.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..metadata import texts_of
from ..model import DELETE, DELETED, KEPT, NONE, SERVER_SIDE, SKIPPED, Plan
from ..writing import plan_without_write
from .objects import FluxObject, first_marker
from .order import sort_key, stage_of
from .settings import GROUP, kustomization

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...offline.pairs import Inputs
    from ..cluster_view import ClusterView
    from ..model import PlannedObject
    from ..tools import PlanOptions
    from .settings import Kustomization

    Object = dict[str, Any]

MANAGER = "kustomize-controller"
NOT_PRUNED = {f"{GROUP}/prune": "disabled", f"{GROUP}/reconcile": "disabled", f"{GROUP}/ssa": "Ignore"}
NO_SETTINGS = (
    "without the Kustomization, its owner labels and the effects of its fields are unknown. "
    "Pass it with --settings, as `kubectl get kustomization NAME -n flux-system -o yaml` prints it"
)
SUSPENDED = "spec.suspend is set, so Flux does nothing. The plan shows what it does once it is resumed"


def plan_flux(objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> Plan:
    """The effects of one reconciliation."""
    settings = kustomization(options.documents, force=options.force)
    manager = options.manager or MANAGER
    stages: dict[int, list[FluxObject]] = {}
    for inputs in objects:
        stages.setdefault(stage_of(inputs.config), []).append(FluxObject(inputs, view.requests, settings, manager))
    error = ""
    found: list[PlannedObject] = []
    for number in sorted(stages):
        stage = sorted(stages[number], key=lambda one: sort_key(one.sent))
        error = error or _error_of_stage(stage)
        found += [one.plan(SKIPPED if error else "") for one in stage]
    if not error:
        found += _pruned(settings, objects, view)
    notes = [] if settings.is_given else [NO_SETTINGS]
    notes += [SUSPENDED] if settings.suspend else []
    return Plan("flux", "Flux", SERVER_SIDE, tuple(found), tuple(notes), error)


def _error_of_stage(stage: Sequence[FluxObject]) -> str:
    """Run a stage. Return the error that stops it, or an empty string."""
    for one in stage:
        error = one.prepare()
        if error:
            return error
    for one in stage:
        error = one.apply()
        if error:
            return error
    return ""


def _pruned(settings: Kustomization, objects: Sequence[Inputs], view: ClusterView) -> Iterator[PlannedObject]:
    """The objects of the last inventory that the config no longer has."""
    kept = {_identity(inputs.config) for inputs in objects}
    gone = [entry.stub for entry in settings.inventory if _identity(entry.stub) not in kept]
    for stub in sorted(gone, key=sort_key, reverse=True):
        inputs = view.inputs_of_content(stub, "the inventory")
        live = None if inputs.live is None else inputs.live.content
        if live is None:
            continue
        reason = _reason_to_keep(settings, live)
        action, method = (KEPT, NONE) if reason else (DELETED, DELETE)
        yield replace(
            plan_without_write(stub, method, action, live, None if action == DELETED else live),
            notes=(reason or "it is in the inventory and no longer in the config",),
            place=inputs.manifest.source,
        )


def _identity(content: Object) -> tuple[str, str, str, str]:
    metadata = content["metadata"]
    group = content["apiVersion"].rpartition("/")[0]
    return group, content["kind"], metadata.get("namespace") or "", metadata["name"]


def _reason_to_keep(settings: Kustomization, live: Object) -> str:
    if not settings.prune:
        return "spec.prune is not set, so Flux leaves the object in place"
    labels = texts_of(live, "labels")
    if any(labels.get(key) != value for key, value in settings.owner_labels.items()):
        return f"the labels {GROUP}/name and {GROUP}/namespace name another owner, so Flux leaves the object in place"
    mark = first_marker(live, NOT_PRUNED)
    return f"{mark} is set on the object, so Flux leaves it in place" if mark else ""
