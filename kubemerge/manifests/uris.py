"""Names of files for programs that read reports: a URI, or a path relative to the current folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

from ..apiserver.text.text import shown
from .files import STDIN

_DRIVE = re.compile(r"[A-Za-z]:/")
"""The beginning of an absolute path on Windows."""


def path_of(source: str) -> str:
    """The path of a file, relative to the current folder if it is below it; always with slashes."""
    source = shown(source)
    if source == STDIN:
        return "stdin"
    if "://" in source:
        return source
    path = Path(os.path.normpath(source))
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def uri_of(source: str) -> str:
    """The file as a URI: relative if its path is, else with its scheme."""
    path = path_of(source)
    if "://" in path:
        return path
    if _DRIVE.match(path):
        return f"file:///{path[:2]}{quote(os.fsencode(path[2:]))}"
    return ("file://" if path.startswith("/") else "") + quote(os.fsencode(path))
