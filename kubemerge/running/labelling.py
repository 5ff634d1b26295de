"""The work of `label` and `annotate`, which differ in the field and in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ..actions.dry_run import NONE
from ..actions.labelling import ANNOTATIONS, LABELS, SINGULAR, BadChange, Change, found, read, split, word_for
from ..actions.titles import title
from ..asking.cluster_options import Where, cluster_options, dry_run_option, opened, result_option
from ..asking.objects import Asked, live_objects, names_objects, with_words
from ..showing.console import console, console_options
from ..showing.shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cluster import Object


@dataclass(frozen=True)
class How:
    """How to change labels or annotations."""

    overwrite: bool
    resource_version: str | None
    dry_run: str
    output: str | None


def labelling_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of both commands; they reach it as `Where`, `Asked`, `How` and whether to list only."""

    @wraps(command)
    def gathered(where: Where, asked: Asked, show: bool, **options: Any) -> Any:
        return command(where, asked, How(**options), show=show)

    wrapped: Callable[..., Any] = gathered
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


_OPTIONS: tuple[Callable[..., Any], ...] = (
    cluster_options,
    names_objects(every=True, all_namespaces=True),
    click.option("--overwrite", is_flag=True, help="Also give another value to what has one."),
    click.option("--list", "show", is_flag=True, help="Print what is there now."),
    click.option("--resource-version", metavar="VERSION", help="Only if the object is in this version."),
    dry_run_option,
    result_option,
    console_options,
)


def change(where: Where, asked: Asked, how: How, field: str, *, show: bool) -> int:
    """Change, or list, the labels or annotations of what is asked for; the exit code."""
    words, typed = split(asked.words, field)
    asked = with_words(asked, words)
    if show and typed:
        raise click.UsageError(f"--list shows what is there; leave out {typed[0]}")
    if show:
        return _list(where, asked, field)
    wanted = read(typed, field)
    if not typed:
        raise click.UsageError(f"at least one {SINGULAR[field]} update is required: KEY=VALUE, or KEY- to remove it")
    if how.resource_version and not asked.one:
        raise click.UsageError("--resource-version may only be used with a single object")
    return _change(where, asked, how, wanted)


def _change(where: Where, asked: Asked, how: How, wanted: Change) -> int:
    from ..actions.sending import sent
    from ..asking.going_on import Failures
    from .result_lines import Results

    failures, results = Failures(), Results(how.output, how.dry_run)
    with opened(where, "change" if how.dry_run == NONE else "read") as cluster:
        for live in live_objects(cluster, asked, failures):
            with failures.past(title(live)):
                _check(live, wanted, how)
                after = sent(cluster, live, wanted.patch(how.resource_version), "merge", how.dry_run)
                results.done(after, word_for(wanted.field, live, after, overwrite=how.overwrite))
    results.finish()
    return failures.exit_code


def _check(live: Object, wanted: Change, how: How) -> None:
    """Refuse to overwrite, and tell of labels that are not there: where kubectl does, but not among objects."""
    tell = console().say if how.output in ("json", "yaml") else click.echo
    taken = list(wanted.overwrites(live))
    if taken and not how.overwrite:
        raise BadChange(_refusal(wanted.field, taken))
    for key in wanted.missing(live) if wanted.field == LABELS else ():
        tell(shown(f'label "{key}" not found.'))


def _refusal(field: str, taken: list[str]) -> str:
    if field == ANNOTATIONS:
        return f"--overwrite is false but found the following declared annotation(s): {'; '.join(taken)}"
    return f"{'; '.join(taken)}, and --overwrite is false"


def _list(where: Where, asked: Asked, field: str) -> int:
    from ..asking.going_on import Failures

    failures = Failures()
    with opened(where, "read") as cluster:
        for live in live_objects(cluster, asked, failures):
            if not asked.one:
                console().say(f"Listing {field} for {title(live)}:")
            for key, value in sorted(found(live, field).items()):
                click.echo(shown(f"{'' if asked.one else ' '}{key}={value}"))
    return failures.exit_code
