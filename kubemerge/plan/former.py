"""Fields that the earlier field managers of a tool have set, beside the defaults of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import FieldSet
from engine.directives import ANNOTATION
from engine.serverside.fields import trees
from engine.serverside.typed.compare import compare
from engine.serverside.typed.schema import atom_of
from engine.serverside.typed.to_field_set import to_field_set

from ..migrate.tools import TOOLS
from .metadata import entries_of

if TYPE_CHECKING:
    from engine import Schema
    from engine.serverside.fields.trees import Tree

    Object = dict[str, Any]

_LAST_APPLIED: Tree = trees.of_paths([("f:metadata", "f:annotations", f"f:{ANNOTATION}")])


def is_written_before(live: Object | None, tool: str) -> bool:
    """Whether an earlier field manager of a tool owns fields of a live object."""
    return live is not None and any(is_former_writer(one, tool) for one in entries_of(live))


def fields_of_former_writers(live: Object, fresh: Object, tool: str, schema: Schema | None) -> Tree:
    """The fields of a tool's earlier field managers. `fresh` is the object that the config alone makes, with defaults.

    A field that has its value in the fresh object as well is left out.
    """
    atom = atom_of(schema)
    former = [entry for entry in entries_of(live) if is_former_writer(entry, tool)]
    found = trees.union_all([FieldSet.parse(entry.get("fieldsV1")).tree for entry in former])
    same = trees.difference(to_field_set(fresh, atom), compare(live, fresh, atom).modified)
    return trees.difference(trees.difference(trees.leaves(found), same), _LAST_APPLIED)


def is_former_writer(entry: Object, tool: str) -> bool:
    """Whether an entry of managedFields is of a field manager that the tool used before it applied server-side."""
    return any(writer.owns(entry) for writer in TOOLS[tool].before)
