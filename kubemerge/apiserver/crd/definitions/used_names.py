"""The names that definitions use, by group, so that a new definition is compared with all others at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...unchecked import as_map, as_text
from .names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...unchecked import Object

    Word = tuple[Any, bool, Any]
    """A group, whether the name is one of a kind or of a resource, and the name."""


class UsedNames:
    """The names of resources and kinds, each with the definitions that use it."""

    def __init__(self, definitions: Iterable[Object]) -> None:
        self._users: dict[Word, dict[Any, None]] = {}
        self._words: dict[Any, tuple[Word, ...]] = {}
        for one in definitions:
            self.update(as_map(one.get("metadata")).get("name"), one)

    def update(self, name: Any, definition: Object | None) -> None:
        """Replace the names of a definition; None if it was removed."""
        for word in self._words.pop(name, ()):
            self._users[word].pop(name, None)
        if definition is not None:
            self._words[name] = _words_of(definition)
            for word in self._words[name]:
                self._users.setdefault(word, {})[name] = None

    def has(self, definition: Object, word: Any, *, is_kind: bool) -> bool:
        """Whether another definition in the group uses a name."""
        group, name = as_map(definition.get("spec")).get("group"), as_map(definition.get("metadata")).get("name")
        return any(user != name for user in self._users.get((group, is_kind, word), ()))


def _words_of(definition: Object) -> tuple[Word, ...]:
    accepted = as_map(as_map(definition.get("status")).get("acceptedNames")) or names_of(definition)
    group = as_map(definition.get("spec")).get("group")
    resources = (*map(as_text, map(accepted.get, ("plural", "singular"))), *(accepted.get("shortNames") or ()))
    kinds = map(as_text, map(accepted.get, ("kind", "listKind")))
    return (*((group, False, one) for one in resources), *((group, True, one) for one in kinds))
