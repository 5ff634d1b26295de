"""Printing objects, as kubectl does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterable


def print_objects(objects: Iterable[dict[str, Any]], form: str) -> None:
    """Print objects as YAML documents, one by one, or as JSON; several in one List then."""
    if form == "json":
        print_json(_in_one(list(objects)))
        return
    from .yaml_out import dump

    for index, one in enumerate(objects):
        click.echo(("---\n" if index else "") + dump(one), nl=False)


def print_json(value: Any) -> None:
    """Print an object as indented JSON, keys sorted, as kubectl does."""
    import json

    click.echo(json.dumps(value, indent=4, ensure_ascii=False, sort_keys=True))


def _in_one(objects: list[dict[str, Any]]) -> dict[str, Any]:
    return objects[0] if len(objects) == 1 else {"apiVersion": "v1", "items": objects, "kind": "List"}


def print_facts(facts: Any) -> None:
    """Print a report for programs: indented JSON whose keys stand in the order that the documentation gives."""
    import json

    click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
