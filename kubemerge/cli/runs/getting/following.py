"""`get --watch`: print existing objects and then changes until the command is stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from engine.values.go_json import encode

from ....cluster import Event, Watches
from ....output.object_text import without_managed_fields
from ...options.objects import kinds
from ...options.outputs import CUSTOM_COLUMNS, Form
from ...terminal.console import echo, echo_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ....actions.targets import Targets
    from ....apiserver.printers.columns.shared import Column
    from ....cluster import Cluster
    from ...options.objects import Selection

    Print = Callable[[Iterable[Event]], None]


@dataclass(frozen=True)
class Shown:
    """Output options for events."""

    form: Form | None
    types: bool
    """Whether the type of each event is printed."""
    managed_fields: bool
    show_labels: bool
    show_kind: bool
    label_columns: tuple[str, ...]
    no_headers: bool


def follow(cluster: Cluster, selection: Selection, shown: Shown, *, only_changes: bool) -> None:
    """Print the existing objects, unless only changes are requested, and then the changes."""
    one, *others = _asked(cluster, selection)
    print_ = _printing(cluster, selection, one, shown)
    if one.name is not None:
        home = selection.namespace or cluster.namespace
        named = [Event("ADDED", cluster.get(each.reference(home))) for each in (one, *others)]
        if others:
            print_(() if only_changes else named)
            raise click.UsageError("you may only watch a single resource or type of resource at a time")
    resource, fields = one.resource, selection.field_selector
    at = None if selection.all_namespaces or not resource.namespaced else selection.namespace or cluster.namespace
    if one.name is not None:
        fields = ",".join(filter(None, (fields, f"metadata.name={one.name}")))
    if not isinstance(cluster, Watches):
        raise click.UsageError("this cluster does not support watches. Omit --watch")
    events = cluster.watch(
        resource.api_version, resource.kind, namespace=at, selector=selection.selector, fields=fields
    )
    there = [event for event in iter(events.__next__, None) if event is not None]
    if not only_changes:
        print_(there)
    for event in events:
        if event is not None:
            print_([event])


def _asked(cluster: Cluster, selection: Selection) -> list[Targets]:
    """The selected kind, or the selected objects of one kind."""
    selection.check()
    if selection.config:
        raise click.UsageError("objects in files cannot be watched. Name a kind, or one of its objects")
    asked = kinds(cluster, selection)
    if len({one.resource for one in asked}) > 1:
        raise click.UsageError("you may only specify a single resource type")
    return asked


def _printing(cluster: Cluster, selection: Selection, one: Targets, shown: Shown) -> Print:
    form = shown.form
    if form is None or form in ("wide", CUSTOM_COLUMNS):
        return _rows(cluster, selection, one, shown)
    from ..printing import printer

    text, separator = printer(form, managed_fields=shown.managed_fields), "---\n" if form in ("yaml", "kyaml") else ""
    printed = 0

    def print_(events: Iterable[Event]) -> None:
        nonlocal printed
        for event in events:
            if not shown.types:
                printed_event = text(event.object if shown.managed_fields else without_managed_fields(event.object))
            elif form == "json":
                printed_event = f'{{"type":"{event.type}","object":{encode(event.object)}}}\n'  # kubectl's field order
            else:
                printed_event = text(event._asdict())
            echo_text(f"{separator if printed else ''}{printed_event}", nl=False)
            printed += 1

    return print_


def _rows(cluster: Cluster, selection: Selection, one: Targets, shown: Shown) -> Print:
    from ....apiserver.printers.columns.shared import Column
    from ....printers.tables import Growing, Tables

    if shown.form == CUSTOM_COLUMNS:
        from ....printers.custom_columns import columns

        chosen = columns(shown.form.text)
        titles = [column.name for column in chosen]
    else:
        tables = Tables(
            cluster,
            wide=shown.form == "wide",
            namespaces=selection.all_namespaces,
            kinds=shown.show_kind,
            labels=shown.show_labels,
            label_names=[name.strip() for keys in shown.label_columns for name in keys.split(",")],
        )
        chosen = tables.columns(one.resource)
        titles = [column.title for column in chosen]
    if shown.types:
        chosen = [Column("EVENT", lambda event: event["type"].ljust(len("MODIFIED"))), *map(_of_event, chosen)]
        titles = ["EVENT", *titles]
    prefix = f"{one.resource.title.lower()}/" if shown.show_kind else ""
    table = Growing(chosen, [] if shown.no_headers else titles, prefix)

    def print_(events: Iterable[Event]) -> None:
        for line in table.lines(event._asdict() if shown.types else event.object for event in events):
            echo(line)

    return print_


def _of_event(column: Column) -> Column:
    """The column of the object in an event."""
    return column._replace(cell=lambda event: column.cell(event["object"]))
