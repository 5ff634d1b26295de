"""`kubemerge cluster-info`: where the cluster is."""

from __future__ import annotations

import click

from ..options.clusters import Where, cluster_options, opened
from ..terminal.console import console_options, echo


@click.command("cluster-info")
@cluster_options
@console_options
def cluster_info(where: Where) -> int:
    """Tell where the cluster is, which is a file. `kubemerge cluster info` tells what is in it."""
    with opened(where, "read") as cluster:
        echo(f"Kubernetes control plane is running at {cluster.address}")
    more = "kubemerge cluster info" if not where.is_server else "kubemerge events"
    echo("")
    echo(f"To further debug and diagnose cluster problems, use '{more}'.")
    return 0
