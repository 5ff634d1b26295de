"""The libraries that come with the extra `fleet`, each imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from engine import MergeError


class NotInstalled(MergeError):
    """A library of the extra that is not installed."""


def library(name: str) -> Any:
    """A module of a library of the extra."""
    try:
        return import_module(name)
    except ImportError:
        what = name.partition(".")[0]
        raise NotInstalled(f"{what} is not installed. Run: pip install 'kubemerge[fleet]'") from None


def bytes_in(size: str) -> int | None:
    """How many bytes a size is, as `16MiB`; None if it is no size."""
    try:
        return int(library("dask.utils").parse_bytes(size))
    except (ValueError, OverflowError):
        return None
