"""Print the changes that an apply would make as one diff: the implementation of `kubemerge diff`."""

from __future__ import annotations

import os
import sys
from functools import partial

from ...apiserver.text.text import how_many
from ...diff.difference import Difference, Show
from ..terminal.console import console, tell
from ..terminal.stdout import STDOUT, write_page
from .merge import ALL_NEW, Applying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ...diff.removal import Removal
    from ...offline.pairs import Merged, OnServer
    from .merge_request import MergeRequest


def print_diff(
    asked: MergeRequest,
    selector: str = "",
    output: str = "text",
    html: str | None = None,
    *,
    show_managed_fields: bool = False,
    show_secrets: bool = False,
    prune: bool = False,
    allowlist: Sequence[str] = (),
    by: OnServer | None = None,
) -> int:
    """Print the changes that `kubectl apply` would make to the live objects, and return the exit code."""
    if prune and (asked.live or asked.last or html):
        other = "--html" if html else "--live" if asked.live else "--last-applied"
        import click

        raise click.UsageError(f"--prune requires a cluster. Omit it with {other}")
    applying = Applying(asked, as_diff=True, selector=selector, allowlist=allowlist if prune else None, by=by)
    show = Show(show_managed_fields, show_secrets)
    kept: dict[Any, Merged] | None = {} if html else None
    command = _program() if output == "text" else []
    render, print_them = (_files, partial(_external, command)) if command else _SHOWN[output]
    found = DiffTotals(render, show, alike=bool(command))  # the external program receives all objects
    found.add_all(applying, kept)
    different = found.differing > 0 if html == STDOUT else print_them(found.rendered)
    _tell(found, applying)
    if html and kept is not None:
        from ...html import diff_page

        write_page(html, diff_page(list(kept.values()), show_secrets=show_secrets), private=show_secrets)
    return applying.exit_code or int(different)


def _program() -> list[str]:
    """The external diff program, if one is set."""
    if not os.environ.get("KUBECTL_EXTERNAL_DIFF"):
        return []
    from ...diff.external import external_command  # slow to import

    return external_command(console().say)


class DiffTotals:
    """The differences in printable form. The objects are not kept, because there may be many."""

    def __init__(self, render: Callable[[Difference | Removal], Any], show: Show, *, alike: bool) -> None:
        self._render, self._show, self._alike = render, show, alike
        self._places: dict[Any, str] = {}
        self._rendered: dict[Any, Any] = {}
        self._differing: set[Any] = set()
        self.pruned = 0

    def add_all(self, applying: Applying, kept: dict[Any, Merged] | None) -> None:
        """Add every object, and after them those that would be pruned. Of duplicates, the last counts."""
        for merged in applying:
            manifest = merged.inputs.manifest
            key = (manifest.key, manifest.id)
            if key in self._places:
                before = self._places[key]
                console().say(f"{manifest.place}: {manifest.title} is also in {before}. The last one is used")
            self._places[key] = manifest.place
            self._add(key, Difference(merged, self._show))
            if kept is not None:
                kept[key] = merged
        for one in applying.unneeded:
            from ...diff.removal import Removal

            self.pruned += 1
            self._rendered[None, self.pruned] = self._render(Removal(one, self._show))

    def _add(self, key: Any, difference: Difference) -> None:
        self._rendered.pop(key, None)
        self._differing.discard(key)
        if difference.differs:
            self._differing.add(key)
        if difference.differs or self._alike:
            self._rendered[key] = self._render(difference)

    @property
    def seen(self) -> int:
        """Number of objects in the config."""
        return len(self._places)

    @property
    def differing(self) -> int:
        """Number of objects that would change."""
        return len(self._differing)

    @property
    def rendered(self) -> list[Any]:
        """The rendered differences."""
        return list(self._rendered.values())


def _tell(found: DiffTotals, applying: Applying) -> None:
    if not (found.seen or found.pruned):
        return
    more = [f", {found.pruned} would be pruned"] if found.pruned else []
    more += [f", {applying.failed} could not be merged"] if applying.failed else []
    more += [f" ({ALL_NEW})"] if applying.all_new else []
    console().say(f"{found.differing} of {how_many(found.seen, 'object')} would change{''.join(more)}")


def _text(difference: Difference | Removal) -> str:
    from ...diff.unified import unified

    before, after = difference.texts
    lines = list(unified(before, after or "", difference.name))
    if console().colored:
        from ..terminal.colours import difference_in_colours

        lines = difference_in_colours(lines)
    return "\n".join(lines)


def _print_texts(texts: list[str]) -> bool:
    for text in texts:
        if text:
            tell(text.split("\n"), tables=False)
    return bool(texts)


def _facts(difference: Difference | Removal) -> list[dict[str, Any]]:
    return list(difference.facts())


def _print_facts(differences: list[list[dict[str, Any]]]) -> bool:
    from ..terminal.stdout import print_facts

    print_facts([fact for difference in differences for fact in difference])
    return bool(differences)


def _files(difference: Difference | Removal) -> tuple[str, str, str | None]:
    return difference.name, *difference.texts


def _external(command: list[str], files: list[tuple[str, str, str | None]]) -> bool:
    from ...diff.external import folders

    console().detail(f"diff printed by {' '.join(command)}")
    with folders() as both:
        for name, before, after in files:
            both.add(name, before, after)
        sys.stdout.flush()  # the program prints there too
        return both.compare(command)


_SHOWN: dict[str, tuple[Callable[..., Any], Callable[..., bool]]] = {
    "text": (_text, _print_texts),
    "json": (_facts, _print_facts),
}
"""Functions that render one difference as soon as it is known, and functions that print all of them."""
