"""Indexes of owners, of allocated addresses, of roles, and of the names in definitions.

An index is built on first use, and updated by the changes of this process. After a resourceVersion of another
process it is built again, so it needs no place in the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kinds.builtin_kinds import DEFINITION, RBAC_GROUP
from ..resources import key_in_store
from ..unchecked import as_map, maps
from .pages import RemainingCounts
from .store import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..authorization.role_index import RoleIndex
    from ..crd.definitions.used_names import UsedNames
    from ..identity import ObjectId
    from ..protocol import Object
    from .store import Store

SERVICE = ("", "Service")
QUOTA = ("", "ResourceQuota")
OWNED = '"ownerReferences":'
"""The text in the JSON of every object with owners."""


class Index:
    """The indexes of one open cluster."""

    def __init__(self) -> None:
        self._dependents: dict[str, dict[ObjectId, None]] = {}
        self._taken: dict[str, ObjectId] = {}
        self._roles: RoleIndex | None = None
        self._names: UsedNames | None = None
        self._quotas: dict[str, int] = {}
        self.counts = RemainingCounts()
        """The numbers of objects after pages, for the next pages."""
        self._read_at = {"dependents": -1, "taken": -1, "roles": -1, "quotas": -1, "names": -1}

    def dependents(self, store: Store, uid: str) -> list[ObjectId]:
        """Return the objects that have the one with this uid as an owner."""
        if self._is_behind(store, "dependents"):
            self._dependents = {}
            for one in store.with_text(OWNED):
                self._own(key_in_store(one), None, one)
        return list(self._dependents.get(uid, ()))

    def all_dependents(self, store: Store) -> list[ObjectId]:
        """Return all objects with owners."""
        self.dependents(store, "")
        return list(dict.fromkeys(key for each in self._dependents.values() for key in each))

    def taken(self, store: Store) -> dict[str, ObjectId]:
        """Return the addresses and node ports of all Services, each with its Service."""
        if self._is_behind(store, "taken"):
            self._taken = {}
            for one in store.of_kind(*SERVICE):
                self._take(key_in_store(one), None, one)
        return self._taken

    def roles(self, store: Store) -> RoleIndex:
        """Return all roles and bindings by subject."""
        from ..authorization.role_index import KINDS, RoleIndex  # only needed for authorization by RBAC

        if self._is_behind(store, "roles") or self._roles is None:
            self._roles = RoleIndex(one for kind in KINDS for one in store.of_kind(RBAC_GROUP, kind))
        return self._roles

    def used_names(self, store: Store) -> UsedNames:
        """Return the names that definitions use."""
        from ..crd.definitions.used_names import UsedNames  # only needed when a definition is written

        if self._is_behind(store, "names") or self._names is None:
            self._names = UsedNames(store.of_kind(*DEFINITION))
        return self._names

    def quotas(self, store: Store) -> dict[str, int]:
        """Return the number of ResourceQuotas by namespace, for each namespace with one."""
        if self._is_behind(store, "quotas"):
            self._quotas = {}
            for key in store.keys_of(*QUOTA):
                self._count(key.namespace, 1)
        return self._quotas

    def _count(self, namespace: str, more: int) -> None:
        now = self._quotas.get(namespace, 0) + more
        if now > 0:
            self._quotas[namespace] = now
        else:
            self._quotas.pop(namespace, None)

    def _is_behind(self, store: Store, part: str) -> bool:
        now = store.number(VERSION)
        behind = self._read_at[part] != now
        self._read_at[part] = now
        return behind

    def note(self, version: int, key: ObjectId, before: Object | None, after: Object | None) -> None:
        """Update the indexes with the change of this resourceVersion."""
        for part, read_at in self._read_at.items():
            if read_at == version - 1:
                self._read_at[part] = version
        self._own(key, before, after)
        if key.group_kind == SERVICE:
            self._take(key, before, after)
        elif key.group_kind == QUOTA:
            self._count(key.namespace, (after is not None) - (before is not None))
        if self._roles is not None and key.group == RBAC_GROUP:
            self._roles.update(key.kind, key.namespace, key.name, after)
        if self._names is not None and key.group_kind == DEFINITION:
            self._names.update(key.name, after)

    def _own(self, key: ObjectId, before: Object | None, after: Object | None) -> None:
        for uid in owners_in(before):
            self._dependents.get(uid, {}).pop(key, None)
        for uid in owners_in(after):
            self._dependents.setdefault(uid, {})[key] = None

    def _take(self, key: ObjectId, before: Object | None, after: Object | None) -> None:
        from ..registry.service_addresses import numbers_of  # hardly any command reads Services

        for number in numbers_of(as_map(as_map(before).get("spec"))):
            if self._taken.get(number) == key:
                del self._taken[number]
        for number in numbers_of(as_map(as_map(after).get("spec"))):
            self._taken[number] = key


def owners_in(content: Object | None) -> Iterator[str]:
    """Return the uids of an object's owners."""
    return (str(one.get("uid")) for _, one in maps(as_map(as_map(content).get("metadata")), "ownerReferences"))
