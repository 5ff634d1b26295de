"""`kubemerge run`: create the Pod of an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import NONE, mode
from ...actions.serverside.managers import RUN
from ..generators.shared import BEHIND, Creation, Dashed, required, save_config_option, sent
from ..options.clusters import (
    Where,
    cluster_namespace_option,
    cluster_options,
    dry_run_option,
    manager_option,
    opened,
    result_option,
)
from ..terminal.console import console_options, echo

if TYPE_CHECKING:
    from ...cluster import Object


@click.command(cls=Dashed)
@click.argument("words", metavar="NAME [WORD]...", nargs=-1)
@cluster_options
@cluster_namespace_option
@click.option("--image", metavar="IMAGE", help="The image of the container.")
@click.option("--port", metavar="NUMBER", default="", help="The port of the container.")
@click.option(
    "-l", "--labels", metavar="LABELS", default="", help="The labels: app=web,tier=front; run=NAME by default."
)
@click.option("--annotations", metavar="KEY=VALUE", multiple=True, help="May be repeated.")
@click.option("--env", metavar="NAME=VALUE", multiple=True, help="A variable of the environment. May be repeated.")
@click.option("--restart", metavar="POLICY", default="Always", show_default=True, help="Always, OnFailure or Never.")
@click.option("--image-pull-policy", metavar="POLICY", default="", help="Always, IfNotPresent or Never.")
@click.option("--command", is_flag=True, help="The words are the command of the container, not its arguments.")
@click.option("--privileged", is_flag=True, help="Run the container in privileged mode.")
@click.option("--expose", is_flag=True, help="Also create a Service for --port.")
@click.option("-i", "--stdin", is_flag=True, help="Keep standard input of the container open; needs --attach=false.")
@click.option("-t", "--tty", is_flag=True, help="Give the container a terminal.")
@click.option("--leave-stdin-open", is_flag=True, help="Leave standard input open after the first attach.")
@click.option("--attach", type=bool, is_flag=False, flag_value=True, help="Refused: nothing runs here.")
@click.option("--rm", is_flag=True, help="Refused: nothing runs here.")
@click.option("--overrides", metavar="JSON", default="", help="What to lay over the Pod.")
@click.option(
    "--override-type", metavar="TYPE", default="merge", show_default=True, help="How: json, merge or strategic."
)
@save_config_option
@dry_run_option
@manager_option(RUN)
@result_option
@console_options
def run(
    where: Where,
    words: tuple[str, ...],
    attach: bool | None,
    rm: bool,
    overrides: str,
    override_type: str,
    **options: Any,
) -> int:
    """Create a Pod that runs an image. Nothing runs it here: the object is created as `kubectl run` would."""
    from ...actions.generators import pods
    from ...actions.generators.parts import BadOptions

    how = Creation.taken(options)
    required({"image": options["image"]})
    wanted = pods.Run(**options)
    if not words:
        raise BadOptions("NAME is required for run")
    pods.check(wanted)
    _check_attaching(wanted.stdin if attach is None else attach, rm, how.dry_run)
    rest = (*words[1:], *click.get_current_context().meta[BEHIND])
    with opened(where, mode(how.dry_run)) as cluster:
        made = [pods.overridden(pods.pod(words[0], wanted, rest), overrides, override_type, cluster)]
        made += [pods.service_of(words[0], wanted)] if wanted.expose else []
        _print([sent(cluster, one, how, save=how.save_config) for one in made], how)
    return 0


def _check_attaching(attach: bool, rm: bool, dry_run: str) -> None:
    from ...actions.generators.parts import BadOptions

    if rm and not attach:
        raise BadOptions("--rm should only be used for attached containers")
    if attach and dry_run != NONE:
        words = "attached containers options (--attach, --stdin, or --tty)"
        raise BadOptions(f"--dry-run=[server|client] can't be used with {words}")
    if attach:
        raise BadOptions(
            "nothing runs in a cluster that is a file, so there is nothing to attach to; add --attach=false"
        )


def _print(made: list[Object], how: Creation) -> None:
    """Each object on its own, not as one List."""
    from ..runs.result_lines import Results

    for index, one in enumerate(made):
        results = Results(how.output, how.dry_run, managed_fields=how.show_managed_fields)
        if index and how.output == "yaml":
            echo("---")
        results.done(one, "created")
        results.finish()
