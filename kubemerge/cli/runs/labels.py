"""The implementation of `label` and `annotate`, which differ in the field and in wording."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ...actions.labels import (
    ANNOTATIONS,
    LABELS,
    MANAGERS,
    SINGULAR,
    BadChange,
    LabelChange,
    found,
    read,
    split,
    word_for,
)
from ...actions.requests import NONE
from ...apiserver.text.text import shown
from ...manifests.objects import title
from ..options.clusters import ClusterLocation, cluster_options, dry_run_option, manager_option, opened, result_option
from ..options.objects import Selection, live_objects, selection_options, with_words
from ..terminal.console import console, console_options, echo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...cluster import Object
    from ..failures import Failures


@dataclass(frozen=True)
class LabelOptions:
    """Options for changing labels or annotations."""

    overwrite: bool
    resource_version: str | None
    dry_run: str
    output: str | None
    show_managed_fields: bool
    local: bool
    manager: str


def labelling_options(field: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options of both commands: `ClusterLocation`, `Selection`, `LabelOptions`, and whether to list only."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def gathered(where: ClusterLocation, selection: Selection, show: bool, **options: Any) -> Any:
            return command(where, selection, LabelOptions(**options), show=show)

        wrapped: Callable[..., Any] = console_options(gathered)
        for option in reversed((*_OPTIONS, manager_option(MANAGERS[field]))):
            wrapped = option(wrapped)
        return wrapped

    return decorate


_OPTIONS: tuple[Callable[..., Any], ...] = (
    cluster_options,
    selection_options(every=True, all_namespaces=True),
    click.option("--overwrite", is_flag=True, help="Overwrite existing values."),
    click.option("--list", "show", is_flag=True, help="Print the current values."),
    click.option(
        "--resource-version", metavar="VERSION", help="Change the object only if it has this resourceVersion."
    ),
    click.option("--local", is_flag=True, help="With -f: change the objects in files, without a cluster."),
    dry_run_option,
    result_option,
)


def change(where: ClusterLocation, selection: Selection, how: LabelOptions, field: str, *, show: bool) -> int:
    """Change or list the labels or annotations of the selected objects. Return the exit code."""
    words, typed = split(selection.words, field)
    selection = with_words(selection, words)
    if show and typed:
        raise click.UsageError(f"--list prints values. Omit {typed[0]}")
    if how.local and (selection.words or not selection.config):
        raise click.UsageError("--local changes objects in files. Pass them with -f")
    source = _Files(selection, field) if how.local else _Live(where, selection, how)
    if show:
        return _list(source, selection, field)
    if not selection.words and not selection.config:
        raise click.UsageError("one or more resources must be specified as <resource> <name> or <resource>/<name>")
    wanted = read(typed, field)
    if not typed:
        raise click.UsageError(f"at least one {SINGULAR[field]} update is required")
    if how.resource_version and not selection.one:
        raise click.UsageError("--resource-version may only be used with a single object")
    return _change(source, how, wanted)


class _Live:
    """The objects of a cluster, and the request for a change."""

    def __init__(self, where: ClusterLocation, selection: Selection, how: LabelOptions) -> None:
        self._where, self._selection, self._how = where, selection, how

    @contextmanager
    def objects(self, failures: Failures, *, changed: bool) -> Iterator[Iterator[Object]]:
        """The objects, while the cluster is open."""
        mode = "change" if changed and self._how.dry_run == NONE else "read"
        with opened(self._where, mode) as self._cluster:
            yield live_objects(self._cluster, self._selection, failures)

    def sent(self, live: Object, patch: Object) -> Object:
        """The changed object."""
        from ...actions.requests import sent

        return sent(self._cluster, live, patch, "merge", self._how.dry_run, manager=self._how.manager)


class _Files:
    """The objects in files. The files are not written. As in kubectl, --selector is ignored."""

    def __init__(self, selection: Selection, field: str) -> None:
        self._selection, self._field = selection, field

    @contextmanager
    def objects(self, failures: Failures, *, changed: bool) -> Iterator[Iterator[Object]]:  # noqa: ARG002 - as above
        """The objects in the order of the files."""
        found = failures.manifests(self._selection.config, recursive=self._selection.recursive)
        yield (self._prepared(manifest.content) for manifest in found)

    def _prepared(self, content: Object) -> Object:
        """The object with a map for the changed field, so that removing a missing key changes nothing."""
        content["metadata"].setdefault(self._field, {})
        return content

    def sent(self, live: Object, patch: Object) -> Object:
        """The patched object."""
        import engine

        from ...actions.requests import check_namespace

        check_namespace(live, self._selection.namespace)
        changed: Object = engine.json_apply_patch(live, patch)
        return changed


def _change(source: _Live | _Files, how: LabelOptions, wanted: LabelChange) -> int:
    from ..failures import Failures
    from .result_lines import Results

    failures, results = Failures(), Results(how.output, how.dry_run, managed_fields=how.show_managed_fields)
    with source.objects(failures, changed=True) as found_objects:
        for live in found_objects:
            with failures.catch(title(live)):
                _check(live, wanted, how)
                after = source.sent(live, wanted.patch(how.resource_version))
                results.done(after, word_for(wanted, live))
    results.finish()
    return failures.exit_code


def _check(live: Object, wanted: LabelChange, how: LabelOptions) -> None:
    """Report missing labels, and reject overwriting without --overwrite.

    kubectl prints missing labels on standard output. With -o json or yaml they go to standard error, to keep the
    objects parseable.
    """
    tell = console().say if how.output in ("json", "yaml") else echo
    for key in wanted.missing(live) if wanted.field == LABELS and not how.local else ():
        tell(f'label "{key}" not found.')
    taken = list(wanted.overwrites(live))
    if taken and not how.overwrite:
        raise BadChange(_refusal(wanted.field, taken))


def _refusal(field: str, taken: list[str]) -> str:
    if field == ANNOTATIONS:
        return f"--overwrite is false but found the following declared annotation(s): {'; '.join(taken)}"
    return f"{'; '.join(taken)}, and --overwrite is false"


def _list(source: _Live | _Files, selection: Selection, field: str) -> int:
    from ..failures import Failures

    failures = Failures()
    with source.objects(failures, changed=False) as found_objects:
        for live in found_objects:
            if not selection.one:
                console().say(f"Listing {field} for {title(live)}:")
            for key, value in sorted(found(live, field).items()):
                echo(shown(f"{'' if selection.one else ' '}{key}={value}"))
    return failures.exit_code
