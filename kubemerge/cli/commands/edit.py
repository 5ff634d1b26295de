"""`kubemerge edit`: change live objects in an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engine import MergeError

from ...actions.serverside.managers import EDIT
from ..options.clusters import ClusterLocation, cluster_options, manager_option, opened
from ..options.objects import Selection, live_objects, selection_options
from ..options.validation import validate_option
from ..terminal.console import console, console_options, echo

if TYPE_CHECKING:
    from ...cluster import Cluster, Object
    from ..failures import Failures


@click.command()
@cluster_options
@selection_options()
@click.option(
    "-o", "--output", "form", type=click.Choice(["yaml", "json"]), default="yaml", help="Format of the text to edit."
)
@click.option("--save-config", is_flag=True, help="Store the config in the last-applied-configuration annotation.")
@manager_option(EDIT)
@validate_option
@console_options
def edit(
    where: ClusterLocation, selection: Selection, form: str, save_config: bool, manager: str, validate: str
) -> int:
    """Edit live objects in an editor.

    The editor is KUBE_EDITOR or EDITOR. Objects are edited one after another, and only the changes are sent. If they
    are rejected, the edited text is kept in a file whose name is printed, and the exit code is 1.
    """
    from ..failures import Failures

    failures = Failures()
    some = False
    with opened(where, "change") as cluster:
        for live in live_objects(cluster, selection, failures):
            some = True
            _edit(cluster, live, form, failures, save=save_config, manager=manager, validate=validate)
    if not some and not failures.count:
        failures.add("edit cancelled, no objects found")
    return failures.exit_code


def _edit(cluster: Cluster, live: Object, form: str, failures: Failures, **how: Any) -> None:
    """Edit one object. A missing editor ends the whole command."""
    from ...actions.edit import text_to_edit
    from ...cluster import StoreError
    from ...manifests.objects import title
    from ..terminal.editor import NoEditor, edited

    text = text_to_edit(live, form)
    try:
        with edited(text, f".{form}") as saved:
            _send(cluster, live, text, saved, **how)
    except (NoEditor, StoreError):
        raise
    except MergeError as error:
        failures.add(error, title(live))


def _send(cluster: Cluster, live: Object, text: str, saved: str, *, save: bool, **how: Any) -> None:
    from ...actions.edit import send, substance
    from ...manifests.objects import title

    if not substance(saved):
        resource = cluster.resource(live["apiVersion"], live["kind"])
        console().report(f'error: {resource.called} "{live["metadata"]["name"]}" is invalid')
        raise MergeError("Edit cancelled, no valid changes were saved.")
    if substance(saved) == substance(text) and not save:
        console().say("Edit cancelled, no changes made.")
    else:
        after = send(cluster, live, saved, save=save, **how)
        echo(f"{title(live)} {'skipped' if after is None else 'edited'}")
