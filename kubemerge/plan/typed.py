"""Objects after a round trip through the Go types of a tool's Kubernetes libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.floats import whole_numbers

from ..apiserver.decoding import type_errors, type_search
from ..apiserver.decoding.decoder import Empties, decode_object
from ..apiserver.pipeline import server_of

if TYPE_CHECKING:
    Object = dict[str, Any]

NOT_IN_CLIENT = frozenset({"apiextensions.k8s.io", "apiregistration.k8s.io"})
"""Groups that client-go has no types of."""
LARGEST = 1e21
"""Go prints larger numbers with an exponent."""


def as_typed(content: Object, release: str) -> Object | None:
    """The object as the Go types of a release print it. None if they cannot hold it.

    Unknown fields are dropped, quantities become canonical, and structs without `omitempty` appear as empty ones.
    """
    if content["apiVersion"].rpartition("/")[0] in NOT_IN_CLIENT:
        return None
    kinds = server_of(release).kinds
    try:
        resource = kinds.resource(content["apiVersion"], content["kind"])
        if not resource.built_in:
            return None
        type_errors.check(content, resource, kinds)
        found: Object = with_integers(decode_object(content, resource, kinds, Empties.SENT))
    except MergeError:
        return None
    return found


def metadata_error(content: Object, release: str) -> str:
    """Go's error for metadata that kubectl cannot decode. Empty if it can."""
    schema = server_of(release).kinds.tables.definition(type_errors.OBJECT_META)
    found = type_search.type_mismatch(content["metadata"], schema, ("metadata",))
    return "" if found is None else type_errors.go_error(found, schema)


def with_integers(value: Any) -> Any:
    """The value with 1 instead of 1.0, as Go prints numbers."""
    return whole_numbers(value, LARGEST)
