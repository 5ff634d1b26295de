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
from .values.go_json import decode_with_traits, encode
from .values.guard import COMPILED, FAILURES, require_depth
from .values.kept_annotation import decode_kept, encode_kept, has_long, restore
from .values.plain import DEEP, FLOATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .tables.schema import Schema
    from .values.kept_annotation import Kept, Text
    from .values.plain import Object


def two_way_patch(original: Text, modified: Text, schema: Schema | None) -> str:
    """The text of the patch from `original` to `modified`."""
    (before, after), traits, _ = _objects(original or b"null", modified or b"null")
    patch = patches.two_way_patch(before, after, schema)
    floats = schema is None or bool(traits & FLOATS)  # a JSON merge patch rounds large integers
    return encode(patch, floats=floats, read=True)


def three_way_patch(
    last_applied: Text, config: Text, live: Text, schema: Schema | None, overwrite: bool = True, *, safe: bool = False
) -> str:
    """The text of the patch from `live` to `config`; see `engine.three_way_patch`."""
    given = (last_applied or b"null", config or b"null", live or b"null")
    quick = overwrite and not safe
    values, traits, kept = _objects(*given, keeps=quick)
    floats = bool(traits & FLOATS)
    last, wanted, current = values
    if quick and schema is not None and _are_mergeable(traits, last, wanted, current):
        try:
            return encode_kept(three_way(last, wanted, current, patch_schema(schema)), kept, floats=floats)
        except FAILURES:
            pass  # the general code raises the error with its path
    if kept:
        restore(values, kept)
    patch = patches.three_way_patch(last, wanted, current, schema, overwrite, safe=safe)
    return encode(patch, floats=floats or schema is None, read=True)


def apply_patch(target: Text, patch: Text, schema: Schema | None) -> str:
    """The text of the target after the patch."""
    values, traits, kept = _objects(target, patch, keeps=schema is not None)
    floats = bool(traits & FLOATS)
    before, changes = values
    if schema is not None and _are_mergeable(traits, before, changes):
        top = patch_schema(schema)
        try:
            return encode_kept(apply_by(top).maps(before, changes, top), kept, floats=floats)
        except FAILURES:
            pass  # the general code raises the error with its path
    if kept:
        restore(values, kept)
    return encode(patches.apply_patch(before, changes, schema), floats=floats, read=True)


def _objects(*texts: Text, keeps: bool = False) -> tuple[list[Any], int, Kept]:
    """The objects in the texts, the traits that they may have, and the annotations that stayed text.

    Without `keeps`, all annotations are decoded.
    """
    kept: Kept = ()
    if keeps and has_long(*texts):
        values, traits, kept = decode_kept(*texts)
    else:
        values, traits = decode_with_traits(*texts)
    for value in values:
        if type(value) is not dict and value is not None:
            raise NotAnObject("document", value)
    return values, traits, kept


def _are_mergeable(traits: int, *documents: Object | None) -> bool:
    """True if all documents exist, and none has snake_case keys of the `kubernetes` client to convert."""
    for document in documents:
        if document is None or SNAKE_CASE in document:
            return False
    if COMPILED and traits & DEEP:
        require_depth(*documents)
    return True
