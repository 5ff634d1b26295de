"""`kubemerge get`: print live objects."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from ..asking.cluster_options import Where, cluster_options, opened
from ..asking.objects import Asked, live_objects, names_objects
from ..showing.console import console, console_options
from ..showing.printing import without_managed_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..asking.going_on import Failures
    from ..cluster import Cluster, Object


@click.command()
@cluster_options
@names_objects(all_namespaces=True)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["yaml", "json", "wide", "name"]),
    help="Print the objects, their names, or more columns.",
)
@click.option("--show-labels", is_flag=True, help="Also a column with the labels.")
@click.option("--no-headers", is_flag=True, help="Leave out the titles of the columns.")
@click.option("--sort-by", metavar="PATH", help="Sort by this field: .metadata.creationTimestamp.")
@click.option("--show-managed-fields", is_flag=True, help="Also print metadata.managedFields.")
@click.option("--ignore-not-found", is_flag=True, help="What is not there is no error.")
@console_options
def get(
    where: Where,
    asked: Asked,
    output: str | None,
    sort_by: str | None,
    show_managed_fields: bool,
    ignore_not_found: bool,
    **options: Any,
) -> int:
    """Print live objects as a table, as YAML or JSON, or by their names.

    TYPE may be several with commas between, or `all` for what most people look at. An object that is not there is
    reported, the others are printed, and the exit code is 1.
    """
    from ..asking.going_on import Failures

    failures = Failures()
    with opened(where, "read") as cluster:
        found = live_objects(cluster, asked, failures, bare=True, ignore_missing=ignore_not_found)
        if sort_by:
            found = _sorted(found, sort_by)
        if output in ("yaml", "json"):
            shown = found if show_managed_fields else map(without_managed_fields, found)
            _print(iter(shown), output, asked.one, failures)
        elif output == "name":
            _print_names(found)
        else:
            some = _print_tables(cluster, found, asked, output == "wide", **options)
            if not (some or failures.count or ignore_not_found):
                console().say(f"No resources found{_where(cluster, asked)}")
    return failures.exit_code


def _sorted(found: Iterator[Object], path: str) -> Iterator[Object]:
    from ..actions.printer_columns import values_at

    steps = path.strip("{}")
    steps = steps if steps.startswith(".") else f".{steps}"

    def key(one: Object) -> tuple[bool, float, str]:
        value = next(iter(values_at(one, steps)), None)
        number = float(value) if isinstance(value, (int, float)) else None
        return value is not None, number or 0.0, "" if number is not None else str(value)

    return iter(sorted(found, key=key))


def _print(found: Iterator[Object], form: str, one: bool, failures: Failures) -> None:
    """The objects as one List, unless a single one was asked for."""
    from ..showing.printing import print_list, print_whole

    first = list(islice(found, 2))
    if one and len(first) == 1:
        print_whole(first, form)
    elif first or not (one or failures.count):
        print_list(chain(first, found), form)


def _print_names(found: Iterator[Object]) -> None:
    from ..actions.titles import title

    for one in found:
        click.echo(title(one))


def _print_tables(
    cluster: Cluster, found: Iterator[Object], asked: Asked, wide: bool, *, show_labels: bool, no_headers: bool
) -> bool:
    """The tables; whether there is anything in them."""
    from ..actions.tabling import Tables

    tables = Tables(cluster, wide=wide, namespaces=asked.all_namespaces, labels=show_labels, kinds=asked.several_kinds)
    some = False
    for one in found:
        some = True
        tables.add(one)
    for line in tables.lines(headers=not no_headers):
        click.echo(line)
    return some


def _where(cluster: Cluster, asked: Asked) -> str:
    """Where nothing was found; kinds without a namespace are nowhere."""
    from ..asking.objects import kinds

    if asked.config or not any(one.resource.namespaced for one in kinds(cluster, asked)):
        return ""
    return asked.where
