"""`kubemerge version`: the versions of kubemerge and of the cluster."""

from __future__ import annotations

from typing import Any

import click

from ..options.clusters import ClusterLocation, cluster_options, opened
from ..terminal.console import console_options, echo, echo_text


@click.command("version")
@cluster_options
@click.option("--client", is_flag=True, help="Print only the version of kubemerge.")
@click.option("-o", "--output", metavar="FORM", default="", help="Output format: yaml or json.")
@console_options
def version(where: ClusterLocation, client: bool, output: str) -> int:
    """Print the versions of kubemerge and of the cluster.

    The version of the cluster is the Kubernetes version that it serves.
    """
    from engine.version import __version__

    if output not in ("", "yaml", "json"):
        raise click.ClickException("--output must be 'yaml' or 'json'")
    found = {"clientVersion": _facts(__version__)}
    if not client:
        with opened(where, "rehearse") as cluster:
            found["serverVersion"] = dict(cluster.server_version)
    if not output:
        for name, facts in found.items():
            echo(f"{name.removesuffix('Version').capitalize()} Version: {facts['gitVersion']}")
        return 0
    if output == "json":
        import json

        echo_text(json.dumps(found, indent=2))
        return 0
    from ...output.object_text import object_text

    echo_text(object_text(found, "yaml"))
    return 0


def _facts(text: str) -> dict[str, Any]:
    major, minor, *_ = text.split(".")
    return {"major": major, "minor": minor, "gitVersion": f"v{text}"}
