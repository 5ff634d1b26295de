"""The rules and the specification of a selected server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine

from ..offline.server_objects import ServerSchemas
from ..offline.tables import definitions_in, laid_over, specification
from .inputs import files, tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codegen.sources.opening import SourceDocument
    from engine import Tables

    from ..client.cluster import RemoteCluster
    from ..manifests.objects import Manifest
    from .options.clusters import ClusterLocation


def schemas_of(
    cluster: RemoteCluster,
    release: str | None,
    specifications: Sequence[str],
    config: Sequence[str],
    *,
    recursive: bool = False,
) -> ServerSchemas:
    """The rules of a server, or of a release if one is given, with specifications laid over them."""
    return schemas_with(cluster, release, specifications, definitions_in(config, files(), recursive=recursive))


def schemas_with(
    cluster: RemoteCluster, release: str | None, specifications: Sequence[str], definitions: Iterable[Manifest]
) -> ServerSchemas:
    """The same, with definitions that are already read."""
    base = engine.load(release) if release else cluster.release_tables()
    over = [specification(one, files()) for one in specifications]
    return ServerSchemas(cluster, base, over, definitions, tell, release=release is not None)


def tables(where: ClusterLocation, specifications: Sequence[str]) -> Tables:
    """All rules of a release or, if one is selected, of a server, with specifications laid over them."""
    from .inputs import tables as of_release
    from .options.clusters import connected

    if not where.is_server:
        return of_release(where.release, specifications)
    with connected(where) as cluster:
        return laid_over(cluster.tables(), [specification(one, files()) for one in specifications])


def documents_of(where: ClusterLocation) -> list[SourceDocument]:
    """The documents of a server's specification."""
    from codegen.sources.opening import cluster_documents

    from .options.clusters import connected

    with connected(where) as cluster:
        documents: Any = cluster.documents()
        return cluster_documents(cluster.address, documents)
