"""Output of commands that change a cluster: a line for each object, or the objects themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...actions.requests import NONE, WORDS
from ...manifests.objects import title
from ...output.object_text import DONE, without_managed_fields
from ..terminal.stdout import print_line, print_list, print_text
from .printing import named, printer

if TYPE_CHECKING:
    from ...cluster import Object
    from ..options.outputs import Form


class Results:
    """Prints each result at once, as kubectl does. `together` keeps objects, and prints several as one List."""

    def __init__(
        self,
        output: Form | str | None = None,
        dry_run: str = NONE,
        *,
        managed_fields: bool = False,
        together: bool = False,
    ) -> None:
        self._output, self._words, self._together = output, WORDS[dry_run], together and output != "name"
        self._text = None if output is None else printer(output, managed_fields=managed_fields)
        self._managed_fields = managed_fields
        self._kept: list[Object] = []
        self._count = 0

    def done(self, content: Object, result: str) -> None:
        """Print that an object is `configured`, or another result."""
        if self._text is None:
            print_text(f"{named(content)} {result}{self._words}\n")
        elif self._together:
            self._kept.append(content)
        else:
            self._print(content)

    def gone(self, content: Object, result: str) -> None:
        """Print that an object is gone. The List does not contain it."""
        if self._output == "name":
            print_line(title(content))
        elif self._output is None:
            print_line(f"{title(content)} {result}{self._words}")

    def finish(self) -> None:
        """Print the objects that were kept."""
        if len(self._kept) == 1:
            self._print(self._kept[0])
        elif self._kept and self._output in ("json", "yaml"):
            bare = self._kept if self._managed_fields else map(without_managed_fields, self._kept)
            print_list(bare, str(self._output), DONE)
        elif self._kept:
            self._print({**DONE, "items": self._kept})

    def _print(self, content: Object) -> None:
        if self._text is None:
            return
        if self._output == "yaml" and self._count:
            print_line("---")
        self._count += 1
        print_text(self._text(content))


def deleted(content: Object, done: str = "deleted") -> str:
    """kubectl's line for a deleted object: `configmap "a" deleted from default namespace`."""
    kind, _, name = title(content).partition("/")
    namespace = content["metadata"].get("namespace")
    return f'{kind} "{name}" {done}{f" from {namespace} namespace" if namespace else ""}'
