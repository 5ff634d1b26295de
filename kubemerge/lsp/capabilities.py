"""The capabilities of the server, and the options that it takes from `initialize`."""

from __future__ import annotations

from typing import Any, NamedTuple

import engine

NAME = "kubemerge"
ENCODINGS = ("utf-32", "utf-8", "utf-16")
"""The encodings of positions, the fastest one first. Clients that name none have UTF-16."""
INCREMENTAL = 2
QUICK_FIX, FIX_ALL = "quickfix", "source.fixAll"


class ClientOptions(NamedTuple):
    """The facts about a client that affect the server."""

    encoding: str
    markdown: bool
    watches_files: bool
    root: str | None
    """The URI of the first folder of the workspace."""
    live: tuple[str, ...]
    context: str | None
    kubeconfig: str | None
    unknown: tuple[str, ...] = ()
    """Names of initialization options that the server does not have."""


INITIALIZATION = ("live", "context", "kubeconfig")


def options_of(params: Any) -> ClientOptions:
    """The options in the parameters of `initialize`, which may have any form."""
    found = _map(params)
    capabilities = _map(found.get("capabilities"))
    hover = _map(_map(capabilities.get("textDocument")).get("hover"))
    watched = _map(_map(capabilities.get("workspace")).get("didChangeWatchedFiles"))
    given = _map(found.get("initializationOptions"))
    return ClientOptions(
        encoding_of(capabilities),
        "markdown" in _texts(hover.get("contentFormat")),
        watched.get("dynamicRegistration") is True,
        _root(found),
        _texts(given.get("live")),
        _text(given.get("context")),
        _text(given.get("kubeconfig")),
        tuple([str(name) for name in given if name not in INITIALIZATION]),
    )


def _root(params: dict[str, Any]) -> str | None:
    folders = params.get("workspaceFolders")
    if isinstance(folders, list) and folders:
        return _text(_map(folders[0]).get("uri"))
    root = _text(params.get("rootUri"))
    path = _text(params.get("rootPath"))
    return root or (f"file://{path}" if path else None)


def encoding_of(capabilities: dict[str, Any]) -> str:
    """The encoding of positions."""
    asked = _texts(_map(capabilities.get("general")).get("positionEncodings"))
    return next((one for one in ENCODINGS if one in asked), ENCODINGS[-1])


def result(options: ClientOptions) -> dict[str, Any]:
    """The result of `initialize`."""
    capabilities = {
        "positionEncoding": options.encoding,
        "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": {"includeText": False}},
        "hoverProvider": True,
        "completionProvider": {"triggerCharacters": [" ", "-"]},
        "codeActionProvider": {"codeActionKinds": [QUICK_FIX, FIX_ALL]},
        "definitionProvider": True,
        "documentLinkProvider": {"resolveProvider": False},
    }
    return {"capabilities": capabilities, "serverInfo": {"name": NAME, "version": engine.__version__}}


def _map(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
