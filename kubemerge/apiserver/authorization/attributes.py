"""Attributes of a request, by which it is authorized."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..errors import ClusterError
from ..text.go_text import quoted

if TYPE_CHECKING:
    from ..user import User

_SANITIZED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Attributes(NamedTuple):
    """The attributes of a request, like `AttributesRecord` of upstream."""

    user: User
    verb: str
    """An API verb, such as `list`. For another path, the HTTP method in lower case."""
    group: str = ""
    resource: str = ""
    """The plural of a kind, such as `pods`."""
    subresource: str = ""
    name: str = ""
    """Empty for a collection, and for a new object."""
    namespace: str = ""
    """Empty for all namespaces, and for a cluster-scoped object."""
    path: str = ""
    """The path of a non-resource request."""
    is_resource: bool = True

    @property
    def combined(self) -> str:
        """The resource with its subresource, as in rules."""
        return f"{self.resource}/{self.subresource}" if self.subresource else self.resource


class AccessDenied(ClusterError):
    """A request that its user is not authorized to send. `called` is a resource, as `deployments.apps`."""

    code, reason = 403, "Forbidden"

    def __init__(self, called: str, name: str, why: str, attributes: Attributes | None = None) -> None:
        self.called, self.name = called, name
        self.attributes = attributes
        """The request that is not allowed. None if it is allowed, but grants too much."""
        what = f"{called} {quoted(name)} is " if called and name else f"{called} is " if called else ""
        super().__init__(f"{what}forbidden: {why}")


def denied(attributes: Attributes, reason: str = "") -> AccessDenied:
    """Return the error for a request that is not allowed."""
    called = f"{attributes.resource}.{attributes.group}" if attributes.group else attributes.resource
    said = _forbidden(attributes).translate(_SANITIZED)
    return AccessDenied(called, attributes.name, f"{said}: {reason}" if reason else said, attributes)


def _forbidden(attributes: Attributes) -> str:
    cannot = f"User {quoted(attributes.user.name)} cannot {attributes.verb}"
    if not attributes.is_resource:
        return f"{cannot} path {quoted(attributes.path)}"
    what = f"{cannot} resource {quoted(attributes.combined)} in API group {quoted(attributes.group)}"
    if attributes.namespace:
        return f"{what} in the namespace {quoted(attributes.namespace)}"
    return f"{what} at the cluster scope"
