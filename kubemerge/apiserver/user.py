"""The user of a request to the embedded cluster."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

AUTHENTICATED, UNAUTHENTICATED = "system:authenticated", "system:unauthenticated"
ACCOUNTS, USER_PREFIX = "system:serviceaccounts", "system:serviceaccount:"
"""The group of all ServiceAccounts, and the beginning of their names as users."""
MASTERS = "system:masters"
"""The group of users with all permissions."""


@dataclass(frozen=True)
class User:
    """A user, with the fields of the API's UserInfo."""

    name: str
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def info(self) -> dict[str, Any]:
        """Return the user as a UserInfo, without empty fields."""
        extra = {key: list(values) for key, values in sorted(self.extra.items())}
        found = {"username": self.name, "uid": self.uid, "groups": list(self.groups), "extra": extra}
        return {key: value for key, value in found.items() if value}


ADMIN = User("kubernetes-admin", groups=(MASTERS, AUTHENTICATED))
"""The user of commands, and of server requests without other credentials."""
ANONYMOUS = User("system:anonymous", groups=(UNAUTHENTICATED,))

_current: ContextVar[User] = ContextVar("user", default=ADMIN)


def account_groups(namespace: str) -> tuple[str, str]:
    """Return the groups of the ServiceAccounts of a namespace."""
    return ACCOUNTS, f"{ACCOUNTS}:{namespace}"


def current_user() -> User:
    """Return the user of the current request, ADMIN outside of requests."""
    return _current.get()


@contextmanager
def acting_as(user: User) -> Iterator[None]:
    """Process the block as a request of this user."""
    before = _current.set(user)
    try:
        yield
    finally:
        _current.reset(before)
