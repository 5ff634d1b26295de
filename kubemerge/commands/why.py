"""`kubemerge why`: the reason of every field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..applying import Applying
from ..console import console_options
from ..options import Asked, apply_options
from ..printing import print_facts

if TYPE_CHECKING:
    import engine


@click.command()
@click.argument("path", required=False)
@apply_options
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
@console_options
def why(asked: Asked, path: str | None, output: str) -> int:
    """Tell why every field has its value after an apply, or only those at PATH.

    PATH is as in `spec.template.spec.containers[name=web].image`; elements of lists need not be named.
    """
    applying = Applying(asked)
    found = []
    for merged in applying:
        changes = [change for change in merged.outcome.changes if _is_at(change.path, path)]
        title = merged.inputs.title
        found += [{"object": title, **_facts(change)} for change in changes]
        if output == "text":
            _table(title, changes, path)
    if output == "json":
        print_facts(found)
    return applying.exit_code


def _is_at(place: str, path: str | None) -> bool:
    """Whether a place is at or below the path that was asked for; elements need not be named."""
    if path is None:
        return True
    bare = "".join(part.partition("[")[0] for part in place.split("]"))
    return any(text == path or text.startswith((f"{path}.", f"{path}[")) for text in (place, bare))


def _facts(change: engine.Change) -> dict[str, Any]:
    return {
        "path": change.path,
        "action": change.action,
        "before": change.before,
        "after": change.after,
        "reason": change.reason,
    }


def _table(title: str, changes: list[engine.Change], path: str | None) -> None:
    click.echo(title)
    if not changes:
        click.echo(f"  {path or 'it'} is neither in config nor in live nor in last-applied")
    width = min(max((len(change.path) for change in changes), default=0), 56)
    for change in changes:
        click.echo(f"  {change.path:{width}}  {change.reason}")
