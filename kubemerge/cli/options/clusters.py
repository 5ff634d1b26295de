"""Options that select a cluster, a dry run, and objects."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import CLIENT, NONE, SERVER
from ...actions.serverside.managers import APPLY, KUBECTL
from ..terminal.console import console
from . import completion as completing
from .durations import duration
from .gates import feature_gates_option
from .outputs import managed_fields_option as managed_fields_option  # noqa: PLC0414 - others find it here
from .outputs import result_option as result_option  # noqa: PLC0414 - others find it here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ...apiserver.cluster import EmbeddedCluster
    from ...client.cluster import RemoteCluster
    from ...cluster import Cluster


class FilesOption(click.Option):
    """`-f`, with an explanatory error when a file is given without it."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """The value of the option; `args` are the words that no parameter takes."""
        own = [opts.get(str(one.name)) for one in ctx.command.params if isinstance(one, click.Argument)]
        bare = (args and not ctx.allow_extra_args) or (self.required and self.name not in opts and any(own))
        if bare and not ctx.resilient_parsing:
            flags = [one.opts[0] for one in ctx.command.params if isinstance(one, FilesOption)]
            example = f"`{ctx.command_path} {' '.join(f'{flag} FILE' for flag in flags)}`"
            raise click.UsageError(f"pass files with {' or '.join(flags)}, once per file: {example}", ctx)
        return super().handle_parse_result(ctx, opts, args)


@dataclass(frozen=True)
class ClusterLocation:
    """The selected cluster: the embedded one, or an API server if a context or kubeconfig is given."""

    cluster: str | None = None
    release: str | None = None
    context: str | None = None
    kubeconfig: str | None = None

    @property
    def is_server(self) -> bool:
        """Whether an API server is selected. A command contacts one only with these options."""
        return self.context is not None or self.kubeconfig is not None


def cluster_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--cluster`, `--release`, `--context` and `--kubeconfig`, passed as one `ClusterLocation`, the first argument.

    `--feature-gates` belongs to them and is not passed.
    """
    gathered = _gathering(command, *ClusterLocation.__dataclass_fields__)
    return cluster_option(cluster_release_option(feature_gates_option(gathered)))


def file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--cluster` and `--release` only, for commands on the embedded cluster. Also passed as one `ClusterLocation`."""
    return _file_option(cluster_release_option(_gathering(command, "cluster", "release")))


def _gathering(command: Callable[..., Any], *names: str) -> Callable[..., Any]:
    """A command that takes these options as one `ClusterLocation`, its first argument."""

    @wraps(command)
    def gathered(*arguments: Any, **options: Any) -> Any:
        where = ClusterLocation(**{name: options.pop(name) for name in names})
        return command(*arguments, where, **options)

    return gathered


_file_option = click.option(
    "--cluster",
    metavar="FILE",
    help="File of the embedded cluster. Default: KUBEMERGE_CLUSTER or .kubemerge/cluster.db. `:memory:` keeps "
    "the cluster only in memory.",
)
_context_option = click.option(
    "--context",
    metavar="NAME",
    shell_complete=completing.contexts,
    help="Use the API server of this kubeconfig context.",
)
_kubeconfig_option = click.option(
    "--kubeconfig",
    metavar="FILE",
    help="Kubeconfig of a real API server. Default with --context: KUBECONFIG or ~/.kube/config.",
)


_TIMEOUT = "kubemerge.request_timeout"


def _note_timeout(context: click.Context, parameter: click.Parameter, text: str) -> None:
    context.meta[_TIMEOUT] = duration(zero=0.0)(context, parameter, text)


_timeout_option = click.option(
    "--request-timeout",
    metavar="DURATION",
    default="0",
    callback=_note_timeout,
    expose_value=False,
    hidden=True,  # as in kubectl's help
    help="Time limit for each response of an API server (example: 10s). 0 uses the default.",
)


def server_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--context`, `--kubeconfig` and `--request-timeout`."""
    return _context_option(_kubeconfig_option(_timeout_option(command)))


def cluster_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--cluster`, `--context` and `--kubeconfig`."""
    return _file_option(server_option(command))


