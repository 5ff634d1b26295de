"""What is posted to a part of an object: evictions of Pods, tokens of ServiceAccounts."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from engine.values.unchecked import a_map, found

from ..cluster.embedded.life.deletion import TIME
from ..cluster.embedded.scale import selector_text
from ..cluster.errors import BadRequest, Invalid, NoMatch, TooManyRequests
from ..cluster.refusals import invalid
from ..cluster.selectors import selector
from .bodies import Expected, object_of
from .http import Answer, answer, opaque
from .options import writing
from .problems import Problem, success

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..cluster import Object
    from ..cluster.embedded.cluster import EmbeddedCluster
    from .http import Request
    from .routing import Target

BINDING = Expected("v1", "Binding")
EVICTION = Expected("policy/v1", "Eviction")
TOKEN_REQUEST = Expected("authentication.k8s.io/v1", "TokenRequest")
VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget."
LASTS, SHORTEST = 3600, 600
"""Seconds that a token is good for: if nothing is asked, and at least."""


def evict(cluster: EmbeddedCluster, request: Request, target: Target) -> Answer:
    """Delete a Pod, unless a PodDisruptionBudget does not allow it."""
    content = _of_target(request, target, EVICTION)
    options = writing(request, "CreateOptions")
    pod = cluster.get(target.reference)
    budgets = list(_budgets(cluster, pod))
    if len(budgets) > 1:
        why = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
        raise Problem(500, "", why)
    for one in budgets if _counts(pod) else ():
        _refuse(one)
    asked = a_map(content.get("deleteOptions"))
    wanted = a_map(asked.get("preconditions"))
    cluster.delete(
        target.reference,
        uid=wanted.get("uid"),
        resource_version=wanted.get("resourceVersion"),
        propagation=asked.get("propagationPolicy"),
        grace_period=asked.get("gracePeriodSeconds"),
        dry_run=options["dry_run"] or bool(asked.get("dryRun")),
    )
    return answer(success(code=201), 201)


def _counts(pod: Object) -> bool:
    """Whether a Pod runs, or may still do."""
    return (
        found(pod, "status.phase") not in ("Succeeded", "Failed", "Pending")
        and "deletionTimestamp" not in pod["metadata"]
    )


def _budgets(cluster: EmbeddedCluster, pod: Object) -> Iterator[Object]:
    """The PodDisruptionBudgets that cover a Pod."""
    namespace, labels = pod["metadata"]["namespace"], pod["metadata"].get("labels") or {}
    for version in ("policy/v1", "policy/v1beta1"):
        try:
            listed = list(cluster.list(version, "PodDisruptionBudget", namespace=namespace))
        except NoMatch:
            continue
        for one in listed:
            wanted = found(one, "spec.selector")
            if (
                isinstance(wanted, dict)
                and (wanted or version == "policy/v1")
                and selector(selector_text(wanted))(labels)
            ):
                yield one
        return


def _refuse(budget: Object) -> None:
    status, name = a_map(budget.get("status")), budget["metadata"]["name"]
    if (status.get("observedGeneration") or 0) < (budget["metadata"].get("generation") or 0):
        raise TooManyRequests(VIOLATED, f"The disruption budget {name} is still being processed by the server.", 10)
    allowed = status.get("disruptionsAllowed") or 0
    if allowed > 0:
        return
    why = (
        f"The disruption budget {name} needs {status.get('desiredHealthy') or 0} healthy pods and has "
        f"{status.get('currentHealthy') or 0} currently"
    )
    raise TooManyRequests(VIOLATED, why)


def bound(cluster: EmbeddedCluster, request: Request, target: Target) -> Answer:
    """Put a Pod on a Node, as schedulers do."""
    content = _of_target(request, target, BINDING)
    options = writing(request, "CreateOptions")
    cluster.bind(target.reference, a_map(content.get("target")), dry_run=options["dry_run"])
    return answer(success(code=201), 201)


def _of_target(request: Request, target: Target, expected: Expected) -> Object:
    """What is sent, if it does not name another object than the path."""
    content = object_of(request, expected)
    name = a_map(content.get("metadata")).get("name")
    if name and name != target.name:
        raise BadRequest(f"name in URL does not match name in {expected.kind} object")
    return content


def token(cluster: EmbeddedCluster, request: Request, target: Target) -> Answer:
    """A token of a ServiceAccount, which nobody checks; it has the form of a real one."""
    account = cluster.get(target.reference)
    content = object_of(request, TOKEN_REQUEST)
    spec = a_map(content.get("spec"))
    lasts = spec.get("expirationSeconds")
    lasts = LASTS if not isinstance(lasts, int) else lasts
    if lasts < SHORTEST:
        why = "may not specify a duration less than 10 minutes"
        raise Invalid.of("TokenRequest.authentication.k8s.io", "", [invalid("spec.expirationSeconds", lasts, why)])
    now = datetime.now(timezone.utc)
    ends = now + timedelta(seconds=lasts)
    audiences = spec.get("audiences") or ["https://kubernetes.default.svc.cluster.local"]
    made = {
        "kind": "TokenRequest",
        "apiVersion": "authentication.k8s.io/v1",
        "metadata": {
            "name": target.name,
            "namespace": target.namespace,
            "creationTimestamp": now.strftime(TIME),
        },
        "spec": {"audiences": audiences, "expirationSeconds": lasts, "boundObjectRef": spec.get("boundObjectRef")},
        "status": {
            "token": _token(account, audiences, ends),
            "expirationTimestamp": ends.strftime(TIME),
        },
    }
    return answer(made, 201)


def _token(account: Object, audiences: list[str], ends: datetime) -> str:
    namespace, name = account["metadata"]["namespace"], account["metadata"]["name"]
    claims = {
        "aud": audiences,
        "exp": int(ends.timestamp()),
        "sub": f"system:serviceaccount:{namespace}:{name}",
        "kubernetes.io": {"namespace": namespace, "serviceaccount": {"name": name, "uid": account["metadata"]["uid"]}},
    }
    return ".".join((opaque({"alg": "none"}), opaque(claims), secrets.token_urlsafe(32)))


PARTS: dict[tuple[str, str, str], Callable[[EmbeddedCluster, Request, Target], Answer]] = {
    ("", "Pod", "binding"): bound,
    ("", "Pod", "eviction"): evict,
    ("", "ServiceAccount", "token"): token,
}
"""What is posted to, by group, kind and part."""
