"""`kubemerge cluster`: import, export, reset and describe the embedded cluster."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...apiserver.text.text import how_many, shown, some
from ..options.clusters import ClusterLocation, cluster_options, connected, opened_file
from ..options.shared import recursive_option
from ..terminal.console import console, console_options, echo

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from ...apiserver.cluster import EmbeddedCluster
    from ...apiserver.dumps import Loaded
    from ...cluster import Object
    from ...manifests.objects import Manifest

_MOST = 5
"""Maximum number of kinds on a line."""


@click.group(no_args_is_help=False)
def cluster() -> None:
    """Import, export, reset or inspect the embedded cluster."""


@cluster.command("import")
@click.argument("dumps", metavar="DUMP...", nargs=-1, required=True)
@cluster_options
@recursive_option
@console_options
def import_(where: ClusterLocation, dumps: tuple[str, ...], recursive: bool) -> int:
    """Import objects from the output of `kubectl get -o yaml`, or from a dump such as a must-gather.

    uid, resourceVersion, annotations and status are kept. Existing objects are replaced. The import is atomic: all
    objects or none. The embedded cluster is one file, which is created if it does not exist, for the Kubernetes
    release in --release. DUMP may be - for standard input.
    """
    from ...apiserver.storage.opening import locate
    from ...manifests.live import read_live
    from ..inputs import files

    manifests = list(read_live(dumps, files(), recursive=recursive))
    if not manifests:
        raise click.UsageError("the dump contains no objects. Create it with `kubectl get ... -o yaml`")
    if not Path(locate(where.cluster)).exists():  # no file is created for a dump that cannot be imported
        with opened_file(where, "rehearse") as found:
            _load(found, manifests)
    with opened_file(where, "write") as found:
        loaded = _load(found, manifests)
        kinds = len({one.key for one in manifests})
        echo(
            f"imported {how_many(len(manifests), 'object')} of {how_many(kinds, 'kind')} into {found.file} "
            f"({loaded.added} new, {loaded.replaced} replaced)"
        )
    _tell(loaded)
    return 0


def _load(found: EmbeddedCluster, manifests: Sequence[Manifest]) -> Loaded:
    from ...cluster import ClusterError
    from ...manifests.objects import BadManifest

    try:
        return found.load([one.content for one in manifests])
    except ClusterError as error:
        if error.index is None:
            raise
        bad = manifests[error.index]
        raise BadManifest(f"{bad.place}: {bad.title}: {error}. Nothing was imported") from None


def _tell(loaded: Loaded) -> None:
    """Report surprising effects of an import."""
    if loaded.namespaces:
        console().say(f"created missing namespaces: {some(loaded.namespaces, _MOST)}")
    if loaded.unserved:
        called = some([f"{kind} of {api_version}" for api_version, kind in loaded.unserved], _MOST)
        console().complain(f"stored, but not served until their kinds are defined, or by another release: {called}")


@cluster.command()
@cluster_options
@click.option(
    "-o", "--output", type=click.Choice(["yaml", "json"]), default="yaml", show_default=True, help="Output format."
)
@click.option("--secrets", is_flag=True, help="With --context: include Secrets and their values. Default: no Secrets.")
@console_options
def export(where: ClusterLocation, output: str, secrets: bool) -> int:
    """Print every object as one List.

    `cluster import` and `kubectl create` accept the output. With --context, objects come from a real API server,
    without Events, and can serve as a test fixture. Kinds that you have no permission to list are reported and
    skipped.
    """
    from ..terminal.stdout import print_list

    if where.is_server:
        from ...client.recording import record_cluster

        with connected(where) as server:
            print_list(record_cluster(server, secrets=secrets, on_omitted=console().complain), output)
        return 0
    with opened_file(where, "read", there=True) as found:
        print_list(found.dump(), output)
    return 0


@cluster.command()
@cluster_options
@click.option("-y", "--yes", is_flag=True, help="Do not ask for confirmation.")
@console_options
def reset(where: ClusterLocation, yes: bool) -> int:
    """Remove every object.

    The release is kept, and resourceVersions keep counting up, so none is used twice. On a terminal, confirmation
    is required. If input or messages are redirected, it is not.
    """
    with opened_file(where, "change") as found:
        count = sum(1 for _ in found.dump())
        if not yes and sys.stdin.isatty() and sys.stderr.isatty():
            click.confirm(f"Remove all {how_many(count, 'object')} from {shown(found.file)}?", abort=True, err=True)
        found.reset()
        left = sum(1 for _ in found.dump())
        echo(f"{found.file} is empty: {how_many(max(0, count - left), 'object')} removed")
    return 0


@cluster.command()
@cluster_options
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@console_options
def info(where: ClusterLocation, output: str) -> int:
    """Print the contents of the embedded cluster, and verify its file."""
    with opened_file(where, "read", there=True) as found:
        found.check()
        facts = _facts(found)
    if output == "json":
        from ..terminal.stdout import print_facts

        print_facts(facts)
        return 0
    for name in ("file", "release", "format", "objects"):
        echo(f"{name + ':':<9} {facts[name]}")
    for kind in facts["kinds"]:
        echo(f"  {kind['count']:>6}  {kind['kind']} ({kind['apiVersion']})")
    return 0


def _facts(found: EmbeddedCluster) -> dict[str, Any]:
    from ...apiserver.storage.opening import FORMAT

    kinds = _kinds(found)
    listed = [
        {"apiVersion": api_version, "kind": kind, "count": count}
        for (api_version, kind), count in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    ]
    return {
        "file": found.file,
        "release": found.stored_release,
        "format": FORMAT,
        "objects": kinds.total(),
        "kinds": listed,
    }


def _kinds(found: EmbeddedCluster) -> Counter[tuple[str, str]]:
    from collections import Counter

    def key(one: Object) -> tuple[str, str]:
        return one["apiVersion"], one["kind"]

    return Counter(map(key, found.dump()))
