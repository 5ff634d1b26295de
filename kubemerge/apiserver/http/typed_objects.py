"""Objects of built-in kinds in bodies, decoded to Go types: those that are stored, and reviews, Scales and others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from engine import load
from engine.values.go_json import encode

from ..decoding.type_errors import check_custom, check_sent
from ..metadata import check_types
from ..protocol import Resource
from ..request_options import IGNORE, SentTypes
from .bodies import check_kind, duplicate_key_errors, merged_keys, object_of, with_number_texts
from .negotiation import body_form
from .options import write_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema

    from ..cluster import EmbeddedCluster
    from ..protocol import Object
    from .bodies import ExpectedKind
    from .messages import Request


class SentObject(NamedTuple):
    """The object in a body."""

    content: Object
    types: SentTypes
    """The result of the check of its types."""
    repeated: list[str]
    """The errors about duplicate keys."""


def sent_object(
    request: Request, expected: ExpectedKind, resource: Resource, release: str, schema: Callable[[], Schema]
) -> SentObject:
    """Return the object in a body. Reject other kinds, and wrong types of a built-in kind."""
    content = object_of(request, expected)
    if not expected.built_in:
        check_custom(content, resource)
        is_ignored = request.asked("fieldValidation") == IGNORE
        return SentObject(content, SentTypes.UNCHECKED, [] if is_ignored else duplicate_key_errors(request))
    check_kind(content, expected, release)
    repeated = duplicate_key_errors(request)
    if body_form(request.headers.get("content-type", "")) == "json":
        if repeated:
            content = merged_keys(request.body, schema())
        text, read = partial(request.body.decode, errors="replace"), partial(with_number_texts, request.body)
    else:
        text, read = partial(encode, content), partial(dict, content)
    return SentObject(content, check_sent(content, resource, schema(), text, read), repeated)


def typed_object_of(
    cluster: EmbeddedCluster, request: Request, expected: ExpectedKind, options: str = "CreateOptions"
) -> Object:
    """Return the object in a body, decoded. Reject wrong types, and unknown fields in strict mode.

    `options` is the name of the request's options in messages.
    """
    field_validation = write_options(request, options)["field_validation"]
    group, _, version = expected.api_version.rpartition("/")
    kind = Resource(group, version, expected.kind, "", namespaced=True)
    schema = partial(load(cluster.release).schema, expected.api_version, expected.kind)
    sent = sent_object(request, expected, kind, cluster.release, schema)
    cluster.check_fields(sent.content, kind, field_validation, sent.types, sent.repeated)
    return {**sent.content, "metadata": check_types(sent.content.get("metadata"))}
