"""`kubemerge kinds`: kinds served by a release or described by a specification."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..options import completion as completing
from ..options.clusters import ClusterLocation, server_option
from ..options.shared import release_option, schema_option
from ..terminal.console import console, console_options, tell_rows

if TYPE_CHECKING:
    from engine import Schema

    Row = tuple[str, str, Schema]

_SCOPES = {True: "namespaced", False: "cluster", None: ""}


@click.command()
@click.argument("words", metavar="[WORD]...", nargs=-1, shell_complete=completing.kinds)
@server_option
@release_option
@schema_option
@click.option("--history", is_flag=True, help="Also show the releases that serve each kind.")
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@console_options
def kinds(
    words: tuple[str, ...],
    context: str | None,
    kubeconfig: str | None,
    release: str | None,
    schema: tuple[str, ...],
    history: bool,
    output: str,
) -> None:
    """List the kinds of a release or schema.

    With WORDs, list only kinds that match at least one of them. A word matches a part of the apiVersion, kind or
    plural. It also matches as a short name (`deploy`), with a group (`deployments.apps`) or with an apiVersion
    (`apps/v1/Deployment`).
    """
    from ..servers import tables

    found = tables(ClusterLocation(None, release, context, kubeconfig), schema)
    rows = [(*key, found.schema(*key)) for key in found.kinds() if _is_meant(key, words)]
    served = _served(rows) if history else {}
    if output == "json":
        from ..terminal.stdout import print_facts

        print_facts([_facts(row, served) for row in rows])
    else:
        _table(rows, served)
    if words:
        console().say(f"{len(rows)} of {len(found.kinds())} kinds")


def _is_meant(key: tuple[str, str], words: tuple[str, ...]) -> bool:
    from ...apiserver.kinds.names import plural
    from ...kinds.find import meant

    texts = (key[0].lower(), key[1].lower(), plural(key[1]))
    return not words or any(meant(word, [key]) or any(word.lower() in text for text in texts) for word in words)


def _served(rows: list[Row]) -> dict[tuple[str, str], str]:
    """The releases that serve each kind, in words. Empty for kinds that no release has."""
    import engine
    from engine.errors import spans

    releases = [(release, engine.load(release)) for release in engine.releases()]
    found = {(api, kind): [name for name, tables in releases if (api, kind) in tables] for api, kind, _ in rows}
    return {key: spans(names) for key, names in found.items() if names}


def _facts(row: Row, served: dict[tuple[str, str], str]) -> dict[str, object]:
    api, kind, one = row
    facts: dict[str, object] = {
        "apiVersion": api,
        "kind": kind,
        "namespaced": one.namespaced,
        "patchTypes": one.patch_types,
    }
    return {**facts, "releases": served[api, kind]} if (api, kind) in served else facts


def _table(rows: list[Row], served: dict[tuple[str, str], str]) -> None:
    width = max((len(api) for api, _, _ in rows), default=0)
    cells = [(api, kind, _SCOPES[one.namespaced], served.get((api, kind), "")) for api, kind, one in rows]
    tell_rows(
        [row if served else row[:3] for row in cells], f"{{:{width}}}  {{:40}}  {{:10}}{'  {}' if served else ''}"
    )
