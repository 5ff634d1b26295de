"""POST, PUT and PATCH: create, replace and patch objects."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ...eras import NO_END, minor_of
from ...errors import MEDIA_TYPES, BadRequest, Invalid, UnsupportedMediaType
from ...patch_identity import NAMES_NAMESPACES_UNTIL, check_name, check_namespace, in_own_namespace
from ...problems import forbidden, invalid, required
from ...request_options import IGNORE
from ...unchecked import as_map
from ..audit.objects import note_object
from ..bodies import ExpectedKind, config_of, media_type, patch_key_errors, patch_of
from ..options import write_options
from ..responses import form_of, response_in_form
from ..statuses import RequestError
from ..typed_objects import SentObject, sent_object, typed_object_of

if TYPE_CHECKING:
    from ...cluster import EmbeddedCluster
    from ...problems import Problem
    from ...protocol import Object
    from ..messages import Request, Response
    from ..options import WriteOptions
    from ..routing import Target

SCALE = ExpectedKind("autoscaling/v1", "Scale", versions=("autoscaling/v1",))
TYPE_OF = {media: kind for kind, media in MEDIA_TYPES.items()}


def create(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Create an object."""
    form = form_of(request, target)
    options = write_options(request, "CreateOptions")
    sent = _sent(cluster, request, target)
    note_object(cluster, request, sent.content)
    content = _placed(cluster, target, sent, options)
    made = cluster.create(content, types=sent.types, repeated=sent.repeated, **options)
    return response_in_form(form, form.of_object(made, target.resource, cluster), 201)


def replace(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Replace an object."""
    form = form_of(request, target)
    options = write_options(request, "UpdateOptions")
    if target.part == "scale":
        scale = _replaced_scale(cluster, request, target, options)
        return response_in_form(form, form.of_object(scale, target.resource, cluster))
    sent = _sent(cluster, request, target)
    note_object(cluster, request, sent.content)
    content = _placed(cluster, target, sent, options, is_update=True)
    status = _Status()
    how = {"subresource": target.part or None, "on_create": status.note, "repeated": sent.repeated}
    made = cluster.replace(content, types=sent.types, **how, **options)  # type: ignore[arg-type]
    return response_in_form(form, form.of_object(made, target.resource, cluster), status.code)


def _replaced_scale(cluster: EmbeddedCluster, request: Request, target: Target, options: WriteOptions) -> Object:
    scale = _at_url(typed_object_of(cluster, request, SCALE, "UpdateOptions"), target, cluster)
    metadata, replicas = scale["metadata"], as_map(scale.get("spec")).get("replicas")
    known = {name: metadata[name] for name in ("uid", "resourceVersion") if name in metadata}
    patch = {"metadata": known, "spec": {"replicas": 0 if replicas is None else replicas}}
    return cluster.patch(target.reference, patch, "merge", subresource="scale", **options)


def patch(cluster: EmbeddedCluster, request: Request, target: Target) -> Response:
    """Patch an object. The media type selects the patch type."""
    kind = TYPE_OF.get(media_type(request), "")
    if not kind:
        raise RequestError(415, "UnsupportedMediaType", "415: Unsupported Media Type")
    if kind not in target.resource.patch_types:
        raise UnsupportedMediaType(target.resource.called, kind, target.resource.patch_types)
    form = form_of(request, target)
    options = write_options(request, "PatchOptions", _patch_problems(request, kind))
    made: Any
    if kind == "apply":
        made, repeated = config_of(request.body)
    else:
        made = patch_of(request.body, kind, minor_of(cluster.release))
        repeated = [] if options["field_validation"] == IGNORE else patch_key_errors(request.body, kind, made)
    if request.audit is not None:
        request.audit.sent_patch(made)
    status = _Status()
    part, force = target.part or None, request.flag("force")
    how = {"force": force, "subresource": part, "repeated": repeated, "on_create": status.note}
    found = cluster.patch(target.reference, made, kind, **how, **options)  # type: ignore[arg-type]
    return response_in_form(form, form.of_object(found, target.resource, cluster), status.code)


def _patch_problems(request: Request, kind: str) -> list[Problem]:
    """The problems of the options that only patches have."""
    if kind != "apply":
        why = "may not be specified for non-apply patch"
        return [forbidden("force", why)] if "force" in request.query else []
    return [] if request.asked("fieldManager") else [required("fieldManager", "is required for apply patch")]


class _Status:
    code = 200

    def note(self) -> None:
        """Record that the object was created."""
        self.code = 201


def _sent(cluster: EmbeddedCluster, request: Request, target: Target) -> SentObject:
    """Return the object in a body. Reject other kinds and versions."""
    resource = target.resource
    schema = partial(cluster.schema, resource.api_version, resource.kind)
    expected = ExpectedKind.of(resource)
    content, types, repeated = sent_object(request, expected, resource, cluster.release, schema)
    api_version = content.get("apiVersion") or (resource.api_version if resource.built_in else "")
    if api_version != resource.api_version:
        said = f"{api_version}) does not match the expected API version ({resource.api_version})"
        raise BadRequest(f"the API version in the data ({said}")
    kind = content.get("kind") or resource.kind
    return SentObject({**content, "apiVersion": api_version, "kind": kind}, types, repeated)


def _placed(
    cluster: EmbeddedCluster,
    target: Target,
    sent: SentObject,
    options: WriteOptions,
    *,
    is_update: bool = False,
) -> Object:
    """Return the object in the namespace of the path. A server decodes it before it rejects its name or namespace, and
    so reports unknown fields, too.
    """
    try:
        content = _at_url(sent.content, target, cluster) if is_update else _in_namespace(sent.content, target)
    except BadRequest:
        cluster.check_fields(sent.content, target.resource, options["field_validation"], sent.types, sent.repeated)
        raise
    kind, expected = content["kind"], target.resource.kind
    if kind != expected:  # only possible for custom resources
        title = f"{kind}.{target.resource.group}"
        name = as_map(content.get("metadata")).get("name") or ""
        raise Invalid.of(title, name, [invalid("kind", kind, f"must be {expected}")])
    return content


def _at_url(content: Object, target: Target, cluster: EmbeddedCluster) -> Object:
    """Return the object of an update. Reject an object of another name or namespace than the URL has."""
    if minor_of(cluster.release) <= NAMES_NAMESPACES_UNTIL:
        return _in_namespace(_named(content, target), target, cluster)
    return _named(_in_namespace(content, target, cluster), target)


def _named(content: Object, target: Target) -> Object:
    metadata = content.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if metadata is None or isinstance(metadata, dict):
        check_name(name, target.name)
    return content


def _in_namespace(content: Object, target: Target, updated: EmbeddedCluster | None = None) -> Object:
    """Return the object in the namespace of the path. Reject an object of another namespace.

    `updated` is the cluster of an update, whose messages depend on its release.
    """
    metadata = content.get("metadata")
    minor = NO_END if updated is None else minor_of(updated.release)
    if not (metadata is None or isinstance(metadata, dict)):
        return content
    if not target.resource.namespaced:
        if in_own_namespace(target.resource, minor):
            check_namespace((metadata or {}).get("namespace"), target.name, minor)
        return content
    check_namespace((metadata or {}).get("namespace"), target.namespace, minor)
    return {**content, "metadata": {**(metadata or {}), "namespace": target.namespace}}
