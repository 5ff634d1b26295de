"""POST to subresources: evictions and bindings of Pods, tokens of ServiceAccounts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import load, record_update

from ..binding import check_binding
from ..deletion import TIME
from ..errors import BadRequest, Conflict, Invalid
from ..identity import Reference
from ..patch_identity import check_namespace
from ..problems import Problem, invalid
from ..protocol import Resource
from ..text.go_text import quoted
from ..unchecked import as_map, get_path
from .audit.objects import note_virtual
from .bodies import ExpectedKind
from .evictions import evict
from .options import write_options
from .responses import virtual_form, virtual_response
from .routing import Target
from .sent_objects import admitted, sent_to
from .statuses import success
from .tokens import BOUND, ISSUER, issue_token
from .typed_objects import typed_object_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..cluster import EmbeddedCluster
    from ..protocol import Object
    from .messages import Request, Response
    from .routing import VirtualKind

BINDING = ExpectedKind("v1", "Binding", versions=("v1",))
BINDINGS = Resource("", "v1", "Binding", "bindings", namespaced=True)
"""The resource of Bindings without a Pod in the path."""
TOKEN_REQUEST = ExpectedKind("authentication.k8s.io/v1", "TokenRequest", versions=("authentication.k8s.io/v1",))
TOKEN_TITLE = "TokenRequest.authentication.k8s.io"  # noqa: S105 - a name
LASTS, SHORTEST, LONGEST = 3600, 600, 1 << 32
"""The lifetime of a token in seconds: default, minimum and maximum."""


def bind_pod(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Bind a Pod to a Node, as schedulers do. Without a Pod in the path, it is the one that the Binding names."""
    form = virtual_form(request)
    content = sent_to(cluster, request, target, BINDING)
    name = content["metadata"].get("name") or ""
    options = write_options(request, "CreateOptions")
    if "target" in content:
        content = _recorded(cluster, content, options["manager"], target.part)
    at, dry_run = replace(target, name=name), options["dry_run"]
    content = admitted(cluster, at, content, BINDING, dry_run=dry_run, check=check_binding)
    if not name:
        raise BadRequest("Name parameter required.")
    metadata = as_map(content.get("metadata"))
    pod = Reference("v1", "Pod", name, target.namespace)
    cluster.bind(pod, as_map(content.get("target")), metadata=metadata, dry_run=dry_run)
    return virtual_response(form, success(code=201))


def is_bindings(target: VirtualKind) -> bool:
    """Whether this is the path of Bindings without a Pod, which accepts POST only."""
    return (target.api_version, target.plural) == ("v1", "bindings") and target.namespace is not None


def create_binding(cluster: EmbeddedCluster, request: Request, target: VirtualKind) -> Response:
    """Bind the Pod that a Binding names."""
    return bind_pod(cluster, request, Target(BINDINGS, target.namespace))


def _recorded(cluster: EmbeddedCluster, content: Object, manager: str, subresource: str) -> Object:
    """Return a Binding with managedFields, which only admission sees."""
    head = {"kind": BINDING.kind, "apiVersion": BINDING.api_version}
    schema = load(cluster.release).schema(*BINDING[:2])
    sent = {**content, **head, "metadata": as_map(content.get("metadata"))}
    now = cluster.origins.now()  # the same time in each attempt, so that webhooks are called once
    recorded = record_update(
        {**head, "metadata": {}}, sent, schema, manager=manager, subresource=subresource or None, time=now
    )
    return {**sent, "metadata": recorded["metadata"]}


def create_token(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Return a token of a ServiceAccount, which the server accepts as a credential."""
    form = virtual_form(request)
    content = typed_object_of(cluster, request, TOKEN_REQUEST)
    note_virtual(request, content, *TOKEN_REQUEST[:2])
    sent = content["metadata"]
    spec = {field: value for field, value in as_map(content.get("spec")).items() if field in _FIELDS}
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
    admitted(cluster, target, content, TOKEN_REQUEST, dry_run=write_options(request, "CreateOptions")["dry_run"])
    uid = account["metadata"]["uid"]
    if sent.get("uid") not in (None, uid):
        said = f"the UID in the token request ({sent['uid']}) does not match the UID of the service account ({uid})"
        raise Conflict(TOKEN_TITLE, target.name, said)
    spec = {**spec, "audiences": spec.get("audiences") or [ISSUER], "boundObjectRef": spec.get("boundObjectRef")}
    problems = list(_problems(spec))
    if problems:
        raise Invalid.of(TOKEN_TITLE, "", problems)
    bound = _bound_object(cluster, account, spec["boundObjectRef"]) if spec["boundObjectRef"] is not None else None
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
    return virtual_response(form, {**head, "metadata": metadata, "spec": spec, "status": status})


_UNSET: Object = dict.fromkeys(("audiences", "expirationSeconds", "boundObjectRef"))
"""The spec of an empty TokenRequest, as Go prints it."""
_FIELDS = frozenset((*_UNSET, "attestations"))
"""The fields of the spec. A server drops others."""


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
