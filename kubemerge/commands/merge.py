"""`kubemerge merge` and `kubemerge why`: what apply makes of an object, and the reason of every field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

import engine
from engine.gojson import encode

from ..manifests import Manifest, by_identity, print_objects, read_manifests
from ..tables import release_option, schema_option, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Outcome, Tables

_config = click.option(
    "-f", "--filename", "config", metavar="FILE", multiple=True, required=True, help="The config; - for stdin."
)
_live = click.option(
    "--live", metavar="FILE", multiple=True, help="The live objects, as `kubectl get -o yaml` prints them."
)
_last = click.option(
    "--last-applied", "last", metavar="FILE", help="What was applied last, instead of the annotation of live."
)
_overwrite = click.option(
    "--overwrite", type=bool, default=True, show_default=True, help="Whether config wins over other writers."
)


@click.command()
@_config
@_live
@_last
@_overwrite
@release_option
@schema_option
@click.option(
    "-o", "--output", type=click.Choice(["yaml", "json", "patch", "name"]), default="yaml", help="What to print."
)
def merge(
    config: tuple[str, ...],
    live: tuple[str, ...],
    last: str | None,
    overwrite: bool,
    release: str | None,
    schema: tuple[str, ...],
    output: str,
) -> None:
    """Print what `kubectl apply` makes of the objects in FILE."""
    outcomes = list(_outcomes(config, live, last, overwrite, tables(release, schema)))
    for manifest, outcome in outcomes:
        for warning in outcome.warnings:
            click.echo(f"{manifest.title}: {warning}", err=True)
        if output == "name":
            click.echo(manifest.title)
        else:
            click.echo(f"{manifest.title} {outcome.result}", err=True)
    if output == "patch":
        for _, outcome in outcomes:
            click.echo(encode(outcome.patch))
    elif output != "name":
        print_objects([outcome.merged for _, outcome in outcomes], output)


@click.command()
@click.argument("path", required=False)
@_config
@_live
@_last
@release_option
@schema_option
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def why(
    path: str | None,
    config: tuple[str, ...],
    live: tuple[str, ...],
    last: str | None,
    release: str | None,
    schema: tuple[str, ...],
    output: str,
) -> None:
    """Tell why every field has its value after an apply, or only those at PATH."""
    found = []
    for manifest, outcome in _outcomes(config, live, last, True, tables(release, schema)):
        changes = [change for change in outcome.changes if _is_at(change.path, path)]
        found += [{"object": manifest.title, **_facts(change)} for change in changes]
        if output == "text":
            _table(manifest, changes)
    if output == "json":
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))


def _outcomes(
    config: tuple[str, ...], live: tuple[str, ...], last: str | None, overwrite: bool, found: Tables
) -> Iterator[tuple[Manifest, Outcome]]:
    """Apply each object of the config to its live one."""
    there = by_identity(read_manifests(live))
    before = by_identity(read_manifests([last] if last else []))
    for manifest in read_manifests(config):
        content = manifest.content
        key = (content["apiVersion"], content["kind"])
        schema = found.schema(*key) if key in found else None
        if schema is None:
            click.echo(f"{manifest.title}: no schema is known; lists are replaced (see --schema)", err=True)
        now, then = there.get(manifest.identity), before.get(manifest.identity)
        given: dict[str, Any] = {"last_applied": then.content if then else None} if last else {}
        yield manifest, engine.apply(content, now.content if now else None, schema, overwrite, **given)


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


def _table(manifest: Manifest, changes: list[engine.Change]) -> None:
    click.echo(manifest.title)
    width = min(max((len(change.path) for change in changes), default=0), 56)
    for change in changes:
        click.echo(f"  {change.path:{width}}  {change.reason}")
