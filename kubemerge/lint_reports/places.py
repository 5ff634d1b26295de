"""Files as the programs that read reports want them named: by an address, or by a path from here on."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from ..manifests.files import STDIN
from ..output.text import shown


def path_of(source: str) -> str:
    """The file by its path from the current folder on, where it lies below that; with slashes everywhere."""
    source = shown(source)
    if source == STDIN:
        return "stdin"
    if "://" in source:
        return source
    path = Path(os.path.normpath(source))
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def uri_of(source: str) -> str:
    """The file as a URI: relative where its path is, else with its scheme."""
    path = path_of(source)
    if "://" in path:
        return path
    return ("file://" if path.startswith("/") else "") + quote(os.fsencode(path))
