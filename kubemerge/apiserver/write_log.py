"""The fields of each write: which ones its manager owns now, and which ones it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.paths import render
from engine.serverside.field_managers import NEVER_OWNED
from engine.serverside.fields.locator import PathLocator
from engine.serverside.fields.path_elements import to_step
from engine.serverside.fields.set_index import SetIndex
from engine.serverside.fields.trees import difference, leaves, paths, union, union_all
from engine.serverside.managers import managed_fields_of, parse_entries
from engine.serverside.typed.compare import compare
from engine.serverside.typed.schema import atom_of
from engine.values.quantities import amount

from .cel.values import CelError, duration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.serverside.fields.trees import Path, Tree

    from .protocol import Object, Resource
    from .resources import Kinds
    from .storage.changes import StoreEvent


class Write(NamedTuple):
    """A write that changed an object."""

    manager: str
    """The field manager."""
    verb: str
    """`create`, `update` or `patch`."""
    resource: str
    """The plural name, such as `deployments`."""
    subresource: str
    """Empty for the whole object."""
    namespace: str
    """Empty for an object of the whole cluster."""
    name: str
    owned: tuple[str, ...]
    """The paths that the manager owns in the object after the write, through this subresource."""
    changed: tuple[str, ...]
    """The paths whose value the write added, changed or removed."""
    respelled: tuple[str, ...] = ()
    """Those of them whose value is the same in other words: `60s` and `1m0s`, `1000m` and `1`."""
    taken_from: Mapping[str, tuple[str, ...]] = {}
    """The paths that the manager owns since this write, and that others owned before it, with their names."""
    group: str = ""
    """The API group."""


def write_of(event: StoreEvent, kinds: Kinds, resource: Resource, manager: str, verb: str, subresource: str) -> Write:
    """Return the write of a stored event."""
    before, after = (one and kinds.in_version(one, resource) for one in (event.before, event.after))
    changed = _changed(before or {}, after or {}, kinds, resource)
    owned = _owned(after or {}, manager, subresource)
    return Write(
        manager=manager,
        verb=verb,
        resource=resource.plural,
        subresource=subresource,
        namespace=event.key.namespace,
        name=event.key.name,
        owned=_paths(leaves(owned)),
        changed=_paths(changed),
        respelled=_respelled(before or {}, after or {}, changed),
        taken_from=_taken_from(leaves(owned), before or {}, manager),
        group=resource.group,
    )


def _owned(content: Object, manager: str, subresource: str) -> Tree:
    entries = parse_entries(managed_fields_of(content))
    return union_all(
        [one.tree for (name, _, _, part), one in entries.items() if (name, part) == (manager, subresource)]
    )


def _taken_from(owned: Tree, before: Object, manager: str) -> dict[str, tuple[str, ...]]:
    entries = parse_entries(managed_fields_of(before))
    own = union_all([entry.tree for (name, *_), entry in entries.items() if name == manager])
    found = {}
    names, index = [name for name, *_ in entries], SetIndex([entry.tree for entry in entries.values()])
    for path in paths(difference(owned, own)):
        others = {names[number] for number in index.containing(path)} - {manager}
        if others:
            found[_text(path)] = tuple(sorted(others))
    return found


def _changed(before: Object, after: Object, kinds: Kinds, resource: Resource) -> Tree:
    found = compare(before, after, atom_of(kinds.schema(resource)))
    return leaves(difference(union(found.set, found.removed), NEVER_OWNED))


def _paths(tree: Tree) -> tuple[str, ...]:
    return tuple(map(_text, paths(tree)))


def _text(path: Path) -> str:
    return render(tuple(map(to_step, path)))


def _respelled(before: Object, after: Object, changed: Tree) -> tuple[str, ...]:
    one, other = PathLocator(before), PathLocator(after)
    return tuple([_text(path) for path in paths(changed) if _is_same(one.at(path), other.at(path))])


def _is_same(before: Any, after: Any) -> bool:
    """Whether two texts are one duration or one quantity."""
    if not isinstance(before, str) or not isinstance(after, str):
        return False
    try:
        return duration(before) == duration(after)
    except CelError:
        found = amount(before)
        return found is not None and found == amount(after)
