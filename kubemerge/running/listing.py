"""Printing many objects as one List, as `kubectl get` does: piece by piece, never all of them at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ..cluster.dumps import as_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..cluster import Object


def print_list(objects: Iterable[Object], form: str) -> None:
    """Print a List of objects as YAML or JSON."""
    for piece in as_list(objects) if form == "yaml" else _as_json(objects):
        click.echo(piece, nl=False)


def _as_json(objects: Iterable[Object]) -> Iterator[str]:
    yield '{\n    "apiVersion": "v1",\n    "items": ['
    separator = "\n"
    for one in objects:
        text = json.dumps(one, indent=4, ensure_ascii=False, sort_keys=True)
        yield separator + "        " + text.replace("\n", "\n        ")
        separator = ",\n"
    end = "]" if separator == "\n" else "\n    ]"
    yield f'{end},\n    "kind": "List",\n    "metadata": {{\n        "resourceVersion": ""\n    }}\n}}\n'
