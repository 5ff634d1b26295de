"""The variables of expressions in one request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..authorization.attributes import Attributes
from ..authorization.authorizer import ALWAYS_ALLOW
from ..cel.library.authorization import Decision, PathCheck, ResourceCheck, UserChecks
from ..cel.values import LazyFields
from ..errors import NotFound
from .matching import Matcher
from .request import AdmissionRequest, Match, as_variable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..authorization.authorizer import Authorizer
    from ..protocol import Object
    from ..resources import Kinds
    from .decisions import Mutated

NAMESPACE_FIELDS = (
    "name",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "finalizers",
)
"""The metadata of the variable `namespaceObject`."""
NO_VARIABLES = LazyFields((), lambda _: None)
"""The variables of a policy without any."""
NAME_LABEL = "kubernetes.io/metadata.name"


class Caching:
    """An authorizer that checks everything once in one request."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer
        self._known: dict[tuple[str, str], Decision] = {}

    def authorize(self, check: ResourceCheck | PathCheck, verb: str) -> Decision:
        """Return the decision."""
        key = (repr(check), verb)  # users are not hashable
        if key not in self._known:
            allowed, reason = self._authorizer.authorize(_attributes(check, verb))
            self._known[key] = Decision(allowed, reason)
        return self._known[key]


def _attributes(check: ResourceCheck | PathCheck, verb: str) -> Attributes:
    if isinstance(check, PathCheck):
        return Attributes(check.of.user, verb, path=check.path, is_resource=False)
    return Attributes(check.of.user, verb, check.group, check.resource, check.subresource, check.name, check.namespace)


class PolicyContext:
    """The rest of the cluster, as policies of one request see it: other objects, namespaces and permissions."""

    def __init__(
        self,
        request: AdmissionRequest,
        kinds: Kinds,
        of_kind: Callable[[str, str, str | None], Iterator[Object]],
        namespace: Callable[[str], Object | None],
        authorizer: Authorizer = ALWAYS_ALLOW,
        *,
        is_complete: bool = True,
    ) -> None:
        self.request, self.kinds, self.of_kind, self.is_complete = request, kinds, of_kind, is_complete
        self._namespace = namespace
        self._known: dict[Any, dict[str, Any]] = {}
        self._namespace_object: Object | None = None
        self._has_namespace = False
        self.mutations: list[Mutated] = []
        """The changes by mutating policies."""
        self._authorize = Caching(authorizer).authorize

    def matcher(self, content: Object | None, before: Object | None) -> Matcher:
        """Return the matcher of the request, whose object is `content` and was `before`."""
        return Matcher(self.request, content, before, self.kinds, self._labels)

    def variables(
        self, match: Match, content: Object | None, before: Object | None, param: Object | None
    ) -> dict[str, Any]:
        """Return the variables. `content` and `before` are in the version of the match."""
        shared, namespace = self._shared(match), self.namespace_object()
        return {**shared, "object": content, "oldObject": before, "params": param, "namespaceObject": namespace}

    def _shared(self, match: Match) -> dict[str, Any]:
        """The variables that are the same for all policies with this match."""
        request = self.request
        key = (match.kind, match.resource.group, match.resource.version, request.name)
        if key not in self._known:
            user = UserChecks(request.user, self._authorize)
            resource = request.resource
            check = ResourceCheck(
                user, resource.group, resource.plural, request.subresource, request.namespace, request.name
            )
            self._known[key] = {
                "request": as_variable(request, match),
                "authorizer": user,
                "authorizer.requestResource": check,
                "variables": NO_VARIABLES,
            }
        return self._known[key]

    def namespace_object(self) -> Object | None:
        """Return the variable `namespaceObject`, None for a cluster-scoped object. Raise NotFound if it is missing."""
        if not self._has_namespace:
            self._namespace_object, self._has_namespace = self._read_namespace(), True
        return self._namespace_object

    def service(self, namespace: str, name: str) -> Object | None:
        """Return a Service."""
        return next((one for one in self.of_kind("", "Service", namespace) if one["metadata"]["name"] == name), None)

    def _read_namespace(self) -> Object | None:
        if self.request.is_namespace or not self.request.namespace:
            return None
        found = self._known_namespace(self.request.namespace)
        metadata = {name: found["metadata"][name] for name in NAMESPACE_FIELDS if name in found["metadata"]}
        return {"metadata": metadata, "spec": found.get("spec") or {}, "status": found.get("status") or {}}

    def _known_namespace(self, name: str) -> Object:
        found = self._namespace(name)
        if found is not None:
            return found
        if self.is_complete:
            raise NotFound("namespaces", name)
        metadata = {"name": name, "labels": {NAME_LABEL: name}}
        return {"metadata": metadata, "spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}}

    def _labels(self, name: str) -> Mapping[str, Any]:
        labels: Mapping[str, Any] = self._known_namespace(name)["metadata"].get("labels") or {}
        return labels
