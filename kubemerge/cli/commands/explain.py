"""`kubemerge explain`: merge behavior of a kind or one of its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...output import words
from ..options import completion as completing
from ..options.clusters import ClusterLocation, server_option
from ..options.gates import feature_gates_option
from ..options.shared import release_option, schema_option
from ..terminal.colours import painted
from ..terminal.console import console, console_options, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Rule

    from ...kinds.explain import ExplainedField

    Eras = list[tuple[str, Rule | None]]


@click.command()
@click.argument("target", metavar="KIND[.FIELD...]", shell_complete=completing.fields)
@server_option
@release_option
@feature_gates_option
@schema_option
@click.option(
    "--api-version", metavar="VERSION", help="The apiVersion, for kinds that have several. Default: the stable version."
)
@click.option("--history", is_flag=True, help="Also show the releases in which this rule holds.")
@click.option("-R", "--recursive", is_flag=True, help="List nested fields too.")
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@console_options
def explain(
    target: str,
    context: str | None,
    kubeconfig: str | None,
    release: str | None,
    schema: tuple[str, ...],
    api_version: str | None,
    history: bool,
    recursive: bool,
    output: str,
) -> None:
    """Show how a kind or one of its fields merges.

    Example: `kubemerge explain deployment.spec.template.spec.containers`. KIND may be a short name (`deploy`), a
    plural, a name with group (`deployments.apps`) or with API version (`apps/v1/Deployment`). List elements do not
    appear in the path.
    """
    from engine.tables.schema import ANYTHING

    from ...kinds.explain import below, eras, facts, field_at, gate_of, is_open, stored
    from ...kinds.find import find_field
    from ..servers import tables

    found, path = find_field(tables(ClusterLocation(None, release, context, kubeconfig), schema), target, api_version)
    console().detail(f"{target}: kind {found.kind} of {found.api_version}, field {path or '(whole object)'}")
    rule = field_at(found, path)
    past = list(eras(found, path)) if history else []
    fields = list(below(found, rule, recursive=recursive))
    if output == "json":
        from ..terminal.stdout import print_facts

        print_facts(facts(found, path, rule, past, fields) | gate_of(found, path))
        return
    title = f"{found.kind} of {found.api_version}{f', Kubernetes {found.release}' if found.release else ''}"
    lines = [painted(title, "title"), *_field(path, rule, past, stored(found, path))]
    if fields:
        lines += ["", painted("fields", "title"), *_table(fields)]
        if is_open(found, rule):
            lines += ["", f"other fields of any name: {words.client_side(ANYTHING)}"]
    tell(lines)


def _field(path: str, rule: Rule, past: Eras, stored: str) -> Iterator[str]:
    yield ""
    yield f"{painted(path or 'the whole object', 'place')}: {words.noun(rule)}"
    yield f"  kubectl apply      {words.client_side(rule)}"
    yield f"  server-side apply  {words.server_side(rule)}"
    if stored:
        yield f"  API server         {stored}"
    for span, old in past:
        rule_words = f"{words.client_side(old)} / {words.server_side(old)}" if old else "no such field"
        yield f"  {span:16}   {rule_words}"


def _table(fields: list[ExplainedField]) -> Iterator[str]:
    names = ["  " * field.depth + field.name for field in fields]
    nouns = [words.noun(field.rule) for field in fields]
    first, second = max(map(len, names)), max(map(len, nouns))
    for field, name, noun in zip(fields, names, nouns, strict=True):
        yield f"  {name:{first}}  {noun:{second}}  {words.client_side(field.rule)}"
