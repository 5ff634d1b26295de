"""The work of the commands below `set`: find the objects, change each, send what changes, and print it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from engine import MergeError

from ....actions.requests import CLIENT, NONE, SERVER
from ....actions.serverside.managers import SET
from ...options.clusters import Where, cluster_options, dry_run_option, manager_option, opened, result_option
from ...options.objects import Selection, live_objects, selection_options
from ...terminal.console import console_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ....cluster import Cluster, Object
    from ...failures import Failures
    from ..result_lines import Results

NOTHING_NAMED = (
    "error: You must provide one or more resources by argument or filename.\n"
    "Example resource specifications include:\n"
    "   '-f rsrc.yaml'\n"
    "   '--filename=rsrc.json'\n"
    "   '<resource> <name>'\n"
    "   '<resource>'"
)
_NO_FILE = (
    "error: you must specify resources by --filename when --local is set.\n"
    "Example resource specifications include:\n"
    "   '-f rsrc.yaml'\n"
    "   '--filename=rsrc.json'"
)


@dataclass(frozen=True)
class SetOptions:
    """What the commands below `set` share."""

    dry_run: str
    local: bool
    manager: str
    output: Any
    show_managed_fields: bool


def set_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of all of them; they reach the command as `Where`, `Selection` and `SetOptions`."""

    @wraps(command)
    def gathered(where: Where, selection: Selection, **options: Any) -> Any:
        how = SetOptions(**{name: options.pop(name) for name in SetOptions.__dataclass_fields__})
        return command(where, selection, how, **options)

    wrapped: Callable[..., Any] = gathered
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


_OPTIONS: tuple[Callable[..., Any], ...] = (
    cluster_options,
    selection_options(every=True),
    click.option("--local", is_flag=True, help="With -f: change the objects in files, without a cluster."),
    dry_run_option,
    manager_option(SET),
    result_option,
    console_options,
)


class Change:
    """One run of such a command. `done` is what it prints, `failed` how the sentence about a refusal begins."""

    def __init__(self, how: SetOptions, done: str, failed: str) -> None:
        from ...failures import Failures
        from ..result_lines import Results

        self._how, self._done, self._failed = how, done, failed
        self.failures: Failures = Failures()
        self._results: Results = Results(how.output, how.dry_run, managed_fields=how.show_managed_fields)
        self.problems: list[str] = []
        """Lines about single objects, printed at the end."""

    def objects(self, cluster: Cluster, selection: Selection) -> Sequence[Object] | None:
        """The objects; None if not all of them are there, which has been reported."""
        if self._how.local and selection.words:
            self.failures.tell(_NO_FILE)
        elif not selection.words and not selection.config:
            self.failures.tell(NOTHING_NAMED)
        elif _too_many(selection):
            self.failures.tell(f"error: {_too_many(selection)}")
        elif self._how.local:
            from ....actions.setting.pod_specs import with_zeros

            found = self.failures.manifests(selection.config, recursive=selection.recursive)
            objects = [with_zeros(one.content) for one in found]
            return None if self.failures.count else objects
        else:
            objects = list(live_objects(cluster, selection, self.failures))
            return None if self.failures.count else objects
        return None

    def each(
        self, cluster: Cluster, objects: Sequence[Object], change: Callable[[Object], Object], *, always: bool = False
    ) -> None:
        """Change the objects; one that does not change is left out, unless it is `always` sent."""
        for live in objects:
            try:
                self._one(cluster, live, change(live), always)
            except MergeError as error:
                plural = cluster.resource(live["apiVersion"], live["kind"]).plural
                self.problems.append(f"error: {plural}/{live['metadata']['name']} {error}")

    def send(self, cluster: Cluster, live: Object, after: Object) -> None:
        """Send one change, whatever it is, and print what comes of it; a refusal is raised."""
        from ....actions.setting.pod_specs import changed, patch

        if not self._how.local and self._how.dry_run != CLIENT:
            difference = changed(cluster, live, after)
            after = patch(cluster, live, difference, self._how.manager, dry_run=self._how.dry_run == SERVER)
        self._results.done(after, self._done)

    def _one(self, cluster: Cluster, live: Object, after: Object, always: bool) -> None:
        from ....actions.setting.pod_specs import changed

        difference = changed(cluster, live, after)
        if not difference and not always:
            return
        try:
            self.send(cluster, live, after)
        except MergeError as error:
            self.problems.append(f"{self._failed}{error}")

    def finish(self) -> int:
        """The exit code, once everything is told."""
        self._results.finish()
        self.failures.tell_all(self.problems)
        return self.failures.exit_code


def run(
    where: Where,
    selection: Selection,
    how: SetOptions,
    words: tuple[str, str],
    change: Callable[[Change, Object], Object],
    check: Callable[[Sequence[Object]], None] = lambda _: None,
    *,
    always: bool = False,
) -> int:
    """Change the selected objects; `words` are `done` and `failed` of a `Change`, `check` may refuse the options."""
    changes = Change(how, *words)
    with opened(where, mode(how)) as cluster:
        objects = changes.objects(cluster, selection)
        if objects is not None:
            check(objects)
            refuse_remote(how)
            changes.each(cluster, objects, lambda one: change(changes, one), always=always)
    return changes.finish()


def _too_many(selection: Selection) -> str:
    """What is said of objects that are named and picked, or picked twice; empty if they are not."""
    if any("/" in word for word in selection.words) and selection.picks:
        return "selectors and the all flag cannot be used when passing resource/name arguments"
    both = selection.every and selection.selector
    return "cannot set --all and --selector at the same time" if both else ""


def mode(how: SetOptions) -> str:
    """The mode in which the cluster is opened."""
    return "rehearse" if how.local else "change" if how.dry_run == NONE else "read"


def refuse_remote(how: SetOptions) -> None:
    """A change of files is not for a server to rehearse."""
    if how.local and how.dry_run == SERVER:
        raise click.ClickException("cannot specify --local and --dry-run=server - did you mean --dry-run=client?")
