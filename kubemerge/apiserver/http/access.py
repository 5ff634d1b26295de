"""Access to the server: authentication, impersonation and authorization of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..authorization.attributes import AccessDenied, Attributes, denied
from ..eras import minor_of
from ..errors import BadRequest, Unauthorized
from ..field_selectors import parse_terms
from ..user import User
from .impersonation import ImpersonationCheck, impersonate, requested_user, required_permissions
from .options import program_of
from .routing import path_parts
from .statuses import PlainTextError

if TYPE_CHECKING:
    from ..authorization.permissions import UsedPermissions
    from ..cluster import EmbeddedCluster
    from .authentication import Authenticator
    from .messages import Request

TEXT_UNTIL = 34
"""The last minor release that returns text if impersonation headers name no user."""
_VERBS = {"POST": "create", "GET": "get", "HEAD": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
_OF_NAMESPACE = frozenset({"status", "finalize"})
_SPECIAL = frozenset({"proxy", "watch"})
"""Words before the kind in a path that are verbs."""


class AccessControl:
    """The access control of one server."""

    def __init__(self, cluster: EmbeddedCluster, authenticator: Authenticator) -> None:
        self._cluster = cluster
        self.authenticator = authenticator
        self.used: UsedPermissions | None = None
        """The permissions that requests use, if they are recorded."""
        minor = minor_of(cluster.release)
        self._impersonation, self._replies_with_text = ImpersonationCheck(minor), minor <= TEXT_UNTIL

    def admitted(self, request: Request) -> User:
        """Return the user that a request acts as. Reject a request that is not allowed."""
        user = self._authenticated(request)
        headers, constrained = request.impersonation, self._impersonation.constrained
        if headers and self._replies_with_text:
            _check_user(request)
        authorizer = self._cluster.authorizer
        if not authorizer.decides and self.used is None and request.audit is None:
            return impersonate(user, headers, constrained=constrained)
        asked = request_attributes(request, user)
        wanted = requested_user(headers, constrained=constrained) if headers else None
        if wanted is not None:
            self._note_impersonation(user, wanted)
            if authorizer.decides:
                asked = asked._replace(user=self._impersonation.impersonated(authorizer, asked, wanted))
            else:
                asked = asked._replace(user=impersonate(user, headers, constrained=constrained))
            if request.audit is not None:
                request.audit.impersonated(asked.user, self._impersonation.constraint_of(user, wanted))
        self._note(request, asked)
        decision = authorizer.authorize(asked)
        if request.audit is not None:
            request.audit.decided(decision)
        if not decision.allowed:
            raise denied(asked, decision.reason)
        return asked.user

    def _authenticated(self, request: Request) -> User:
        """Return the user whose credentials a request has, and begin its audit record."""
        if request.audit is None:
            return self.authenticator.authenticated(request)
        version = api_version_in(request.path)
        try:
            user = self.authenticator.authenticated(request)
        except Unauthorized:
            request.audit.begin(request_attributes(request, User("")), version, authenticated=False)
            raise
        request.audit.begin(request_attributes(request, user), version)
        return user

    def _note_impersonation(self, user: User, wanted: User) -> None:
        """Record what a user needs to act as another one. It belongs to no manager."""
        if self.used is not None:
            for needed in required_permissions(user, wanted):
                self.used.note(needed, ())

    def note_created(self, request: Request, user: User) -> None:
        """Record that a PUT or an apply created its object, which requires another permission."""
        if self.used is not None:  # and only then compute the attributes
            self._note(request, request_attributes(request, user)._replace(verb="create"))

    def note_denied(self, request: Request, error: Exception) -> None:
        """Record a permission that a request lacks."""
        if self.used is not None and isinstance(error, AccessDenied) and error.attributes is not None:
            self._note(request, error.attributes)

    def _note(self, request: Request, asked: Attributes) -> None:
        if self.used is not None:
            name = "" if asked.verb == "create" and not asked.subresource else asked.name
            self.used.note(asked._replace(name=name), {request.asked("fieldManager"), program_of(request)})


def _check_user(request: Request) -> None:
    """Reject impersonation headers without a user as older releases do."""
    try:
        requested_user(request.impersonation, constrained=False)
    except BadRequest as error:
        raise PlainTextError(request, str(error)) from None


def request_attributes(request: Request, user: User) -> Attributes:
    """Return the attributes of a request by its method and path, like `NewRequestInfo` of upstream."""
    path = request.path
    parts = path_parts(path)  # as in routing, so that no other action is authorized
    is_resource = len(parts) >= 3 and (parts[0] == "api" or (parts[0] == "apis" and len(parts) >= 4))
    if not is_resource:
        return Attributes(user, request.method.lower(), path=path, is_resource=False)
    group, rest = ("", parts[2:]) if parts[0] == "api" else (parts[1], parts[3:])
    verb, namespace = _VERBS.get(request.method, ""), ""
    if rest[0] in _SPECIAL and len(rest) > 1:
        verb, rest = rest[0], rest[1:]
    if rest[0] == "namespaces" and len(rest) > 1:
        namespace = rest[1]
        if len(rest) > 2 and rest[2] not in _OF_NAMESPACE:
            rest = rest[2:]
    resource, name, part = (*rest, "", "")[:3]
    if verb == "proxy":
        part = ""
    if not name and verb == "get":
        verb = "watch" if request.flag("watch") else "list"
        name = _selected_name(request.asked("fieldSelector"))
    if not name and verb == "delete":
        verb = "deletecollection"
    return Attributes(user, verb, group, resource, part, name, namespace, path)


def api_version_in(path: str) -> str:
    """Return the version of the API group in a path, without the group."""
    parts = [part for part in path.split("/") if part]
    place = 1 if parts[:1] == ["api"] else 2
    return parts[place] if len(parts) > place else ""


def _selected_name(selector: str) -> str:
    """Return the name of the only object that a field selector selects, if it is such a selector."""
    try:
        terms = sorted(parse_terms(selector))
    except BadRequest:
        return ""
    name = next((value for label, sign, value in terms if label == "metadata.name" and sign != "!="), "")
    return "" if name in (".", "..") or {"/", "%"} & set(name) else name
