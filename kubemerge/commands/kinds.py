"""`kubemerge kinds`: which kinds a release serves, or a specification describes."""

from __future__ import annotations

import json

import click

from ..tables import release_option, schema_option, tables

_SCOPES = {True: "namespaced", False: "cluster", None: ""}


@click.command()
@release_option
@schema_option
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="How to print them.")
def kinds(release: str | None, schema: tuple[str, ...], output: str) -> None:
    """List the kinds of a release, with those of --schema laid over them."""
    found = tables(release, schema)
    rows = [(*key, found.schema(*key)) for key in found.kinds()]
    if output == "json":
        facts = [
            {"apiVersion": api, "kind": kind, "namespaced": one.namespaced, "patchTypes": one.patch_types}
            for api, kind, one in rows
        ]
        click.echo(json.dumps(facts, indent=2))
        return
    width = max((len(api) for api, _, _ in rows), default=0)
    for api, kind, one in rows:
        click.echo(f"{api:{width}}  {kind:40}  {_SCOPES[one.namespaced]}".rstrip())
