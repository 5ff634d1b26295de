"""The methods that paths support, by the verbs of their resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..eras import minor_of
from ..errors import BadRequest, NoResource, NotFound
from .discovery.resources import verbs_of, virtual_kinds
from .discovery.subresources import WITHOUT_STATUS, WRITTEN, subresources_of
from .statuses import RequestError, not_allowed

if TYPE_CHECKING:
    from ..protocol import Resource
    from .routing import Target, VirtualKind

VERB_OF = {"GET": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
COLLECTION_VERB_OF = {"GET": "list", "POST": "create", "DELETE": "deletecollection"}


def check_method(method: str, target: Target, release: str) -> None:
    """Reject a method that the path of an object does not support, and paths of unknown subresources."""
    resource = target.resource
    verbs = _verbs_at(target, release)
    if verbs is None:
        raise NoResource if resource.built_in else NotFound(resource.called, target.name)
    if target.watched and "watch" not in verbs:
        raise NoResource
    if not resource.built_in:
        _check_custom(method, target, verbs)
    elif method == "HEAD" or (VERB_OF if target.name else COLLECTION_VERB_OF).get(method) not in verbs:
        raise not_allowed()


def _verbs_at(target: Target, release: str) -> tuple[str, ...] | None:
    """The verbs of a resource or subresource. None for an unknown subresource."""
    resource, part = target.resource, target.part
    if not part:
        return verbs_of(resource)
    if part == "status" and resource.has_status and (resource.api_version, resource.kind) not in WITHOUT_STATUS:
        return WRITTEN
    if part == "scale" and resource.scaled_by:
        return WRITTEN
    known = subresources_of(resource.group, resource.kind, minor_of(release)) if resource.built_in else ()
    return next((one.verbs for one in known if one.name == part), None)


def _check_custom(method: str, target: Target, verbs: tuple[str, ...]) -> None:
    """Reject a method of a custom resource, whose paths are not registered one by one."""
    verb = VERB_OF.get("GET" if method == "HEAD" else method, "")
    if verb not in verbs:
        raise not_supported(verb, target.resource)
    if not target.name and method in ("PUT", "PATCH"):
        raise BadRequest("name must be provided")


def check_watch(target: Target) -> None:
    """Reject a list with the parameter `watch` of a resource that can only be listed."""
    if "watch" not in verbs_of(target.resource):
        raise not_supported("watch", target.resource)


def not_supported(verb: str, resource: Resource) -> RequestError:
    """The error for a verb that a resource does not have, on a path that it has."""
    details = {"group": resource.group, "kind": resource.plural} if resource.group else {"kind": resource.plural}
    message = f'{verb} is not supported on resources of kind "{resource.called}"'
    return RequestError(405, "MethodNotAllowed", message, **details)


def is_virtual(target: VirtualKind, release: str) -> bool:
    """Whether this is the path of a kind that is never stored and only has the verb create."""
    return any(
        (f"{group}/{version}" if group else version, name, namespaced)
        == (target.api_version, target.plural, target.namespace is not None)
        for group, version, name, namespaced, _ in virtual_kinds(release)
    )
