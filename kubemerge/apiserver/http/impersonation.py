"""Impersonation: headers that make a request act as another user."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ..authorization.attributes import Attributes, denied
from ..authorization.authorizer import ALWAYS_ALLOW
from ..authorization.rbac import aggregate
from ..errors import BadRequest
from ..text.go_text import quoted
from ..user import ANONYMOUS, AUTHENTICATED, MASTERS, UNAUTHENTICATED, USER_PREFIX, User, account_groups
from ..validation import names
from ..validation.values.formats import domain_prefixed_path
from .tokens import NODE_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..authorization.authorizer import Authorizer

_EXTRA, _NODE = "extra-", "system:node:"
_NODES = ("system:nodes",)
_MALFORMED = re.compile("%(?![0-9a-f]{2})")
_AUTHENTICATION = "authentication.k8s.io"
CONSTRAINED_SINCE = 36
"""The first minor release with constrained impersonation."""
_MANY = 4
"""The number of groups from which a permission for all of them is tried first."""


def requested_user(headers: Sequence[tuple[str, str]], *, constrained: bool = True) -> User | None:
    """Return the user that the headers of a request name, without implied groups. The headers are as in Request."""
    first = dict(reversed(headers))
    name, uid = first.get("user", ""), first.get("uid", "")
    groups = tuple(value for key, value in headers if key == "group")
    extra: dict[str, list[str]] = {}
    for key, value in headers:
        if key.startswith(_EXTRA):
            escaped = key.removeprefix(_EXTRA)
            extra.setdefault(escaped if _MALFORMED.search(escaped) else unquote(escaped), []).append(value)
    if name:
        return User(name, uid, groups, extra)
    if (uid or groups or extra) and not constrained:
        raise BadRequest(f"requested [{_references(groups, extra, uid)}] without impersonating a user")
    if uid or groups or extra:
        named = f'Name:"", UID:{quoted(uid)}, Groups:{_go_strings(groups)}, Extra:{_go_map(extra)}'
        raise BadRequest(f"requested &user.DefaultInfo{{{named}}} without impersonating a user name")
    return None


def impersonate(user: User, headers: Sequence[tuple[str, str]], *, constrained: bool = True) -> User:
    """Return the user that a request acts as, without checking permissions."""
    wanted = requested_user(headers, constrained=constrained) if headers else None
    return user if wanted is None else _completed(wanted, constrained=constrained)


def _completed(wanted: User, *, constrained: bool) -> User:
    """Return a user with the groups that its name implies."""
    groups = wanted.groups
    if not groups:
        account = _account_of(wanted.name)
        if account is not None:
            groups = account_groups(account[0])
        elif constrained and _only_named(wanted) and _node_of(wanted.name) is not None:
            groups = _NODES
    expected = UNAUTHENTICATED if wanted.name == ANONYMOUS.name else AUTHENTICATED
    if expected not in groups and UNAUTHENTICATED not in groups:
        groups = (*groups, expected)
    return User(wanted.name, wanted.uid, groups, wanted.extra)


def _account_of(name: str) -> tuple[str, str] | None:
    """Return the namespace and name of a ServiceAccount by its user name."""
    namespace, colon, account = name.removeprefix(USER_PREFIX).partition(":")
    valid = name.startswith(USER_PREFIX) and colon and not any((*names.label(namespace), *names.subdomain(account)))
    return (namespace, account) if valid else None


def _node_of(name: str) -> str | None:
    node = name.removeprefix(_NODE)
    return node if name.startswith(_NODE) and not any(names.subdomain(node)) else None


def _only_named(wanted: User) -> bool:
    return not (wanted.uid or wanted.groups or wanted.extra)


def _go_strings(values: Sequence[str]) -> str:
    """A list of strings as Go prints it with %#v."""
    return f"[]string{{{', '.join(map(quoted, values))}}}" if values else "[]string(nil)"


def _go_map(extra: Mapping[str, Sequence[str]]) -> str:
    pairs = ", ".join(f"{quoted(key)}:{_go_strings(extra[key])}" for key in sorted(extra))
    return f"map[string][]string{{{pairs}}}" if extra else "map[string][]string(nil)"


def _references(groups: Sequence[str], extra: Mapping[str, Sequence[str]], uid: str) -> str:
    """What older releases print about headers without a user: ObjectReferences of Go."""
    found = [f"{{Group  {group}    }}" for group in groups]
    found += [
        f"{{UserExtra  {value}  {_AUTHENTICATION}/v1  {key}}}" for key, values in extra.items() for value in values
    ]
    return " ".join([*found, *([f"{{UID  {uid}  {_AUTHENTICATION}/v1  }}"] if uid else [])])


# ---- permissions ----------------------------------------------------------------------------------------------------


def _is_associated(wanted: User, requestor: User) -> bool:
    node = _node_of(wanted.name)
    at = tuple(requestor.extra.get(NODE_NAME, ()))
    return node is not None and _only_named(wanted) and _account_of(requestor.name) is not None and at == (node,)


