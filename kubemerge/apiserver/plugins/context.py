"""The context of an admission plugin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..policies.admission import RequestPolicies
else:
    RequestPolicies = object

from ..authorization.authorizer import ALWAYS_ALLOW, Authorizer

Object = dict[str, Any]


class AdmissionContext(NamedTuple):
    """The cluster, its minor release, and the old object."""

    of_kind: Callable[[str, str, str | None], Iterator[Object]]
    """Returns the objects of a group and kind, of one namespace or of all."""
    minor: int
    live: Object | None
    """None for a new object."""
    now: Callable[[], str]
    """Returns the current time in the API's format."""
    namespace: Callable[[str], Object | None]
    """Returns a namespace by name."""
    warn: Callable[[str], None] = lambda _: None
    """Called with each warning of the server."""
    subresource: str | None = None
    """The subresource of the write. None for the object itself."""
    policies: RequestPolicies | None = None
    """The admission policies that may apply. None if there are none."""
    is_complete: bool = True
    """Whether all objects of the cluster are known. If not, a missing object is no reason to reject another."""
    plural: Callable[[str, str], str] = lambda _version, _kind: ""
    """Returns the resource of an apiVersion and kind, or an empty text if it is not served."""
    authorizer: Authorizer = ALWAYS_ALLOW
    """Authorizes further requests of the user, for plugins that require another permission."""
