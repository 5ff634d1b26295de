"""The merge functions from JSON text to JSON text.

The output is as Go prints it. As in the reference, an empty text counts as an empty object when a patch is made, and
is an error when a patch is applied. Decoded documents are plain and not shared, so they are neither checked nor copied
first.
"""

from __future__ import annotations

from . import patches
from .errors import NotAnObject
from .strategic.fast import apply_by
from .strategic.one_pass import three_way
from .tables.patch_schema import patch_schema
from .values.client_objects import SNAKE_CASE
from .values.go_json import decode_all, encode
from .values.guard import COMPILED, FAILURES, require_depth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from .tables.schema import Schema
    from .values.plain import Object

    Text: TypeAlias = str | bytes | bytearray


def two_way_patch(original: Text, modified: Text, schema: Schema | None) -> str:
    """The text of the patch from `original` to `modified`."""
    (before, after), floats = _objects(original or b"null", modified or b"null")
    return encode(patches.two_way_patch(before, after, schema), floats=floats, read=True)


def three_way_patch(
    last_applied: Text, config: Text, live: Text, schema: Schema | None, overwrite: bool = True, *, safe: bool = False
) -> str:
    """The text of the patch from `live` to `config`; see `engine.three_way_patch`."""
    (last, wanted, current), floats = _objects(last_applied or b"null", config or b"null", live or b"null")
    patch = None
    if overwrite and not safe and schema is not None and _are_mergeable(last, wanted, current):
        try:  # noqa: SIM105 - `suppress` is slower
            patch = three_way(last, wanted, current, patch_schema(schema))
        except FAILURES:
            pass  # the general code raises the error with its path
    if patch is None:
        patch = patches.three_way_patch(last, wanted, current, schema, overwrite, safe=safe)
    return encode(patch, floats=floats, read=True)


def apply_patch(target: Text, patch: Text, schema: Schema | None) -> str:
    """The text of the target after the patch."""
    (before, changes), floats = _objects(target, patch)
    merged = None
    if schema is not None and _are_mergeable(before, changes):
        top = patch_schema(schema)
        try:  # noqa: SIM105 - `suppress` is slower
            merged = apply_by(top).maps(before, changes, top)
        except FAILURES:
            pass  # the general code raises the error with its path
    if merged is None:
        merged = patches.apply_patch(before, changes, schema)
    return encode(merged, floats=floats, read=True)


def _objects(*texts: Text) -> tuple[list[Any], bool]:
    """The objects in the texts, and True if there may be floats in them."""
    values, floats = decode_all(*texts)
    for value in values:
        if type(value) is not dict and value is not None:
            raise NotAnObject("document", value)
    return values, floats


def _are_mergeable(*documents: Object | None) -> bool:
    """True if all documents exist, and none has snake_case keys of the `kubernetes` client to convert."""
    for document in documents:
        if document is None or SNAKE_CASE in document:
            return False
    if COMPILED:
        require_depth(*documents)
    return True
