"""The open documents of a client, and the thread that lints them after each change."""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .checking import Checker, Diagnostic
    from .live import LiveSource
    from .repository import Repository
    from .text import Change

    Publish = Callable[[str, int | None, Text, Sequence[Diagnostic]], None]

DELAY = 0.1
"""Seconds without a change after which a document is linted."""
DELAY_OF_OTHERS = 0.5
"""The same for other documents that a change may concern."""
DEFINITION = "CustomResourceDefinition"
SWITCH = 0.002
"""Seconds after which the linting thread lets another one run."""
_LANGUAGES = ("yaml", "json", "kubernetes")
_ENDINGS = (".yaml", ".yml", ".json")


@dataclass
class Open:
    """An open document. `text` is replaced as a whole, so that any thread may read it."""

    uri: str
    name: str
    text: Text
    version: int | None
    checker: Checker | None = None
    serial: int = 0


class Session:
    """The open documents of one client."""

    def __init__(
        self,
        root: str | None,
        encoding: str,
        publish: Publish,
        tell: Callable[[str], None],
        live: Callable[[], LiveSource],
        report: Callable[[str], None],
    ) -> None:
        self._root, self._encoding, self._publish, self._tell = root, encoding, publish, tell
        self._make_live, self._report = live, report
        self._live: LiveSource | None = None
        self._documents: dict[str, Open] = {}
        self._due: dict[str, float] = {}
        self._changed = threading.Condition()
        self._repository: Repository | None = None
        self._making = threading.Lock()
        self._ended = self._is_warm = False
        sys.setswitchinterval(SWITCH)
        threading.Thread(target=self._run, name="lint", daemon=True).start()

    # ---- called by the client's messages ---------------------------------------------------------------------------

    def open(self, uri: str, path: str, language: str, text: str, version: int | None) -> None:
        """Open a document, unless it is for another server: a Helm template, or another language."""
        name = self._name(path)
        known = language.lower().partition(".")[0].startswith(_LANGUAGES) or name.endswith(_ENDINGS)
        if known and "helm" not in language.lower():
            with self._changed:
                self._documents[uri] = Open(uri, name, Text(text, self._encoding), version)
                self._schedule(uri, 0)
                self._schedule_others(uri, name, text)

    def change(self, uri: str, changes: Sequence[Change], version: int | None) -> None:
        """Change a document."""
        with self._changed:
            document = self._documents.get(uri)
            if document is None:
                return
            before = document.text.text
            for one in changes:
                document.text = document.text.changed(one)
            document.version = version
            document.serial += 1
            self._schedule(uri, DELAY)
            self._schedule_others(uri, document.name, before, document.text.text)

    def close(self, uri: str) -> None:
        """Close a document, and remove its diagnostics."""
        with self._changed:
            document = self._documents.pop(uri, None)
            self._due.pop(uri, None)
            if document is not None:
                self._schedule_others(uri, document.name, document.text.text)
                for other in self._documents.values():
                    if other.checker is not None and _folder(other.name) == _folder(document.name):
                        other.checker.forget_folder()  # its text of the closed document may differ from the file
        if document is not None:
            self._publish(uri, None, document.text, ())

    def files_changed(self) -> None:
        """Lint all documents again, because a file of the workspace has changed."""
        with self._changed:
            if self._repository is not None:
                self._repository.forget_files()
            for uri, document in self._documents.items():
                if document.checker is not None:
                    document.checker.forget_folder()
                self._schedule(uri, DELAY)

    def end(self) -> None:
        """Stop linting."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def _schedule(self, uri: str, delay: float) -> None:
        self._due[uri] = time.monotonic() + delay
        self._changed.notify()

    def _schedule_others(self, uri: str, name: str, *texts: str) -> None:
        """Lint the other documents of the folder again, or all if a definition was in one of the texts, or is now."""
        is_definition = any(DEFINITION in text for text in texts)
        soon = time.monotonic() + DELAY
        for other, document in self._documents.items():
            is_concerned = is_definition or _folder(document.name) == _folder(name)
            if other != uri and is_concerned and self._due.get(other, soon) >= soon:
                self._schedule(other, DELAY_OF_OTHERS)

    # ---- for the methods of the server -----------------------------------------------------------------------------

    def document(self, uri: str) -> tuple[Text, str, Checker] | None:
        """The text, the name and the checker of an open document."""
        with self._changed:
            document = self._documents.get(uri)
        if document is None:
            return None
        if document.checker is None:
            document.checker = self._checker(document.name)
        return document.text, document.name, document.checker

    def live(self) -> LiveSource | None:
        """The source of live objects, if the client has named one."""
        with self._making:
            if self._live is None:
                self._live = self._make_live()
        return self._live if self._live.is_given else None

    def opened(self) -> dict[str, bytes]:
        """The bytes of the open documents, by name."""
        with self._changed:
            texts = {one.name: one.text for one in self._documents.values()}
        return {name: text.data for name, text in texts.items()}

    def path(self, name: str) -> str:
        """The absolute path of a name in reports."""
        return os.path.normpath(os.path.join(self._root or os.getcwd(), name))  # noqa: PTH109, PTH118

    def _name(self, path: str) -> str:
        top = os.path.join(self._root or "", "")  # noqa: PTH118
        return os.path.relpath(path, self._root) if self._root and path.startswith(top) else os.path.normpath(path)

    def _checker(self, name: str) -> Checker:
        from .checking import Checker
        from .repository import Repository

        with self._making:
            if self._repository is None:
                self._repository = Repository(self._root, self._tell)
        return Checker(name, self._repository)

    # ---- the thread ------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            uri = self._next()
            if uri is None:
                return
            try:
                self._lint(uri)
                self._warm()
            except Exception:  # a bug must not end the thread
                self._report(traceback.format_exc())

    def _warm(self) -> None:
        """Load everything that the first hover and the first completion need."""
        if not self._is_warm:
            self._is_warm = True
            from . import actions, completions, definitions, hovers  # noqa: F401

            hovers.warm()

    def _next(self) -> str | None:
        """The document that is due first. Wait until there is one."""
        with self._changed:
            while not self._ended:
                now = time.monotonic()
                uri = min(self._due, key=self._due.__getitem__, default=None)
                if uri is not None and self._due[uri] <= now:
                    del self._due[uri]
                    return uri
                self._changed.wait(None if uri is None else self._due[uri] - now)
        return None

    def _lint(self, uri: str) -> None:
        from .checking import Superseded

        with self._changed:
            document = self._documents.get(uri)
        if document is None:
            return
        if document.checker is None:
            document.checker = self._checker(document.name)
        serial, text, version = document.serial, document.text, document.version

        def is_current() -> bool:
            time.sleep(0)
            return document.serial == serial and self._documents.get(uri) is document

        opened: Mapping[str, bytes] = self.opened()
        try:
            for alone in (False,) if document.checker.knows_the_folder() else (True, False):
                found = document.checker.check(text.text, opened, is_current, alone=alone)
                with self._changed:  # so that the document is not closed in between
                    if is_current():
                        self._publish(uri, version, text, found)
        except Superseded:
            return


def _folder(name: str) -> str:
    return os.path.dirname(name)  # noqa: PTH120
