"""Patching one object with any patch type of `kubectl patch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine
from codegen.documents.reader import as_patch
from engine import MergeError
from engine.clientside.last_applied import as_sent
from engine.clientside.method import takes_strategic
from engine.values.plain import kind_name

from ..apiserver.patches.json_patch import apply_json_patch
from ..manifests.documents import BadManifest, read_documents

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema


class CannotPatch(MergeError):
    """A patch that does not match the object, or its type."""


def read_patch(data: bytes, source: str) -> Any:
    """Parse a patch: JSON if it begins with a brace, else YAML, as in kubectl."""
    try:
        found = list(read_documents(data, source, as_patch))
    except BadManifest as error:
        if not data.lstrip().startswith(b"{"):
            raise
        raise BadManifest(
            f"{error}. A patch that begins with a brace must be JSON. Remove the brace to write YAML"
        ) from None
    if len(found) > 1:
        raise BadManifest(f"{source}:{found[1][0]}: a second document. A patch is one document")
    if not found or (found[0][1] is None and data.strip() != b"null"):
        raise BadManifest(f"{source}: the patch is empty. To change nothing, write {{}}")
    return as_sent(found[0][1])


def patched(
    target: dict[str, Any],
    patch: Any,
    patch_type: str,
    schema: Schema | None,
    lists: str = "kubectl",
    note: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """The patched object. With `lists="schema"`, lists of custom resources merge by their keys."""
    if patch_type == "json":
        result = apply_json_patch(as_sent(target), [] if patch is None else patch, note)
    elif patch_type == "merge":
        result = engine.json_apply_patch(as_sent(target), _map(patch, "merge"))
    else:
        if schema is None:
            raise CannotPatch(
                "no schema, so strategic patches are unavailable. Use --type merge, or pass its CRD with --schema"
            )
        result = merged(as_sent(target), _map({} if patch is None else patch, "strategic"), schema, lists)
    if not isinstance(result, dict) or not isinstance(result.get("kind"), str) or not result["kind"]:
        raise CannotPatch("the patch removes the kind")
    return result


def merged(target: dict[str, Any], patch: dict[str, Any], schema: Schema, lists: str) -> dict[str, Any]:
    """The object with a strategic patch applied; `lists="schema"` is only for custom resources."""
    if lists != "schema" or takes_strategic(schema):
        return engine.apply_patch(target, patch, schema)
    from engine.custom.patches import apply_patch_by_all_keys

    return apply_patch_by_all_keys(target, patch, schema)


def _map(patch: Any, called: str) -> dict[str, Any]:
    if isinstance(patch, list):
        raise CannotPatch(f"a {called} patch is a mapping, not a list. For a list of operations, use --type json")
    if not isinstance(patch, dict):
        raise CannotPatch(f"a {called} patch is a mapping, not {kind_name(patch)}")
    return patch
