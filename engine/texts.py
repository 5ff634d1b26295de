"""The merge functions from text to text: what they read is theirs, so nothing is copied on the way.

Texts are JSON, in and out; what comes out is as Go prints it. To make a patch, an empty text is an empty object; to
apply one, it is an error, as it is to the reference.
"""

from __future__ import annotations

from . import json_merge, strategic
from .errors import NotAnObject
from .gojson import decode, encode
from .guard import run
from .merge import APPLY
from .shapes import shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from .schema import Schema
    from .values import Object

    Text: TypeAlias = str | bytes | bytearray


def two_way_patch(original: Text, modified: Text, schema: Schema | None) -> str:
    """The text of the patch that makes `original` into `modified`."""
    return encode(strategic.two_way_patch(_object(original), _object(modified), schema))


def three_way_patch(last_applied: Text, config: Text, live: Text, schema: Schema | None, overwrite: bool = True) -> str:
    """The text of the patch that brings `live` to `config`; see `engine.three_way_patch`."""
    documents = _object(last_applied), _object(config), _object(live)
    return encode(strategic.three_way_patch(*documents, schema, overwrite))


def apply_patch(target: Text, patch: Text, schema: Schema | None) -> str:
    """The text of the target as the patch makes it."""
    documents = _object(target, needed=True), _object(patch, needed=True)
    if schema is None:
        return encode(json_merge.json_apply_patch(*documents))
    top = shape(schema)
    return encode(run(lambda target, patch: APPLY.maps(target, patch, top), target=documents[0], patch=documents[1]))


def _object(text: Text, *, needed: bool = False) -> Object | None:
    if not text and not needed:
        return None
    value = decode(text)
    if value is not None and type(value) is not dict:
        raise NotAnObject("document", value)
    found: Object | None = value
    return found
