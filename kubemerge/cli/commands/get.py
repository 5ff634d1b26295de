"""`kubemerge get`: print live objects."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from ...output.object_text import FOUND, without_managed_fields
from ..options.clusters import ClusterLocation, cluster_options, not_begun, opened
from ..options.objects import Selection, live_objects, selection_options
from ..options.outputs import CUSTOM_COLUMNS, get_output_option
from ..terminal.console import console, console_options, echo, echo_text, echo_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...cluster import Cluster, Object
    from ..failures import Failures
    from ..options.outputs import Form
    from ..runs.printing import Printed

    _Printer = Callable[[Iterator[Object], bool, Failures], None]


@click.command()
@cluster_options
@selection_options(all_namespaces=True)
@get_output_option
@click.option("-L", "--label-columns", metavar="KEYS", multiple=True, help="Add a column for each of these labels.")
@click.option("--show-labels", is_flag=True, help="Add a column with all labels.")
@click.option("--show-kind", is_flag=True, help="Print names with their kinds.")
@click.option("--no-headers", is_flag=True, help="Omit the column headers.")
@click.option("--sort-by", metavar="PATH", help="Sort by this field. Example: .metadata.creationTimestamp.")
@click.option("--subresource", metavar="NAME", help="Print this subresource: status or scale.")
@click.option(
    "--raw", metavar="PATH", help="Print the response for this API path. Example: /api/v1/namespaces/default."
)
@click.option("--ignore-not-found", is_flag=True, help="Ignore objects that do not exist.")
@click.option("-w", "--watch", is_flag=True, help="Print the objects, then print changes until interrupted.")
@click.option("--watch-only", is_flag=True, help="Print only changes, until interrupted.")
@click.option("--output-watch-events", is_flag=True, help="With --watch or --watch-only: also print the event type.")
@console_options
def get(
    where: ClusterLocation,
    selection: Selection,
    output: Form | None,
    sort_by: str | None,
    show_managed_fields: bool,
    subresource: str | None,
    raw: str | None,
    ignore_not_found: bool,
    watch: bool,
    watch_only: bool,
    output_watch_events: bool,
    **options: Any,
) -> int:
    """Print live objects.

    TYPE is one or more comma-separated kinds, or `all` for the most common ones. If an object does not exist, the
    error and the other objects are printed (those of a single file only in tables), and the exit code is 1.
    """
    from ..failures import Failures

    _check(selection, output, raw, **options)
    failures = Failures()
    if watch or watch_only or output_watch_events:
        if not (watch or watch_only):
            raise click.UsageError("--output-watch-events option can only be used with --watch or --watch-only")
        from ..runs.getting.following import Shown, follow

        shown = Shown(output, types=output_watch_events, managed_fields=show_managed_fields, **options)
        with opened(where, "read") as cluster:
            follow(cluster, selection, shown, only_changes=watch_only)
        return 0
    print_ = _printing(output, options["no_headers"], managed_fields=show_managed_fields)
    with opened(where, "read") as cluster:
        if raw is not None:
            from ..runs.getting.raw import text_at

            echo_text(text_at(cluster, raw), nl=False)
            return 0
        live = live_objects(cluster, selection, failures, bare=True, ignore_missing=ignore_not_found)
        found = _in_order(cluster, live, subresource, sort_by)
        if print_:
            print_(_whole(found, selection, failures), selection.one, failures)
        else:
            some = _print_tables(cluster, found, selection, output == "wide", as_added=bool(sort_by), **options)
            if not (some or failures.count or ignore_not_found):
                console().say(f"No resources found{_where(cluster, selection)}")
                if file := not_begun(where):
                    console().say(f"no cluster in {file} yet. Create one with `kubemerge apply -f FILE`")
    return failures.exit_code


def _whole(found: Iterator[Object], selection: Selection, failures: Failures) -> Iterator[Object]:
    """The objects. Of a single file, none if any of them fails, as in kubectl."""
    if not (selection.config and selection.one):
        return found
    objects = list(found)
    return iter(() if failures.count else objects)


def _in_order(
    cluster: Cluster, found: Iterator[Object], subresource: str | None, sort_by: str | None
) -> Iterator[Object]:
    """The objects, or a part of each, in the requested order."""
    if subresource:
        from ...actions.scale import part_of

        found = (part_of(cluster, one, subresource) for one in found)
    if sort_by:
        from ...printers.sort_by import sorted_by

        found = iter(sorted_by(found, sort_by))
    return found


_NO_TYPE = (
    "You must specify the type of resource to get. "
    'Use "kubectl api-resources" for a complete list of supported resources.'
)
_NOT_SPECIFIED = (
    "Required resource not specified.\n"
    'Use "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).\n'
    "See 'kubectl get -h' for help and examples"
)


def _check(selection: Selection, output: Form | None, raw: str | None, **options: Any) -> None:
    """Reject contradictory options."""
    form = output or ""
    rules = {
        "arguments may not be passed when --raw is specified": raw is not None and selection.words,
        "--raw and --output are mutually exclusive": raw is not None and output,
        f"--show-labels option cannot be used with {form} printer": options["show_labels"] and form not in ("", "wide"),
    }
    for rule, broken in rules.items():
        if broken:
            raise click.UsageError(rule)
    if raw is None and not selection.words and not selection.config:
        console().report(f"{_NO_TYPE}\n\n")
        raise click.UsageError(_NOT_SPECIFIED)


def _printing(output: Form | None, no_headers: bool, *, managed_fields: bool) -> _Printer | None:
    """The printer for this form, created before the cluster is opened. None for tables."""
    if output is None or output == "wide":
        return None
    if output == CUSTOM_COLUMNS:
        return _by_columns(output.text, no_headers)
    from ..runs.printing import WHOLE, printer

    text = printer(output, managed_fields=managed_fields)
    if output == "name":
        return lambda found, _, __: _print_each(found, text)
    if output in WHOLE[:1] + WHOLE[2:]:
        return lambda found, one, failures: _print(
            iter(found if managed_fields else map(without_managed_fields, found)), str(output), one, failures
        )
    print_text = _document if output in WHOLE else echo_value
    return lambda found, one, failures: _print_all(found, text, print_text, one, failures)


def _print(found: Iterator[Object], form: str, one: bool, failures: Failures) -> None:
    """Print the objects as one List, unless a single one was requested. They need not all be in memory at once."""
    from ..terminal.stdout import print_list, print_whole

    first = list(islice(found, 2))
    if one and len(first) == 1:
        print_whole(first, form)
    elif first or not (one or failures.count):
        print_list(chain(first, found), form)


def _print_each(found: Iterator[Object], text: Printed) -> None:
    for each in found:
        echo_text(text(each), nl=False)


def _document(text: str) -> None:
    """Print a document."""
    echo_text(text, nl=False)


def _print_all(
    found: Iterator[Object], text: Printed, print_text: Callable[[str], None], one: bool, failures: Failures
) -> None:
    """Print the requested object, or the List of all."""
    objects = list(found)
    if one and len(objects) == 1:
        print_text(text(objects[0]))
    elif objects or not (one or failures.count):
        print_text(text({**FOUND, "items": objects}))


def _by_columns(text: str, no_headers: bool) -> _Printer:
    """A printer of a table with these columns."""
    from ...printers.custom_columns import columns, lines

    chosen = columns(text)

    def print_(found: Iterator[Object], one: bool, _: Failures) -> None:
        objects = list(found)
        for line in lines(chosen, objects, headers=not no_headers) if objects or not one else ():
            echo(line)

    return print_


def _print_tables(
    cluster: Cluster,
    found: Iterator[Object],
    selection: Selection,
    wide: bool,
    *,
    show_labels: bool,
    show_kind: bool,
    label_columns: tuple[str, ...],
    no_headers: bool,
    as_added: bool,
) -> bool:
    """Print the tables. Return whether they have any rows."""
    from ...printers.tables import Tables

    tables = Tables(
        cluster,
        wide=wide,
        namespaces=selection.all_namespaces,
        kinds=show_kind or (selection.several_kinds and not selection.named),
        labels=show_labels,
        label_names=[name.strip() for keys in label_columns for name in keys.split(",")],
    )
    some = False
    for one in found:
        some = True
        tables.add(one)
    for line in tables.lines(headers=not no_headers, as_added=as_added):
        echo(line)
    return some


def _where(cluster: Cluster, selection: Selection) -> str:
    """The namespaces without results, in kubectl's words. Empty for cluster-scoped kinds."""
    from ..options.objects import kinds

    if selection.config or not any(one.resource.namespaced for one in kinds(cluster, selection)):
        return ""
    return selection.where(cluster)
