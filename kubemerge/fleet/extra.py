"""Libraries of the extra `fleet`, each imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from engine import MergeError


class NotInstalled(MergeError):
    """An uninstalled library of the extra."""


def library(name: str) -> Any:
    """Import a module from a library of the extra."""
    try:
        return import_module(name)
    except ImportError:
        what = name.partition(".")[0]
        raise NotInstalled(f"{what} is not installed. Run: pip install 'kubemerge[fleet]'") from None


def bytes_in(size: str) -> int | None:
    """The bytes of a size such as `16MiB`; None if it is invalid."""
    try:
        return int(library("dask.utils").parse_bytes(size))
    except (ValueError, OverflowError):
        return None
