"""The libraries of the extra `lsp`."""

from __future__ import annotations

from importlib.util import find_spec

from engine import MergeError


class LspNotInstalled(MergeError):
    """A library of the extra that is not installed."""


def require() -> None:
    """Raise an error if a library is missing, without importing any."""
    for name in ("pygls", "lsprotocol"):
        if find_spec(name) is None:
            raise LspNotInstalled(f"{name} is required for the language server. Run `pip install 'kubemerge[lsp]'`")
