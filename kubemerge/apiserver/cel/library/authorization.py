"""Functions of the authorizer, which admission policies call."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...user import AUTHENTICATED, USER_PREFIX, User, account_groups
from ...validation import names
from ..values import CelError, NoOverload

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Decision:
    """A decision. `error` is empty unless the check failed."""

    allowed: bool
    reason: str = ""
    error: str = ""
    kind = "kubernetes.authorization.Decision"


@dataclass(frozen=True)
class UserChecks:
    """The variable `authorizer`: checks of one user."""

    user: User
    authorize: Callable[[ResourceCheck | PathCheck, str], Decision] = field(compare=False)
    """Returns the decision about a verb on a resource, or on a path that is not one of objects."""
    kind = "kubernetes.authorization.Authorizer"


@dataclass(frozen=True)
class PathCheck:
    """A check of a path."""

    of: UserChecks
    path: str
    kind = "kubernetes.authorization.PathCheck"


@dataclass(frozen=True)
class GroupCheck:
    """A check of resources of a group."""

    of: UserChecks
    group: str
    kind = "kubernetes.authorization.GroupCheck"


@dataclass(frozen=True)
class ResourceCheck:
    """A check of a resource."""

    of: UserChecks
    group: str
    resource: str
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    field_selector: str = ""
    label_selector: str = ""
    kind = "kubernetes.authorization.ResourceCheck"


def _of(kind: type, *given: Any) -> None:
    if not isinstance(given[0], kind) or not all(isinstance(one, str) for one in given[1:]):
        raise NoOverload


def _path(of: Any, path: Any) -> PathCheck:
    _of(UserChecks, of, path)
    if not path.strip():
        raise CelError("path must not be empty")
    return PathCheck(of, path)


def _group(of: Any, group: Any) -> GroupCheck:
    _of(UserChecks, of, group)
    return GroupCheck(of, group)


def _service_account(of: Any, namespace: Any, name: Any) -> UserChecks:
    _of(UserChecks, of, namespace, name)
    if any(names.subdomain(name)):
        raise CelError("Invalid service account name")
    if any(names.label(namespace)):
        raise CelError("Invalid service account namespace")
    groups = (*account_groups(namespace), AUTHENTICATED)
    return UserChecks(User(f"{USER_PREFIX}{namespace}:{name}", groups=groups), of.authorize)


def _resource(of: Any, resource: Any) -> ResourceCheck:
    _of(GroupCheck, of, resource)
    if not resource.strip():
        raise CelError("resource must not be empty")
    return ResourceCheck(of.of, of.group, resource)


def _with(part: str) -> Callable[[Any, Any], ResourceCheck]:
    def call(of: Any, value: Any) -> ResourceCheck:
        _of(ResourceCheck, of, value)
        found: ResourceCheck = replace(of, **{part: value})
        return found

    return call


def _check(of: Any, verb: Any) -> Decision:
    if not isinstance(of, (PathCheck, ResourceCheck)) or not isinstance(verb, str):
        raise NoOverload
    return of.of.authorize(of, verb)


METHODS: dict[str, Callable[..., Any]] = {
    "path": _path,
    "group": _group,
    "serviceAccount": _service_account,
    "resource": _resource,
    "subresource": _with("subresource"),
    "namespace": _with("namespace"),
    "name": _with("name"),
    "fieldSelector": _with("field_selector"),
    "labelSelector": _with("label_selector"),
    "check": _check,
    "allowed": lambda of: of.allowed,
    "reason": lambda of: of.reason,
    "error": lambda of: of.error,
    "errored": lambda of: bool(of.error),
}
