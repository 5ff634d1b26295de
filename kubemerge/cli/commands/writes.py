"""`kubemerge writes`: the fields that field managers took, from a record of `kubemerge serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...apiserver.text.text import how_many
from ..terminal.console import console, console_options, echo, echo_text, tell_rows
from ..terminal.stdout import print_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...ownership.taken_fields import TakenField


@click.command()
@click.argument("record", metavar="RECORD")
@click.option(
    "--manager", "managers", metavar="NAME", multiple=True, help="Only writes of this manager. May be repeated."
)
@click.option(
    "--allow",
    metavar="PATH",
    multiple=True,
    help="A field that --manager may own, with everything inside it, such as metadata.finalizers. May be repeated. "
    "`*` is one part of a path, `**` any number of them.",
)
@click.option(
    "--allowed-fields",
    metavar="FILE",
    help="The allowed fields of each manager: a YAML map of managers to lists of paths.",
)
@click.option(
    "-o", "--output", type=click.Choice(["text", "json", "sarif"]), default="text", help="Format of the report."
)
@console_options
def writes(
    record: str, managers: tuple[str, ...], allow: tuple[str, ...], allowed_fields: str | None, output: str
) -> int:
    """Report new owners of fields, in recorded writes.

    RECORD is a file from `kubemerge serve --record FILE`, or - for standard input. For each field, the report shows the
    first write that took it and the previous owners. The value column is `changed`, `respelled` (same value in another
    form, such as 60s and 1m0s) or `unchanged`.

    With --allow or --allowed-fields, fields that a manager may not own are marked, and the exit code is 1. Managers
    without allowed fields are not checked.
    """
    from ...ownership.taken_fields import AllowedFields, require_writes, taken_fields
    from ...ownership.write_records import read_writes
    from ..inputs import files

    if allow and not managers:
        raise click.UsageError("--allow requires --manager, the manager that may own the field")
    source, data = files().content(record)
    found = read_writes(source, data, console().complain)
    allowed = _allowed(managers, allow, allowed_fields)
    require_writes([*managers, *(() if managers else allowed)], found)
    taken = [
        field
        for field in taken_fields(found, AllowedFields(allowed))
        if not managers or field.write.manager in managers
    ]
    _print(taken, source, output)
    return 1 if any(not field.allowed for field in taken) else 0


def _allowed(managers: Sequence[str], allow: Sequence[str], file: str | None) -> dict[str, list[str]]:
    from ...ownership.write_records import read_allowed
    from ..inputs import files

    found: dict[str, list[str]] = {}
    if file:
        from codegen.documents.yaml_text import documents

        source, data = files().content(file)
        content = list(documents(data))
        found = dict(read_allowed(source, content[0] if len(content) == 1 else None))
    for manager in managers if allow else ():
        found[manager] = [*found.get(manager, ()), *allow]
    return found


def _print(taken: list[TakenField], source: str, output: str) -> None:
    from ...manifests.uris import uri_of
    from ...ownership import taken_reports

    if output == "json":
        print_facts(taken_reports.facts(taken))
    elif output == "sarif":
        echo_text(taken_reports.sarif(taken, uri_of(source)))
    else:
        managers = list(dict.fromkeys(field.write.manager for field in taken))
        for number, manager in enumerate(managers):
            echo("") if number else None
            _table(manager, [field for field in taken if field.write.manager == manager])


def _table(manager: str, taken: Sequence[TakenField]) -> None:
    from ...output.wrapping import wide
    from ...ownership.taken_reports import rows

    bad = sum(not field.allowed for field in taken)
    writes = how_many(len({field.number for field in taken}), "write")
    echo(f"{manager}: {how_many(len(taken), 'field')} in {writes}" + (f", {bad} not allowed" if bad else ""))
    table: list[Any] = rows(taken)
    widths = [max(map(wide, column)) for column in zip(*table, strict=True)]
    tell_rows(table, "  ".join(f"{{:{width}}}" for width in widths))
