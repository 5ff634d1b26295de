"""Writing a report to a file: the whole new one, or the old one stays."""

from __future__ import annotations

import os
from pathlib import Path

from engine import MergeError

from .console import console


def write_page(name: str, text: str) -> None:
    """Write a page to the file of this name, and say so."""
    from codegen.files import replace_file

    try:
        replace_file(Path(os.path.expanduser(name)), text)  # noqa: PTH111
    except OSError as error:
        reason = error.strerror or error
        raise MergeError(f"{name}: {reason}; give the name of a file in a folder that can be written") from None
    console().say(f"wrote {name}")
