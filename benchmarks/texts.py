"""The merge functions from text to text: what they read is theirs, so nothing is copied on the way.

Texts are JSON, in and out; what comes out is as Go prints it. To make a patch, an empty text is an empty object; to
apply one, it is an error, as it is to the reference.
"""

from __future__ import annotations

from engine import json_merge
from engine import patches as strategic
from engine.errors import NotAnObject
from engine.strategic.merge import APPLY
from engine.tables.shapes import shape
from engine.values.go_json import decode_noting, encode
from engine.values.guard import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from engine.tables.schema import Schema
    from engine.values.plain import Object

    Text: TypeAlias = str | bytes | bytearray


def two_way_patch(original: Text, modified: Text, schema: Schema | None) -> str:
    """The text of the patch that makes `original` into `modified`."""
    before, _ = _object(original)
    after, floats = _object(modified)
    return encode(strategic.two_way_patch(before, after, schema), floats=floats)


def three_way_patch(
    last_applied: Text,
    config: Text,
    live: Text,
    schema: Schema | None,
    overwrite: bool = True,
    *,
    safe: bool = False,
) -> str:
    """The text of the patch that brings `live` to `config`; see `engine.three_way_patch`."""
    last, some = _object(last_applied)
    wanted, more = _object(config)
    there, _ = _object(live)
    return encode(strategic.three_way_patch(last, wanted, there, schema, overwrite, safe=safe), floats=some or more)


def apply_patch(target: Text, patch: Text, schema: Schema | None) -> str:
    """The text of the target as the patch makes it."""
    before, some = _object(target, needed=True)
    changes, more = _object(patch, needed=True)
    if schema is None:
        return encode(json_merge.json_apply_patch(before, changes), floats=some or more)
    top = shape(schema)
    merged = run(lambda target, patch: APPLY.maps(target, patch, top), target=before, patch=changes)
    return encode(merged, floats=some or more)


def _object(text: Text, *, needed: bool = False) -> tuple[Object | None, bool]:
    """The object in a text, and whether there may be floats in it."""
    if not text and not needed:
        return None, False
    value, floats = decode_noting(text)
    if value is not None and type(value) is not dict:
        raise NotAnObject("document", value)
    return value, floats
