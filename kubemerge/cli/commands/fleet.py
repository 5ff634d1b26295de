"""`kubemerge fleet`: the objects of many clusters at once, from their dumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...migrate.tools import TOOLS
from ..options import completion as completing
from ..options.shared import html_option, ignore_option, managers_option, release_option, releases_option, schema_option
from ..terminal.console import console_options

if TYPE_CHECKING:
    from collections.abc import Callable


@click.group(no_args_is_help=False)
def fleet() -> None:
    """Lint, upgrade, drift, owners and migrations of many clusters, from dumps of their objects.

    DUMP is a file, folder, glob or address (s3://, gs://, ...) with JSON Lines (.jsonl), Lists (.json, .yaml) or
    Parquet, which may be packed (.gz, .zst). Results are rows in Parquet files. Needs `pip install 'kubemerge[fleet]'`.
    """


_SHARED = (
    click.argument("dumps", metavar="DUMP...", nargs=-1, required=True),
    click.option("--out", metavar="FOLDER", required=True, help="Where the results go, which may be an address."),
    click.option(
        "--replace", is_flag=True, help="Remove results of another run from FOLDER; without, that is an error."
    ),
    click.option(
        "--cluster-by",
        "by",
        type=click.Choice(["auto", "folder", "file"]),
        default="auto",
        show_default=True,
        help="What names the cluster of an object that no column names: the first folder below DUMP, else the file; "
        "always the folder of a file; or always the file.",
    ),
    click.option(
        "--expect",
        metavar="FILE",
        help="The names of the clusters that there should be, one on each line. One without a dump is told, and so "
        "is a dump of another one; both end with 2.",
    ),
    click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler; without, own processes do the work."),
    click.option(
        "--workers", type=click.IntRange(1), help="How many own processes; one for each processor by default."
    ),
    click.option(
        "--memory", metavar="SIZE", default="1GiB", show_default=True, help="What one of the own processes may use."
    ),
    click.option(
        "--object-timeout",
        "seconds",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        default=30,
        show_default=True,
        help="How long one object may take before it is given up, and told as an error.",
    ),
    click.option(
        "--part-size",
        "size",
        metavar="SIZE",
        default="16MiB",
        show_default=True,
        help="How much one part has, about.",
    ),
    schema_option,
    click.option(
        "-o", "--output", type=click.Choice(["text", "json"]), default="text", help="The form of the summary."
    ),
    html_option,
    console_options,
)
_definitions_option = click.option(
    "--definitions/--no-definitions",
    default=True,
    show_default=True,
    help="Use the CustomResourceDefinitions in the dumps of a cluster for its objects; they are looked for first.",
)
_config_option = click.option(
    "-f",
    "--filename",
    "config",
    metavar="PATH",
    multiple=True,
    help="The config: a file, glob, or folder with all that is in it. {cluster} in PATH stands for the name of a "
    "cluster, for which these files are then. May be repeated.",
)


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_SHARED):
        command = option(command)
    return command


def _run(work: str, options: dict[str, Any], fails: str | None = "info", **own: Any) -> int:
    """`fails` is the least severity that makes a run fail, if there is one."""
    from ..runs.fleet import run

    return run(work, options, own, fails=fails)


@fleet.command("lint")
@_shared
@_definitions_option
@releases_option
@click.option(
    "--select", metavar="CODES", multiple=True, shell_complete=completing.codes, help="Only these. May be repeated."
)
@ignore_option
@click.option(
    "--severity",
    type=click.Choice(["info", "warning", "error"]),
    help="Only what is at least this bad; everything unless it is given.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
def lint(
    select: tuple[str, ...], ignore: tuple[str, ...], severity: str | None, exit_zero: bool, **options: Any
) -> int:
    """Find what `kubemerge lint` finds.

    Exit codes: 0 nothing found, or nothing worse than info; 1 warnings or errors, or whatever --severity asks for; 2 an
    object or a file could not be read (the others still are).
    """
    fails = None if exit_zero else "info" if severity else "notable"
    return _run("lint", options, fails, select=select, ignore=ignore, severity=severity or "info")


def _a_range(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
    """Refuse what is no range at once: without one, a dump is taken for it, and the dumps are missed."""
    from ...compare.sides import releases_of

    releases_of(text)
    return text


@fleet.command("upgrade")
@click.argument("releases", metavar="FROM..TO", shell_complete=completing.releases, callback=_a_range)
@_shared
@click.option(
    "--severity",
    type=click.Choice(["breaking", "notable", "info"]),
    default="notable",
    show_default=True,
    help="Only what is at least this bad.",
)
@click.option("--exit-code", is_flag=True, help="Exit 1 if anything is found.")
def upgrade(exit_code: bool, **options: Any) -> int:
    """Tell what an upgrade does to each object, as `kubemerge compare FROM..TO -f` does.

    Exit codes: 0 done, 1 findings with --exit-code, 2 an object or a file could not be read.
    """
    own = {name: options.pop(name) for name in ("releases", "severity")}
    return _run("upgrade", options, "info" if exit_code else None, **own)


@fleet.command("drift")
@_shared
@_definitions_option
@_config_option
@release_option
def drift(config: tuple[str, ...], **options: Any) -> int:
    """Show what an apply of the config would change in each cluster, as `kubemerge diff` does, and what is not there.

    Exit codes: 0 no differences, 1 differences, 2 an object or a file could not be read, or no cluster has a config.
    """
    if not config:
        raise click.UsageError("give the config with -f")
    return _run("drift", options, config=config)


@fleet.command("owners")
@_shared
@_definitions_option
@release_option
@managers_option
def owners(managers: tuple[str, ...], **options: Any) -> int:
    """List the owners of each field of each object, as `kubemerge owners` does.

    Exit codes: 0 done, 2 an object or a file could not be read, or its owners are not known.
    """
    return _run("owners", options, None, managers=managers)


@fleet.command("migrate")
@_shared
@_definitions_option
@_config_option
@release_option
@click.option(
    "--by", "tool", type=click.Choice([*TOOLS]), default="kubectl", show_default=True, help="The tool that is to apply."
)
@click.option("--from", "before", metavar="WHO", multiple=True, help="Who wrote until now. May be repeated.")
@click.option("--field-manager", "manager", metavar="NAME", help="The manager that the tool applies as.")
def migrate(config: tuple[str, ...], **options: Any) -> int:
    """Tell what the first server-side apply would do, as `kubemerge migrate` does.

    Without -f it is about what was applied last.

    Exit codes: 0 ready, 1 a conflict, or fields that are left behind, 2 an object or a file could not be read, or no
    cluster has a config with -f.
    """
    own = {name: options.pop(name) for name in ("before", "manager")}
    return _run("migrate", options, "notable", config=config, by=options.pop("tool"), **own)
