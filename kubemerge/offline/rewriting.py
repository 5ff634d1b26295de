"""Rewriting files with deprecated or removed versions, if only the apiVersion changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen.files import replace_file
from engine.values.plain import same

from ..apiserver.text.text import how_many
from ..manifests.documents import read_documents
from ..manifests.edits import Editor
from ..manifests.files import is_address
from ..manifests.objects import objects_in
from .conversion import conversion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..manifests.edits import Edit
    from ..manifests.objects import Manifest

    Changes = Mapping[tuple[int, str], tuple[str, str]]
    """The old and the new apiVersion, by the line of the object and its position in a List."""


def convert(objects: Iterable[tuple[str, int, str, dict[str, Any]]], release: str) -> Iterator[str]:
    """Rewrite the files of these objects, each with source, line and position in a List; yield a line for each file."""
    wanted: dict[str, dict[tuple[int, str], tuple[str, str]]] = {}
    for source, line, item, content in objects:
        found = conversion(content, release)
        if found is not None and found.problem:
            name = f"{content['kind']} {content['metadata'].get('name', '')}"
            yield f"{source}:{line}: {name} is not converted: {found.problem}"
        elif found is not None:
            wanted.setdefault(source, {})[line, item] = content["apiVersion"], found.api_version
    for source, changes in wanted.items():
        yield _rewrite(source, changes)


def _rewrite(source: str, changes: Changes) -> str:
    path = Path(source)
    if is_address(source) or not path.is_file():
        return f"{source} is not converted, because it is not a file"
    text = rewritten(path.read_bytes(), changes, source)
    if text is None:
        return f"{source} is not converted, because its apiVersion cannot be replaced in place. Change it manually"
    try:
        replace_file(path, text, in_tree=True)
    except OSError as error:
        return f"{source} is not converted: {error.strerror or error}"
    to = ", ".join(sorted({f"{old} to {new}" for old, new in changes.values()}))
    return f"{source}: {how_many(len(changes), 'object')} converted ({to})"


def rewritten(data: bytes, changes: Changes, source: str) -> str | None:
    """The text of a file with another apiVersion for these objects, and no other difference.

    None if that is impossible.
    """
    editor = Editor.of(data)
    if editor is None:
        return None
    edits: list[Edit] = []
    before = list(_objects(data, source, editor))
    for document, number, one in before:
        change = changes.get((one.line, one.item))
        if change is None:
            continue
        pair = editor.lines.nodes(document, number, ("apiVersion",))
        new = change[1] if pair and not pair[1].style else json.dumps(change[1])
        edit = editor.scalar(pair, new, of_key=False, keeps_quotes=True) if pair else None
        if edit is None:
            return None
        edits.append(edit)
    changed, count = editor.edited(edits)
    if count != len(changes):
        return None
    expected = [_with(one.content, changes.get((one.line, one.item))) for _, _, one in before]
    after = [one.content for _, _, one in _objects(changed, source, Editor.of(changed))]
    is_only_that = len(after) == len(expected) and all(map(same, expected, after))
    return changed.decode() if is_only_that else None


def _objects(data: bytes, source: str, editor: Editor | None) -> Iterator[tuple[int, int, Manifest]]:
    """The objects of a file with their lines, document numbers and numbers in the document."""
    for document, (line, content) in enumerate(read_documents(data, source)):
        for number, one in enumerate(objects_in(content, source, line)):
            yield document, number, editor.lines.own_line(one, document, number) if editor else one


def _with(content: dict[str, Any], change: tuple[str, str] | None) -> dict[str, Any]:
    return {**content, "apiVersion": change[1]} if change else content
