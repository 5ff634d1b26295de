"""Options of several commands, each with one spelling and one meaning."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ...actions.serverside.managers import KUBECTL
from ..runs.merge_request import MergeRequest
from . import completion as completing
from .clusters import FilesOption, cluster_option, files_option, server_side_options
from .gates import feature_gates_option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

config_option = click.option(
    "-f",
    "--filename",
    "config",
    cls=FilesOption,
    metavar="PATH",
    multiple=True,
    required=True,
    help="The config: a file, folder, glob, URL, or - for standard input. May be repeated. Alternatively, "
    "-k DIR builds a kustomization.",
)
_LIVE = "Live objects: output of `kubectl get -o yaml`, or a dump such as a must-gather.{} May be repeated."
live_option = click.option("--live", metavar="PATH", multiple=True, help=_LIVE.format(""))
live_or_cluster_option = click.option(
    "--live", metavar="PATH", multiple=True, help=_LIVE.format(" Default: the cluster.")
)
last_option = click.option(
    "--last-applied",
    "last",
    metavar="PATH",
    help="The last applied config. Default: the annotation of the live object.",
)
recursive_option = click.option("-R", "--recursive", is_flag=True, help="Read folders recursively.")
namespace_option = click.option(
    "-n", "--namespace", metavar="NAME", help="Namespace for objects whose config has none."
)
release_option = click.option(
    "--release",
    metavar="RELEASE",
    shell_complete=completing.releases,
    help="Kubernetes release (example: 1.31) or cluster version (v1.31.4). Default: the newest release.",
)
releases_option = click.option(
    "--release",
    metavar="RELEASE",
    shell_complete=completing.releases,
    help="Kubernetes release, or a range such as 1.24..1.31. Default: the newest release.",
)
schema_option = click.option(
    "--schema",
    metavar="SOURCE",
    multiple=True,
    help="Additional schema: a CRD, an OpenAPI document (file, folder, URL, -) or a package written by "
    "`generate`. May be repeated.",
)
policies_option = click.option(
    "--policies",
    metavar="PATH",
    multiple=True,
    help="Admission policies to evaluate, with their bindings and params (file or folder). May be repeated.",
)
overwrite_option = click.option(
    "--overwrite",
    type=bool,
    is_flag=False,
    flag_value=True,
    default=True,
    show_default=True,
    help="Let the config take precedence over changes by other writers.",
)
safe_option = click.option(
    "--safe", is_flag=True, help="Keep every change of every writer, or report an error if that is impossible."
)
lists_option = click.option(
    "--lists",
    type=click.Choice(["kubectl", "schema"]),
    default="kubectl",
    show_default=True,
    help="Merge of lists in custom resources: replace them, as kubectl does, or merge them by the keys of "
    "their schema.",
)
ignore_option = click.option(
    "--ignore",
    metavar="CODES",
    multiple=True,
    shell_complete=completing.codes,
    help="Omit these codes. May be repeated.",
)
managers_option = click.option(
    "--manager",
    "managers",
    metavar="NAME",
    multiple=True,
    help="Show only fields of this manager, or of `nobody`. May be repeated.",
)
raw_option = click.option("--raw", is_flag=True, help="Show the client's merge, without changes by the server.")
secrets_option = click.option("--show-secrets", is_flag=True, help="Do not mask the values of Secrets.")
html_option = click.option(
    "--html",
    metavar="FILE",
    help="Also write the report to a self-contained HTML page. - is standard output.",
)


_APPLYING = (
    config_option,
    live_or_cluster_option,
    cluster_option,
    last_option,
    recursive_option,
    namespace_option,
    release_option,
    feature_gates_option,
    schema_option,
    policies_option,
    overwrite_option,
    safe_option,
    lists_option,
)


def apply_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of commands that apply a config. They are passed as one `MergeRequest`, the first argument."""
    return _with_apply_options(command, _APPLYING)


def optional_apply_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a command that also takes files as arguments, so that -f is optional."""
    return _with_apply_options(command, (files_option, *_APPLYING[1:]))


def _with_apply_options(command: Callable[..., Any], options: Sequence[Any]) -> Callable[..., Any]:
    @wraps(command)
    def gathered(**given: Any) -> Any:
        asked = MergeRequest(**{name: given.pop(name) for name in MergeRequest.__slots__})
        return command(asked, **given)

    wrapped: Callable[..., Any] = gathered
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


_ONLY_CLIENT_SIDE = {"safe": False, "lists": "kubectl", "overwrite": True, "last": None}
"""Options that have no meaning with --server-side, with their default values."""


def by_server_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--server-side` and its options, for a command with `apply_options`. They are passed as `by`, or None."""

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
            raise click.UsageError(f"--{name} requires client-side apply. Omit it with --server-side")
        return command(by=OnServer(manager or KUBECTL, force_conflicts), **options)

    return server_side_options(gathered)
