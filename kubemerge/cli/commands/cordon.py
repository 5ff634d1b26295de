"""`kubemerge cordon`: mark Nodes as ones that take no new Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..runs.operating.cordon import cordoning, mark

if TYPE_CHECKING:
    from ..options.clusters import Where


@click.command("cordon")
@cordoning
def cordon(where: Where, words: tuple[str, ...], selector: str | None, dry_run: str) -> int:
    """Mark Nodes as ones that take no new Pods."""
    return mark(where, words, selector, dry_run, wanted=True)
