"""Putting files right: the text of a key or of a value is written anew, and every other byte stays."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from codegen.documents.problems import BadDocument
from codegen.documents.reader import text_of
from codegen.files import replace_file
from engine import MergeError

from ..manifests.documents import read_documents
from ..manifests.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .one_file import FileLinter, Fixable

    Edit = tuple[int, int, str]
    """From which character to which, and what is written there."""

TURNS = 3
"""How often a file is looked at again: what was put right may show more."""
_MARK = "\ufeff"
_ODD_BREAK = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
"""What ends a line for a parser of YAML, and is seldom meant to."""


class NotFixed(MergeError):
    """A file that cannot be written."""


def fix_all(
    files: Sequence[tuple[str, bytes]], linter: FileLinter, codes: frozenset[str]
) -> tuple[list[tuple[str, bytes]], int, int]:
    """The files after everything is put right that is safe to, how much that was, and in how many files."""
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
    """The bytes of a file after what is safe to put right is, and how much that was."""
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
    """The bytes with these changes; as they were if the result could not be read."""
    try:
        text = text_of(data)
    except BadDocument:
        return data, 0
    mark = _MARK if data.startswith(_MARK.encode()) else ""
    if (mark + text).encode() != data or "<<:" in text or _ODD_BREAK.search(text):
        return data, 0
    lines = Lines(data)
    edits = sorted({edit for one in wanted for edit in _edits(one, lines, text)}, reverse=True)
    apart = [one for at, one in enumerate(edits) if not at or one[1] <= edits[at - 1][0]]
    for start, end, new in apart:
        text = text[:start] + new + text[end:]
    changed = (mark + text).encode()
    return (changed, len(apart)) if _can_be_read(source, changed) else (data, 0)


def _edits(one: Fixable, lines: Lines, text: str) -> Iterator[Edit]:
    nodes = lines.nodes(one.document, one.number, one.fix.steps)
    if nodes is None:
        return
    key, value = nodes
    node = key if one.fix.of_key else value
    if not isinstance(node, yaml.ScalarNode) or node.style in ("|", ">"):
        return
    if node is value and key is not value and value.start_mark.line != key.end_mark.line:
        return  # it is in another line, perhaps by an alias
    start, end = _offset(text, node.start_mark), _offset(text, node.end_mark)
    old = text[start:end]
    if old[:1] in ("*", "&", "!") or "\n" in old:
        return
    keeps_quotes = one.fix.of_key or one.found.finding.code != "KM101"
    yield start, end, _quoted_as(old, one.fix.text) if keeps_quotes else one.fix.text


def _quoted_as(old: str, new: str) -> str:
    """The new text in the quotes of the old one."""
    bare = json.loads(new) if new.startswith('"') else new
    if old.startswith("'"):
        return "'" + bare.replace("'", "''") + "'"
    return json.dumps(bare) if old.startswith('"') else new


def _offset(text: str, mark: Any) -> int:
    """Where in the text a mark is, by its line and column: its index counts bytes in some versions of the parser."""
    at = 0
    for _ in range(mark.line):
        at = text.index("\n", at) + 1
    return at + int(mark.column)


def _can_be_read(source: str, data: bytes) -> bool:
    try:
        return bool(list(read_documents(data, source)))
    except MergeError:
        return False


def _write(source: str, data: bytes) -> None:
    try:
        replace_file(Path(source), data.decode(), in_tree=True)
    except OSError as error:
        raise NotFixed(f"{source}: {error.strerror or error}; it is as it was") from None
