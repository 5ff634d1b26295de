"""The kinds that users apply: those whose objects are stored, not lists or request bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tables.served import is_of_kubernetes

if TYPE_CHECKING:
    from engine import Tables

LIST_META = "meta_v1.ListMeta"
OBJECT_META = "meta_v1.ObjectMeta"


def is_applied(key: tuple[str, str], tables: Tables) -> bool:
    """Whether objects of a kind are stored, so that users may apply them.

    A stored kind has object metadata and a list kind, unlike `WatchEvent` or `TokenReview`. In other groups
    only lists are ruled out, because the definition of a custom resource does not mention its list.
    """
    api_version, kind = key
    metadata = tables.schema(*key).rule("metadata")
    of = metadata.of if metadata else None
    if of == LIST_META or not is_of_kubernetes(api_version):
        return of != LIST_META
    return of == OBJECT_META and (api_version, f"{kind}List") in tables
