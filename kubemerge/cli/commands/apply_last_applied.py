"""`kubemerge apply view-last-applied`, `set-last-applied` and `edit-last-applied`: the annotation of live objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...actions.serverside.managers import APPLY
from ...actions.targets import NOT_NAMED
from ..options.clusters import (
    ClusterLocation,
    cluster_namespace_option,
    cluster_options,
    dry_run_option,
    files_option,
    manager_option,
    opened,
    result_option,
)
from ..options.objects import Selection, live_objects, resource_of, selection_options
from ..options.shared import recursive_option
from ..terminal.console import console, console_options, echo, echo_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Cluster, Object
    from ..failures import Failures

_form_option = click.option(
    "-o", "--output", type=click.Choice(["yaml", "json"]), default="yaml", show_default=True, help="Output format."
)


@click.command("view-last-applied", short_help="Print the last applied config.")
@cluster_options
@selection_options(every=True)
@_form_option
@console_options
def view(where: ClusterLocation, selection: Selection, output: str) -> int:
    """Print the last applied config from the annotation of live objects.

    YAML documents are separated by `---`. Objects without the annotation print nothing.
    """
    from ...actions.last_applied import as_yaml, indented, text_of
    from ...manifests.objects import title
    from ..failures import Failures

    failures = Failures()
    some = False
    with opened(where, "read") as cluster:
        for live in live_objects(cluster, selection, failures):
            with failures.catch():
                text = text_of(live)
                if text is None:
                    console().say(f"hint: {title(live)} has no last-applied-configuration annotation")
                elif output == "json":
                    echo_text(indented(text), nl=False)
                else:
                    echo_text(("---\n" if some else "") + as_yaml(text, title(live)), nl=False)
                some = some or text is not None
    return failures.exit_code


@click.command("set-last-applied", short_help="Set the last applied config.")
@cluster_options
@files_option
@recursive_option
@cluster_namespace_option
@dry_run_option
@click.option("--create-annotation", is_flag=True, help="Add the annotation if the live object has none.")
@result_option
@console_options
def set_(
    where: ClusterLocation,
    config: tuple[str, ...],
    recursive: bool,
    namespace: str | None,
    dry_run: str,
    create_annotation: bool,
    output: str | None,
    show_managed_fields: bool,
) -> int:
    """Set the last-applied-configuration annotation of live objects to the config. Nothing else changes."""
    from ...actions.last_applied import set_to
    from ...actions.requests import placed
    from ...cluster import Reference
    from ..failures import Failures
    from ..runs.result_lines import Results

    if not config:
        raise click.UsageError(NOT_NAMED)
    failures, results = Failures(), Results(output, dry_run, managed_fields=show_managed_fields)
    with opened(where, "change" if dry_run == "none" else "read") as cluster:
        for manifest in failures.manifests(config, recursive=recursive):
            with failures.catch(manifest.place, manifest.title):
                wanted = placed(manifest.content, resource_of(cluster, manifest), namespace, cluster.namespace)
                live = cluster.get(Reference.of(wanted))
                changed, live = set_to(cluster, live, wanted, create=create_annotation, dry_run=dry_run)
                if changed or output:
                    results.done(live, "configured")
                else:
                    echo(f"set-last-applied {manifest.title}: no changes required.")
    results.finish()
    return failures.exit_code


@click.command("edit-last-applied", short_help="Edit the last applied config.")
@cluster_options
@selection_options()
@_form_option
@manager_option(APPLY)
@console_options
def edit(where: ClusterLocation, selection: Selection, output: str, manager: str) -> int:
    """Edit the last applied config in an editor (KUBE_EDITOR or EDITOR).

    Unchanged objects are reported as `skipped`. If the edited text is invalid, it is kept in a file whose name is
    printed.
    """
    from ...actions.last_applied import document_of, text_to_edit
    from ...manifests.objects import title
    from ..failures import Failures

    failures = Failures()
    with opened(where, "change") as cluster:
        found = []
        for live in live_objects(cluster, selection, failures):
            with failures.catch(title(live)):
                found.append((live, document_of(live)))
        if found:
            text = text_to_edit([document for _, document in found], output)
            _edit(cluster, failures, found, text, output, manager)
    return failures.exit_code


def _edit(
    cluster: Cluster,
    failures: Failures,
    found: Sequence[tuple[Object, Object]],
    text: str,
    form: str,
    manager: str,
) -> None:
    from ...actions.last_applied import changes, set_to
    from ..runs.result_lines import Results
    from ..terminal.editor import NoEditor, edited

    results = Results()
    with edited(text, f".{form}") as after:
        if not after.strip():
            console().say("edit cancelled, the saved file is empty")
            return
        for live, document in changes(found, after, unchanged=after == text):
            if document is None:
                results.done(live, "skipped")
                continue
            with failures.catch():
                set_to(cluster, live, document, create=True, manager=manager)
                results.done(live, "edited")
        if failures.count:
            raise NoEditor("some objects were not edited")


SUBCOMMANDS = (view, set_, edit)
