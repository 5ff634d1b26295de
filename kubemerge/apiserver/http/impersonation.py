"""Impersonation: headers that make a request act as another user."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ..errors import BadRequest
from ..text.go_text import quoted
from ..user import ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, User
from ..validation import names
from .tokens import USER_PREFIX, account_groups

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_EXTRA, _NODE = "extra-", "system:node:"
_MALFORMED = re.compile("%(?![0-9a-f]{2})")


def impersonate(user: User, headers: Sequence[tuple[str, str]]) -> User:
    """Return the user that a request acts as. The headers are in the form of Request."""
    if not headers:
        return user
    first = dict(reversed(headers))
    name, uid = first.get("user", ""), first.get("uid", "")
    groups = tuple(value for key, value in headers if key == "group")
    extra: dict[str, list[str]] = {}
    for key, value in headers:
        if key.startswith(_EXTRA):
            escaped = key.removeprefix(_EXTRA)
            extra.setdefault(escaped if _MALFORMED.search(escaped) else unquote(escaped), []).append(value)
    if name:
        return User(name, uid, _completed(name, uid, groups, extra), extra)
    if uid or groups or extra:
        named = f'Name:"", UID:{quoted(uid)}, Groups:{_go_strings(groups)}, Extra:{_go_map(extra)}'
        raise BadRequest(f"requested &user.DefaultInfo{{{named}}} without impersonating a user name")
    return user


def _completed(name: str, uid: str, groups: tuple[str, ...], extra: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The groups of a user, with those that its name implies."""
    if not groups:
        namespace, colon, account = name.removeprefix(USER_PREFIX).partition(":")
        if name.startswith(USER_PREFIX) and colon and not any((*names.label(namespace), *names.subdomain(account))):
            groups = account_groups(namespace)
        elif name.startswith(_NODE) and not (uid or extra or any(names.subdomain(name.removeprefix(_NODE)))):
            groups = ("system:nodes",)
    if UNAUTHENTICATED in groups:
        return groups
    wanted = UNAUTHENTICATED if name == ANONYMOUS.name else AUTHENTICATED
    return groups if wanted in groups else (*groups, wanted)


def _go_strings(values: Sequence[str]) -> str:
    """A list of strings as Go prints it with %#v."""
    return f"[]string{{{', '.join(map(quoted, values))}}}" if values else "[]string(nil)"


def _go_map(extra: Mapping[str, Sequence[str]]) -> str:
    pairs = ", ".join(f"{quoted(key)}:{_go_strings(extra[key])}" for key in sorted(extra))
    return f"map[string][]string{{{pairs}}}" if extra else "map[string][]string(nil)"
