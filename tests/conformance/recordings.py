"""Recorded responses in compressed files of JSON, the areas of a folder, and the server that recorded them."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from .ownership.real.server import Server, ServerUnavailable

if TYPE_CHECKING:
    from pathlib import Path


def areas_of(folder: Path) -> list[str]:
    """The names of the files with scenarios."""
    return sorted(file.stem for file in folder.glob("*.yaml"))


def read_recorded(file: Path) -> dict[str, Any]:
    """The recorded responses by name. Empty if none are recorded yet."""
    found: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes())) if file.exists() else {}
    return found


def write_recorded(file: Path, found: dict[str, Any]) -> None:
    """Write recorded responses. The same responses give the same bytes."""
    file.parent.mkdir(exist_ok=True)
    data = json.dumps(found, indent=0, sort_keys=True).encode()
    file.write_bytes(gzip.compress(data, mtime=0))


def require_resettable_server() -> Server:
    """The real server of $KUBECONFIG that can be emptied. Without it, the test is skipped."""
    if "KUBEMERGE_REAL_RESET" not in os.environ:
        pytest.skip("needs a server that can be reset")
    try:
        return Server()
    except ServerUnavailable as error:
        pytest.skip(str(error))
