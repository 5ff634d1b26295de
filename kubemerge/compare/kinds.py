"""Which kinds people apply: those whose objects are stored, not lists of them or bodies of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tables.served import is_of_kubernetes

if TYPE_CHECKING:
    from engine import Tables

LIST_META = "meta_v1.ListMeta"
OBJECT_META = "meta_v1.ObjectMeta"


def is_applied(key: tuple[str, str], tables: Tables) -> bool:
    """Whether objects of a kind are stored, so that somebody may apply them.

    A stored kind has the metadata of objects, and a list kind next to it, unlike `WatchEvent` or `TokenReview`.
    In other groups only lists are ruled out, because the definition of a custom resource does not mention its list.
    """
    api_version, kind = key
    metadata = tables.schema(*key).rule("metadata")
    of = metadata.of if metadata else None
    if of == LIST_META or not is_of_kubernetes(api_version):
        return of != LIST_META
    return of == OBJECT_META and (api_version, f"{kind}List") in tables
