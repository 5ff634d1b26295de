"""The documents of specifications: from files, addresses, packages, or a live cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..options.clusters import ClusterLocation
from ..terminal.progress import fetching

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codegen.sources.opening import SourceDocument


def documents_of(
    sources: Sequence[str], server: str | None, *, context: str | None, kubeconfig: str | None, **how: Any
) -> list[SourceDocument]:
    """The documents of all sources, and of a server if one is given. `how` contains the other server options."""
    from codegen.sources.fetch import Fetch
    from codegen.sources.opening import cluster_documents, documents
    from codegen.sources.packages import PackageFetcher, is_package

    if how["client_key"] and not how["client_cert"]:
        raise click.UsageError("--client-key requires --client-cert")
    where = ClusterLocation(None, None, context, kubeconfig)
    given = [name for name in ("token_file", "ca_file", "client_cert") if how[name]]
    if where.is_server and (server is not None or given):
        name = "server" if server is not None else given[0].replace("_", "-")
        raise click.UsageError(f"--{name} and --context exclude each other. Omit one of them")
    found: list[SourceDocument] = []
    with fetching() as progress, PackageFetcher() as packages:
        fetch = Fetch(progress=progress, server=server, **how)
        for source in sources:
            found += packages.documents(source) if is_package(source) else documents(source, fetch)
        if server is not None:
            found += cluster_documents(server, fetch)
    if where.is_server:
        from ..servers import documents_of as of_server

        found += of_server(where)
    return found
