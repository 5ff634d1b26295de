"""DELETE of one object, or of all selected objects."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from engine import load

from ...crd.deadlines import current_request
from ...decoding.type_errors import go_error
from ...decoding.type_search import type_mismatch
from ...deletion import DeleteAdmission
from ...eras import minor_of
from ...errors import BadRequest, NotFound
from ...identity import Reference
from ...kinds.builtin_kinds import facts_of
from ..audit.objects import note_virtual
from ..bodies import duplicate_keys, merged_keys, options_of
from ..negotiation import body_form
from ..options import CALLED, delete_options, delete_parameters
from ..responses import form_of, response_in_form
from ..statuses import success
from .reading import page_of

if TYPE_CHECKING:
    from ...cluster import EmbeddedCluster
    from ...protocol import Object
    from ..messages import Request, Response
    from ..options import DeleteParameters
    from ..routing import Target

DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"


def delete(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Delete one object."""
    form = form_of(request, target)
    sent = _sent_options(cluster, request)
    _note(request, sent)
    options = _options(request, sent)
    _warn(cluster, target, options)
    found = cluster.delete(target.reference, **options._asdict())
    stays = bool(found["metadata"].get("finalizers")) if options.dry_run else _is_there(cluster, target, found)
    waits = stays and sent.get("orphanDependents") is False
    facts = facts_of(target.resource.group, target.resource.kind)
    as_generic = minor_of(cluster.release) >= facts.answers_deleted_since
    if not (as_generic and (stays or facts.answers_deleted)):
        return response_in_form(form, success(details=_details(found, target)))
    return response_in_form(form, form.of_object(found, target.resource, cluster), 202 if waits else 200)


def delete_all(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Delete the selected objects."""
    form = form_of(request, target)
    sent = _sent_options(cluster, request)
    _note(request, sent)
    options = _options(request, sent)
    _warn(cluster, target, options)
    kept = _kept()
    found = kept["page"] = kept.get("page") or page_of(cluster, request, target)
    done = kept.setdefault("deleted", set())
    for one in found.items:
        reference = Reference.of(one)
        if reference in done:
            continue
        with suppress(NotFound):  # another request deleted it, or it was garbage collected
            cluster.delete(reference, **options._asdict(), admission=DeleteAdmission.SEVERAL)
        done.add(reference)
    content = form.of_list(found.items, target.resource, cluster, {"resourceVersion": str(cluster.version())})
    return response_in_form(form, content)


def _sent_options(cluster: EmbeddedCluster, request: Request) -> Object:
    """Return the DeleteOptions in the body. Reject wrong types."""
    sent = options_of(request)
    schema = load(cluster.release).definition(DELETE_OPTIONS)
    if sent and body_form(request.headers.get("content-type", "")) == "json" and duplicate_keys(request.body):
        sent = merged_keys(request.body, schema)
    found = type_mismatch(sent, schema) if sent else None
    if found is not None:
        raise BadRequest(go_error(found, schema))
    return sent


def _note(request: Request, sent: Object) -> None:
    if sent:
        note_virtual(request, sent, "meta.k8s.io/__internal", CALLED)


def _kept() -> dict[str, Any]:
    """The values of the attempt before: a request that waits for webhooks continues where it stopped."""
    request = current_request()
    return {} if request is None else request.kept


KEEPS_PODS_SINCE = 23
KEEPS_PODS = (
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or "
    "set propagationPolicy=Orphan to suppress this warning"
)


def _warn(cluster: EmbeddedCluster, target: Target, options: DeleteParameters) -> None:
    """Warn about the Pods of a Job, unless the propagation is given."""
    is_job = (target.resource.group, target.resource.kind) == ("batch", "Job") and target.resource.version == "v1"
    is_warned = is_job and options.propagation is None and minor_of(cluster.release) >= KEEPS_PODS_SINCE
    if is_warned and cluster.on_warning is not None:
        cluster.on_warning(KEEPS_PODS)


def _is_there(cluster: EmbeddedCluster, target: Target, found: Object) -> bool:
    try:
        there = cluster.get(target.reference)
    except NotFound:
        return False
    return bool(there["metadata"]["uid"] == found["metadata"]["uid"])


def _details(found: Object, target: Target) -> dict[str, Any]:
    resource = target.resource
    group = {"group": resource.group} if resource.group else {}
    return {"name": target.name, **group, "kind": resource.plural, "uid": found["metadata"]["uid"]}


def _options(request: Request, sent: Object) -> DeleteParameters:
    return delete_parameters(sent if request.body else delete_options(request))
