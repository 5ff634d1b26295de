"""`kubemerge lint`: report values that an apply would lose, before it is applied."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ...actions.serverside.managers import KUBECTL
from ..options import completion as completing
from ..options.clusters import server_option
from ..options.gates import feature_gates_option
from ..options.shared import (
    ignore_option,
    last_option,
    live_option,
    namespace_option,
    policies_option,
    recursive_option,
    releases_option,
    schema_option,
)
from ..terminal.console import console, console_options, echo_annotations, echo_text, tell

if TYPE_CHECKING:
    from ...linting.reports.model import Report

FORMS = {"text": "text", "json": "facts", "sarif": "sarif", "github": "github", "gitlab": "gitlab", "junit": "junit"}
"""The values of -o, each with the module and function of its report."""


def _shown(what: str) -> Any:
    """A callback that prints something about the codes instead of linting."""

    def show(context: click.Context, parameter: click.Parameter, value: Any) -> None:  # noqa: ARG001 - click's
        if value and not context.resilient_parsing:
            from ...linting.reports import codes

            tell((codes.table() if what == "list" else codes.explained(value)).split("\n"))
            context.exit(0)

    return show


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("-f", "--filename", "more", metavar="PATH", multiple=True, help="Same as PATH. May be repeated.")
@recursive_option
@live_option
@last_option
@server_option
@namespace_option
@releases_option
@feature_gates_option
@schema_option
@policies_option
@click.option("--server-side", is_flag=True, help="Report conflicts and failures of a server-side apply.")
@click.option(
    "--field-manager",
    "manager",
    metavar="NAME",
    default=KUBECTL,
    show_default=True,
    help="With --server-side: the field manager that applies.",
)
@click.option(
    "--tool-release",
    metavar="RELEASE",
    shell_complete=completing.releases,
    help="Also report fields unknown to a tool, such as Argo CD, that was built against this release.",
)
@click.option(
    "--select",
    metavar="CODES",
    multiple=True,
    shell_complete=completing.codes,
    help="Report only these codes, code prefixes, rule names or groups (comma-separated). May be repeated.",
)
@ignore_option
@click.option(
    "--severity",
    type=click.Choice(["info", "warning", "error"]),
    help="Report only findings of at least this severity. Default: all findings.",
)
@click.option("-o", "--output", type=click.Choice(list(FORMS)), default="text", help="Format of the report.")
@click.option(
    "--statistics",
    is_flag=True,
    help="Print the number of findings by code and by file, instead of the findings.",
)
@click.option(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    help="Exclude files that match this pattern (example: `charts/`). May be repeated.",
)
@click.option("--untracked", is_flag=True, help="In a git repository, also read untracked files of folders.")
@click.option("--baseline", metavar="FILE", help="Suppress findings recorded in this file.")
@click.option(
    "--write-baseline",
    "new_baseline",
    metavar="FILE",
    help="Write all findings to a file for --baseline, and exit 0.",
)
@click.option(
    "--since", metavar="REV", help="Report only findings that are new since this git revision, in changed files."
)
@click.option("--fix", is_flag=True, help="Fix what can be fixed safely. Everything else is left untouched.")
@click.option(
    "--config", "settings_file", metavar="FILE", help="Settings file. Default: kubemerge.toml or pyproject.toml."
)
@click.option("--no-config", is_flag=True, help="Ignore settings files.")
@click.option("--allow-remote-schemas", is_flag=True, help="Allow the settings file to load schemas from URLs.")
@click.option("--allow-empty", is_flag=True, help="Exit 0 when no objects are found.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings.")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_shown("list"), help="List all codes."
)
@click.option(
    "--explain",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=_shown("code"),
    shell_complete=completing.codes,
    help="Explain a code and its fix.",
)
@console_options
def lint(paths: tuple[str, ...], more: tuple[str, ...], output: str, **options: Any) -> int:
    """Report rejected manifests, lost fields and deprecations.

    Fields that change on every apply are also reported.

    PATH is a file, folder, glob, URL, or - for standard input. Without PATH, piped input is read.
    CustomResourceDefinitions among the objects serve as schemas for their custom resources. In a git repository, only
    tracked files of a folder are read. YAML files that are not Kubernetes manifests are skipped and counted. With
    --server-side, conflicts and failures of a server-side apply are reported.

    Exit codes: 0: no findings above `info`. 1: warnings or errors, or any finding of at least --severity. 2: a file
    could not be read, unless the code (KM302 to KM304) is ignored. All other files are still checked.
    """
    if options["statistics"] and output != "text":
        raise click.UsageError("--statistics requires the text output")
    if not (paths or more) and sys.stdin.isatty():
        raise click.UsageError("pass files or folders to lint, or pipe manifests to standard input")
    from ..runs.linting.run import run

    report, failed = run((paths + more) or ("-",), options)
    if options["new_baseline"]:
        return _write_baseline(options["new_baseline"], report)
    _print(report, output, statistics=options["statistics"])
    if report.unread:
        return 2
    return int(failed and not options["exit_zero"])


def _print(report: Report, output: str, *, statistics: bool) -> None:
    if output == "text":
        from ...linting.reports import text as form
        from ..terminal.colours import in_its_colour, linked

        printed = (form.statistics if statistics else form.text)(report, in_its_colour, linked)
        tell(printed.split("\n") if printed else [])
    else:
        printed = getattr(import_module(f"kubemerge.linting.reports.{FORMS[output]}"), FORMS[output])(report)
        if printed:
            (echo_annotations if output == "github" else echo_text)(printed)
    if report.schemas_missing:
        console().say(report.schemas_missing)
    if report.linted or report.skipped:
        console().say(report.summary)


def _write_baseline(file: str, report: Report) -> int:
    from pathlib import Path

    from codegen.files import replace_file

    from ...linting.reports import baseline

    try:
        replace_file(Path(file), baseline.text(report), in_tree=True)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror or error}. Use a writable file") from None
    console().say(f"{file}: {report.summary}")
    return 2 if any(not one.code for one in report.unread) else 0
