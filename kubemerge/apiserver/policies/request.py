"""The facts of a request that policies can match and read."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..kinds.builtin_kinds import NAMESPACE, POLICIES, WEBHOOKS

if TYPE_CHECKING:
    from ..identity import ObjectId
    from ..protocol import Object, Resource
    from ..user import User

CREATE, UPDATE, DELETE = "CREATE", "UPDATE", "DELETE"
OPTIONS = {CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions"}


NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


class AdmissionRequest(NamedTuple):
    """A request after decoding. `resource` is the one of the URL, `kind` that of the sent object."""

    operation: str
    resource: Resource
    name: str
    """The name in the request, which is empty if the server generates it."""
    namespace: str
    user: User
    subresource: str = ""
    kind: tuple[str, str] | None = None
    """apiVersion and kind of the sent object, if they are not those of the resource."""
    dry_run: bool = False
    options: Mapping[str, Any] = NO_OPTIONS
    """The options of the request, such as CreateOptions, without kind and version."""

    @property
    def sent_kind(self) -> tuple[str, str]:
        """The apiVersion and kind of the sent object."""
        return self.kind or (self.resource.api_version, self.resource.kind)

    @property
    def whole_options(self) -> Object:
        """The options with their kind and version."""
        return {"kind": OPTIONS[self.operation], "apiVersion": "meta.k8s.io/v1", **self.options}

    @property
    def is_namespace(self) -> bool:
        """Whether the request is about a Namespace, or a subresource of one."""
        return (self.resource.group, self.resource.kind) == NAMESPACE

    @property
    def is_exempt(self) -> bool:
        """Whether no policy applies, so that policies cannot lock each other."""
        return (self.resource.group, self.resource.kind) in POLICIES

    @property
    def is_exempt_from_webhooks(self) -> bool:
        """Whether no webhook applies, so that webhooks cannot lock each other."""
        return self.is_exempt or (self.resource.group, self.resource.kind) in WEBHOOKS


class Match(NamedTuple):
    """The resource and kind that a policy matched, maybe in another version than that of the request."""

    resource: Resource
    kind: tuple[str, str]


def namespace_of(key: ObjectId, resource: Resource) -> str:
    """Return the namespace of a request. That of a Namespace is the Namespace itself."""
    return key.name if (resource.group, resource.kind) == NAMESPACE else key.namespace


def as_variable(request: AdmissionRequest, match: Match) -> Object:
    """Return the variable `request` of expressions, an AdmissionRequest without empty fields."""
    return {"uid": "", **fields_of(request, match)}


def fields_of(request: AdmissionRequest, match: Match, **objects: Object | None) -> Object:
    """Return the fields of an AdmissionRequest without its uid. `objects` are its `object` and `oldObject`, if any."""
    found: Object = {
        "kind": _kind(match.kind),
        "resource": _resource(match.resource),
        "requestKind": _kind(request.sent_kind),
        "requestResource": _resource(request.resource),
        "operation": request.operation,
        "userInfo": request.user.info(),
        **objects,
        "dryRun": request.dry_run,
        "options": request.whole_options,
    }
    if request.subresource:
        found |= {"subResource": request.subresource, "requestSubResource": request.subresource}
    found |= {name: one for name, one in (("name", request.name), ("namespace", request.namespace)) if one}
    return found


def _kind(of: tuple[str, str]) -> dict[str, Any]:
    group, _, version = of[0].rpartition("/")
    return {"group": group, "version": version, "kind": of[1]}


def _resource(of: Resource) -> dict[str, Any]:
    return {"group": of.group, "version": of.version, "resource": of.plural}
