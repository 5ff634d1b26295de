"""Atomic writes: a reader sees the whole old text or the whole new text."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def replace_file(path: Path, text: str) -> bool:
    """Replace the file if its bytes differ; whether they did."""
    data = text.encode()
    try:
        if path.read_bytes() == data:
            return False
    except FileNotFoundError:
        pass
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, 0o644)  # noqa: PTH101 - mkstemp makes files that only their owner may read
        os.replace(name, path)  # noqa: PTH105 - the name is a str
    except BaseException:
        os.unlink(name)  # noqa: PTH108
        raise
    return True
