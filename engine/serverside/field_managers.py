"""The API server's chain of field managers around a write.

From the outside in: update of the last-applied annotation, conflicts excused by it, fields from before the first apply,
the limit on managers, manager name and time, and fields without owner.
"""

from __future__ import annotations

from functools import lru_cache

from ..directives import ANNOTATION
from ..errors import MergeError
from ..tables.behaviour import IGNORES_SUBRESOURCES, READS_NO_NULL_ANNOTATIONS, TIMES_BY_FIELDS
from ..values.go_json import decode, encode
from . import updater as merge
from .conflicts import FieldConflict
from .fields import trees
from .fields.path_elements import field_element
from .managers import APPLY, UPDATE, ManagedFieldsEntry, cap_updates, identity
from .typed.compare import compare
from .typed.new_object import added_paths
from .typed.to_field_set import to_field_set
from .typed.validate import WrongType, validate
from .typed.zero_values import empty_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..values.plain import Object
    from .fields.trees import Tree
    from .managers import Managed
    from .updater import Updater

BEFORE_FIRST_APPLY = "before-first-apply"
KUBECTL = "kubectl"
"""The only manager whose applies update the annotation of client-side apply."""
UNKNOWN = "unknown"
MOST_ANNOTATIONS = 256 * 1024
"""The maximum size of all annotations of an object in bytes."""

NEVER_OWNED: Tree = trees.of_paths(
    [
        [*map(field_element, path.split("."))]
        for path in (
            "apiVersion",
            "kind",
            "metadata",
            "metadata.name",
            "metadata.namespace",
            "metadata.creationTimestamp",
            "metadata.selfLink",
            "metadata.uid",
            "metadata.clusterName",
            "metadata.generation",
            "metadata.managedFields",
            "metadata.resourceVersion",
        )
    ]
)
_CURRENT = ("current-operation", "", "", "")


class Writer:
    """The manager of a write, its subresource and its time."""

    __slots__ = ("manager", "subresource", "time")

    def __init__(self, manager: str, subresource: str | None, time: str) -> None:
        self.manager, self.subresource, self.time = manager, subresource, time


def apply(
    updater: Updater, live: Object, config: Object, managed: Managed, writer: Writer, *, force: bool
) -> tuple[Object | None, Managed]:
    """The object after an apply, or None if it stays the same, and its managers. The live object has been validated."""
    validate(config, updater.atom, duplicates=False)
    if not managed:
        first = Writer(BEFORE_FIRST_APPLY, writer.subresource, writer.time)
        managed = _update(updater, empty_of(config, updater), live, managed, first)
    try:
        new, managed = _apply(updater, live, config, managed, writer, force=force)
    except FieldConflict as error:
        if writer.manager != KUBECTL:
            raise
        left = _not_excused(updater, live, error)
        if left:
            raise (error if len(left) == len(error.conflicts) else FieldConflict(left)) from None
        new, managed = _apply(updater, live, config, managed, writer, force=True)
    if writer.manager == KUBECTL:
        new = _with_true_annotation(updater, live, new, config)
    return new, managed


def empty_of(document: Object, updater: Updater) -> Object:
    """The empty object of a document's kind, in the apiVersion of the write."""
    found: Object = {name: document[name] for name in ("apiVersion", "kind") if name in document}
    kind = found.get("kind")
    if not updater.typed or type(kind) is not str:
        return found
    return {**_empty_object(updater.version, kind, updater.atom), **found}


_empty_object = lru_cache(maxsize=256)(empty_object)
"""Each create is compared with the empty object of its kind. Nothing changes it."""


def _apply(
    updater: Updater, live: Object, config: Object, managed: Managed, writer: Writer, *, force: bool
) -> tuple[Object | None, Managed]:
    own = identity(writer.manager, APPLY, updater.version, _subresource(updater, writer))
    former = managed
    new, managed = merge.apply(updater, live, config, managed, own, force=force)
    _strip(managed, own)
    is_changed = new is not None or (TIMES_BY_FIELDS in updater.behaviour and _differ(former, managed))
    if is_changed and own in managed:
        entry = managed[own]
        managed[own] = ManagedFieldsEntry(own, entry.version, entry.tree, writer.time)
    return new, managed


def _subresource(updater: Updater, writer: Writer) -> str | None:
    """The subresource in the writer's entry."""
    return None if IGNORES_SUBRESOURCES in updater.behaviour else writer.subresource


def _differ(former: Managed, managed: Managed) -> bool:
    """True if a manager owns other fields, or in another apiVersion."""
    one, other = ({key: (entry.version, entry.tree) for key, entry in side.items()} for side in (former, managed))
    return one != other


def create(updater: Updater, new: Object, writer: Writer) -> Managed | None:
    """The managers of a new object without managedFields. None: `update` has to compute them."""
    found = added_paths(empty_of(new, updater), new, updater.atom)
    if found is None:
        return None
    tree = trees.difference(trees.without(found, updater.unowned), NEVER_OWNED)
    if not tree:
        return {}
    own = identity(writer.manager or UNKNOWN, UPDATE, updater.version, _subresource(updater, writer))
    return {own: ManagedFieldsEntry(own, updater.version, tree, writer.time)}


