"""The methods of the language server, on pygls."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidRequest
from pygls.io_ import StdinAsyncReader, run_async
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.language_server import lsp_method
from pygls.uris import from_fs_path, to_fs_path

import engine

from ..apiserver.text.text import some
from .capabilities import FIX_ALL, INITIALIZATION, NAME, QUICK_FIX, ClientOptions
from .sessions import Session
from .text import Change, Place, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .checking import Checker, Diagnostic
    from .live import LiveSource
    from .model import Action, Candidate, TextEdit

_AtPosition: TypeAlias = types.HoverParams | types.CompletionParams | types.DefinitionParams
MOST_DIAGNOSTICS = 500
"""Diagnostics of a document. Editors become slow with more."""
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
_KINDS = {
    "field": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "class": types.CompletionItemKind.Class,
}
WATCHED = ("**/*.yaml", "**/*.yml", "**/*.json", "**/kubemerge.toml", "**/pyproject.toml")


class Protocol(LanguageServerProtocol):
    """The messages. Documents are kept by the session, which counts lines and characters as the protocol does."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: Any) -> Any:  # noqa: ARG002
        """Reject a second `initialize`. `start` responds to the first one."""
        raise JsonRpcInvalidRequest("The server is already initialized")

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Open a document."""
        one = params.text_document
        path = _path(one.uri)
        if path is not None:
            self._server.session.open(one.uri, path, one.language_id, one.text, one.version)  # type: ignore[attr-defined]

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Change a document."""
        one = params.text_document
        changes = [_change(change) for change in params.content_changes]
        self._server.session.change(one.uri, changes, one.version)  # type: ignore[attr-defined]

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Close a document."""
        self._server.session.close(params.text_document.uri)  # type: ignore[attr-defined]

    @property
    def is_shut_down(self) -> bool:
        """Whether the client has sent `shutdown`."""
        return self._shutdown


class Server(LanguageServer):
    """The server of one client."""

    protocol: Protocol

    def __init__(self, options: ClientOptions, report: Callable[[str], None]) -> None:
        super().__init__(NAME, engine.__version__, protocol_cls=Protocol, converter_factory=default_converter)
        self.options, self._report = options, report
        if options.unknown:
            report(f"unknown initialization options: {some(options.unknown, 3)}. Use {', '.join(INITIALIZATION)}")
        self.loop: asyncio.AbstractEventLoop | None = None
        root = to_fs_path(options.root) if options.root else None
        self.root = os.path.abspath(root) if root and os.path.isdir(root) else None  # noqa: PTH100, PTH112
        if self.root is not None:
            os.chdir(self.root)  # reports name files relative to it
        self.session = Session(self.root, options.encoding, self.publish, self.tell, self.live, report)

    def live(self) -> LiveSource:
        """The source of live objects."""
        from .live import LiveOptions, LiveSource

        one = self.options
        return LiveSource(LiveOptions(one.live, one.context, one.kubeconfig))

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002
        """Report an error in a message or a method."""
        self._report(f"{type(error).__name__}: {error}")

    def tell(self, text: str) -> None:
        """Show a message in the editor."""
        params = types.ShowMessageParams(types.MessageType.Warning, f"kubemerge: {text}")
        self._later(lambda: self.window_show_message(params))

    def publish(self, uri: str, version: int | None, text: Text, found: Sequence[Diagnostic]) -> None:
        """Send the diagnostics of a document."""
        shown = [_diagnostic(one, text) for one in found[:MOST_DIAGNOSTICS]]
        params = types.PublishDiagnosticsParams(uri, shown, version)
        self._later(lambda: self.text_document_publish_diagnostics(params))

    def _later(self, send: Callable[[], None]) -> None:
        """Send something in the thread of the client's messages."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(send)

    def at(self, params: _AtPosition) -> tuple[Text, int, str, Checker] | None:
        """The text, the offset, the name and the checker for a position; None for an unknown document."""
        found = self.session.document(params.text_document.uri)
        if found is None:
            return None
        text, name, checker = found
        return text, text.offset(Place(params.position.line, params.position.character)), name, checker


class Writer:
    """The stream to the client. Several threads respond to requests."""

    def __init__(self, stdout: BinaryIO) -> None:
        self._stdout, self._lock = stdout, threading.Lock()

    def write(self, data: bytes) -> None:
        """Send a message."""
        with self._lock:
            self._stdout.write(data)
            self._stdout.flush()

    def close(self) -> None:
        """Leave the stream open. The command closes it."""


def run(options: ClientOptions, stdin: BinaryIO, stdout: BinaryIO, report: Callable[[str], None]) -> int:
    """Serve the messages after `initialize`. Return the exit code."""
    logging.disable(logging.CRITICAL)  # pygls formats each message for its log, which nobody reads
    server = Server(options, report)
    _register(server)
    _register_requests(server)

    reading = ThreadPoolExecutor(1, "read")  # its own, so that slow requests do not stop the reading of messages

    async def serve() -> None:
        server.loop = asyncio.get_running_loop()
        server.protocol.set_writer(Writer(stdout))
        reader = StdinAsyncReader(stdin, reading)
        await run_async(threading.Event(), reader, server.protocol, error_handler=server.report_server_error)

    try:
        asyncio.run(serve())
    except (BrokenPipeError, SystemExit):
        pass
    finally:
        server.session.end()
    return 0 if server.protocol.is_shut_down else 1


