"""Apply and update on typed objects: the new object and the new fields of every manager.

It follows `merge.Updater` of structured-merge-diff. Without a converter, all apiVersions have the same fields.
"""

from __future__ import annotations

from ..errors import MergeError
from ..tables.behaviour import IGNORES_ORDER, KEEPS_EMPTIED_FIELDS, NEWEST, OWNS_RESET_FIELDS, REJECTS_DUPLICATES
from .conflicts import conflict_error
from .fields import trees
from .managers import ManagedFieldsEntry, update_trees
from .typed.compare import compare, equal
from .typed.merge import merge
from .typed.prune import NeedsFullPrune, VersionedSet, has_empty_list, paths_to_prune, reference_paths_to_prune
from .typed.remove import reconcile_with_schema, remove_paths, remove_paths_keeping_emptied
from .typed.to_field_set import to_field_set
from .typed.validate import WrongType, validate
from .typed.zero_values import without_nulls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..aliases import Converter
    from ..tables.behaviour import Behaviour
    from ..values.plain import Object
    from .fields.trees import Tree
    from .managers import Identity, Managed
    from .typed.compare import Comparison
    from .typed.schema import Atom, Versions


SCALE = "autoscaling/v1"


class UnknownVersion(MergeError):
    """A custom resource that would have to be converted to an apiVersion that it does not have.

    An entry of managedFields, or an applied Scale, may have such an apiVersion. `server_text` is the API server's
    message, and `doing` its part before the cause.
    """

    def __init__(self, version: str, doing: str = "", cause: str = "") -> None:
        self.version = version
        self.advice = (
            "update the replicas in another way" if version == SCALE else "take its entry out of managedFields"
        )
        self.server_text = doing + (cause or f"request to convert CR to an invalid group/version: {version}")
        super().__init__(f"{self.server_text}; {self.advice}")


class Updater:
    """Everything that all steps of one write share: the type, the apiVersion, and the reset fields.

    typed    true if the API server stores the object as a Go type, so conversion drops nulls
    served   the kind's apiVersions with their types; None if unknown
    alike    true if reset fields apply in every apiVersion, not only in that of the write
    convert  converts an object to another apiVersion; None if all have the same fields

    `behaviour` has the differences of the release from the newest one, see `tables.behaviour`. `reset` are the fields
    that the write resets, and `unowned` those that it therefore does not own. `duplicates` allows repeated elements.
    """

    __slots__ = (
        "alike",
        "atom",
        "behaviour",
        "convert",
        "duplicates",
        "remove",
        "reset",
        "served",
        "typed",
        "unowned",
        "version",
    )

    def __init__(
        self,
        atom: Atom,
        version: str,
        reset: Tree,
        *,
        typed: bool,
        served: Versions | None = None,
        alike: bool = True,
        convert: Converter | None = None,
        behaviour: Behaviour = NEWEST,
    ) -> None:
        self.atom, self.version, self.reset, self.typed = atom, version, reset, typed
        self.served, self.alike, self.convert = served, alike, convert
        self.behaviour = behaviour
        self.unowned = trees.EMPTY if OWNS_RESET_FIELDS in behaviour else reset
        self.duplicates = REJECTS_DUPLICATES not in behaviour
        self.remove = remove_paths_keeping_emptied if KEEPS_EMPTIED_FIELDS in behaviour else remove_paths

    def converted(self, document: Object, version: str) -> Object:
        """The object in another apiVersion. Without a converter, only the apiVersion field changes."""
        result: Object = without_nulls(document, self.atom) if self.typed else document
        return result if self.convert is None else self.convert(result, version)

    def convert_and_validate(self, document: Object, version: str, doing: str) -> Object:
        """The object in another apiVersion, validated against its type. `doing` begins the server's message."""
        result = self.converted(document, version)
        # Without a converter, Go types drop the fields that they lack.
        atom = self.atom if self.typed and self.convert is None else self.atom_in(version)
        try:
            validate(result, atom, duplicates=False)
        except WrongType as error:
            error.doing = doing
            raise
        return result

    def atom_in(self, version: str) -> Atom:
        """The type in an apiVersion, which may have other atomic lists."""
        return self.atom if version == self.version or not self.served else self.served.atom(version, self.atom)

    def changes(self, live: Object, new: Object, versions: set[str]) -> dict[str, Comparison]:
        """The changes of the write, without reset fields, in its apiVersion and in each of these."""
        here = compare(live, new, self.atom)
        found = {self.version: self._filtered(here)}
        for version in versions - {self.version}:
            atom = self.atom_in(version)
            before = live if self.convert is None else self.converted(live, version)
            after = self.converted(new, version)
            same = before is live and after is new and atom is self.atom
            there = here if same else compare(before, after, atom)
            found[version] = self._filtered(there) if self.alike else there
        return found

    def _filtered(self, changes: Comparison) -> Comparison:
        return changes.filter(lambda tree: trees.without(tree, self.unowned)) if self.unowned else changes

    def known(self, managed: Managed) -> Managed:
        """The managers without those whose apiVersion the kind no longer has; a custom resource may have none."""
        if self.served is None:
            return managed
        gone = _versions(managed) - self.served.named.keys() - {self.version}
        if not gone:
            return managed
        if not self.typed:
            raise UnknownVersion(min(gone))
        return {key: entry for key, entry in managed.items() if entry.version not in gone}


