"""`kubemerge api-versions`: the apiVersions that the cluster serves."""

from __future__ import annotations

import click

from ..flags import Misused
from ..options.clusters import ClusterLocation, cluster_options, opened
from ..terminal.console import console_options, echo


@click.command("api-versions")
@click.argument("words", metavar="", nargs=-1)
@cluster_options
@console_options
def api_versions(where: ClusterLocation, words: tuple[str, ...]) -> int:
    """List the API versions that the cluster serves."""
    from ...apiserver.http.discovery.resources import versions

    if words:
        raise Misused(f"unexpected arguments: [{' '.join(words)}]")
    with opened(where, "rehearse") as cluster:
        for version in versions(cluster, cluster.release):
            echo(version)
    return 0
