"""The plan of `kubectl apply`, client-side or server-side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine
from engine.errors import MergeError
from engine.serverside.fields import trees

from ..actions.serverside.handing_over import owners_of_annotation
from ..actions.serverside.managers import APPLY, KUBECTL
from ..migrate.hand_over import keeping_annotation, with_fields_taken_after
from .advice import conflict_advice
from .fields import Comparison
from .former import fields_of_former_writers, is_written_before
from .model import CLIENT_SIDE, SERVER_SIDE, Plan, PlannedObject
from .requests import Response
from .writing import last_applied_of, planned, untracked_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.serverside.fields.trees import Tree

    from ..offline.pairs import Inputs
    from .cluster_view import ClusterView
    from .requests import Requests
    from .tools import PlanOptions

    Object = dict[str, Any]


def plan_kubectl(objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> Plan:
    """The effects of `kubectl apply`, and with `server_side` of `kubectl apply --server-side`."""
    on_server = options.server_side == "true"
    manager = options.manager or (KUBECTL if on_server else APPLY)
    one = _server_side if on_server else _client_side
    found = [one(inputs, view.requests, manager, options.force_conflicts) for inputs in objects]
    title = "kubectl apply --server-side" if on_server else "kubectl apply"
    title += " --force-conflicts" if options.force_conflicts else ""
    return Plan("kubectl", title, SERVER_SIDE if on_server else CLIENT_SIDE, tuple(found))


def _client_side(inputs: Inputs, requests: Requests, manager: str, _: bool) -> PlannedObject:
    live = requests.read(inputs.live.content) if inputs.live else None
    compared = Comparison(live, inputs.schema, manager)
    try:
        outcome = engine.apply(inputs.config, live, inputs.schema, last_applied=inputs.given)
    except MergeError as error:
        return planned(inputs, CLIENT_SIDE, compared, live, Response.refused(error))
    if outcome.patch_type == "none":
        response = Response(live)
    elif live is None:
        response = requests.create(outcome.patch, inputs.schema, manager=manager)
    else:
        patch, kind = outcome.patch, outcome.patch_type
        response = requests.patch(live, inputs.config, patch, kind, inputs.schema, manager=manager)
    return planned(
        *(inputs, CLIENT_SIDE, compared, live, response),
        previous=last_applied_of(live),
        notes=tuple(outcome.warnings),
    )


def _server_side(inputs: Inputs, requests: Requests, manager: str, force: bool) -> PlannedObject:
    live = requests.read(inputs.live.content) if inputs.live else None
    compared = Comparison(live, inputs.schema, manager)
    response = requests.apply(live, inputs.config, inputs.schema, manager=manager, force=force)
    if response.object is not None and live is not None and manager == KUBECTL:
        response = _after_migration(response, inputs, requests, manager)
    file = inputs.manifest.source
    command = f"kubectl apply --server-side --force-conflicts -f {file}"
    advice = conflict_advice("kubectl", "kubectl", file, command, inputs)
    return planned(
        *(inputs, SERVER_SIDE, compared, live, response),
        previous=last_applied_of(live),
        former=_former_fields(live, inputs, requests, manager),
        advice=advice,
        notes=untracked_note(live),
    )


def _former_fields(live: Object | None, inputs: Inputs, requests: Requests, manager: str) -> Tree:
    """The fields of `kubectl create`, `replace` and client-side apply, which a server-side apply never removes."""
    if live is None or not is_written_before(live, "kubectl"):
        return trees.EMPTY
    metadata = {key: value for key, value in inputs.config["metadata"].items() if key not in ("resourceVersion", "uid")}
    fresh = requests.apply(None, {**inputs.config, "metadata": metadata}, inputs.schema, manager=manager).object
    return trees.EMPTY if fresh is None else fields_of_former_writers(live, fresh, "kubectl", inputs.schema)


def _after_migration(response: Response, inputs: Inputs, requests: Requests, manager: str) -> Response:
    """The object after kubectl has taken over the fields of client-side apply, which it does after the apply."""
    merged = response.object
    if merged is None or not owners_of_annotation(merged, "Update"):
        return response
    after = with_fields_taken_after(keeping_annotation(merged, inputs.schema, manager, None), manager)
    if after is merged:
        return response
    again = requests.apply(after, inputs.config, inputs.schema, manager=manager, force=True)
    return response if again.object is None else again
