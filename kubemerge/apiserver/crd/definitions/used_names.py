"""An index of the names that definitions use, by group. A new definition needs no comparison with each other one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...unchecked import as_map, as_text
from .names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...unchecked import Object

    ScopedName = tuple[Any, bool, Any]
    """The group, whether it is a name of a kind and not of a resource, and the name."""


class UsedNames:
    """The names of resources and kinds, each with the definitions that use it."""

    def __init__(self, definitions: Iterable[Object]) -> None:
        self._users: dict[ScopedName, dict[Any, None]] = {}
        self._names: dict[Any, tuple[ScopedName, ...]] = {}
        for one in definitions:
            self.update(as_map(one.get("metadata")).get("name"), one)

    def update(self, name: Any, definition: Object | None) -> None:
        """Replace the names of a definition, which is None if it was removed."""
        for used in self._names.pop(name, ()):
            self._users[used].pop(name, None)
        if definition is not None:
            self._names[name] = _scoped_names_of(definition)
            for used in self._names[name]:
                self._users.setdefault(used, {})[name] = None

    def has(self, definition: Object, used: Any, *, is_kind: bool) -> bool:
        """Whether another definition in the group of this one uses the name."""
        group, name = as_map(definition.get("spec")).get("group"), as_map(definition.get("metadata")).get("name")
        return any(user != name for user in self._users.get((group, is_kind, used), ()))


def _scoped_names_of(definition: Object) -> tuple[ScopedName, ...]:
    accepted = as_map(as_map(definition.get("status")).get("acceptedNames")) or names_of(definition)
    group = as_map(definition.get("spec")).get("group")
    resources = (*map(as_text, map(accepted.get, ("plural", "singular"))), *(accepted.get("shortNames") or ()))
    kinds = map(as_text, map(accepted.get, ("kind", "listKind")))
    return (*((group, False, one) for one in resources), *((group, True, one) for one in kinds))
