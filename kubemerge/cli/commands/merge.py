"""`kubemerge merge`: what apply makes of an object."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import click

from ..options.shared import MergeRequest, apply_options, html_option, secrets_option
from ..runs.merge import Applying
from ..terminal.console import console, console_options
from ..terminal.stdout import STDOUT, print_objects, write_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...offline.pairs import Merged


@click.command()
@apply_options
@click.option(
    "-o",
    "--output",
    type=click.Choice(["yaml", "json", "patch", "name"]),
    default="yaml",
    help="What to print. patch is a JSON document a line; the lines on standard error say, in this order, whose.",
)
@html_option
@secrets_option
@console_options
def merge(asked: MergeRequest, output: str, html: str | None, show_secrets: bool) -> int:
    """Print what `kubectl apply` makes of the objects in the config.

    Each is merged with the live object of the same group, kind, namespace and name; without one, it is created.
    An object that cannot be merged is reported, the others are printed, and the exit code is 2.
    """
    applying = Applying(asked)
    kept: list[Merged] = []
    results = _told(applying, kept if html else None)
    if html == STDOUT:
        deque(results, maxlen=0)  # the page has it all
    elif output == "name":
        for one in results:
            click.echo(one.inputs.title)
    elif output == "patch":
        from engine.values.go_json import encode

        for one in results:
            click.echo(encode(one.outcome.patch))
    else:
        print_objects((one.after for one in results), output)
    if html:
        from ...html import merge_page

        write_page(html, merge_page(kept, show_secrets=show_secrets))
    return applying.exit_code


def _told(results: Any, kept: list[Merged] | None) -> Iterator[Merged]:
    for one in results:
        console().say(f"{one.inputs.title} {one.outcome.result}")
        if kept is not None:
            kept.append(one)
        yield one
