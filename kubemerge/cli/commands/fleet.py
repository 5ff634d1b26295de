"""`kubemerge fleet`: the objects of many clusters at once, from their dumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...migrate.tools import TOOLS
from ..options import completion as completing
from ..options.gates import feature_gates_option
from ..options.shared import (
    html_option,
    ignore_option,
    managers_option,
    policies_option,
    release_option,
    releases_option,
    schema_option,
)
from ..terminal.console import console_options

if TYPE_CHECKING:
    from collections.abc import Callable


@click.group(no_args_is_help=False)
def fleet() -> None:
    """Check many clusters from dumps of their objects.

    DUMP is a file, folder, glob or URL (s3://, gs://, ...) with JSON Lines (.jsonl), Lists (.json, .yaml) or
    Parquet, optionally compressed (.gz, .zst). It may also contain must-gathers, Velero backups and cluster-info
    dumps, as folders or as .tar.gz, .tar or .zip. Results are written as Parquet files. Requires `pip install
    'kubemerge[fleet]'`.
    """


_SHARED = (
    click.argument("dumps", metavar="DUMP...", nargs=-1, required=True),
    click.option("--out", metavar="FOLDER", required=True, help="Folder or URL for the results."),
    click.option(
        "--replace",
        is_flag=True,
        help="Replace the results of another run in FOLDER. Without this option, existing results are an error.",
    ),
    click.option(
        "--cluster-by",
        "by",
        type=click.Choice(["auto", "folder", "file"]),
        default="auto",
        show_default=True,
        help="Source of the cluster name, unless a Parquet file has a column `cluster`. auto: the first folder below "
        "DUMP, or the file name if there is none. folder: the file's folder. file: the file name.",
    ),
    click.option(
        "--expect",
        metavar="FILE",
        help="File with the names of the expected clusters, one per line. Missing and unexpected clusters are "
        "reported. Either makes the command exit 2.",
    ),
    click.option(
        "--scheduler", metavar="ADDRESS", help="Address of a Dask scheduler. Default: local worker processes."
    ),
    click.option("--workers", type=click.IntRange(1), help="Number of local worker processes. Default: one per CPU."),
    click.option(
        "--memory", metavar="SIZE", default="1GiB", show_default=True, help="Memory limit of each local worker process."
    ),
    click.option(
        "--object-timeout",
        "seconds",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        default=30,
        show_default=True,
        help="Time limit for one object. An object that exceeds it is reported as an error.",
    ),
    click.option(
        "--part-size",
        "size",
        metavar="SIZE",
        default="16MiB",
        show_default=True,
        help="Workers process a dump in parts of about this size.",
    ),
    schema_option,
    click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="Format of the summary."),
    html_option,
    console_options,
)
_definitions_option = click.option(
    "--definitions/--no-definitions",
    default=True,
    show_default=True,
    help="Use the CustomResourceDefinitions in a cluster's dumps for its objects. They are read before the objects.",
)
_config_option = click.option(
    "-f",
    "--filename",
    "config",
    metavar="PATH",
    multiple=True,
    help="The config: a file, glob, or folder (read recursively). {cluster} in PATH is replaced by the "
    "cluster name, so each cluster has its own config. May be repeated.",
)


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_SHARED):
        command = option(command)
    return command


def _run(work: str, options: dict[str, Any], fails: str | None = "info", **own: Any) -> int:
    """`fails` is the least severity that makes a run fail. None: no finding does."""
    from ..runs.fleet import run

    return run(work, options, own, fails=fails)


@fleet.command("lint")
@_shared
@_definitions_option
@releases_option
@feature_gates_option
@click.option(
    "--select",
    metavar="CODES",
    multiple=True,
    shell_complete=completing.codes,
    help="Report only these codes. May be repeated.",
)
@ignore_option
@policies_option
@click.option(
    "--severity",
    type=click.Choice(["info", "warning", "error"]),
    help="Report only findings of at least this severity. Default: all findings.",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings.")
def lint(
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    policies: tuple[str, ...],
    severity: str | None,
    exit_zero: bool,
    **options: Any,
) -> int:
    """Report the findings of `kubemerge lint`.

    Exit codes: 0: no findings above `info`. 1: warnings or errors, or any finding of at least --severity. 2: an object
    or file could not be read (all others are still checked).
    """
    fails = None if exit_zero else "info" if severity else "notable"
    own = {"select": select, "ignore": ignore, "severity": severity or "info", "policies": policies}
    return _run("lint", options, fails, **own)


def _a_range(_ctx: click.Context, _param: click.Parameter, text: str) -> str:
    """Reject an invalid range at once. Otherwise a dump would be read as the range, and the dumps would be missing."""
    from ...compare.sides import releases_of

    releases_of(text)
    return text


@fleet.command("upgrade")
@click.argument("releases", metavar="FROM..TO", shell_complete=completing.releases, callback=_a_range)
@_shared
@feature_gates_option
@click.option(
    "--severity",
    type=click.Choice(["breaking", "notable", "info"]),
    default="notable",
    show_default=True,
    help="Report only changes of at least this severity.",
)
@click.option("--exit-code", is_flag=True, help="Exit 1 if there are findings.")
def upgrade(exit_code: bool, **options: Any) -> int:
    """Report the effects of an upgrade on each object.

    Equivalent to `kubemerge compare FROM..TO -f` for all objects.

    Exit codes: 0: done. 1: findings, with --exit-code. 2: an object or file could not be read.
    """
    own = {name: options.pop(name) for name in ("releases", "severity")}
    return _run("upgrade", options, "info" if exit_code else None, **own)


@fleet.command("drift")
@_shared
@_definitions_option
@_config_option
@click.option(
    "--helm",
    is_flag=True,
    help="Compare with the manifests of the Helm releases in each cluster's dumps, instead of a config.",
)
@release_option
@feature_gates_option
def drift(config: tuple[str, ...], helm: bool, **options: Any) -> int:
    """Show differences between the config and each cluster.

    Equivalent to `kubemerge diff` for all objects. Missing objects are reported too. With --helm, the newest deployed
    revision of each Helm release is the config.

    Exit codes: 0: no differences. 1: differences. 2: an object or file could not be read, or no cluster has a config.
    """
    if helm and config:
        raise click.UsageError("-f and --helm exclude each other. Omit one of them")
    if not (config or helm):
        raise click.UsageError("pass the config with -f, or --helm")
    return _run("drift", options, config=None if helm else config)


@fleet.command("helm")
@_shared
def helm(**options: Any) -> int:
    """List the Helm releases of each cluster.

    A row has the status of a revision, and its chart, version and apply method. Revisions that are only history are
    left out. Releases are read from Secrets and ConfigMaps.

    Exit codes: 0: done. 2: an object or file could not be read.
    """
    return _run("helm", options, None)


@fleet.command("repair")
@_shared
@_definitions_option
@_config_option
@release_option
@feature_gates_option
@click.option(
    "--as",
    "tool",
    type=click.Choice(["kubectl", "argocd", "flux"]),
    default="kubectl",
    show_default=True,
    help="The tool that applies the config.",
)
@click.option("--server-side", is_flag=True, help="The tool applies server-side. Flux always does.")
@click.option("--force-conflicts", is_flag=True, help="Repair fields that other managers keep, too.")
@click.option(
    "--settings",
    metavar="FILE",
    multiple=True,
    help="argocd: the Application, and the ConfigMap argocd-cm. flux: the Kustomization. May be repeated.",
)
@click.option("--field-manager", "manager", metavar="NAME", help="The field manager of the tool, if not the default.")
def repair(config: tuple[str, ...], server_side: bool, **options: Any) -> int:
    """List drifted fields in each cluster, with repair patches.

    Equivalent to `kubemerge plan --repair` for all objects. Missing objects are reported too. Fields of autoscalers
    are recognized by their owners.

    Exit codes: 0: nothing to repair. 1: drift, or fields that other managers keep. 2: an object or file could not be
    read, or no cluster has a config.
    """
    if not config:
        raise click.UsageError("pass the config with -f")
    own = {name: options.pop(name) for name in ("tool", "force_conflicts", "settings", "manager")}
    return _run("repair", options, config=config, server_side="true" if server_side else None, **own)


@fleet.command("owners")
@_shared
@_definitions_option
@release_option
@managers_option
def owners(managers: tuple[str, ...], **options: Any) -> int:
    """List the owners of each field of each object.

    Equivalent to `kubemerge owners` for all objects.

    Exit codes: 0: done. 2: an object or file could not be read, or has unknown owners.
    """
    return _run("owners", options, None, managers=managers)


@fleet.command("migrate")
@_shared
@_definitions_option
@_config_option
@release_option
@click.option(
    "--by", "tool", type=click.Choice([*TOOLS]), default="kubectl", show_default=True, help="The tool that will apply."
)
@click.option("--from", "before", metavar="WRITER", multiple=True, help="The previous writer. May be repeated.")
@click.option("--field-manager", "manager", metavar="NAME", help="The field manager of the tool.")
def migrate(config: tuple[str, ...], **options: Any) -> int:
    """Predict the first server-side apply in each cluster.

    Equivalent to `kubemerge migrate` for all objects. Without -f, the last applied config is used.

    Exit codes: 0: ready. 1: conflicts, or fields that are left behind. 2: an object or file could not be read, or,
    with -f, no cluster has a config.
    """
    own = {name: options.pop(name) for name in ("before", "manager")}
    return _run("migrate", options, "notable", config=config, by=options.pop("tool"), **own)
