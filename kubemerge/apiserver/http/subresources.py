"""POST to subresources: evictions and bindings of Pods, tokens of ServiceAccounts."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from engine import load, record_update

from ..deletion import TIME, DeleteAdmission
from ..errors import BadRequest, Conflict, Invalid, NoMatch, TooManyRequests
from ..identity import Reference
from ..patch_identity import check_namespace
from ..problems import Problem, invalid
from ..scale import selector_text
from ..selectors import parse_selector
from ..text.go_text import quoted
from ..unchecked import as_map, get_path
from .audit.objects import note_virtual
from .bodies import ExpectedKind, check_kind, object_of, typed_object_of
from .messages import Response, json_response
from .options import delete_parameters, write_options
from .statuses import RequestError, success
from .tokens import BOUND, ISSUER, issue_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..cluster import EmbeddedCluster
    from ..protocol import Object
    from .messages import Request
    from .routing import Target

BINDING = ExpectedKind("v1", "Binding")
EVICTION = ExpectedKind("policy/v1", "Eviction")
TOKEN_REQUEST = ExpectedKind("authentication.k8s.io/v1", "TokenRequest")
VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget."
TOKEN_TITLE = "TokenRequest.authentication.k8s.io"  # noqa: S105 - a name
LASTS, SHORTEST, LONGEST = 3600, 600, 1 << 32
"""The lifetime of a token in seconds: default, minimum and maximum."""


def evict(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Delete a Pod, unless a PodDisruptionBudget forbids it."""
    content = _of_target(request, target, EVICTION, cluster.release)
    options = write_options(request, "CreateOptions")
    asked = delete_parameters(as_map(content.get("deleteOptions")))
    pod = cluster.get(target.reference)
    content = _admitted(cluster, target, content, EVICTION, dry_run=options["dry_run"])
    budgets = list(_budgets(cluster, pod))
    if len(budgets) > 1:
        why = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
        raise RequestError(500, "", why)
    for one in budgets if _counts(pod) else ():
        _require_disruption_allowed(one)
    cluster.delete(
        target.reference,
        uid=asked.uid,
        resource_version=asked.resource_version,
        propagation=asked.propagation,
        grace_period=asked.grace_period,
        dry_run=options["dry_run"] or asked.dry_run,
        admission=DeleteAdmission.EVICTION,
    )
    return json_response(success(code=201), 201)


