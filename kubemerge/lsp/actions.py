"""Code actions: the safe fixes of lint as edits of single keys and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..linting.fixing import edit_of
from ..manifests.edits import Editor
from .documents import data_of, documents
from .model import Action, TextEdit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .checking import Checker
    from .documents import Document

FIX_ALL_TITLE = "Fix everything that kubemerge can fix safely"


def actions(text: str, start: int, end: int, checker: Checker) -> list[Action]:
    """The fixes of findings in a range."""
    found = []
    for document in documents(text):
        if document.offset <= end and document.offset + len(document.text) >= start:
            for action in _fixes(document, checker):
                lines = _lines_around(text, action.edits[0])
                if lines[0] <= end and lines[1] >= start:
                    found.append(action)
    return found


def fix_all(text: str, checker: Checker) -> Action | None:
    """All fixes of a text; None if there are none."""
    edits = {edit for document in documents(text) for action in _fixes(document, checker) for edit in action.edits}
    apart: list[TextEdit] = []
    for edit in sorted(edits):
        if not apart or edit.start >= apart[-1].end:
            apart.append(edit)
    return Action(FIX_ALL_TITLE, "", tuple(apart)) if apart else None


def _fixes(document: Document, checker: Checker) -> Iterator[Action]:
    fixable = checker.fixes(document)
    data = data_of(document.text)
    editor = Editor.of(data) if fixable else None
    if editor is None:
        return
    mark = int(document.text.startswith("\ufeff"))
    for one in fixable:
        edit = edit_of(one, editor)
        if edit is not None:
            start, end, new = edit
            shift = document.offset + mark
            title = f"{one.found.finding.code}: write {one.fix.text}"
            yield Action(title, one.found.finding.code, (TextEdit(start + shift, end + shift, new),))


def _lines_around(text: str, edit: TextEdit) -> tuple[int, int]:
    """The offsets of the start and the end of the lines of an edit."""
    end = text.find("\n", edit.end)
    return text.rfind("\n", 0, edit.start) + 1, len(text) if end < 0 else end
