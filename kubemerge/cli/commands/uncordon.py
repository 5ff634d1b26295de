"""`kubemerge uncordon`: mark Nodes as ones that take new Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..runs.operating.cordon import cordoning, mark

if TYPE_CHECKING:
    from ..options.clusters import Where


@click.command("uncordon")
@cordoning
def uncordon(where: Where, words: tuple[str, ...], selector: str | None, dry_run: str) -> int:
    """Mark Nodes as ones that take new Pods."""
    return mark(where, words, selector, dry_run, wanted=False)
