"""A client of the language server for tests, whose methods wait for the answers."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.protocol import default_converter
from pygls.uris import from_fs_path
from pytest_lsp import LanguageClient, client_capabilities

from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

SECONDS = 60
"""Longest wait for an answer on a busy machine."""
CURSOR = "▮"


class Editor:
    """An editor with a folder, which starts the server as editors do."""

    def __init__(
        self, folder: Path, capabilities: str = "visual-studio-code", options: Any = None, *, root: bool = True
    ) -> None:
        self.folder = folder
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._version = 0
        self.client = LanguageClient(converter_factory=default_converter)
        self._changed = threading.Condition()
        self._published: dict[str, list[types.PublishDiagnosticsParams]] = {}
        self.messages: list[str] = []
        self.registered: list[str] = []
        self._listen()
        there = {**os.environ, "PYTHONPATH": str(ROOT)}
        self._call(self.client.start_io(sys.executable, "-m", "kubemerge", "lsp", "--stdio", env=there))
        params = types.InitializeParams(
            capabilities=client_capabilities(capabilities),
            root_uri=from_fs_path(str(folder)) if root else None,
            initialization_options=options,
        )
        workspace = params.capabilities.workspace
        watched = workspace.did_change_watched_files if workspace else None
        self.watches = bool(watched and watched.dynamic_registration)
        self.capabilities: types.ServerCapabilities = self._call(self.client.initialize_session(params)).capabilities

    def _listen(self) -> None:
        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            with self._changed:
                self._published.setdefault(params.uri, []).append(params)
                self._changed.notify_all()

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered += [one.method for one in params.registrations]

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            with self._changed:
                self.messages.append(params.message)
                self._changed.notify_all()

    def _call(self, awaited: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(awaited, self._loop).result(SECONDS)

    def uri(self, name: str) -> str:
        """The URI of a file in the folder."""
        return str(from_fs_path(str(self.folder / name)))

    def open(self, name: str, text: str, language: str = "yaml") -> str:
        """Open a document."""
        uri = self.uri(name)
        self._published.pop(uri, None)
        item = types.TextDocumentItem(uri, language, self._next(), text)
        self._loop.call_soon_threadsafe(self.client.text_document_did_open, types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, *changes: Any) -> int:
        """Change a document."""
        version = self._next()
        params = types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version, uri), list(changes))
        self._loop.call_soon_threadsafe(self.client.text_document_did_change, params)
        return version

    def close(self, uri: str) -> None:
        """Close a document."""
        params = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        self._loop.call_soon_threadsafe(self.client.text_document_did_close, params)

    def save(self, uri: str) -> None:
        """Send that a document was saved."""
        params = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri))
        self._loop.call_soon_threadsafe(self.client.text_document_did_save, params)

    def files_changed(self) -> None:
        """Send that files have changed."""
        change = types.FileEvent(self.uri("file.yaml"), types.FileChangeType.Changed)
        params = types.DidChangeWatchedFilesParams([change])
        self._loop.call_soon_threadsafe(self.client.workspace_did_change_watched_files, params)

    def _next(self) -> int:
        self._version += 1
        return self._version

    def diagnostics(self, uri: str, count: int = 1, version: int | None = None) -> list[types.Diagnostic]:
        """The diagnostics of a document, after so many messages about it, or about a version."""

        def there() -> bool:
            found = self._published.get(uri, [])
            return len(found) >= count and (version is None or found[-1].version == version)

        with self._changed:
            assert self._changed.wait_for(there, SECONDS), f"no diagnostics of {uri}"
            return list(self._published[uri][-1].diagnostics)

    def wait_for(self, uri: str, holds: Any) -> list[types.Diagnostic]:
        """The diagnostics of a document, once a condition holds for them."""

        def there() -> bool:
            found = self._published.get(uri, [])
            return bool(found) and bool(holds(list(found[-1].diagnostics)))

        with self._changed:
            assert self._changed.wait_for(there, SECONDS), f"other diagnostics of {uri}"
            return list(self._published[uri][-1].diagnostics)

    def message(self) -> str:
        """The first message that the server shows."""
        with self._changed:
            assert self._changed.wait_for(lambda: bool(self.messages), SECONDS)
            return self.messages[0]

    def hover(self, uri: str, place: types.Position) -> str | None:
        """The text of a hover."""
        params = types.HoverParams(types.TextDocumentIdentifier(uri), place)
        found = self._call(self.client.text_document_hover_async(params))
        return None if found is None else found.contents.value

    def complete(self, uri: str, place: types.Position) -> list[types.CompletionItem]:
        """The completions."""
        params = types.CompletionParams(types.TextDocumentIdentifier(uri), place)
        return list(self._call(self.client.text_document_completion_async(params)))

    def actions(self, uri: str, start: types.Position, end: types.Position, only: Any = None) -> list[types.CodeAction]:
        """The code actions."""
        context = types.CodeActionContext([], only=only)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(start, end), context)
        return list(self._call(self.client.text_document_code_action_async(params)))

    def definition(self, uri: str, place: types.Position) -> types.Location | None:
        """The definition of something."""
        params = types.DefinitionParams(types.TextDocumentIdentifier(uri), place)
        found: types.Location | None = self._call(self.client.text_document_definition_async(params))
        return found

    def links(self, uri: str) -> list[types.DocumentLink]:
        """The links of a document."""
        params = types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
        return list(self._call(self.client.text_document_document_link_async(params)))

    def quit(self) -> int:
        """End the server as editors do. Return its exit code."""
        self._call(self.client.shutdown_async(None))
        self.client.exit(None)
        server = self.client._server
        assert server is not None
        code = int(self._call(server.wait()))
        self._call(self.client.stop())  # type: ignore[no-untyped-call]
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SECONDS)
        self._loop.close()
        return code


def at(text: str) -> tuple[str, types.Position]:
    """A text without its cursor, and the place of the cursor in UTF-16."""
    before, _, after = text.partition(CURSOR)
    line = before.rpartition("\n")[2]
    return before + after, types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def edited(text: str, edits: list[types.TextEdit]) -> str:
    """A text after edits, as an editor makes them. Positions are in UTF-16."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(place: types.Position) -> int:
        line = lines[place.line].encode("utf-16-le")
        return starts[place.line] + len(line[: place.character * 2].decode("utf-16-le"))

    for edit in sorted(edits, key=lambda one: offset(one.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text
