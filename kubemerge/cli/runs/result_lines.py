"""What commands that change a cluster print: a line for each object, or the objects themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...actions.requests import NONE, WORDS
from ...manifests.objects import title
from ...output.object_text import without_managed_fields
from ..terminal.stdout import print_line

if TYPE_CHECKING:
    from ...cluster import Object


class Results:
    """Prints each result at once, as kubectl does; objects are kept only if they are printed as one List."""

    def __init__(self, output: str | None = None, dry_run: str = NONE, *, managed_fields: bool = False) -> None:
        self._output, self._words, self._managed_fields = output, WORDS[dry_run], managed_fields
        self._kept: list[Object] = []

    def done(self, content: Object, result: str) -> None:
        """Print that an object is `configured`, or whatever was done to it."""
        if self._output in ("yaml", "json"):
            self._kept.append(content if self._managed_fields else without_managed_fields(content))
        else:
            self.gone(content, result)

    def gone(self, content: Object, result: str) -> None:
        """Print that an object is gone; it is not in the List."""
        if self._output == "name":
            print_line(title(content))
        elif self._output is None:
            print_line(f"{title(content)} {result}{self._words}")

    def finish(self) -> None:
        """Print the objects, several as one List."""
        from ..terminal.stdout import print_whole

        if self._kept:
            print_whole(self._kept, str(self._output))


def deleted(content: Object, done: str = "deleted") -> str:
    """What kubectl says of an object that it has deleted: `configmap "a" deleted from default namespace`."""
    kind, _, name = title(content).partition("/")
    namespace = content["metadata"].get("namespace")
    return f'{kind} "{name}" {done}{f" from {namespace} namespace" if namespace else ""}'
