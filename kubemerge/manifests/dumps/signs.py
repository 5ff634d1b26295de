"""The first bytes of archives, so that plain manifests are recognised without loading the readers of archives."""

from __future__ import annotations

import os

GZIP, ZIP, TAR, TAR_AT = b"\x1f\x8b", b"PK\x03\x04", b"ustar", 257
HEAD = TAR_AT + len(TAR)
"""The number of bytes that tell."""


def is_archive(head: bytes) -> bool:
    """Whether a file with these first bytes is an archive."""
    return head.startswith((GZIP, ZIP)) or head[TAR_AT:HEAD] == TAR


def is_folder_or_archive(path: str) -> bool:
    """Whether a path is a folder or an archive. Other files, pipes and missing files are not."""
    if not os.path.isfile(path):  # noqa: PTH113 - reading the beginning of a pipe would consume it
        return os.path.isdir(path)  # noqa: PTH112
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return is_archive(file.read(HEAD))
    except OSError:
        return True  # the reader says why it cannot be read
