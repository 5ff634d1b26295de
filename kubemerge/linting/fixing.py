"""Putting files right: the bytes of a key or of a value are written anew, and every other byte stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .one_file import FileLinter

Edit = tuple[int, int, str]
"""From which character to which, and what is written there."""


def fix_all(
    files: Sequence[tuple[str, bytes]], linter: FileLinter, wanted: object
) -> tuple[list[tuple[str, bytes]], int, str]:
    """The files after everything is put right that is safe to, how much that was, and in how many files."""
    raise NotImplementedError