def apply(
    updater: Updater, live: Object, config: Object, managed: Managed, own: Identity, *, force: bool
) -> tuple[Object | None, Managed]:
    """The object and its managers after an apply; None as the object if it stays the same."""
    atom = updater.atom
    earlier = managed.get(own)  # its time counts, even if its apiVersion is gone
    managed = _reconcile(updater, live, managed)
    new: Object = merge(live, config, atom)
    last = managed.get(own)
    tree = trees.without(to_field_set(config, atom), updater.unowned)
    managed[own] = ManagedFieldsEntry(own, updater.version, tree, earlier.time if earlier else None)
    if last is not None and last.tree:
        new = _prune(updater, new, managed, last, tree)
    managed, changes = _take_over_fields(updater, live, new, managed, own, force=force)
    same = changes.is_same if IGNORES_ORDER in updater.behaviour else equal(live, new)
    return (None if same else new), managed


def update(updater: Updater, live: Object, new: Object, managed: Managed, own: Identity) -> Managed:
    """The managers after any other write: the writer owns the changed fields."""
    managed = _reconcile(updater, live, managed)
    managed, changes = _take_over_fields(updater, live, new, managed, own, force=True)
    mine = managed[own].tree if own in managed else trees.EMPTY
    mine = trees.union(trees.difference(mine, changes.removed), changes.set)
    mine = trees.without(mine, updater.unowned)
    if mine:
        managed[own] = ManagedFieldsEntry(own, updater.version, mine, None)
    else:
        managed.pop(own, None)
    return managed


def _take_over_fields(
    updater: Updater, live: Object, new: Object, managed: Managed, own: Identity, *, force: bool
) -> tuple[Managed, Comparison]:
    """The managers without the fields that the write takes from them; an error on conflict without `force`."""
    _check_other_versions(updater, new, managed, "failed to convert new object: ")
    changes = updater.changes(live, new, _versions(managed))
    conflicts: dict[Identity, Tree] = {}
    for key, entry in managed.items():
        common = trees.intersection(entry.tree, changes[entry.version].set)
        if key != own and common:
            conflicts[key] = common
    if conflicts and not force:
        raise conflict_error(managed, conflicts, updater.behaviour)

    def left(entry: ManagedFieldsEntry) -> Tree:
        if entry.identity == own:
            return entry.tree
        taken = trees.difference(entry.tree, conflicts.get(entry.identity, trees.EMPTY))
        return trees.difference(taken, changes[entry.version].removed)

    return update_trees(managed, left), changes[updater.version]


def _versions(managed: Managed) -> set[str]:
    return {entry.version for entry in managed.values()}


def _reconcile(updater: Updater, live: Object, managed: Managed) -> Managed:
    managed = updater.known(managed)
    _check_other_versions(updater, live, managed, "")
    return {
        key: entry.with_tree(reconcile_with_schema(entry.tree, updater.atom_in(entry.version)))
        for key, entry in managed.items()
    }


def _check_other_versions(updater: Updater, document: Object, managed: Managed, doing: str) -> None:
    """The object is converted for managers of other versions: there it must fit its type, without duplicates."""
    for version in sorted(_versions(managed) - {updater.version}):
        updater.convert_and_validate(document, version, doing)


def _prune(updater: Updater, new: Object, managed: Managed, last: ManagedFieldsEntry, own: Tree) -> Object:
    """The merged object without fields that the manager applied before and now leaves out, unless others own them."""
    atom = updater.atom
    owned_by: dict[str, list[Tree]] = {}
    for entry in managed.values():
        owned_by.setdefault(entry.version, []).append(entry.tree)
    owned_in = {version: trees.union_all(found) for version, found in owned_by.items()}
    versions = sorted(owned_in, key=lambda version: (version != last.version, version))
    sets = [owned_in[version] for version in versions]
    dropped = trees.difference(last.tree, own)
    if {*versions} == {updater.version} == {last.version}:
        if not dropped:
            return new
        if not has_empty_list(new) and updater.remove is remove_paths:
            try:
                left: Object = remove_paths(new, paths_to_prune(new, last.tree, dropped, own, sets, atom), atom)
                return left
            except NeedsFullPrune:
                pass  # use the reference's own steps instead

    def turn(value: Any, old: str, version: str, doing: str = "failed to convert pruned object") -> Any:
        if old == version:
            return value
        return updater.convert_and_validate(value, version, f"failed to prune fields: {doing}: ")

    doing = "failed to convert merged object to last applied version"
    there = turn(new, updater.version, last.version, doing)
    before = VersionedSet(last.tree, updater.atom_in(last.version), last.version)
    owners = [VersionedSet(owned_in[version], updater.atom_in(version), version) for version in versions]
    gone = reference_paths_to_prune(there, before, owners, turn, updater.remove)
    result: Object = turn(updater.remove(there, gone, before.atom), last.version, updater.version)
    return result
