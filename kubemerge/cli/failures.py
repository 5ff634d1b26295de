"""Continue after failures: each failure is reported on standard error and counted."""

from __future__ import annotations

from contextlib import contextmanager

from engine import MergeError

from ..apiserver.errors import ConnectError, StoreError
from ..apiserver.text.text import how_many, shown
from .inputs import files
from .running import running, uses_kubectl_wording
from .terminal.console import console
from .terminal.stdout import OutputClosed
from .wording import Failure, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from ..manifests.lines import Lines
    from ..manifests.objects import Manifest


class FatalError(MergeError):
    """A failure that ends the command."""


class Failures:
    """The failures so far. An unusable file of the embedded cluster ends the command instead of counting as one
    failure.
    """

    def __init__(self) -> None:
        self.count = 0
        self.skipped: dict[str, int] = {}
        """Number of skipped documents of each purpose, such as "Helm chart"."""
        self._first: Failure | None = None
        command = running()
        if command is not None:
            command.at_exit.append(self.report_first)

    @property
    def exit_code(self) -> int:
        """2 after any failure. Reading it also reports a first failure that was the only one."""
        self._report_only_one()
        return 2 if self.count else 0

    def _report_only_one(self) -> None:
        if self._first is not None:
            console().failed(self._first.alone, self._first.hint)
            self._first = None

    @contextmanager
    def catch(self, *about: str, doing: str = "", source: str = "") -> Iterator[None]:
        """A context that catches and reports errors. `about` names the place: file and line, and the object.

        kubectl does not print the place. It prints at most the action (`doing`) and the object's file (`source`).
        """
        try:
            yield
        except (StoreError, ConnectError, OutputClosed, FatalError):
            raise
        except MergeError as error:
            self.add(error, *about, doing=doing, source=source)

    def add(self, error: object, *about: str, doing: str = "", source: str = "") -> None:
        """Report a failure."""
        self.count += 1
        if not uses_kubectl_wording():
            console().complain(one_line(error, *about))
            return
        failure = Failure(error, *map(shown, about), doing=doing, source=source)
        if self.count == 1:
            self._first = failure
            return
        self.report_first()
        console().failed(failure.among_others, failure.hint)

    def report_first(self) -> None:
        """Report the first failure once it is no longer the only one."""
        if self._first is not None:
            console().failed(self._first.among_others, self._first.hint)
            self._first = None

    def report_lines(self, lines: str) -> None:
        """Report a failure as a separate block of lines, as kubectl prints the failures that it gathers."""
        self.count += 1
        console().report(lines)

    def allow_pruning(self, nothing: str, *, everywhere: bool) -> bool:
        """Whether pruning is safe: after a failure, the objects to keep are unknown. Print the reason if it is not.

        `nothing` is the start of that message, such as "nothing is pruned". `everywhere` means that pruning goes beyond
        the given namespace.
        """
        if self.count:
            self._report_only_one()
            console().complain(f"{nothing}, because {how_many(self.count, 'object')} failed")
        elif everywhere:
            console().say("warning: cluster-scoped objects are pruned too, despite --namespace")
        return not self.count

    def manifests(
        self, paths: Sequence[str], *, recursive: bool = False, skip_reason: Callable[[Any, str], str] | None = None
    ) -> Iterator[Manifest]:
        """The objects of these files, one by one. Unreadable ones are reported.

        `skip_reason` returns the purpose of a document that is not meant for an API server, such as "Helm chart". With
        it, such documents are skipped and counted, and each item of a List has its own line.
        """
        from ..manifests.files import names  # importing a YAML reader is slow, and `get` needs none

        progress = files().reading
        for path in paths:
            found: list[str] = []
            with self.catch():
                found = names(path, recursive=recursive)
            for at, name in enumerate(found):
                for manifest, lines in self._in_file(name, skip_reason):
                    if progress:
                        progress(manifest.source, *((at, len(found)) if len(found) > 1 else (manifest.line, lines)))
                    yield manifest

    def live(self, paths: Sequence[str], *, recursive: bool = False) -> Iterator[Manifest]:
        """The live objects of these paths, one by one. Unreadable ones are reported."""
        from ..manifests.live import dump_of, objects_of

        for path in paths:
            dump = None
            with self.catch():
                dump = dump_of(path)
                if dump is not None:
                    yield from objects_of(dump, files())
                    continue
                yield from self.manifests([path], recursive=recursive)

    def print_skipped(self) -> None:
        """Print the skipped documents, if any."""
        if self.skipped:
            console().say(f"skipped: {', '.join((f'{what} ({many})' for what, many in self.skipped.items()))}")

    def _in_file(self, name: str, skip_reason: Callable[[Any, str], str] | None) -> Iterator[tuple[Manifest, int]]:
        """The objects of one file, with its number of lines. Documents that are not objects are reported."""
        from ..manifests.documents import read_documents
        from ..manifests.objects import objects_in

        with self.catch():
            for source, data in files().contents([name]):
                lines, places = data.count(b"\n"), _lines(data) if skip_reason else None
                for at, (line, document) in enumerate(read_documents(data, source)):
                    other = skip_reason(document, source) if skip_reason else ""
                    if other:
                        self.skipped[other] = self.skipped.get(other, 0) + 1
                        continue
                    with self.catch():
                        for number, manifest in enumerate(objects_in(document, source, line)):
                            yield places.own_line(manifest, at, number) if places else manifest, lines


def _lines(data: bytes) -> Lines:
    from ..manifests.lines import Lines  # slow to import, and most commands print no lines

    return Lines(data)
