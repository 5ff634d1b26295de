"""`kubemerge lint`: what an apply would lose, before it is applied."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ...actions.serverside.managers import KUBECTL
from ..options import completion as completing
from ..options.clusters import Where, server_option
from ..options.shared import (
    last_option,
    live_option,
    namespace_option,
    recursive_option,
    release_option,
    schema_option,
)
from ..terminal.console import console, console_options, echo, in_its_colour

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Tables

    from ...lint_reports.model import Report
    from ...offline.pairs import Others
    from ...offline.server_objects import ServerObjects

FORMS = {"text": "text", "json": "facts", "sarif": "sarif", "github": "github", "junit": "junit"}
"""The values of -o, each with the module and function of its report."""


def _shown(what: str) -> Any:
    """A callback that prints something about the codes instead of linting."""

    def show(context: click.Context, parameter: click.Parameter, value: Any) -> None:  # noqa: ARG001 - click's
        if value and not context.resilient_parsing:
            from ...lint_reports import codes

            echo(codes.table() if what == "list" else codes.explained(value))
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
@release_option
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
@click.option(
    "--ignore", metavar="CODES", multiple=True, shell_complete=completing.codes, help="All but these. May be repeated."
)
@click.option(
    "--severity",
    type=click.Choice(["info", "warning", "error"]),
    default="info",
    show_default=True,
    help="Only what is at least this bad.",
)
@click.option("-o", "--output", type=click.Choice(list(FORMS)), default="text", help="The form of the report.")
@click.option("--statistics", is_flag=True, help="Print how often each code was found, and not the findings.")
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
    """Find what an apply would lose, get wrong or never finish.

    PATH is a file, folder, glob, address, or - for standard input, which is also read if no PATH is given and
    something is piped in. CustomResourceDefinitions among the objects describe the custom resources. --server-side is
    about a server-side apply: what it would be in conflict with, or fail on. Exit codes: 0 nothing found, 1 findings,
    2 a file could not be read (the others are still linted).
    """
    if options["statistics"] and output != "text":
        raise click.UsageError("--statistics is for the text output")
    report = _report(paths + more, options)
    if output == "text":
        from ...lint_reports.text import plainly, statistics, text

        printed = (statistics if options["statistics"] else text)(
            report, in_its_colour if console().colored else plainly
        )
    else:
        printed = getattr(import_module(f"kubemerge.lint_reports.{FORMS[output]}"), FORMS[output])(report)
    if printed:
        echo(printed, color=console().colored)
    if report.linted:
        console().say(report.summary)
    if report.unread:
        return 2
    return 1 if any(report.findings()) and not options["exit_zero"] else 0


def _report(paths: tuple[str, ...], options: dict[str, Any]) -> Report:
    from ...lint_reports.codes import selected
    from ..runs.lint import Linting

    codes = selected(options["select"], options["ignore"])
    if not paths and sys.stdin.isatty():
        raise click.UsageError("give files or folders to lint, or pipe manifests in")
    manager = options["manager"] if options["server_side"] else None
    tool = _tool(options["tool_release"], options["schema"])
    with _others(paths or ("-",), options) as others:
        linting = Linting(others, codes, options["severity"], manager=manager, tool=tool)
        report = linting.report(paths or ("-",), recursive=options["recursive"])
    if not report.linted and not report.unread:
        raise click.ClickException(f"there are no objects in {', '.join(paths) or 'standard input'}")
    return report


@contextmanager
def _others(paths: tuple[str, ...], options: dict[str, Any]) -> Iterator[Others | ServerObjects]:
    """What belongs to the objects: in files, or on a server."""
    from ...offline.pairs import Others
    from ..inputs import files, schemas

    where = Where(None, None, options["context"], options["kubeconfig"])
    live, last, namespace, recursive = (options[name] for name in ("live", "last", "namespace", "recursive"))
    if not where.is_server:
        known = schemas(options["release"], options["schema"], paths, recursive=recursive)
        yield Others(live, last, known, files(), namespace=namespace, recursive=recursive)
        return
    from ...offline.server_objects import ServerObjects
    from ..options.clusters import connected
    from ..runs.merge import refuse_files
    from ..servers import schemas_of

    refuse_files(live, last)
    with connected(where) as cluster:
        known = schemas_of(cluster, options["release"], options["schema"], paths, recursive=recursive)
        yield ServerObjects(cluster, namespace, known)


def _tool(release: str | None, specifications: tuple[str, ...]) -> Tables | None:
    """The tables that a tool of a release was built with; it asks the cluster about custom resources."""
    from ..inputs import tables

    return tables(release, specifications) if release else None
