"""The options that several commands share, each with one spelling and one meaning."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ...actions.serverside.managers import KUBECTL
from ..runs.merge_request import MergeRequest
from . import completion as completing
from .clusters import FilesOption, cluster_option

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
    help="The config: a file, folder, glob, address, or - for standard input. May be repeated.",
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
schema_option = click.option(
    "--schema",
    metavar="SOURCE",
    multiple=True,
    help="A CRD or an OpenAPI document (file, folder, address, -) to lay over the release. May be repeated.",
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
        asked = MergeRequest(**{name: options.pop(name) for name in MergeRequest.__slots__ if name in options})
        return command(asked, **options)

    wrapped: Callable[..., Any] = gathered
    for option in reversed(_APPLYING):
        wrapped = option(wrapped)
    return wrapped


server_side_option = click.option(
    "--server-side", is_flag=True, help="As a server-side apply does it: by who owns which field, in one request."
)
manager_option = click.option(
    "--field-manager",
    "manager",
    metavar="NAME",
    default=KUBECTL,
    show_default=True,
    help="With --server-side: the manager that applies.",
)
force_option = click.option(
    "--force-conflicts", "force", is_flag=True, help="With --server-side: take over the fields of others."
)
_ONLY_CLIENT_SIDE = {"safe": False, "lists": "kubectl", "overwrite": True, "last": None}
"""What has no meaning with --server-side, with the value that it has if it is not given."""


def server_side_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--server-side` and what goes with it, for a command with `apply_options`; part of its `MergeRequest`."""

    @wraps(command)
    def gathered(*, server_side: bool, manager: str, force: bool, **options: Any) -> Any:
        if server_side:
            from ...offline.pairs import ServerSide

            given = [name for name, otherwise in _ONLY_CLIENT_SIDE.items() if options[name] != otherwise]
            if given:
                name = "last-applied" if given[0] == "last" else given[0]
                raise click.UsageError(f"--{name} is about client-side apply; leave it out with --server-side")
            options["server_side"] = ServerSide(manager, force)
        elif force:
            raise click.UsageError("--force-conflicts needs --server-side")
        return command(**options)

    return server_side_option(manager_option(force_option(gathered)))
