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
from .values.kept_annotation import decode_kept, encode_kept, has_long, restore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from .tables.schema import Schema
    from .values.kept_annotation import Kept
    from .values.plain import Object

    Text: TypeAlias = str | bytes | bytearray


def two_way_patch(original: Text, modified: Text, schema: Schema | None) -> str:
    """The text of the patch from `original` to `modified`."""
    (before, after), floats, _, _ = _documents(original or b"null", modified or b"null", keeps=False)
    return encode(patches.two_way_patch(before, after, schema), floats=floats, read=True)


def three_way_patch(
    last_applied: Text, config: Text, live: Text, schema: Schema | None, overwrite: bool = True, *, safe: bool = False
) -> str:
    """The text of the patch from `live` to `config`; see `engine.three_way_patch`."""
    given = (last_applied or b"null", config or b"null", live or b"null")
    quick = overwrite and not safe
    values, floats, kept, mergeable = _documents(*given, keeps=quick)
    last, wanted, current = values
    if quick and mergeable and schema is not None:
        try:
            return _text(three_way(last, wanted, current, patch_schema(schema)), kept, floats)
        except FAILURES:
            pass  # the general code raises the error with its path
    if kept:
        restore(values, kept)
    patch = patches.three_way_patch(last, wanted, current, schema, overwrite, safe=safe)
    return encode(patch, floats=floats, read=True)


def apply_patch(target: Text, patch: Text, schema: Schema | None) -> str:
    """The text of the target after the patch."""
    values, floats, kept, mergeable = _documents(target, patch, keeps=schema is not None)
    before, changes = values
    if mergeable and schema is not None:
        top = patch_schema(schema)
        try:
            return _text(apply_by(top).maps(before, changes, top), kept, floats)
        except FAILURES:
            pass  # the general code raises the error with its path
    if kept:
        restore(values, kept)
    return encode(patches.apply_patch(before, changes, schema), floats=floats, read=True)


def _text(result: Object, kept: Kept, floats: bool) -> str:
    return encode_kept(result, kept, floats=floats) if kept else encode(result, floats=floats, read=True)


def _documents(*texts: Text, keeps: bool) -> tuple[list[Any], bool, Kept, bool]:
    """The objects in the texts, True if there may be floats in them, the annotations that stayed text (with `keeps`),
    and True if they are mergeable: all exist, and none has snake_case keys of the `kubernetes` client to convert.
    """
    kept: Kept = ()
    if keeps and has_long(*texts):
        values, floats, kept = decode_kept(*texts)
    else:
        values, floats = decode_all(*texts)
    mergeable = True
    for value in values:
        if type(value) is not dict:
            if value is not None:
                raise NotAnObject("document", value)
            mergeable = False
        elif SNAKE_CASE in value:
            mergeable = False
    if COMPILED and mergeable:
        require_depth(*values)
    return values, floats, kept, mergeable
