"""Patching one object, by each of the types of patches that `kubectl patch` knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine
from engine import MergeError
from engine.last_applied import as_sent
from engine.values import kind_name

from ..reading.manifests import BadManifest, read_documents
from .json_patch import apply_json_patch

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema


class CannotPatch(MergeError):
    """A patch that does not fit the object, or its type."""


def read_patch(data: bytes, source: str) -> Any:
    """The patch in a text, JSON or YAML."""
    found = list(read_documents(data, source))
    if len(found) > 1:
        raise BadManifest(f"{source}:{found[1][0]}: a second document; a patch is one document")
    if not found or (found[0][1] is None and data.strip() != b"null"):
        raise BadManifest(f"{source}: the patch is empty; to change nothing, write {{}}")
    return as_sent(found[0][1])


def patched(
    target: dict[str, Any],
    patch: Any,
    patch_type: str,
    schema: Schema | None,
    lists: str = "kubectl",
    note: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """The object as the patch makes it. `lists="schema"` lets lists of custom resources merge by their own keys."""
    if patch_type == "json":
        result = apply_json_patch(as_sent(target), [] if patch is None else patch, note)
    elif patch_type == "merge":
        result = engine.json_apply_patch(as_sent(target), _map(patch, "merge"))
    else:
        if schema is None:
            raise CannotPatch(
                "no schema is known, so no strategic patch; use --type merge, or lay its CRD over: --schema"
            )
        result = engine.apply_patch(
            as_sent(target), _map({} if patch is None else patch, "strategic"), by(schema, lists)
        )
    if not isinstance(result, dict) or not isinstance(result.get("kind"), str) or not result["kind"]:
        raise CannotPatch("the patch leaves something without a kind, which is no object")
    return result


def by(schema: Schema, lists: str) -> Schema:
    """The schema to merge by."""
    if lists != "schema":
        return schema
    from engine.by_schema import merging_lists

    return merging_lists(schema)


def _map(patch: Any, called: str) -> dict[str, Any]:
    if isinstance(patch, list):
        raise CannotPatch(f"a {called} patch is a mapping, not a list; a list of operations is for --type json")
    if not isinstance(patch, dict):
        raise CannotPatch(f"a {called} patch is a mapping, not {kind_name(patch)}")
    return patch
