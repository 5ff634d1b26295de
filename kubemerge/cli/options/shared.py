"""The options that several commands share, each with one spelling and one meaning."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ...actions.serverside.managers import KUBECTL
from ..runs.merge_request import MergeRequest
from . import completion as completing
from .clusters import FilesOption, cluster_option, server_side_options

if TYPE_CHECKING:
    from collections.abc import Callable

config_option = click.option(
    "-f",
    "--filename",
    "config",
    cls=FilesOption,
    metavar="PATH",
    multiple=True,
    required=True,
    help="The config: a file, folder, glob, address, or - for standard input. May be repeated. "
    "-k DIR in its place builds a kustomization.",
)
_LIVE = "The live objects, as `kubectl get -o yaml` prints them{}. May be repeated."
live_option = click.option("--live", metavar="PATH", multiple=True, help=_LIVE.format(""))
live_or_cluster_option = click.option(
    "--live", metavar="PATH", multiple=True, help=_LIVE.format("; else those of the cluster are")
)
last_option = click.option(
    "--last-applied", "last", metavar="PATH", help="What was applied last, instead of the annotation of live."
)
recursive_option = click.option("-R", "--recursive", is_flag=True, help="Also read folders in folders.")
namespace_option = click.option(
    "-n", "--namespace", metavar="NAME", help="The namespace of objects whose config names none."
)
release_option = click.option(
    "--release",
    metavar="RELEASE",
    shell_complete=completing.releases,
    help="A Kubernetes release such as 1.31, or the version of a cluster (v1.31.4); the newest by default.",
)
releases_option = click.option(
    "--release",
    metavar="RELEASE",
    shell_complete=completing.releases,
    help="The Kubernetes release, or a range such as 1.24..1.31; the newest one unless it is given.",
)
schema_option = click.option(
    "--schema",
    metavar="SOURCE",
    multiple=True,
    help="A CRD, an OpenAPI document (file, folder, address, -) or a package of `generate`, to lay over the release. "
    "May be repeated.",
)
overwrite_option = click.option(
    "--overwrite",
    type=bool,
    is_flag=False,
    flag_value=True,
    default=True,
    show_default=True,
    help="Whether the config wins over other writers.",
)
safe_option = click.option("--safe", is_flag=True, help="Merge without losing anything, or say what cannot be kept.")
lists_option = click.option(
    "--lists",
    type=click.Choice(["kubectl", "schema"]),
    default="kubectl",
    show_default=True,
    help="Whether lists of custom resources are replaced, as kubectl does, or merge by the keys of their schema.",
)
ignore_option = click.option(
    "--ignore", metavar="CODES", multiple=True, shell_complete=completing.codes, help="All but these. May be repeated."
)
managers_option = click.option(
    "--manager",
    "managers",
    metavar="NAME",
    multiple=True,
    help="Only what this manager owns, or `nobody`. May be repeated.",
)
raw_option = click.option("--raw", is_flag=True, help="Show the bare merge, without changes by the server.")
secrets_option = click.option("--show-secrets", is_flag=True, help="Do not mask the values of Secrets.")
html_option = click.option(
    "--html",
    metavar="FILE",
    help="Also write everything as one HTML page that needs no network; - is standard output.",
)


_APPLYING = (
    config_option,
    live_or_cluster_option,
    cluster_option,
    last_option,
    recursive_option,
    namespace_option,
    release_option,
    schema_option,
    overwrite_option,
    safe_option,
    lists_option,
)


def apply_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of commands that apply a config; they reach the command as one `MergeRequest`, its first argument."""

    @wraps(command)
    def gathered(**options: Any) -> Any:
        asked = MergeRequest(**{name: options.pop(name) for name in MergeRequest.__slots__})
        return command(asked, **options)

    wrapped: Callable[..., Any] = gathered
    for option in reversed(_APPLYING):
        wrapped = option(wrapped)
    return wrapped


_ONLY_CLIENT_SIDE = {"safe": False, "lists": "kubectl", "overwrite": True, "last": None}
"""What has no meaning with --server-side, with the value that it has if it is not given."""


def by_server_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--server-side` and what goes with it, for a command with `apply_options`; they reach it as `by`, or None."""

    @wraps(command)
    def gathered(*, server_side: bool, force_conflicts: bool, manager: str | None, **options: Any) -> Any:
        if not server_side:
            if force_conflicts:
                raise click.UsageError("--force-conflicts only works with --server-side")
            return command(by=None, **options)
        from ...offline.pairs import OnServer

        given = [name for name, otherwise in _ONLY_CLIENT_SIDE.items() if options[name] != otherwise]
        if given:
            name = "last-applied" if given[0] == "last" else given[0]
            raise click.UsageError(f"--{name} is about client-side apply; leave it out with --server-side")
        return command(by=OnServer(manager or KUBECTL, force_conflicts), **options)

    return server_side_options(gathered)
