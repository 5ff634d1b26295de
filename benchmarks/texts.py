"""The merge functions from JSON text to JSON text, for comparison with the reference, which works on text.

The output is as Go prints it. To make a patch, an empty text is an empty object. To apply one, it is an error, as in
the reference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import json_merge, patches
from engine.errors import NotAnObject
from engine.strategic.fast import APPLY
from engine.tables.patch_schema import patch_schema
from engine.values.go_json import decode_all, encode
from engine.values.guard import run

if TYPE_CHECKING:
    from typing import TypeAlias

    from engine.tables.schema import Schema
    from engine.values.plain import Object

    Text: TypeAlias = str | bytes | bytearray


def two_way_patch(original: Text, modified: Text, schema: Schema | None) -> str:
    """The text of the patch from `original` to `modified`."""
    (before, after), floats = _objects(original or "null", modified or "null")
    return encode(patches.two_way_patch(before, after, schema), floats=floats, read=True)


def three_way_patch(
    last_applied: Text, config: Text, live: Text, schema: Schema | None, overwrite: bool = True, *, safe: bool = False
) -> str:
    """The text of the patch from `live` to `config`; see `engine.three_way_patch`."""
    (last, wanted, there), floats = _objects(last_applied or "null", config or "null", live or "null")
    patch = patches.three_way_patch(last, wanted, there, schema, overwrite, safe=safe)
    return encode(patch, floats=floats, read=True)


def apply_patch(target: Text, patch: Text, schema: Schema | None) -> str:
    """The text of the target after the patch. The parsed documents are not shared, so the result is not copied."""
    (before, changes), floats = _objects(target, patch)
    if schema is None:
        return encode(json_merge.json_apply_patch(before, changes), floats=floats, read=True)
    top = patch_schema(schema)
    merged = run(lambda target, patch: APPLY.maps(target, patch, top), target=before, patch=changes)
    return encode(merged, floats=floats, read=True)


def _objects(*texts: Text) -> tuple[list[Object | None], bool]:
    """The objects in the texts, and True if there may be floats in them."""
    values, floats = decode_all(*texts)
    for value in values:
        if value is not None and type(value) is not dict:
            raise NotAnObject("document", value)
    return values, floats
