"""One write on typed objects: what becomes of the object and of every manager's fields. The heart of server-side apply.

It is `merge.Updater` of structured-merge-diff. Objects of other apiVersions are taken to have the same fields.
"""

from __future__ import annotations

from .conflicts import found
from .fields import trees
from .managers import Entry, by_all
from .typed.check import check
from .typed.compare import compare, equal
from .typed.merge import merged
from .typed.nulls import without_nulls
from .typed.owned import owned
from .typed.prune import given_up, left_out
from .typed.remove import reconciled, removed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..values.plain import Object
    from .fields.trees import Tree
    from .managers import Identity, Managed
    from .typed.compare import Comparison
    from .typed.shapes import Shape


class Writing:
    """What is the same for all steps of one write: the type, the apiVersion, and the fields that the write resets.

    `typed`: the API server keeps the object as a Go type, so a null gets lost on the way to another apiVersion.
    """

    __slots__ = ("reset", "shape", "typed", "version")

    def __init__(self, shape: Shape, version: str, reset: Tree, *, typed: bool) -> None:
        self.shape, self.version, self.reset, self.typed = shape, version, reset, typed

    def converted(self, document: Object, *, other: bool = True) -> Object:
        """The object in another apiVersion (if it is another one), but for the apiVersion itself."""
        result: Object = without_nulls(document) if other and self.typed else document
        return result

    def differs_in(self, versions: set[str], document: Object) -> bool:
        """Whether the object is another one in one of these apiVersions."""
        return bool(versions - {self.version}) and self.converted(document) is not document

    def compare(self, live: Object, new: Object) -> Comparison:
        """What the write changes of what it can change."""
        changes = compare(live, new, self.shape)
        return changes.filtered(lambda tree: trees.without(tree, self.reset)) if self.reset else changes


def apply(
    writing: Writing, live: Object, config: Object, managed: Managed, own: Identity, *, force: bool
) -> tuple[Object | None, Managed]:
    """The object and its managers after an apply; no object if it stays the same."""
    shape = writing.shape
    managed = _reconciled(writing, live, managed)
    new: Object = merged(live, config, shape)
    last = managed.get(own)
    tree = trees.without(owned(config, shape), writing.reset)
    managed[own] = Entry(own, writing.version, tree, last.time if last else None)
    if last is not None and last.tree:
        new = _pruned(writing, new, managed, last, tree)
    managed, _ = _handed_over(writing, live, new, managed, own, force=force)
    return (None if equal(live, new) else new), managed


def update(writing: Writing, live: Object, new: Object, managed: Managed, own: Identity) -> Managed:
    """The managers after any other write: what it changed is its own now."""
    managed = _reconciled(writing, live, managed)
    managed, changes = _handed_over(writing, live, new, managed, own, force=True)
    mine = managed[own].tree if own in managed else trees.EMPTY
    mine = trees.union(trees.difference(mine, changes.removed), changes.set)
    mine = trees.without(mine, writing.reset)
    if mine:
        managed[own] = Entry(own, writing.version, mine, None)
    else:
        managed.pop(own, None)
    return managed


def _handed_over(
    writing: Writing, live: Object, new: Object, managed: Managed, own: Identity, *, force: bool
) -> tuple[Managed, Comparison]:
    """The managers without what the write takes from them; an error if it may not."""
    changes = writing.compare(live, new)
    _only_once(writing, new, managed)
    elsewhere = changes
    if writing.differs_in(_versions(managed), new):
        elsewhere = writing.compare(live, writing.converted(new))
    conflicts: dict[Identity, Tree] = {}
    for key, entry in managed.items():
        known = changes if entry.version == writing.version else elsewhere
        common = trees.intersection(entry.tree, known.set)
        if key != own and common:
            conflicts[key] = common
    if conflicts and not force:
        raise found(managed, conflicts)

    def left(entry: Entry) -> Tree:
        if entry.identity == own:
            return entry.tree
        known = changes if entry.version == writing.version else elsewhere
        return trees.difference(trees.difference(entry.tree, conflicts.get(entry.identity, trees.EMPTY)), known.removed)

    return by_all(managed, left), changes


def _versions(managed: Managed) -> set[str]:
    return {entry.version for entry in managed.values()}


def _reconciled(writing: Writing, live: Object, managed: Managed) -> Managed:
    _only_once(writing, live, managed)
    return {key: entry.owning(reconciled(entry.tree, writing.shape)) for key, entry in managed.items()}


def _only_once(writing: Writing, document: Object, managed: Managed) -> None:
    """An object is converted for managers of other versions, which refuses elements that are the same one."""
    if _versions(managed) - {writing.version}:
        check(document, writing.shape, duplicates=False)


def _pruned(writing: Writing, new: Object, managed: Managed, last: Entry, own: Tree) -> Object:
    """The merged object without what the manager applied before and now leaves out, if nobody else owns it."""
    shape, other = writing.shape, last.version != writing.version
    owned_in: dict[str, Tree] = {}
    for entry in managed.values():
        owned_in[entry.version] = trees.union(owned_in.get(entry.version, trees.EMPTY), entry.tree)
    versions = sorted(owned_in, key=lambda version: version != last.version)
    sets = [owned_in[version] for version in versions]
    if other or (writing.typed and {*versions} != {writing.version}):
        new = writing.converted(new, other=other)
        elsewhere = [version != last.version for version in versions]
        gone = given_up(new, last.tree, sets, shape, lambda value, at: writing.converted(value, other=elsewhere[at]))
    else:
        dropped = trees.difference(last.tree, own)
        if not dropped:
            return new
        gone = left_out(new, last.tree, dropped, own, sets, shape)
    result: Object = writing.converted(removed(new, gone, shape), other=other)
    return result
