"""Fixing files: only the text of a key or value is rewritten, and every other byte stays."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from codegen.files import replace_file
from engine import MergeError

from ..manifests.documents import read_documents
from ..manifests.edits import Editor
from .gate.rules.fields import WRONG_TYPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..manifests.edits import Edit
    from .one_file import FileLinter, Fixable

TURNS = 3
"""Maximum number of passes over a file: a fix may reveal more findings."""


class NotFixed(MergeError):
    """A file that cannot be written."""


def fix_all(
    files: Sequence[tuple[str, bytes]], linter: FileLinter, codes: frozenset[str]
) -> tuple[list[tuple[str, bytes]], int, int]:
    """The files after all safe fixes, the number of fixes, and the number of changed files."""
    found, count, changed = [], 0, 0
    for source, data in files:
        fixed, done = data, 0
        if os.path.isfile(source):  # noqa: PTH113
            fixed, done = fix(source, data, linter, codes)
        if done:
            _write(source, fixed)
            count, changed = count + done, changed + 1
        found.append((source, fixed))
    return found, count, changed


def fix(source: str, data: bytes, linter: FileLinter, codes: frozenset[str]) -> tuple[bytes, int]:
    """The contents of a file after all safe fixes, and the number of fixes."""
    count = 0
    for _ in range(TURNS):
        linter.lint(source, data)
        wanted = [one for one in linter.fixable if one.found.finding.code in codes]
        changed, done = _edited(source, data, wanted) if wanted else (data, 0)
        if not done:
            break
        data, count = changed, count + done
    return data, count


def _edited(source: str, data: bytes, wanted: Sequence[Fixable]) -> tuple[bytes, int]:
    """The contents with these changes; the old ones if the result could not be parsed."""
    editor = Editor.of(data)
    if editor is None:
        return data, 0
    edits = (edit_of(one, editor) for one in wanted)
    changed, count = editor.edited(one for one in edits if one)
    return (changed, count) if _can_be_read(source, changed) else (data, 0)


def edit_of(one: Fixable, editor: Editor) -> Edit | None:
    """The change of the text that fixes a finding; None if the text does not allow one."""
    pair = editor.lines.nodes(one.document, one.number, one.fix.steps)
    if pair is None:
        return None
    keeps_quotes = one.fix.of_key or one.found.finding.code != WRONG_TYPE.code
    return editor.scalar(pair, one.fix.text, of_key=one.fix.of_key, keeps_quotes=keeps_quotes)


def _can_be_read(source: str, data: bytes) -> bool:
    try:
        return bool(list(read_documents(data, source)))
    except MergeError:
        return False


def _write(source: str, data: bytes) -> None:
    try:
        replace_file(Path(source), data.decode(), in_tree=True)
    except OSError as error:
        raise NotFixed(f"{source}: {error.strerror or error}. The file is unchanged") from None
