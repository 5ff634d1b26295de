"""The repair of all objects of a config."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..apiserver.identity import ObjectId
from ..linting.autoscalers import targets_of
from ..output.secrets import is_secret
from ..plan.tools import PlanOptions
from ..plan.writing import problem_texts, untracked_note
from .drift import Drift
from .intents import intents
from .model import (
    CREATE,
    DRIFTED,
    FAILED,
    HAND_OVER,
    HANDED_OVER,
    MISSING,
    PATCH,
    SKIPPED,
    SYNCED,
    ObjectRepair,
    Repair,
    RepairPatch,
)
from .patches import Patcher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..offline.pairs import Inputs
    from ..plan.cluster_view import ClusterView
    from ..plan.requests import Requests, Response
    from .intents import Intent

    Object = dict[str, Any]

AUTOSCALER = "HorizontalPodAutoscaler"
AUTOSCALERS = ("autoscaling/v2", "autoscaling/v1")
HIDDEN = "the API server rejects the repair of this Secret"


def repair_objects(
    tool: str, objects: Sequence[Inputs], view: ClusterView, options: PlanOptions | None = None
) -> Repair:
    """The drift of these objects from the config of a tool, with the patches that repair it."""
    options = options or PlanOptions()
    found = intents(tool, objects, view, options)
    return Repair(tool, tuple([_Repairing(one, view, force=options.force_conflicts).found() for one in found]))


class _Repairing:
    """The repair of one object."""

    def __init__(self, intent: Intent, view: ClusterView, *, force: bool) -> None:
        self._intent, self._view, self._force = intent, view, force
        self._requests: Requests = view.requests

    def found(self) -> ObjectRepair:
        """The drift of the object, and its repair."""
        intent = self._intent
        if intent.skipped:
            return self._result(SKIPPED, notes=(intent.skipped,))
        if intent.live is None:
            return self._missing()
        drift = Drift(intent, intent.live, self._requests, force=self._force, autoscaler=self._autoscaler())
        notes = untracked_note(intent.live)
        if drift.target is None:
            return self._result(FAILED, fields=drift.fields, problems=self._problems(drift.response), notes=notes)
        if not any(one.repair == PATCH for one in drift.fields):
            is_left = any(one.repair == HAND_OVER for one in drift.fields)
            return self._result(HANDED_OVER if is_left else SYNCED, fields=drift.fields, notes=notes)
        patcher = Patcher(drift, self._requests, intent.manager)
        patch = patcher.smallest()
        if patch is None:
            hidden = (HIDDEN,) if is_secret(intent.config) else tuple(patcher.problems)
            return self._result(FAILED, fields=drift.fields, problems=hidden, notes=notes)
        version = intent.live["metadata"].get("resourceVersion")
        body = RepairPatch(patch.type, patch.body, intent.manager, self._resource(), version)
        return self._result(DRIFTED, fields=drift.fields, patch=body, notes=notes, after=patch.after)

    def _missing(self) -> ObjectRepair:
        intent = self._intent
        response = self._requests.create(intent.config, intent.inputs.schema, manager=intent.manager)
        if response.object is None:
            return self._result(FAILED, problems=self._problems(response), notes=("the object is missing",))
        body = RepairPatch(CREATE, intent.config, intent.manager, self._resource())
        return self._result(MISSING, patch=body, after=response.object)

    def _autoscaler(self) -> str:
        """The autoscaler among the live objects that scales the object; empty without one."""
        config = self._intent.config
        spec = config.get("spec")
        if not isinstance(spec, dict) or "replicas" not in spec:
            return ""
        found: list[Object] = []
        for version in AUTOSCALERS:
            try:
                found += self._view.list(version, AUTOSCALER, config["metadata"].get("namespace"))
            except MergeError:  # without permission, the owner of the field decides
                return ""
        return targets_of(found).get(ObjectId.of(config), "")

    def _resource(self) -> str:
        return self._requests.resource_of(self._intent.config)

    def _problems(self, response: Response) -> tuple[str, ...]:
        return problem_texts(response, self._intent.config) or (response.message,)

    def _result(self, state: str, **more: Any) -> ObjectRepair:
        intent = self._intent
        config = intent.config
        metadata = config["metadata"]
        return ObjectRepair(
            *(config["apiVersion"], config["kind"], metadata.get("namespace"), metadata.get("name", ""), state),
            intent.method,
            place=intent.inputs.manifest.place,
            before=intent.live,
            config=config,
            **more,
        )
