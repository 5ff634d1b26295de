"""Printing objects, as kubectl does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from engine import MergeError

if TYPE_CHECKING:
    from collections.abc import Iterable


class OutputClosed(MergeError):
    """Nobody reads any more what is done, so nothing more is done: it could not be told how far it went."""

    def __init__(self) -> None:
        super().__init__("standard output was closed before all was done; do it again, and read the output to its end")


def without_managed_fields(one: dict[str, Any]) -> dict[str, Any]:
    """The object as kubectl prints it unless it is asked for all."""
    if "managedFields" not in one["metadata"]:
        return one
    return {**one, "metadata": {key: value for key, value in one["metadata"].items() if key != "managedFields"}}


def print_objects(objects: Iterable[dict[str, Any]], form: str) -> None:
    """Print objects as YAML documents, one by one, or as JSON; several in one List then."""
    if form == "json":
        print_json(_in_one(list(objects)))
        return
    from .yaml_out import dump

    for index, one in enumerate(objects):
        click.echo(("---\n" if index else "") + dump(one), nl=False)


def print_json(value: Any) -> None:
    """Print an object as indented JSON, as kubectl does: sorted, numbers in Go's form, `<`, `>` and `&` escaped."""
    from engine.gojson import encode

    click.echo(_indented(encode(value)))


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{},:]|[^][{},:"]+')


def _indented(compact: str) -> str:
    """JSON without spaces, laid out on lines."""
    parts: list[str] = []
    line = "\n"
    after_opening = False
    for piece in _TOKEN.findall(compact):
        closing = piece in ("}", "]")
        if closing:
            line = line[:-4]
        if after_opening != closing:  # nothing stands between the brackets of what is empty
            parts.append(line)
        parts.append(_SPACED.get(piece, piece))
        after_opening = piece in ("{", "[")
        if after_opening:
            line += "    "
        elif piece == ",":
            parts.append(line)
    return "".join(parts)


_SPACED = {":": ": "}


def _in_one(objects: list[dict[str, Any]]) -> dict[str, Any]:
    return objects[0] if len(objects) == 1 else {"apiVersion": "v1", "items": objects, "kind": "List"}


def print_facts(facts: Any) -> None:
    """Print a report for programs: indented JSON whose keys stand in the order that the documentation gives."""
    import json

    click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