def _register(server: Server) -> None:
    """Register the notifications."""

    @server.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:  # noqa: ARG001
        if server.options.watches_files:
            watchers = [types.FileSystemWatcher(one) for one in WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            server.client_register_capability(
                types.RegistrationParams([types.Registration("files", method, options)]), lambda _: None
            )

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:  # noqa: ARG001
        server.session.files_changed()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed(params: types.DidChangeWatchedFilesParams) -> None:  # noqa: ARG001
        server.session.files_changed()


def _register_requests(server: Server) -> None:
    """Register the requests. Each runs in a thread, so that a slow one does not delay the others."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @server.thread()
    def hover(params: types.HoverParams) -> types.Hover | None:
        found = server.at(params)
        return _hover(server, found[0], found[1], found[3]) if found else None

    @server.feature(types.TEXT_DOCUMENT_COMPLETION)
    @server.thread()
    def completion(params: types.CompletionParams) -> list[types.CompletionItem]:
        from .completions import complete

        found = server.at(params)
        if found is None:
            return []
        text, offset, name, checker = found
        return [_item(one, at, text) for at, one in enumerate(complete(text.text, offset, name, checker.rules()))]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    @server.thread()
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        found = server.session.document(params.text_document.uri)
        return _actions(params, found[0], found[2]) if found else []

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    @server.thread()
    def definition(params: types.DefinitionParams) -> types.Location | None:
        from .definitions import definition as definition_at

        found = server.at(params)
        place = definition_at(found[0].text, found[1], found[3].rules(), server.session.opened()) if found else None
        if place is None:
            return None
        at = types.Position(place.line, place.column)
        return types.Location(from_fs_path(server.session.path(place.source)) or "", types.Range(at, at))

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    @server.thread()
    def document_link(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        from .links import links

        found = server.session.document(params.text_document.uri)
        text = found[0] if found else Text("")
        return [types.DocumentLink(_range(text, one.start, one.end), one.address) for one in links(text.text)]


def _hover(server: Server, text: Text, offset: int, checker: Checker) -> types.Hover | None:
    from .hovers import as_markdown, as_text, hover

    found = hover(text.text, offset, checker.rules(), server.session.live())
    if found is None:
        return None
    kind, shown = types.MarkupKind.PlainText, as_text(found)
    if server.options.markdown:
        kind, shown = types.MarkupKind.Markdown, as_markdown(found)
    return types.Hover(types.MarkupContent(kind, shown), _range(text, found.start, found.end))


def _actions(params: types.CodeActionParams, text: Text, checker: Checker) -> list[types.CodeAction]:
    """The fixes in a range, and the fix of the whole file on request."""
    from .actions import actions, fix_all

    only = params.context.only
    start, end = (text.offset(Place(one.line, one.character)) for one in (params.range.start, params.range.end))
    found: list[types.CodeAction] = []
    if only is None or any(QUICK_FIX.startswith(str(_word(one))) for one in only):
        by_code = params.context.diagnostics
        for one in actions(text.text, start, end, checker):
            about = [diagnostic for diagnostic in by_code if diagnostic.code == one.code]
            found.append(_action(one, types.CodeActionKind.QuickFix, params, text, about))
    if only is None or any(FIX_ALL.startswith(str(_word(one))) for one in only):
        every = fix_all(text.text, checker)
        if every is not None:
            found.append(_action(every, types.CodeActionKind.SourceFixAll, params, text, []))
    return found


def _word(kind: Any) -> Any:
    return getattr(kind, "value", kind)


def _action(
    one: Action,
    kind: types.CodeActionKind,
    params: types.CodeActionParams,
    text: Text,
    about: list[types.Diagnostic],
) -> types.CodeAction:
    edits = [_edit(edit, text) for edit in one.edits]
    return types.CodeAction(
        one.title,
        kind,
        diagnostics=about or None,
        edit=types.WorkspaceEdit({params.text_document.uri: edits}),
    )


def _edit(one: TextEdit, text: Text) -> types.TextEdit:
    return types.TextEdit(_range(text, one.start, one.end), one.text)


def _item(one: Candidate, at: int, text: Text) -> types.CompletionItem:
    word = text.text[one.start : one.start + 1]
    return types.CompletionItem(
        one.label,
        kind=_KINDS[one.kind],
        detail=one.detail or None,
        documentation=one.documentation or None,
        sort_text=f"{at:05}",
        filter_text=f"{word}{one.label}" if word in ("'", '"') else None,
        tags=[types.CompletionItemTag.Deprecated] if one.deprecated else None,
        text_edit=types.TextEdit(_range(text, one.start, one.end), one.text),
    )


def _diagnostic(one: Diagnostic, text: Text) -> types.Diagnostic:
    from ..output.addresses import lint_page

    return types.Diagnostic(
        _range(text, one.start, one.end),
        one.message,
        _SEVERITIES[one.severity],
        one.code or None,
        types.CodeDescription(lint_page(one.code)) if one.code else None,
        NAME,
    )


def _range(text: Text, start: int, end: int) -> types.Range:
    first, last = text.place(start), text.place(end)
    return types.Range(types.Position(*first), types.Position(*last))


def _change(one: Any) -> Change:
    found = getattr(one, "range", None)
    if found is None:
        return Change(None, None, one.text)
    start, end = (Place(place.line, place.character) for place in (found.start, found.end))
    return Change(start, end, one.text)


def _path(uri: str) -> str | None:
    """The path of a document. A new document without a file has its URI. None for documents of other schemes."""
    if uri.startswith("untitled:"):
        return uri
    return to_fs_path(uri) if uri.startswith("file:") else None
