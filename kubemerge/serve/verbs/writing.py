"""POST, PUT and PATCH: objects are created, replaced and changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.plain import kind_name
from engine.values.unchecked import a_map

from ...cluster.errors import MEDIA_TYPES, BadRequest, Invalid, NotFound, UnsupportedMediaType
from ...cluster.refusals import forbidden, required
from ..answers import form_of, shaped
from ..bodies import content_of, media_type, of_json, of_yaml
from ..http import answer
from ..options import writing

if TYPE_CHECKING:
    from ...cluster import Object
    from ...cluster.embedded.cluster import EmbeddedCluster
    from ..http import Answer, Request
    from ..routing import Target

OPTIONS = "PatchOptions.meta.k8s.io"
TYPE_OF = {media: kind for kind, media in MEDIA_TYPES.items()}


def create(cluster: EmbeddedCluster, request: Request, target: Target) -> Answer:
    """A new object."""
    options = writing(request, "CreateOptions")
    form = form_of(request, target)
    content = _sent(request, target)
    if target.resource.namespaced:
        if target.namespace is None:
            raise BadRequest("an empty namespace may not be set during creation")
        content = _in_namespace(content, target)
    made = cluster.create(content, **options)
    return shaped(form, form.of_object(made, target.resource, cluster), 201)


def replace(cluster: EmbeddedCluster, request: Request, target: Target) -> Answer:
    """An object in place of the one that is there."""
    options = writing(request, "UpdateOptions")
    form = form_of(request, target)
    if target.part == "scale":
        return _replace_scale(cluster, request, target)
    content = _in_namespace(_named(_sent(request, target), target), target)
    there = _exists(cluster, target)
    made = cluster.replace(content, subresource=target.part or None, **options)
    return shaped(form, form.of_object(made, target.resource, cluster), 200 if there else 201)


def _replace_scale(cluster: EmbeddedCluster, request: Request, target: Target) -> Answer:
    """The number of replicas of an object, as a whole Scale says it."""
    options = writing(request, "UpdateOptions")
    scale = _map(content_of(request, "autoscaling/v1", "Scale"))
    metadata, replicas = a_map(scale.get("metadata")), a_map(scale.get("spec")).get("replicas")
    known = {name: metadata[name] for name in ("uid", "resourceVersion") if name in metadata}
    patch = {"metadata": known, "spec": {"replicas": 0 if replicas is None else replicas}}
    return answer(cluster.patch(target.reference, patch, "merge", subresource="scale", **options))


def patch(cluster: EmbeddedCluster, request: Request, target: Target) -> Answer:
    """An object changed by a patch of the type that the media type names."""
    kind = TYPE_OF.get(media_type(request), "")
    if kind not in target.resource.patch_types:
        raise UnsupportedMediaType(target.resource.called, kind, target.resource.patch_types)
    options = writing(request, "PatchOptions")
    form = form_of(request, target)
    force = request.flag("force")
    if kind == "apply":
        if not request.asked("fieldManager"):
            raise Invalid.of(OPTIONS, "", [required("fieldManager", "is required for apply patch")])
        made = of_yaml(request.body)
    else:
        if "force" in request.query:
            raise Invalid.of(OPTIONS, "", [forbidden("force", "may not be specified for non-apply patch")])
        made = of_json(request.body)
    if kind == "json" and not isinstance(made, list):
        raise BadRequest("json: cannot unmarshal object into Go value of type jsonpatch.Patch")
    there = kind != "apply" or bool(target.part) or _exists(cluster, target)
    found = cluster.patch(target.reference, made, kind, force=force, subresource=target.part or None, **options)
    return shaped(form, form.of_object(found, target.resource, cluster), 200 if there else 201)


def _exists(cluster: EmbeddedCluster, target: Target) -> bool:
    try:
        cluster.get(target.reference)
    except NotFound:
        return False
    return True


def _map(content: Any) -> Object:
    if not isinstance(content, dict):
        raise BadRequest(f"the body of the request is {kind_name(content)}, and not an object")
    return content


def _sent(request: Request, target: Target) -> Object:
    """The object of the body, if it is of the kind that the path is for."""
    resource = target.resource
    content = _map(content_of(request, resource.api_version, resource.kind, built_in=resource.built_in))
    api_version, kind = content.get("apiVersion") or resource.api_version, content.get("kind") or resource.kind
    if api_version != resource.api_version:
        said = f"{api_version}) does not match the expected API version ({resource.api_version})"
        raise BadRequest(f"the API version in the data ({said}")
    if kind != resource.kind:
        raise BadRequest(
            f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}: '
            f"converting ({api_version}, {kind}) to ({resource.api_version}, {resource.kind}): unknown conversion"
        )
    return {**content, "apiVersion": api_version, "kind": kind}


def _named(content: Object, target: Target) -> Object:
    metadata = content.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if name and name != target.name:
        raise BadRequest(f"the name of the object ({name}) does not match the name on the URL ({target.name})")
    if not isinstance(metadata, dict):
        return content
    return {**content, "metadata": {**metadata, "name": target.name}}


def _in_namespace(content: Object, target: Target) -> Object:
    """The object in the namespace of the path; one that names another is refused."""
    metadata = content.get("metadata")
    if not target.resource.namespaced or not (metadata is None or isinstance(metadata, dict)):
        return content
    own = (metadata or {}).get("namespace")
    if own and own != target.namespace:
        raise BadRequest("the namespace of the provided object does not match the namespace sent on the request")
    return {**content, "metadata": {**(metadata or {}), "namespace": target.namespace}}
