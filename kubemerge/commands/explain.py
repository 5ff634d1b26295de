"""`kubemerge explain`: how a kind, or a field of it, merges."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

import engine

from .. import words
from ..find import find
from ..tables import release_option, schema_option, tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import Rule, Schema


@click.command()
@click.argument("target", metavar="KIND[.FIELD...]")
@release_option
@schema_option
@click.option(
    "--api-version", metavar="VERSION", help="The apiVersion, where a kind has several; the stable one by default."
)
@click.option("--history", is_flag=True, help="Also since which release it is so.")
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def explain(
    target: str, release: str | None, schema: tuple[str, ...], api_version: str | None, history: bool, output: str
) -> None:
    """Tell how a kind merges, or one field: `deployment.spec.template.spec.containers`."""
    name, _, path = target.partition(".")
    found = find(tables(release, schema), name, api_version)
    rule = found.rule(path)
    if rule is None:
        raise engine.BadFieldPath(path, f"{found.kind} of {found.api_version} has no such field")
    eras = list(_eras(found, path)) if history else []
    if output == "json":
        click.echo(json.dumps(_facts(found, path, rule, eras), indent=2))
        return
    click.echo(f"{found.kind} of {found.api_version}{f', Kubernetes {found.release}' if found.release else ''}")
    click.echo(f"\n{path or 'the whole object'}: {words.noun(rule)}")
    click.echo(f"  kubectl apply      {words.client_side(rule)}")
    click.echo(f"  server-side apply  {words.server_side(rule)}")
    for span, old in eras:
        click.echo(
            f"  {span:16}   {words.client_side(old)} / {words.server_side(old)}"
            if old
            else f"  {span:16}   no such field"
        )
    below = [(at, one) for at, one in found.walk() if _is_child(at, path)]
    if below:
        click.echo("\nfields")
        _table([(at[len(path) :].lstrip(".") if path else at, one) for at, one in below])


def _is_child(at: str, path: str) -> bool:
    """Whether `at` is directly below `path`; values of maps and elements of lists are not listed."""
    if path and not at.startswith(path + "."):
        return False
    rest = at[len(path) + 1 :] if path else at
    return "." not in rest and rest != "*"


def _table(rows: Sequence[tuple[str, Rule]]) -> None:
    nouns = [words.noun(rule) for _, rule in rows]
    first, second = max(len(at) for at, _ in rows), max(len(noun) for noun in nouns)
    for (at, rule), noun in zip(rows, nouns, strict=True):
        click.echo(f"  {at:{first}}  {noun:{second}}  {words.client_side(rule)}")


def _eras(schema: Schema, path: str) -> Iterator[tuple[str, Rule | None]]:
    """The runs of releases in which the field merged alike, oldest first."""
    runs: list[tuple[list[str], Rule | None]] = []
    for release in engine.releases():
        older = engine.load(release)
        key = (str(schema.api_version), str(schema.kind))
        if key not in older:
            continue
        rule = older.schema(*key).rule(path)
        if runs and runs[-1][1] == rule:
            runs[-1][0].append(release)
        else:
            runs.append(([release], rule))
    for span, rule in runs:
        yield (f"{span[0]} to {span[-1]}" if len(span) > 1 else span[0]), rule


def _facts(schema: Schema, path: str, rule: Rule, eras: list[tuple[str, Rule | None]]) -> dict[str, Any]:
    facts = {
        "apiVersion": schema.api_version,
        "kind": schema.kind,
        "release": schema.release,
        "path": path,
        "rule": _rule(rule),
    }
    return {**facts, "history": [{"releases": span, "rule": _rule(old)} for span, old in eras]} if eras else facts


def _rule(rule: Rule | None) -> dict[str, Any] | None:
    if rule is None:
        return None
    return {
        "kind": rule.kind,
        "of": rule.of,
        "strategies": list(rule.strategies),
        "mergeKey": rule.merge_key,
        "listType": rule.list_type,
        "mapKeys": list(rule.map_keys),
        "derived": rule.derived,
        "mapType": rule.map_type,
        "clientSide": words.client_side(rule),
        "serverSide": words.server_side(rule),
    }
