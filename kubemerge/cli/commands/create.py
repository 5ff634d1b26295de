"""`kubemerge create`: create objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...actions.requests import mode
from ...actions.serverside.managers import CREATE
from ..generators import configs, plain, roles, workloads
from ..generators.shared import Aliased
from ..options.clusters import (
    ClusterLocation,
    cluster_namespace_option,
    cluster_options,
    dry_run_option,
    files_option,
    manager_option,
    opened,
    result_option,
    selector_option,
)
from ..options.shared import recursive_option
from ..options.validation import validate_option
from ..terminal.console import console_options
from ..wording import source_of

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Create(Aliased):
    """`create -f`, and a command below it for each kind."""

    def unknown(self, words: Sequence[str]) -> str:
        """The error for a file that is named without -f."""
        return f"Unexpected args: [{' '.join(words)}]"


@click.group(cls=_Create, invoke_without_command=True, no_args_is_help=False)
@click.pass_context
@cluster_options
@files_option
@recursive_option
@cluster_namespace_option
@selector_option
@click.option("--save-config", is_flag=True, help="Store the config in the last-applied-configuration annotation.")
@dry_run_option
@manager_option(CREATE)
@validate_option
@result_option
@console_options
def create(
    context: click.Context,
    where: ClusterLocation,
    config: tuple[str, ...],
    recursive: bool,
    namespace: str | None,
    selector: str | None,
    save_config: bool,
    dry_run: str,
    manager: str,
    validate: str,
    output: str | None,
    show_managed_fields: bool,
) -> int:
    """Create objects from files or from options.

    The embedded cluster is created if it does not exist. If an object exists already or is rejected, the error is
    printed, the other objects are still created, and the exit code is 1.
    """
    if context.invoked_subcommand is not None:
        return 0
    from ...actions.create import create, remembered
    from ...actions.requests import placed
    from ..failures import Failures
    from ..options.objects import manifests, peeked, resource_of
    from ..runs.result_lines import Results

    if not config:
        raise click.UsageError("must specify one of -f and -k")
    failures, results = Failures(), Results(output, dry_run, managed_fields=show_managed_fields)
    given = peeked(manifests(config, selector or "", failures, recursive=recursive))
    if given is None:
        if failures.count:
            return failures.exit_code
        raise click.ClickException("no objects passed to create")
    with opened(where, mode(dry_run)) as cluster:
        for manifest in given:
            with failures.catch(manifest.place, manifest.title, doing="creating", source=source_of(manifest)):
                wanted = placed(manifest.content, resource_of(cluster, manifest), namespace, cluster.namespace)
                sent = remembered(wanted, save=save_config)
                results.done(create(cluster, sent, dry_run, manager, validate), "created")
    results.finish()
    return failures.exit_code


_commands: dict[str, click.Command]
for _commands in (plain.COMMANDS, configs.COMMANDS, workloads.COMMANDS, roles.COMMANDS):
    for _name, _command in _commands.items():
        if _name == _command.name:
            create.add_command(_command)
        else:
            create.aliases[_name] = _command
