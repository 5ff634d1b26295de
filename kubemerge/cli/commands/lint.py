"""`kubemerge lint`: what an apply would lose, before it is applied."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ...actions.serverside.managers import KUBECTL
from ..options import completion as completing
from ..options.clusters import server_option
from ..options.shared import (
    ignore_option,
    last_option,
    live_option,
    namespace_option,
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
@click.option("-f", "--filename", "more", metavar="PATH", multiple=True, help="The same as PATH. May be repeated.")
@recursive_option
@live_option
@last_option
@server_option
@namespace_option
@releases_option
@schema_option
@click.option(
    "--server-side", is_flag=True, help="About a server-side apply: what is in conflict with others, or fails."
)
@click.option(
    "--field-manager",
    "manager",
    metavar="NAME",
    default=KUBECTL,
    show_default=True,
    help="With --server-side: the manager that applies.",
)
@click.option(
    "--tool-release",
    metavar="RELEASE",
    shell_complete=completing.releases,
    help="Also find fields that a tool does not know which is built with the types of this release, as of Argo CD.",
)
@click.option(
    "--select",
    metavar="CODES",
    multiple=True,
    shell_complete=completing.codes,
    help="Only these: codes, beginnings of codes, or names, separated by commas. May be repeated.",
)
@ignore_option
@click.option(
    "--severity",
    type=click.Choice(["info", "warning", "error"]),
    help="Only what is at least this bad; everything unless it is given.",
)
@click.option("-o", "--output", type=click.Choice(list(FORMS)), default="text", help="The form of the report.")
@click.option(
    "--statistics", is_flag=True, help="Print how often each code was found, and in which files, and not the findings."
)
@click.option(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    help="Leave out files that match, such as `charts/`. May be repeated.",
)
@click.option("--untracked", is_flag=True, help="Of folders in a git repository, also read what git does not track.")
@click.option("--baseline", metavar="FILE", help="Do not tell the findings that are in this file.")
@click.option(
    "--write-baseline",
    "new_baseline",
    metavar="FILE",
    help="Write the findings to a file for --baseline, and exit with 0.",
)
@click.option(
    "--since", metavar="REV", help="Only findings that were not there in a revision of git, in files that have changed."
)
@click.option("--fix", is_flag=True, help="Put right what is safe to put right; the rest of each file stays as it is.")
@click.option(
    "--config", "settings_file", metavar="FILE", help="The settings, instead of kubemerge.toml or pyproject.toml."
)
@click.option("--no-config", is_flag=True, help="Without settings.")
@click.option("--allow-remote-schemas", is_flag=True, help="Fetch schemas from addresses that the settings file names.")
@click.option("--allow-empty", is_flag=True, help="It is not an error if there are no objects at all.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
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
    help="Explain what a code means, and the way out.",
)
@console_options
def lint(paths: tuple[str, ...], more: tuple[str, ...], output: str, **options: Any) -> int:
    """Find what a server would refuse, what an apply would lose, get wrong or never finish, and what is deprecated.

    PATH is a file, folder, glob, address, or - for standard input, which is also read if no PATH is given and
    something is piped in. CustomResourceDefinitions among the objects describe the custom resources. Of a folder in a
    git repository, the files that git tracks are read; YAML that is not for an API server is passed over and counted.
    --server-side is about a server-side apply: what it would be in conflict with, or fail on.

    Exit codes: 0 nothing found, or nothing worse than info, which is good to know and no fault; 1 warnings or errors,
    or whatever --severity asks for; 2 a file could not be read (the others are still linted), unless its code
    (KM302 to KM304) is ignored.
    """
    if options["statistics"] and output != "text":
        raise click.UsageError("--statistics is for the text output")
    if not (paths or more) and sys.stdin.isatty():
        raise click.UsageError("give files or folders to lint, or pipe manifests in")
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
    if report.linted or report.passed_over:
        console().say(report.summary)


def _write_baseline(file: str, report: Report) -> int:
    from pathlib import Path

    from codegen.files import replace_file

    from ...linting.reports import baseline

    try:
        replace_file(Path(file), baseline.text(report), in_tree=True)
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror or error}; give a file that can be written") from None
    console().say(f"{file}: {report.summary}")
    return 2 if any(not one.code for one in report.unread) else 0
