"""The status of ValidatingAdmissionPolicies: warnings about expressions that do not fit the matched kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kinds.builtin_kinds import VALIDATING_POLICY
from ..managed_fields import ManagedFieldsRecorder
from ..unchecked import as_map, as_number
from .names import POLICY_STATUS

if TYPE_CHECKING:
    from ..storage.changes import Changes, StoreEvent

MANAGER = "validatingadmissionpolicy-status"


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Check the types of a new generation of a policy."""
    if event.key.group_kind != VALIDATING_POLICY or POLICY_STATUS not in changes.controllers:
        return
    live = changes.get(event.key)
    if live is None:
        return
    generation = live["metadata"].get("generation") or 0
    if generation <= (as_number(as_map(live.get("status")).get("observedGeneration")) or 0):
        return
    from ..policies.type_checking import expression_warnings  # needs the definitions of all kinds

    warnings = expression_warnings(live, changes.kinds)
    status = {"observedGeneration": generation, "typeChecking": {"expressionWarnings": warnings} if warnings else {}}
    head = {"apiVersion": live["apiVersion"], "kind": live["kind"], "metadata": {"name": event.key.name}}
    recorder = ManagedFieldsRecorder(MANAGER, changes.kinds, changes.origins, force=True)
    changes.save(event.key, recorder.applied({**head, "status": status}, live, changes.resource(live), "status"), live)
