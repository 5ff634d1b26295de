"""The plan of Argo CD's application controller for rendered manifests: its comparison and its sync.

It follows Argo CD v3.6.1 and the gitops-engine in it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.errors import MergeError
from engine.serverside.typed.schema import atom_of

from ..metadata import texts_of
from ..model import CLIENT_SIDE, DELETE, DELETED, KEPT, NONE, SERVER_SIDE, SKIPPED, Plan
from ..typed import with_integers
from ..writing import plan_without_write
from .comparison import ArgoDiff
from .objects import SyncedObject
from .order import HOOK, annotation, hooks_of, sort_key, step_of
from .settings import INSTALLATION_ID, SYNC_OPTIONS, TRACKING_ID, Application, application
from .targets import with_live_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...offline.pairs import Inputs
    from ..cluster_view import ClusterView
    from ..model import PlannedObject
    from ..tools import PlanOptions

    Object = dict[str, Any]

OUT_OF_SYNC, SYNCED, UNKNOWN = "OutOfSync", "Synced", "Unknown"
NO_SETTINGS = (
    "without the Application, its tracking ID, sync options and ignoreDifferences are unknown. "
    "Pass it with --settings, as `kubectl get application NAME -n argocd -o yaml` prints it"
)
FAILED_DRY_RUN = "one or more objects failed to apply (dry run)"
FAILED = "one or more objects failed to apply"
MAX_LABEL_LENGTH = 63


def plan_argocd(objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> Plan:
    """The effects of one sync."""
    settings = application(options.documents, force=options.force, server_side=options.server_side)
    synced = [
        SyncedObject(one, tracked(one.config, settings, view), view.requests, settings)
        for one in objects
        if not hooks_of(one.config)
    ]
    statuses, error = _compared(synced, settings)
    if settings.has("RespectIgnoreDifferences=true") and not error:
        error = respect_ignored_fields(synced, settings)
    stopped = bool(error)
    if not error and [one for one in synced if one.dry_run()]:
        error = FAILED_DRY_RUN
    found: list[PlannedObject] = []
    steps = sorted({step_of(one.target) for one in synced})
    for step in steps:
        group = sorted([one for one in synced if step_of(one.target) == step], key=lambda one: sort_key(one.target))
        action_if_not_reached = SKIPPED if error else ""
        if not error:
            for one in group:
                one.sync()
            if any(one.error for one in group):
                error = FAILED
        found += [one.plan(action_if_not_reached, UNKNOWN if stopped else statuses[id(one)]) for one in group]
    hooks = [_hook(one) for one in objects if hooks_of(one.config)]
    pruned = [*_pruned(settings, objects, view, is_stopped=error not in ("", FAILED))]
    method = SERVER_SIDE if settings.has("ServerSideApply=true") else CLIENT_SIDE
    notes = () if settings.is_given else (NO_SETTINGS,)
    return Plan("argocd", "Argo CD", method, (*pruned, *found, *hooks), notes, error)


# ---- comparison -----------------------------------------------------------------------------------------------------


def _compared(synced: Sequence[SyncedObject], settings: Application) -> tuple[dict[int, str], str]:
    """The sync status of each object, and an error of the comparison, after which nothing is synced."""
    found = {}
    for one in synced:
        try:
            found[id(one)] = OUT_OF_SYNC if _differs(one, settings) else SYNCED
        except _NotCompared as error:
            return found, f"Failed to compare desired state to live state: {error}"
    return found, ""


class _NotCompared(Exception):
    pass


def _differs(one: SyncedObject, settings: Application) -> bool:
    if one.before is None:
        return True
    rules = settings.ignore
    live, target = _before_diff(one, one.before, settings)
    rules = rules.with_annotation(one.target)
    comparing = ArgoDiff(rules, ignores_aggregated_roles=settings.ignores_aggregated_roles)
    if not settings.server_side_diff:
        try:
            return comparing.differs(live, target, one.inputs.schema)
        except MergeError as error:
            raise _NotCompared(f"failed to calculate diff: {error}") from None
    response = one.predicted(comparing.prepared(target))
    if response.object is None:
        raise _NotCompared(
            "failed to calculate diff: error calculating server side diff: serverSideDiff error: error running server "
            f"side apply in dryrun mode for resource {target['kind']}/{target['metadata']['name']}: "
            f"{response.server_message}"
        )
    try:
        return comparing.differs_on_server(live, response.object, "argocd-controller", one.inputs.schema)
    except MergeError as error:
        raise _NotCompared(str(error)) from None


def _before_diff(one: SyncedObject, live: Object, settings: Application) -> tuple[Object, Object]:
    """Both states without differences caused by tracking metadata or by `managedFieldsManagers`."""
    live = _with_tracking(live, one.target, settings)
    return settings.ignore.without_managers(live, one.target, atom_of(one.inputs.schema))


def _with_tracking(live: Object, target: Object, settings: Application) -> Object:
    """The live object with the tracking ID, if it has only the label of another tracking method."""
    metadata = live["metadata"]
    labels = texts_of(live, "labels")
    if settings.tracking == "label" or not labels.get(settings.label) or live["kind"] == "CustomResourceDefinition":
        return live
    metadata = dict(metadata)
    if not annotation(live, TRACKING_ID):
        known = texts_of(live, "annotations")
        metadata["annotations"] = {**known, TRACKING_ID: annotation(target, TRACKING_ID)}
    if not texts_of(target, "labels").get(settings.label):
        rest = {key: value for key, value in labels.items() if key != settings.label}
        metadata["labels"] = rest
        if not rest:
            del metadata["labels"]
    return {**live, "metadata": metadata}


def respect_ignored_fields(synced: Sequence[SyncedObject], settings: Application) -> str:
    """Copy ignored fields from live objects into the objects to send. Return an error, or an empty string."""
    for one in synced:
        if one.before is None:
            continue
        live, target = _before_diff(one, one.before, settings)
        rules = settings.ignore.with_annotation(one.target)
        try:
            one.sent = with_live_values(
                one.before, rules.normalized(live), one.target, rules.normalized(target), one.inputs.schema
            )
        except MergeError as error:
            return f"Failed to normalize target resources: {error}"
    return ""


# ---- objects --------------------------------------------------------------------------------------------------------


def tracked(config: Object, settings: Application, view: ClusterView) -> Object:
    """The object with its namespace and the tracking metadata of Argo CD."""
    config = with_integers(config)
    metadata = dict(config["metadata"])
    config = {**config, "metadata": metadata}
    if view.requests.is_namespaced(config):
        if not metadata.get("namespace") and settings.destination:
            metadata["namespace"] = settings.destination
    else:
        metadata.pop("namespace", None)
    if not settings.is_given or config["kind"] == "CustomResourceDefinition":
        return config
    if settings.tracking != "label":
        known = {key: value for key, value in texts_of(config, "annotations").items() if key != INSTALLATION_ID}
        if settings.installation:
            known[INSTALLATION_ID] = settings.installation
        group = config["apiVersion"].rpartition("/")[0]
        place = metadata.get("namespace") or settings.destination
        identity = f"{settings.name}:{group}/{config['kind']}:{place}/{metadata.get('name') or ''}"
        metadata["annotations"] = {**known, TRACKING_ID: identity}
    if settings.tracking in ("label", "annotation+label"):
        name = settings.name if settings.tracking == "label" else _label_value(settings.name)
        metadata["labels"] = {**texts_of(config, "labels"), settings.label: name}
    return config


def _label_value(name: str) -> str:
    return name if len(name) <= MAX_LABEL_LENGTH else name[:MAX_LABEL_LENGTH].rstrip("-_.")


def _hook(inputs: Inputs) -> PlannedObject:
    """The plan of a hook, which is not part of the comparison."""
    types = hooks_of(inputs.config)
    live = None if inputs.live is None else inputs.live.content
    note = f"a hook ({', '.join(types)}): it runs at that time of the sync, and it is not compared"
    found = plan_without_write(inputs.config, NONE, SKIPPED, live, live)
    return replace(found, notes=(note,), place=inputs.manifest.place)


def _pruned(
    settings: Application, objects: Sequence[Inputs], view: ClusterView, *, is_stopped: bool
) -> Iterator[PlannedObject]:
    """The objects that the Application had and that the config no longer has."""
    kept = {_identity(tracked(inputs.config, settings, view)) for inputs in objects}
    for stub in [one.stub for one in settings.resources if _identity(one.stub) not in kept]:
        inputs = view.inputs_of_content(stub, "status.resources")
        live = None if inputs.live is None else inputs.live.content
        if live is None or annotation(live, HOOK):
            continue
        reason = _reason_to_keep(settings, live)
        action, method = (KEPT, NONE) if reason else (DELETED, DELETE)
        if is_stopped:
            action, method = SKIPPED, NONE
        found = plan_without_write(stub, method, action, live, None if action == DELETED else live)
        note = reason or "the Application has it, and the config no longer does"
        yield replace(found, notes=(note,), status=OUT_OF_SYNC, place=inputs.manifest.source)


def _identity(content: Object) -> tuple[str, str, str, str]:
    metadata = content["metadata"]
    group = content["apiVersion"].rpartition("/")[0]
    return group, content["kind"], metadata.get("namespace") or "", metadata.get("name") or ""


def _reason_to_keep(settings: Application, live: Object) -> str:
    if not settings.prune:
        return "ignored (requires pruning): spec.syncPolicy.automated.prune is not set"
    values = [
        one.partition("=")[2] for one in annotation(live, SYNC_OPTIONS).split(",") if one.strip().startswith("Prune=")
    ]
    value = values[0].strip() if values else settings.option_value("Prune")
    if value == "false":
        return "ignored (no prune): Prune=false is set"
    return "Argo CD waits for a confirmation, because Prune=confirm is set" if value == "confirm" else ""
