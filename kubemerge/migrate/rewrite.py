"""Rewriting files of live objects with some of the objects changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen.files import replace_file
from engine import MergeError

from ..manifests.documents import read_documents
from ..manifests.files import STDIN, is_address, names
from ..manifests.live import dump_of
from ..manifests.objects import objects_in
from ..output.object_text import object_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..apiserver.identity import ObjectId
    from ..manifests.files import Files

    Objects = Mapping[ObjectId, dict[str, Any]]


class CannotWrite(MergeError):
    """Live objects that do not come from files."""


def require_files(paths: Sequence[str]) -> None:
    """Reject sources that cannot be written."""
    for path in paths:
        if path == "-" or is_address(path):
            called = STDIN if path == "-" else path
            raise CannotWrite(f"--write cannot write to {called}. Save it to a file, and pass that as --live")
        if dump_of(path) is not None:
            raise CannotWrite(f"--write cannot write to the dump {path}. Run it on the cluster with --context")


def rewrite(paths: Sequence[str], changed: Objects, files: Files, *, recursive: bool = False) -> list[str]:
    """Replace live objects by changed ones of the same identity, and return the written files."""
    written = []
    left = {*changed}
    for path in paths:
        for name in names(path, recursive=recursive):
            for source, data in files.contents([name]):
                text = _rewritten(data, source, changed, left)
                if text is not None:
                    _write(name, text)
                    written.append(source)
    for one in left:
        raise CannotWrite(
            f"{one.title} cannot be written, because its file does not contain its kind. Print it as a List"
        )
    return written


def _write(name: str, text: str) -> None:
    try:
        replace_file(Path(name), text, in_tree=True)
    except OSError as error:
        raise CannotWrite(f"{name}: {error.strerror or error}. The file is unchanged") from None


def _rewritten(data: bytes, source: str, changed: Objects, left: set[ObjectId]) -> str | None:
    """The text of a file with the changed objects; None if it contains none of them."""
    documents = [document for _, document in read_documents(data, source) if document is not None]
    new = [_replaced(document, source, changed, left) for document in documents]
    if all(one is other for one, other in zip(new, documents, strict=True)):
        return None
    form = "json" if data.lstrip()[:1] == b"{" and len(documents) == 1 else "yaml"
    return "---\n".join([object_text(one, form) for one in new])


def _replaced(document: Any, source: str, changed: Objects, left: set[ObjectId]) -> Any:
    items = document.get("items")
    if isinstance(items, list):
        found = [_replaced(item, source, changed, left) if isinstance(item, dict) else item for item in items]
        same = all(one is other for one, other in zip(found, items, strict=True))
        return document if same else {**document, "items": found}
    if "kind" in document:
        for manifest in objects_in(document, source, 1):
            left.discard(manifest.id)
            return changed.get(manifest.id, document)
    return document
