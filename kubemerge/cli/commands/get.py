"""`kubemerge get`: print live objects."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from ...output.object_text import without_managed_fields
from ..options.clusters import Where, cluster_options, opened
from ..options.objects import Selection, live_objects, selection_options
from ..options.outputs import CUSTOM_COLUMNS, JSONPATH, Output, output_option
from ..terminal.console import console, console_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...cluster import Cluster, Object
    from ..failures import Failures

    _Printer = Callable[[Iterator[Object], bool], None]


@click.command()
@cluster_options
@selection_options(all_namespaces=True)
@output_option
@click.option("-L", "--label-columns", metavar="KEYS", multiple=True, help="Also a column for each of these labels.")
@click.option("--show-labels", is_flag=True, help="Also a column with the labels.")
@click.option("--no-headers", is_flag=True, help="Leave out the titles of the columns.")
@click.option("--sort-by", metavar="PATH", help="Sort by this field: .metadata.creationTimestamp.")
@click.option("--show-managed-fields", is_flag=True, help="Also print metadata.managedFields.")
@click.option("--ignore-not-found", is_flag=True, help="Objects that do not exist are not an error.")
@console_options
def get(
    where: Where,
    selection: Selection,
    output: Output,
    sort_by: str | None,
    show_managed_fields: bool,
    ignore_not_found: bool,
    **options: Any,
) -> int:
    """Print live objects as a table, as YAML or JSON, as names, or only what is at given JSONPaths.

    TYPE may be several kinds, separated by commas, or `all` for the most common ones. An object that does not exist is
    reported, the others are printed, and the exit code is 1.
    """
    from ..failures import Failures

    failures = Failures()
    printing = _PRINTING.get(output.form)
    ready = printing(output.text, options["no_headers"]) if printing else None
    with opened(where, "read") as cluster:
        found = live_objects(cluster, selection, failures, bare=True, ignore_missing=ignore_not_found)
        if sort_by:
            from ...printers.sort_by import sorted_by

            found = iter(sorted_by(found, sort_by))
        if output.form in ("yaml", "json"):
            shown = found if show_managed_fields else map(without_managed_fields, found)
            _print(iter(shown), output.form, selection.one, failures)
        elif ready:
            ready(found, selection.one)
        else:
            some = _print_tables(cluster, found, selection, output.form == "wide", as_added=bool(sort_by), **options)
            if not (some or failures.count or ignore_not_found):
                console().say(f"No resources found{_where(cluster, selection)}")
    return failures.exit_code


def _print(found: Iterator[Object], form: str, one: bool, failures: Failures) -> None:
    """The objects as one List, unless a single one was asked for."""
    from ..terminal.stdout import print_list, print_whole

    first = list(islice(found, 2))
    if one and len(first) == 1:
        print_whole(first, form)
    elif first or not (one or failures.count):
        print_list(chain(first, found), form)


def _names(_: str, __: bool) -> _Printer:
    """Prints the names of objects."""
    from ...manifests.objects import title

    def print_(found: Iterator[Object], one: bool) -> None:  # noqa: ARG001 - as the others
        for each in found:
            click.echo(title(each))

    return print_


def _by_template(text: str, _: bool) -> _Printer:
    """Prints the result of a template for the object that was asked for, or for the List of all."""
    from ...printers.jsonpath import template

    printed = template(text)

    def print_(found: Iterator[Object], one: bool) -> None:
        objects = list(found)
        if one and len(objects) == 1:
            click.echo(printed(objects[0]), nl=False)
        elif objects or not one:
            metadata = {"resourceVersion": ""}
            whole = {"apiVersion": "v1", "items": objects, "kind": "List", "metadata": metadata}
            click.echo(printed(whole), nl=False)

    return print_


def _by_columns(text: str, no_headers: bool) -> _Printer:
    """Prints a table of the columns in a text."""
    from ...printers.custom_columns import columns, lines

    chosen = columns(text)

    def print_(found: Iterator[Object], one: bool) -> None:
        objects = list(found)
        for line in lines(chosen, objects, headers=not no_headers) if objects or not one else ():
            click.echo(line)

    return print_


_PRINTING: dict[str, Callable[[str, bool], _Printer]] = {
    "name": _names,
    JSONPATH: _by_template,
    CUSTOM_COLUMNS: _by_columns,
}
"""Output forms, each with the function that reads its text (and --no-headers) before the cluster is opened."""


def _print_tables(
    cluster: Cluster,
    found: Iterator[Object],
    selection: Selection,
    wide: bool,
    *,
    show_labels: bool,
    label_columns: tuple[str, ...],
    no_headers: bool,
    as_added: bool,
) -> bool:
    """The tables; whether there is anything in them."""
    from ...printers.tables import Tables

    tables = Tables(
        cluster,
        wide=wide,
        namespaces=selection.all_namespaces,
        kinds=selection.several_kinds,
        labels=show_labels,
        label_names=[name.strip() for keys in label_columns for name in keys.split(",")],
    )
    some = False
    for one in found:
        some = True
        tables.add(one)
    for line in tables.lines(headers=not no_headers, as_added=as_added):
        click.echo(line)
    return some


def _where(cluster: Cluster, selection: Selection) -> str:
    """Where nothing was found, in words; empty for cluster-scoped kinds."""
    from ..options.objects import kinds

    if selection.config or not any(one.resource.namespaced for one in kinds(cluster, selection)):
        return ""
    return selection.where
