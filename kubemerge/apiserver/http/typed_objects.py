"""Objects of built-in kinds that are not stored: reviews, Scales, and objects that are sent to subresources."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine import load
from engine.values.go_json import encode

from ..decoding.field_validation import VALIDATES_SINCE, strict_error
from ..decoding.type_errors import check_sent, read_as
from ..decoding.unknown_fields import fields_unknown_to, unknown_field_error
from ..eras import minor_of
from ..errors import BadRequest
from ..metadata import check_types
from ..protocol import Resource
from ..request_options import IGNORE, STRICT, WARN, check_directive
from .bodies import check_kind, duplicate_key_errors, object_of, with_number_texts
from .negotiation import body_form
from .options import write_options

if TYPE_CHECKING:
    from engine import Schema

    from ..cluster import EmbeddedCluster
    from ..protocol import Object
    from .bodies import ExpectedKind
    from .messages import Request


def typed_object_of(
    cluster: EmbeddedCluster, request: Request, expected: ExpectedKind, options: str = "CreateOptions"
) -> Object:
    """Return the object in a body, decoded. Reject wrong types, and unknown fields in strict mode.

    `options` is the name of the request's options in messages.
    """
    field_validation = write_options(request, options)["field_validation"]
    check_directive(options, field_validation)
    content = object_of(request, expected)
    check_kind(content, expected, cluster.release)
    schema = load(cluster.release).schema(expected.api_version, expected.kind)
    group, _, version = expected.api_version.rpartition("/")
    kind = Resource(group, version, expected.kind, "", namespaced=True)
    if body_form(request.headers.get("content-type", "")) == "json":
        text, read = partial(request.body.decode, errors="replace"), partial(with_number_texts, request.body)
    else:
        text, read = partial(encode, content), partial(dict, content)
    check_sent(content, kind, schema, text, read)
    if (field_validation or WARN) != IGNORE and minor_of(cluster.release) >= VALIDATES_SINCE:
        _check_fields(cluster, request, content, schema, read_as(kind), is_strict=field_validation == STRICT)
    return {**content, "metadata": check_types(content.get("metadata"))}


def _check_fields(
    cluster: EmbeddedCluster, request: Request, content: Object, schema: Schema, doing: str, *, is_strict: bool
) -> None:
    """Reject or warn about duplicate and unknown fields. `doing` is the beginning of the error."""
    repeated = duplicate_key_errors(request)
    unknown = [*map(unknown_field_error, fields_unknown_to(content, schema))]
    if (repeated or unknown) and is_strict:
        raise BadRequest(f"{doing}: {strict_error(repeated, unknown)}")
    for error in [*repeated, *unknown]:
        if cluster.on_warning is not None:
            cluster.on_warning(error)
