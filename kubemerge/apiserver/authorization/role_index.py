"""An index from subjects to rules, so that a request does not walk through all bindings."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from ..kinds.builtin_kinds import RBAC_GROUP
from ..text.go_text import quoted
from ..unchecked import as_map, as_text, maps
from ..user import USER_PREFIX
from .rules import rules_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..unchecked import Object
    from ..user import User
    from .rules import Rule

KINDS = ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
_MOST_CACHED = 1024
"""The number of users and namespaces whose rules are kept."""


class Subject(NamedTuple):
    """A subject of a binding."""

    kind: str
    name: str
    namespace: str

    def key(self, at: str) -> str:
        """Its key in the index, in a binding of this namespace. Empty if it applies to nobody."""
        if self.kind == "Group":
            return f"Group {self.name}"
        if self.kind == "User":
            return f"User {self.name}"
        namespace = self.namespace or at
        is_account = self.kind == "ServiceAccount" and namespace
        return f"User {USER_PREFIX}{namespace}:{self.name}" if is_account else ""

    def text(self, at: str) -> str:
        """The subject in reasons."""
        account = self.kind == "ServiceAccount"
        return f"{self.kind} {quoted(f'{self.name}/{self.namespace or at}' if account else self.name)}"


class RoleRef(NamedTuple):
    """A reference to a Role or ClusterRole."""

    kind: str
    name: str

    @staticmethod
    def of(binding: Object) -> RoleRef:
        """Return the reference of a binding."""
        ref = as_map(binding.get("roleRef"))
        return RoleRef(as_text(ref.get("kind")), as_text(ref.get("name")))


class Binding(NamedTuple):
    """A RoleBinding, or a ClusterRoleBinding without a namespace."""

    namespace: str
    name: str
    ref: RoleRef
    subjects: tuple[Subject, ...]

    def source(self, keys: Iterable[str]) -> str:
        """The binding in reasons, with the first of its subjects that is in a set of keys."""
        subject = next(one for one in self.subjects if one.key(self.namespace) in keys)
        kind = "RoleBinding" if self.namespace else "ClusterRoleBinding"
        name = f"{self.name}/{self.namespace}" if self.namespace else self.name
        of = f"{self.ref.kind} {quoted(self.ref.name)}"
        return f"{kind} {quoted(name)} of {of} to {subject.text(self.namespace)}"


class Granted(NamedTuple):
    """The rules that a binding grants to a user."""

    binding: Binding
    rules: tuple[Rule, ...] | None
    """None if its role does not exist."""


class RoleIndex:
    """All roles and bindings of a cluster."""

    def __init__(self, objects: Iterable[Object]) -> None:
        self._rules: dict[tuple[str, str, str], tuple[Rule, ...]] = {}
        self._bindings: dict[tuple[str, str], Binding] = {}
        self._by_subject: dict[tuple[str, str], set[str]] = {}
        """The names of bindings, by their namespace and the key of a subject."""
        self._granted: dict[tuple[str, tuple[str, ...], str], list[Granted]] = {}
        self._lock = threading.Lock()
        """Held during changes and searches: a test may write while its server handles a request."""
        for one in objects:
            metadata = one["metadata"]
            self.update(one["kind"], metadata.get("namespace") or "", metadata["name"], one)

    def update(self, kind: str, namespace: str, name: str, content: Object | None) -> None:
        """Replace an object. None removes it."""
        with self._lock:
            self._update(kind, namespace, name, content)

    def _update(self, kind: str, namespace: str, name: str, content: Object | None) -> None:
        self._granted.clear()
        if not kind.endswith("Binding"):
            if content is None:
                self._rules.pop((kind, namespace, name), None)
            else:
                self._rules[kind, namespace, name] = rules_in(content)
            return
        before = self._bindings.pop((namespace, name), None)
        for subject in before.subjects if before else ():
            self._by_subject.get((namespace, subject.key(namespace)), set()).discard(name)
        if content is not None:
            texts = (
                Subject(*(as_text(one.get(field)) for field in Subject._fields)) for _, one in maps(content, "subjects")
            )
            made = Binding(namespace, name, RoleRef.of(content), tuple(texts))
            self._bindings[namespace, name] = made
            for subject in made.subjects:
                self._by_subject.setdefault((namespace, subject.key(namespace)), set()).add(name)

    def rules_of(self, ref: RoleRef, namespace: str) -> tuple[Rule, ...] | None:
        """Return the rules of a role that a binding in this namespace references. None if it does not exist."""
        return self._rules.get((ref.kind, namespace if ref.kind == "Role" else "", ref.name))

    def granted(self, user: User, namespace: str) -> list[Granted]:
        """Return the bindings of a user, those of the whole cluster first."""
        at = (user.name, user.groups, namespace)
        with self._lock:
            found = self._granted.get(at)
            if found is None:
                if len(self._granted) >= _MOST_CACHED:
                    self._granted.clear()
                found = self._granted[at] = list(self._found(user, namespace))
            return found

    def _found(self, user: User, namespace: str) -> Iterator[Granted]:
        keys = keys_of(user)
        for place in ("", namespace) if namespace else ("",):
            names = set().union(*(self._by_subject.get((place, key), ()) for key in keys))
            for name in sorted(names):
                binding = self._bindings[place, name]
                yield Granted(binding, self.rules_of(binding.ref, place))


def keys_of(user: User) -> set[str]:
    """Return the keys of the subjects that a user is."""
    return {f"User {user.name}", *(f"Group {group}" for group in user.groups)}


def not_found(ref: RoleRef, called: str = "") -> str:
    """The message about a missing role. From its storage, a server names the resource of the request, `called`."""
    return f"{called or f'{ref.kind.lower()}.{RBAC_GROUP}'} {quoted(ref.name)} not found"
