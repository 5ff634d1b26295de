"""Decisions on certificate signing requests."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, NamedTuple

from ...apiserver.unchecked import as_list, get_path
from ...cluster import Reference
from ..generators.parts import BadOptions
from ..serverside.managers import KUBECTL

if TYPE_CHECKING:
    from ...cluster import Cluster, Object


class Decision(NamedTuple):
    """What is decided: the condition that is added, and the one that must not be there."""

    condition: str
    other: str
    reason: str
    message: str


APPROVED = Decision("Approved", "Denied", "KubectlApprove", "This CSR was approved by kubectl certificate approve.")
DENIED = Decision("Denied", "Approved", "KubectlDeny", "This CSR was denied by kubectl certificate deny.")


def decide(cluster: Cluster, live: Object, decision: Decision, *, force: bool) -> None:
    """Write the decision into the status, unless it is there already."""
    if live["kind"] != "CertificateSigningRequest":
        group, _, _ = live["apiVersion"].rpartition("/")
        got = f"{live['kind']}.{group}" if group else live["kind"]
        wanted = "CertificateSigningRequest.certificates.k8s.io"
        raise BadOptions(f"can only handle {wanted} objects, got {got}")
    conditions = as_list(get_path(live, "status.conditions"))
    types = {one.get("type") for one in conditions}
    if decision.other in types:
        name = live["metadata"]["name"]
        raise BadOptions(f'certificate signing request "{name}" is already {decision.other}')
    if decision.condition in types and not force:
        return
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    new = {
        "type": decision.condition,
        "status": "True",
        "reason": decision.reason,
        "message": decision.message,
        "lastUpdateTime": now,
        "lastTransitionTime": now,
    }
    after = conditions if decision.condition in types else [*conditions, new]
    content = {**live, "status": {**(live.get("status") or {}), "conditions": after}}
    cluster.get(Reference.of(live))
    cluster.replace(content, manager=KUBECTL, subresource="approval")