def update(updater: Updater, live: Object, new: Object, managed: Managed, writer: Writer) -> Managed:
    """The managers after any other write. An object that was never tracked stays untracked."""
    metadata = live.get("metadata")
    if not managed and type(metadata) is dict and metadata.get("uid"):
        return managed
    return _update(updater, live, new, managed, writer)


def _update(updater: Updater, live: Object, new: Object, managed: Managed, writer: Writer) -> Managed:
    validate(new, updater.atom, duplicates=updater.duplicates)
    validate(live, updater.atom, duplicates=updater.duplicates)
    former = managed
    managed = merge.update(updater, live, new, managed, _CURRENT)
    _strip(managed, _CURRENT)
    current = managed.pop(_CURRENT, None)
    if current is not None:
        own = identity(writer.manager or UNKNOWN, UPDATE, updater.version, _subresource(updater, writer))
        earlier = managed.get(own)
        tree = trees.union(current.tree, earlier.tree) if earlier else current.tree
        managed[own] = ManagedFieldsEntry(own, updater.version, tree, _time(updater, former.get(own), tree, writer))
    return cap_updates(managed)


def _time(updater: Updater, former: ManagedFieldsEntry | None, tree: Tree, writer: Writer) -> str | None:
    """The time of the writer's entry after an update."""
    if TIMES_BY_FIELDS in updater.behaviour and former is not None and former.tree == tree:
        return former.time
    return writer.time


def _strip(managed: Managed, own: Any) -> None:
    """Remove fields that are never owned, such as the name, from the writer's entry."""
    entry = managed.get(own)
    if entry is None:
        return
    tree = trees.difference(entry.tree, NEVER_OWNED)
    if tree:
        managed[own] = entry.with_tree(tree)
    else:
        del managed[own]


# ---- last-applied annotation -------------------------------------------------------------------------------------


def _annotations(document: Object, *, reads_nulls: bool) -> Any:
    """The annotations. A null is read as an empty text, or left."""
    metadata = document.get("metadata")
    found = metadata.get("annotations") if type(metadata) is dict else None
    if not reads_nulls or type(found) is not dict or None not in found.values():
        return found
    return {key: "" if value is None else value for key, value in found.items()}


def _reads_nulls(updater: Updater) -> bool:
    return READS_NO_NULL_ANNOTATIONS not in updater.behaviour


def _annotation(updater: Updater, document: Object) -> str:
    annotations = _annotations(document, reads_nulls=updater.typed or _reads_nulls(updater))
    if type(annotations) is not dict or not all(type(value) is str for value in annotations.values()):
        return ""  # if any annotation is not text, the API server sees none
    found: str = annotations.get(ANNOTATION, "")
    return found


def _not_excused(updater: Updater, live: Object, error: FieldConflict) -> list[Any]:
    """The conflicts in fields that client-side apply did not set to their current values."""
    try:
        last = decode(_annotation(updater, live))
        if type(last) is not dict or last.get("apiVersion") != updater.version or not last.get("kind"):
            return error.conflicts
        validate(live, updater.atom, duplicates=False)
        validate(last, updater.atom, duplicates=False)
    except (MergeError, WrongType):
        return error.conflicts
    excused = to_field_set(last, updater.atom)
    changes = compare(last, live, updater.atom)
    for changed in (changes.modified, changes.added, changes.removed):
        excused = trees.difference(excused, changed)
    return [one for one in error.conflicts if not trees.contains(excused, one.element_path)]


def _with_true_annotation(updater: Updater, live: Object, new: Object | None, config: Object) -> Object | None:
    """The object with the annotation updated to the new config, if it had one."""
    after = live if new is None else new
    if not _annotation(updater, after):
        return new
    text = _annotation_text(config, reads_nulls=_reads_nulls(updater))
    annotations = {**_annotations(after, reads_nulls=True), ANNOTATION: text}
    if sum([len(key.encode()) + len(value.encode()) for key, value in annotations.items()]) > MOST_ANNOTATIONS:
        del annotations[ANNOTATION]
    return {**after, "metadata": {**after["metadata"], "annotations": annotations}}


def _annotation_text(config: Object, *, reads_nulls: bool) -> str:
    annotations = _annotations(config, reads_nulls=reads_nulls)
    if annotations is None and "annotations" not in (config.get("metadata") or ()):
        return encode(config) + "\n"
    metadata = {key: value for key, value in config["metadata"].items() if key != "annotations"}
    if type(annotations) is dict and all(type(value) is str for value in annotations.values()):
        metadata["annotations"] = {key: value for key, value in annotations.items() if key != ANNOTATION}
    return encode({**config, "metadata": metadata}) + "\n"
