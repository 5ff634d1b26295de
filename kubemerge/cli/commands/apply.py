"""`kubemerge apply`: bring the objects of a cluster in line with a config, as `kubectl apply` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import CLIENT, SERVER, mode
from ..options.clusters import (
    ClusterLocation,
    cluster_namespace_option,
    cluster_options,
    dry_run_option,
    files_option,
    opened,
    result_option,
    selector_option,
    server_side_options,
)
from ..options.durations import timeout_option
from ..options.shared import overwrite_option, recursive_option, safe_option
from ..options.validation import validate_option
from ..terminal.console import console_options
from .apply_last_applied import SUBCOMMANDS

if TYPE_CHECKING:
    from ..runs.apply import ApplyRequest


class _Apply(click.Group):
    """`apply` and its subcommands. Click reads a file that is given without -f as a subcommand."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The subcommand. If there is none, the error suggests -f."""
        if args and args[0] not in self.commands:
            there = ", ".join(self.commands)
            ctx.fail(f"pass files with -f: `{ctx.command_path} -f FILE` (subcommands of apply: {there})")
        return super().resolve_command(ctx, args)


@click.group(cls=_Apply, invoke_without_command=True, subcommand_metavar="[COMMAND [ARGS]...]", no_args_is_help=False)
@click.pass_context
@cluster_options
@files_option
@recursive_option
@cluster_namespace_option
@selector_option
@dry_run_option
@overwrite_option
@click.option("--force", is_flag=True, help="Delete and recreate objects whose immutable fields changed.")
@safe_option
@click.option("--prune", is_flag=True, help="Delete previously applied objects that are no longer in the config.")
@click.option("--all", is_flag=True, help="Prune objects regardless of their labels.")
@click.option(
    "--prune-allowlist",
    metavar="GROUP/VERSION/KIND",
    multiple=True,
    help="Prune this kind (example: core/v1/ConfigMap) instead of kubectl's default list. May be repeated.",
)
@click.option(
    "--applyset",
    metavar="[RESOURCE[.GROUP]/]NAME",
    help="Prune by ApplySet: the Secret, ConfigMap or custom resource that tracks its members.",
)
@timeout_option("Time for which --force waits until an object with finalizers is deleted")
@server_side_options
@validate_option
@result_option
@console_options
def apply(context: click.Context, where: ClusterLocation, **options: Any) -> int:
    """Apply a config to the embedded cluster, or to a real one.

    Each object is merged with the last applied and the live object, exactly as `kubectl apply` does. The embedded
    cluster is one file, which is created if it does not exist. Objects are applied in the order of the files. After
    each write to disk, one result line is printed.

    If an object fails, the error is printed and the other objects are still applied. Then nothing is pruned, and the
    exit code is 1.
    """
    if context.invoked_subcommand is not None:
        if options["config"]:
            raise click.UsageError(f"pass -f after {context.invoked_subcommand}")
        return 0
    from ..runs.apply import ApplyRequest, ApplyRun, Config

    asked = ApplyRequest(**options)
    problem = _contradiction(asked)
    if problem:
        raise click.UsageError(problem)
    config = Config(asked)
    if config.is_empty:
        return config.failures.exit_code
    with opened(where, mode(asked.dry_run)) as cluster:
        return ApplyRun(cluster, asked, config).run()


_PRUNES_ALL = (
    "all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. "
    "If you did not mean to prune all resources, specify a label selector"
)


def _contradiction(asked: ApplyRequest) -> str | None:
    """The error about incompatible options, in kubectl's words."""
    server_side = asked.server_side
    rules = {
        "must specify one of -f and -k": not asked.config,
        "--force-conflicts only works with --server-side": asked.force_conflicts and not server_side,
        "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)": server_side
        and asked.dry_run == CLIENT,
        "--force cannot be used with --server-side": asked.force and server_side,
        "--dry-run=server cannot be used with --force": asked.force and asked.dry_run == SERVER,
        "--safe requires client-side apply. Omit --server-side": asked.safe and server_side,
        "cannot set --all and --selector at the same time": asked.all and asked.selector,
        "--applyset requires --prune": asked.applyset and not asked.prune,
        "--force cannot be used with --prune": asked.force and asked.prune,
        "--all is incompatible with --applyset": asked.applyset and asked.all,
        "--selector is incompatible with --applyset": asked.applyset and asked.selector,
        "--prune-allowlist is incompatible with --applyset": asked.applyset and asked.prune_allowlist,
        _PRUNES_ALL: asked.prune and not (asked.all or asked.selector or asked.applyset),
        "--prune is in alpha and doesn't currently work on objects created by server-side apply": server_side
        and asked.prune
        and not asked.applyset,
    }
    return next((rule for rule, broken in rules.items() if broken), None)


for _command in SUBCOMMANDS:
    apply.add_command(_command)
