"""`kubemerge apply`: make the objects of a cluster what a config says, as `kubectl apply` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import SERVER, mode
from ..options.clusters import (
    Where,
    cluster_namespace_option,
    cluster_options,
    dry_run_option,
    files_option,
    opened,
    result_option,
    selector_option,
)
from ..options.durations import timeout_option
from ..options.shared import overwrite_option, recursive_option, safe_option
from ..terminal.console import console_options
from .apply_last_applied import SUBCOMMANDS

if TYPE_CHECKING:
    from ..runs.apply import ApplyRequest


class _Apply(click.Group):
    """`apply` and its commands; a file that is given without -f is taken for one of them by click."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that is meant, or that files are given by -f."""
        if args and args[0] not in self.commands:
            there = ", ".join(self.commands)
            ctx.fail(f"files are given by -f: `{ctx.command_path} -f FILE`; the commands of apply are {there}")
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
@click.option("--force", is_flag=True, help="Delete and create what cannot be changed.")
@safe_option
@click.option("--prune", is_flag=True, help="Delete what was applied before and is in the config no more.")
@click.option("--all", is_flag=True, help="Prune whatever its labels are.")
@click.option(
    "--prune-allowlist",
    metavar="GROUP/VERSION/KIND",
    multiple=True,
    help="Prune this kind, as core/v1/ConfigMap, and not those that kubectl prunes. May be repeated.",
)
@click.option(
    "--applyset",
    metavar="[RESOURCE[.GROUP]/]NAME",
    help="Prune by an ApplySet: this Secret, ConfigMap or custom resource knows what belongs together.",
)
@timeout_option("How long --force waits for an object with finalizers to go")
@result_option
@click.option("--show-managed-fields", is_flag=True, help="With -o: also print metadata.managedFields.")
@console_options
def apply(context: click.Context, where: Where, **options: Any) -> int:
    """Make the objects of a cluster what the config says, as `kubectl apply` does.

    The cluster is a file, and begun if it is not there. Each object is merged with what was applied last and with the
    live one; a line says what was done when it is on the disk. Objects are applied in the order in which they stand.
    One that fails is reported, the others are applied, nothing is pruned then, and the exit code is 1.
    """
    if context.invoked_subcommand is not None:
        if options["config"]:
            raise click.UsageError(f"put -f behind {context.invoked_subcommand}")
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
    "all resources selected for prune without explicitly passing --all; to prune all resources, pass the --all flag; "
    "if you did not mean to prune all resources, specify a label selector"
)


def _contradiction(asked: ApplyRequest) -> str | None:
    """Options that do not go together, in kubectl's words."""
    rules = {
        "must specify -f, the config to apply": not asked.config,
        "--force cannot be used with --prune": asked.force and asked.prune,
        "--dry-run=server cannot be used with --force": asked.force and asked.dry_run == SERVER,
        "cannot set --all and --selector at the same time": asked.all and asked.selector,
        "--applyset requires --prune": asked.applyset and not asked.prune,
        "--selector is incompatible with --applyset": asked.applyset and asked.selector,
        "--all is incompatible with --applyset": asked.applyset and asked.all,
        "--prune-allowlist is incompatible with --applyset": asked.applyset and asked.prune_allowlist,
        _PRUNES_ALL: asked.prune and not (asked.all or asked.selector or asked.applyset),
    }
    return next((rule for rule, broken in rules.items() if broken), None)


for _command in SUBCOMMANDS:
    apply.add_command(_command)