cluster_release_option = click.option(
    "--release",
    metavar="RELEASE",
    help="Kubernetes release. Default: that of the cluster file, or the newest for a new file.",
)
dry_run_option = click.option(
    "--dry-run",
    type=click.Choice([NONE, CLIENT, SERVER]),
    is_flag=False,
    flag_value=CLIENT,
    default=NONE,
    show_default=True,
    help="Write nothing. client only merges. server also sends a dry run to the cluster.",
)
selector_option = click.option(
    "-l", "--selector", metavar="LABELS", help="Select objects by label. Example: app=web,tier!=test,env in (a,b),!old."
)


def manager_option(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--field-manager` with this default, for a command that writes."""
    return click.option(
        "--field-manager",
        "manager",
        metavar="NAME",
        default=name,
        show_default=True,
        help="Field manager of the write, recorded in metadata.managedFields.",
    )


cluster_namespace_option = click.option(
    "-n", "--namespace", metavar="NAME", help="Namespace. Default: that of the object, or `default`."
)
files_option = click.option(
    "-f",
    "--filename",
    "config",
    cls=FilesOption,
    metavar="PATH",
    multiple=True,
    help="The config: a file, folder, glob, URL, or - for standard input. May be repeated. Alternatively, "
    "-k DIR builds a kustomization.",
)


_SERVER_SIDE = (
    click.option("--server-side", is_flag=True, help="Use server-side apply, which tracks the owner of each field."),
    click.option("--force-conflicts", is_flag=True, help="With --server-side: take over fields of other managers."),
    click.option(
        "--field-manager",
        "manager",
        metavar="NAME",
        help=f"Field manager. Default: {KUBECTL} with --server-side, {APPLY} otherwise.",
    ),
)


def server_side_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--server-side`, `--force-conflicts` and `--field-manager`."""
    for option in reversed(_SERVER_SIDE):
        command = option(command)
    return command


@contextmanager
def opened(where: ClusterLocation, mode: str) -> Iterator[Cluster]:
    """The cluster, opened to "write", "read", "rehearse" or "change". "change" writes to an existing cluster only."""
    with connected(where, mode) if where.is_server else opened_file(where, mode) as cluster:
        cluster.on_warning = console().warn
        console().detail(f"cluster: {cluster.place}, Kubernetes {cluster.release}")
        yield cluster


@contextmanager
def connected(where: ClusterLocation, mode: str = "read") -> Iterator[RemoteCluster]:
    """The selected API server. A command that writes prints its context."""
    if where.cluster is not None:
        raise click.UsageError("--cluster (a file) and --context (a server) exclude each other. Omit one of them")
    if where.release is not None:
        raise click.UsageError("a server has its own release. Omit --release")
    from ...cluster import connect

    with connect(where.kubeconfig, where.context) as cluster:
        cluster.wait_at_most(click.get_current_context().meta.get(_TIMEOUT) or None)
        if mode in ("write", "change"):
            console().say(f"context: {cluster.context}")
        yield cluster


@contextmanager
def opened_file(where: ClusterLocation, mode: str, *, there: bool = False) -> Iterator[EmbeddedCluster]:
    """The embedded cluster. API servers are rejected.

    With `there`, a cluster that was never written to is not treated as a new one.
    """
    from ...cluster import open_cluster

    if where.is_server:
        raise click.UsageError("this command requires the embedded cluster. Omit --context and --kubeconfig")
    mode = mode if there else _without_file(where, mode)
    if mode == "change":
        with open_cluster(where.cluster, mode="read") as cluster:
            _tell(cluster)
        mode = "write"
    with open_cluster(where.cluster, release=where.release, mode=mode) as cluster:
        _tell(cluster)
        yield cluster


def _without_file(where: ClusterLocation, mode: str) -> str:
    """The mode. An unnamed cluster that was never written to counts as new and is not created."""
    return "rehearse" if mode in ("read", "change") and not_begun(where) else mode


def not_begun(where: ClusterLocation) -> str:
    """The file of an unnamed cluster that was never written to. Empty if a cluster exists."""
    if where.is_server or where.cluster is not None:
        return ""
    from ...apiserver.storage.opening import locate

    file = locate()
    return "" if file == ":memory:" or os.path.exists(file) else file  # noqa: PTH110 - pathlib takes a while


def _tell(cluster: EmbeddedCluster) -> None:
    if cluster.closed_to_others:
        console().say(
            f"{cluster.file} was readable by other users and may contain Secrets. It is now readable only by you"
        )
