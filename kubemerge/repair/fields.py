"""Fields of documents: their owners, their order, and their part in a config."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine import FieldSet, MergeError
from engine.serverside.field_managers import BEFORE_FIRST_APPLY
from engine.serverside.fields import trees
from engine.serverside.fields.path_elements import to_step
from engine.serverside.fields.set_index import SetIndex
from engine.serverside.managers import APPLY
from engine.serverside.owners import is_autoscaler
from engine.serverside.typed.items import path_elements_of
from engine.serverside.typed.schema import List, Map
from engine.serverside.typed.to_field_set import to_field_set

from ..ownership.writers import APPLIED, CONTROLLER, UNKNOWN, kind_of
from ..plan.metadata import entries_of, owner_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine import Owner
    from engine.paths import Steps
    from engine.serverside.fields.trees import Path, Tree
    from engine.serverside.typed.schema import Atom

    Object = dict[str, Any]

NOT_IN_CONFIG = trees.of_paths(
    [("f:apiVersion",), ("f:kind",), ("f:status",), *(("f:metadata", f"f:{name}") for name in ("name", "namespace"))]
)
"""The identity of an object, and the status: no drift."""
SERVED = trees.of_paths(
    [
        *(("f:metadata", f"f:{name}") for name in ("generation", "resourceVersion", "creationTimestamp", "uid")),
        *(("f:metadata", f"f:{name}") for name in ("selfLink", "managedFields", "deletionTimestamp")),
        *(
            ("f:metadata", "f:annotations", f"f:{name}")
            for name in (
                "kubectl.kubernetes.io/last-applied-configuration",
                "deprecated.daemonset.template.generation",
            )
        ),
    ]
)
"""Fields that the server or the tool's own bookkeeping sets."""
KUBECTL = "kubectl"


def steps_of_path(path: Path) -> Steps:
    """The path of an owned field as steps."""
    return tuple(map(to_step, path))


def fields_of(content: Object | None, atom: Atom) -> Tree:
    """The fields that a config sets. Empty if its values do not fit their types, which the server reports."""
    if content is None:
        return trees.EMPTY
    try:
        found = trees.union(to_field_set(content, atom), trees.of_paths(_empty_lists(content, atom)))
    except MergeError:
        return trees.EMPTY
    return trees.without(trees.without(found, NOT_IN_CONFIG), SERVED)


def _empty_lists(value: Any, atom: Atom | None, above: Path = ()) -> Iterator[Path]:
    """The paths of empty lists, which have no owner. Custom resources keep them."""
    part = None if atom is None else atom.parts.get(type(value))
    if part is None or part.atomic:
        return
    if type(part) is Map and type(value) is dict:
        for key, inner in value.items():
            yield from _empty_lists(inner, part.atom(key), (*above, f"f:{key}"))
    elif type(part) is List and type(value) is list:
        if not value:
            yield above
        for element, item in zip(path_elements_of(value, part), value, strict=True):
            yield from _empty_lists(item, part.element, (*above, element))


class Owners:
    """The entries of managedFields: those of the tool, and those of other managers."""

    def __init__(self, live: Object, is_own: Callable[[Object], bool]) -> None:
        self.own: list[tuple[Owner, Tree]] = []
        self.others: list[tuple[Owner, Tree]] = []
        for entry in entries_of(live):
            owner = owner_of(entry)
            is_mine = is_own(entry) or owner.manager == BEFORE_FIRST_APPLY
            (self.own if is_mine else self.others).append((owner, FieldSet.parse(entry.get("fieldsV1")).tree))

    def of(self, path: Path) -> tuple[Owner, ...]:
        """The other managers of a field."""
        return tuple([self.others[number][0] for number in self._index_of_others.covering(path)])

    def own_of(self, path: Path) -> tuple[Owner, ...]:
        """The tool's own entries that have a field."""
        return tuple([self.own[number][0] for number in self._index_of_own.covering(path)])

    @cached_property
    def _index_of_others(self) -> SetIndex:
        return SetIndex([tree for _, tree in self.others])

    @cached_property
    def _index_of_own(self) -> SetIndex:
        return SetIndex([tree for _, tree in self.own])

    @cached_property
    def tree_of_others(self) -> Tree:
        """All fields of other managers."""
        return trees.without(trees.union_all([tree for _, tree in self.others]), SERVED)


def purpose(owner: Owner, *, is_replicas: bool = False) -> str:
    """The reason for which a manager's value counts as set on purpose; empty for a change by a person.

    Names of managers are not checked by anyone. A program with another name counts if it sets the number of replicas.
    """
    if owner.manager.startswith(KUBECTL) and owner.operation != APPLY:
        return ""
    kind = kind_of(owner)
    if is_autoscaler(owner) or (is_replicas and kind == UNKNOWN):
        return "it scales the object"
    return {APPLIED: "it applies the field", CONTROLLER: "it is a controller"}.get(kind, "")


def reordered(before: Any, after: Any, atom: Atom | None, above: Path = ()) -> Iterator[tuple[Path, list[str]]]:
    """The lists with keys whose common elements are in another order, each with the new order."""
    part = None if atom is None else atom.parts.get(type(after))
    if part is None or part.atomic or type(before) is not type(after):
        return
    if type(part) is Map and type(after) is dict:
        for key in after.keys() & before.keys():
            yield from reordered(before[key], after[key], part.atom(key), (*above, f"f:{key}"))
    elif type(part) is List and type(after) is list and part.keys:
        old, new = (dict(zip(path_elements_of(one, part), one, strict=True)) for one in (before, after))
        order = [one for one in new if one in old]
        if order != [one for one in old if one in new]:
            yield above, order
        for element in order:
            yield from reordered(old[element], new[element], part.element, (*above, element))
