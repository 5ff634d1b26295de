"""Which kinds people apply, as tables tell it: objects that are kept, not lists of them or what requests consist of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tables.served import is_of_kubernetes

if TYPE_CHECKING:
    from engine import Tables

LIST_META = "meta_v1.ListMeta"
OBJECT_META = "meta_v1.ObjectMeta"


def is_applied(key: tuple[str, str], tables: Tables) -> bool:
    """Whether objects of a kind are kept, so that somebody may apply them.

    What Kubernetes keeps has the metadata of objects, and a list beside it: no `WatchEvent`, `Scale` or `TokenReview`.
    Of other groups only lists are known to be none, for a definition of a custom resource says nothing of its list.
    """
    api_version, kind = key
    metadata = tables.schema(*key).rule("metadata")
    of = metadata.of if metadata else None
    if of == LIST_META or not is_of_kubernetes(api_version):
        return of != LIST_META
    return of == OBJECT_META and (api_version, f"{kind}List") in tables