def _counts(pod: Object) -> bool:
    """Whether a Pod runs, or may still run."""
    return (
        get_path(pod, "status.phase") not in ("Succeeded", "Failed", "Pending")
        and "deletionTimestamp" not in pod["metadata"]
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


def _require_disruption_allowed(budget: Object) -> None:
    status, name = as_map(budget.get("status")), budget["metadata"]["name"]
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


def bind_pod(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Bind a Pod to a Node, as schedulers do."""
    content = _of_target(request, target, BINDING, cluster.release)
    options = write_options(request, "CreateOptions")
    if "target" in content:
        content = _recorded(cluster, content, options["manager"])
    content = _admitted(cluster, target, content, BINDING, dry_run=options["dry_run"])
    cluster.bind(target.reference, as_map(content.get("target")), dry_run=options["dry_run"])
    return json_response(success(code=201), 201)


def _recorded(cluster: EmbeddedCluster, content: Object, manager: str) -> Object:
    """Return a Binding with managedFields, which only admission sees."""
    head = {"kind": BINDING.kind, "apiVersion": BINDING.api_version}
    schema = load(cluster.release).schema(*BINDING[:2])
    sent = {**content, **head, "metadata": as_map(content.get("metadata"))}
    now = cluster.origins.now()  # the same time in each attempt, so that webhooks are called once
    recorded = record_update({**head, "metadata": {}}, sent, schema, manager=manager, subresource="binding", time=now)
    return {**sent, "metadata": recorded["metadata"]}


def _admitted(
    cluster: EmbeddedCluster, target: Target, content: Object, kind: ExpectedKind, *, dry_run: bool
) -> Object:
    """Return the sent object after the admission policies."""
    named = {"name": target.name, "namespace": target.namespace, **as_map(content.get("metadata"))}
    sent = {**content, "apiVersion": kind.api_version, "kind": kind.kind, "metadata": named}
    part = (kind.api_version, kind.kind)
    return cluster.admit_subresource(target.reference, sent, target.part, part, dry_run=dry_run)


def _of_target(request: Request, target: Target, expected: ExpectedKind, release: str) -> Object:
    """Return the object of the body. Reject one of another kind, name or namespace than the path."""
    content = object_of(request, expected)
    check_kind(content, expected, release)
    note_virtual(request, content, expected.api_version, expected.kind)
    metadata = as_map(content.get("metadata"))
    check_namespace(metadata.get("namespace"), target.namespace)
    if metadata.get("name") != target.name:
        raise BadRequest(f"name in URL does not match name in {expected.kind} object")
    return content


def create_token(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Return a token of a ServiceAccount, which the server accepts as a credential."""
    content = typed_object_of(request, TOKEN_REQUEST, cluster.release)
    note_virtual(request, content, *TOKEN_REQUEST[:2])
    sent, spec = content["metadata"], as_map(content.get("spec"))
    spec = {**spec, "expirationSeconds": LASTS if spec.get("expirationSeconds") is None else spec["expirationSeconds"]}
    head = {"kind": TOKEN_REQUEST.kind, "apiVersion": TOKEN_REQUEST.api_version}
    booked = record_update(
        {**head, "metadata": {}, "spec": _UNSET},
        {**head, "metadata": sent, "spec": spec},
        load(cluster.release).schema(*TOKEN_REQUEST[:2]),
        manager=write_options(request, "CreateOptions")["manager"],
        subresource="token",
        time=cluster.origins.now(),
    )["metadata"]
    check_namespace(sent.get("namespace"), target.namespace)
    if sent.get("name") not in (None, target.name):
        why = invalid("metadata.name", sent["name"], "must match the service account name if specified")
        raise Invalid.of(TOKEN_TITLE, target.name, [why])
    account = cluster.get(target.reference)
    _admitted(cluster, target, content, TOKEN_REQUEST, dry_run=write_options(request, "CreateOptions")["dry_run"])
    uid = account["metadata"]["uid"]
    if sent.get("uid") not in (None, uid):
        said = f"the UID in the token request ({sent['uid']}) does not match the UID of the service account ({uid})"
        raise Conflict(TOKEN_TITLE, target.name, said)
    spec = {**spec, "audiences": spec.get("audiences") or [ISSUER], "boundObjectRef": spec.get("boundObjectRef")}
    problems = list(_problems(spec))
    if problems:
        raise Invalid.of(TOKEN_TITLE, "", problems)
    bound = _bound_object(cluster, account, spec["boundObjectRef"]) if spec["boundObjectRef"] else None
    now = cluster.origins.clock()
    ends = now + timedelta(seconds=spec["expirationSeconds"])
    metadata = {
        **booked,
        "name": target.name,
        "namespace": target.namespace,
        "uid": uid,
        "creationTimestamp": now.strftime(TIME),
    }
    status = {"token": issue_token(cluster, account, bound, spec), "expirationTimestamp": ends.strftime(TIME)}
    return json_response({**head, "metadata": metadata, "spec": spec, "status": status}, 201)


_UNSET: Object = dict.fromkeys(("audiences", "expirationSeconds", "boundObjectRef"))
"""The spec of an empty TokenRequest, as Go prints it."""


def _problems(spec: Object) -> Iterator[Problem]:
    lasts, attested = spec["expirationSeconds"], spec.get("attestations")
    if attested:
        why = "attestations may only be specified with a webhook bound object reference"
        yield invalid("spec.attestations", attested, why)
        return
    if lasts < SHORTEST:
        yield invalid("spec.expirationSeconds", lasts, "may not specify a duration less than 10 minutes")
    if lasts > LONGEST:
        yield invalid("spec.expirationSeconds", lasts, "may not specify a duration larger than 2^32 seconds")


def _bound_object(cluster: EmbeddedCluster, account: Object, wanted: Object) -> Object:
    group, _, version = (wanted.get("apiVersion") or "").rpartition("/")
    kind, name, uid = (wanted.get(field) or "" for field in ("kind", "name", "uid"))
    if group or kind not in BOUND:
        raise BadRequest(f"cannot bind token to object of type {group}/{version}, Kind={kind}")
    namespace = None if kind == "Node" else account["metadata"]["namespace"]
    bound = cluster.get(Reference("v1", kind, name, namespace))
    if kind == "Pod" and get_path(bound, "spec.serviceAccountName") != account["metadata"]["name"]:
        of = quoted(account["metadata"]["name"])
        why = "to pod running with different serviceaccount name."
        raise BadRequest(f"cannot bind token for serviceaccount {of} {why}")
    if uid and uid != bound["metadata"]["uid"]:
        why = "The object might have been deleted and then recreated"
        said = f"the UID in the bound object reference ({uid}) does not match the UID in record. {why}"
        raise Conflict(kind, name, said)
    return bound


PARTS: dict[tuple[str, str, str], Callable[[EmbeddedCluster, Request, Target], Response]] = {
    ("", "Pod", "binding"): bind_pod,
    ("", "Pod", "eviction"): evict,
    ("", "ServiceAccount", "token"): create_token,
}
"""The POST handlers by group, kind and subresource."""
