"""Evictions: deletions of Pods that a PodDisruptionBudget may forbid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import load

from ..deletion import DeleteAdmission
from ..eras import minor_of
from ..errors import Forbidden, Invalid, NoMatch, TooManyRequests
from ..problems import invalid
from ..registry.statuses import with_condition
from ..scale import selector_text
from ..selectors import parse_selector
from ..text.go_text import go_text
from ..unchecked import as_map, as_number, as_text, condition_of, get_path, has_condition
from .bodies import ExpectedKind
from .options import delete_parameters, write_options
from .responses import virtual_form, virtual_response
from .sent_objects import admitted, sent_to
from .statuses import RequestError, success

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..cluster import EmbeddedCluster
    from ..protocol import Object
    from .messages import Request, Response
    from .routing import Target

VERSIONS = ("policy/v1", "policy/v1beta1")
EVICTION = ExpectedKind("policy/v1", "Eviction", versions=VERSIONS)
VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget."
SERVER = "kube-apiserver"
"""The field manager of the server's own writes."""
FINISHED = ("Succeeded", "Failed", "Pending")
"""The phases of Pods that no budget protects."""
ALLOWED = "DisruptionAllowed"
MOST_DISRUPTED = 2000
UNSAFE = "ignoreStoreReadErrorWithClusterBreakingPotential"
UNREADY_SINCE, REASONS_SINCE, CAUSES_SINCE = 27, 35, 37
"""The first minor releases that evict Pods that are not ready, that name the reason in the condition of a budget, and
that name a budget as the cause of each rejection.
"""


def evict(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Delete a Pod, unless a PodDisruptionBudget forbids it."""
    form = virtual_form(request)
    version = next(one for one in VERSIONS if (one, EVICTION.kind) in load(cluster.release))
    content = sent_to(cluster, request, target, EVICTION._replace(api_version=version))
    options = write_options(request, "CreateOptions")
    sent = as_map(content.get("deleteOptions"))
    if sent.get(UNSAFE) is True:
        why = "can not be set for pod eviction, try after removing the option"
        raise Invalid.of("Eviction.policy", target.name, [invalid(f"deleteOptions.{UNSAFE}", True, why)])
    asked = ["All"] if options["dry_run"] else []
    if asked and sent.get("dryRun") and sent["dryRun"] != asked:
        both = f"{go_text(asked)} and {go_text(sent['dryRun'])}"
        raise RequestError(500, "", f"Non-matching dry-run options in request and content: {both}")
    pod = cluster.get(target.reference)
    content = admitted(cluster, target, content, EVICTION, dry_run=options["dry_run"])
    dry_run = options["dry_run"] or bool(sent.get("dryRun"))
    if get_path(pod, "status.phase") not in FINISHED and "deletionTimestamp" not in pod["metadata"]:
        _spend(cluster, pod, dry_run=dry_run)
    wanted = delete_parameters(sent)
    cluster.delete(
        target.reference,
        uid=wanted.uid,
        resource_version=wanted.resource_version,
        propagation=wanted.propagation,
        grace_period=wanted.grace_period,
        dry_run=dry_run,
        admission=DeleteAdmission.EVICTION,
    )
    return virtual_response(form, success(code=201))


def _spend(cluster: EmbeddedCluster, pod: Object, *, dry_run: bool) -> None:
    """Use one of the disruptions that the budget of a Pod allows."""
    budgets = list(_budgets(cluster, pod))
    if len(budgets) > 1:
        why = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
        raise RequestError(500, "", why)
    minor = minor_of(cluster.release)
    for budget in budgets:
        if minor >= UNREADY_SINCE and not has_condition(pod, "Ready") and _lets_unready_go(budget):
            continue
        _require_disruption_allowed(budget, minor)
        if not dry_run:
            cluster.replace(
                _with_disruption(budget, pod["metadata"]["name"], cluster.origins.now()),
                manager=SERVER,
                subresource="status",
            )


def _budgets(cluster: EmbeddedCluster, pod: Object) -> Iterator[Object]:
    namespace, labels = pod["metadata"]["namespace"], pod["metadata"].get("labels") or {}
    for version in ("policy/v1", "policy/v1beta1"):
        try:
            listed = list(cluster.list(version, "PodDisruptionBudget", namespace=namespace))
        except NoMatch:
            continue
        for one in listed:
            wanted = get_path(one, "spec.selector")
            if (
                isinstance(wanted, dict)
                and (wanted or version == "policy/v1")
                and parse_selector(selector_text(wanted))(labels)
            ):
                yield one
        return


def _lets_unready_go(budget: Object) -> bool:
    """Whether a budget does not protect a Pod that is not ready: always, or while enough others are."""
    healthy, desired = _count(budget, "currentHealthy"), _count(budget, "desiredHealthy")
    return get_path(budget, "spec.unhealthyPodEvictionPolicy") == "AlwaysAllow" or healthy >= desired > 0


def _count(budget: Object, field: str) -> int:
    return as_number(as_map(budget.get("status")).get(field)) or 0


def _require_disruption_allowed(budget: Object, minor: int) -> None:
    name, allowed = budget["metadata"]["name"], _count(budget, "disruptionsAllowed")
    if _count(budget, "observedGeneration") < (budget["metadata"].get("generation") or 0):
        raise TooManyRequests(VIOLATED, f"The disruption budget {name} is still being processed by the server.", 10)
    if allowed < 0:
        why = "pdb disruptions allowed is negative"
        raise _forbidden(name, why, why, minor)
    if len(as_map(get_path(budget, "status.disruptedPods"))) > MOST_DISRUPTED:
        why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller"
        raise _forbidden(name, why, "too many pending evictions not confirmed by PDB controller", minor)
    if not allowed:
        raise TooManyRequests(VIOLATED, _reason(budget, minor))


def _forbidden(name: str, why: str, cause: str, minor: int) -> Forbidden:
    message = f"The disruption budget {name} does not allow evicting pods currently: {cause}"
    causes = [{"reason": "DisruptionBudget", "message": message}] if minor >= CAUSES_SINCE else []
    return Forbidden("poddisruptionbudget.policy", name, why, causes)


def _reason(budget: Object, minor: int) -> str:
    """The reason why a budget allows no disruption."""
    name = budget["metadata"]["name"]
    healthy, desired = _count(budget, "currentHealthy"), _count(budget, "desiredHealthy")
    needs = f"The disruption budget {name} needs {desired} healthy pods and has {healthy} currently"
    if minor < REASONS_SINCE:
        return needs
    condition = condition_of(budget, ALLOWED)
    said = as_text(condition.get("message")) if condition.get("status") == "False" else ""
    not_now = f"The disruption budget {name} does not allow evicting pods currently"
    if said and condition.get("reason") == "SyncFailed":
        return f"{not_now} because it failed sync: {said}"
    if healthy <= desired:
        return needs
    return f"{not_now} ({condition.get('reason')}): {said}" if said else not_now


def _with_disruption(budget: Object, pod: str, now: str) -> Object:
    """A budget with one disruption less, and with the Pod that is disrupted."""
    status = as_map(budget.get("status"))
    left = _count(budget, "disruptionsAllowed") - 1
    disrupted = {**as_map(status.get("disruptedPods")), pod: now}
    status = {**status, "disruptionsAllowed": left, "disruptedPods": disrupted}
    if not left:
        seen = {"observedGeneration": status["observedGeneration"]} if status.get("observedGeneration") else {}
        status = with_condition(status, ALLOWED, "False", now, reason="InsufficientPods", message="", **seen)
    return {**budget, "status": status}