_MODES: dict[str, Callable[[User, User], bool]] = {
    "associated-node": _is_associated,
    "arbitrary-node": lambda wanted, _: _only_named(wanted) and _node_of(wanted.name) is not None,
    "serviceaccount": lambda wanted, _: _only_named(wanted) and _account_of(wanted.name) is not None,
    "user-info": lambda wanted, _: _node_of(wanted.name) is None and _account_of(wanted.name) is None,
    "": lambda *_: True,
}
"""The modes in the order of a server, with the users that they can impersonate. The last is the one without a
constraint, which all releases have.
"""


class ImpersonationCheck:
    """The permissions that impersonation requires. Like a server, it tries the last allowed mode of a user first."""

    def __init__(self, minor: int) -> None:
        self.constrained = minor >= CONSTRAINED_SINCE
        """Whether the release has constrained impersonation."""
        self._modes = list(_MODES) if self.constrained else [""]
        self._allowed: dict[str, str] = {}

    def impersonated(self, authorizer: Authorizer, asked: Attributes, wanted: User) -> User:
        """Return the user that a request acts as. Raise AccessDenied if no mode is allowed."""
        last = self._allowed.get(asked.user.name)
        problems = []
        for mode in sorted(self._modes, key=lambda one: one != last):
            if not _MODES[mode](wanted, asked.user):
                continue
            problem = next(_denials(authorizer, asked, wanted, mode), None)
            if problem is None:
                self._allowed[asked.user.name] = mode
                return _completed(wanted, constrained=bool(mode))
            problems.append(problem)
        raise problems[0]

    def constraint_of(self, user: User, wanted: User) -> str:
        """Return the verb of the mode with which a user impersonates another one. Empty without a constraint."""
        modes = [mode for mode in self._modes if _MODES[mode](wanted, user)]
        mode = self._allowed.get(user.name, modes[0])
        return f"impersonate:{mode}" if mode else ""


def required_permissions(user: User, wanted: User) -> list[Attributes]:
    """Return the permissions for impersonation without a constraint, which all releases accept."""
    return [asked for asked, _ in _required(ALWAYS_ALLOW, user, wanted, "")]


def _denials(authorizer: Authorizer, asked: Attributes, wanted: User, mode: str) -> Iterator[Exception]:
    """Yield an error for each check that fails."""
    required = list(_required(authorizer, asked.user, wanted, mode))
    if mode:
        required.insert(0, (asked._replace(verb=f"impersonate-on:{mode}:{asked.verb}"), ""))
    for attributes, why in required:
        if why:
            yield denied(attributes, why)
        decision = authorizer.authorize(attributes)
        if not decision.allowed:
            yield denied(attributes, decision.reason)


def _required(authorizer: Authorizer, user: User, wanted: User, mode: str) -> Iterator[tuple[Attributes, str]]:
    """Yield the requests that have to be allowed, each with the reason why it never is."""
    verb = f"impersonate:{mode}" if mode else "impersonate"
    asked = Attributes(user, verb, _AUTHENTICATION if mode else "")
    node, account = _node_of(wanted.name), _account_of(wanted.name)
    if mode and node is not None:
        yield asked._replace(resource="nodes", name="*" if mode == "associated-node" else node), ""
    elif account is not None:
        yield asked._replace(resource="serviceaccounts", namespace=account[0], name=account[1]), ""
    else:
        yield asked._replace(resource="users", name=wanted.name), ""
    if wanted.uid:
        yield asked._replace(group=_AUTHENTICATION, resource="uids", name=wanted.uid), ""
    yield from _for_groups(authorizer, asked._replace(resource="groups"), wanted.groups, constrained=bool(mode))
    extra = asked._replace(group=_AUTHENTICATION, resource="userextras")
    if mode and (why := _wrong_extra(wanted.extra)):
        yield extra, why
    values = [(key, value) for key in sorted(wanted.extra) for value in wanted.extra[key]]
    if mode and len(values) >= _MANY and authorizer.authorize(extra._replace(subresource="*", name="*")).allowed:
        return
    for key, value in values:
        yield extra._replace(subresource=key, name=value), ""


def _for_groups(
    authorizer: Authorizer, asked: Attributes, groups: Sequence[str], *, constrained: bool
) -> Iterator[tuple[Attributes, str]]:
    if constrained and "" in groups:
        yield asked, "impersonating the empty string group is not allowed"
    if constrained and MASTERS in groups:
        yield asked._replace(name=MASTERS), "impersonating the system:masters group is not allowed"
    if constrained and len(groups) >= _MANY and authorizer.authorize(asked._replace(name="*")).allowed:
        return
    for group in groups:
        yield asked._replace(name=group), ""


def _wrong_extra(extra: Mapping[str, Sequence[str]]) -> str:
    """The reason why a mode with a constraint never allows extra values."""
    for key in sorted(extra):
        if not key:
            return "impersonating the empty string key in extra is not allowed"
        problems = list(map(str, domain_prefixed_path("extra.key", key)))
        if problems:
            return f"impersonating an invalid key in extra is not allowed: {aggregate(problems)}"
        if "" in extra[key]:
            return "impersonating the empty string value in extra is not allowed"
    return ""
