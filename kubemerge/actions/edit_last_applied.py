"""What somebody sees who edits what was applied last, and what the edited text comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import MergeError
from engine.clientside.last_applied import parse_last_applied
from engine.values.plain import same

from ..manifests.identity import Reference
from ..manifests.objects import by_id, manifests_in
from ..output.object_text import object_text
from .last_applied import NoAnnotation, readable, text_of
from .titles import title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..cluster import Object

HEADER = """\
# This is what was applied last. Save what it should be; lines that begin with # are left out, and an empty file
# cancels the edit. If the text cannot be used, it is kept, and you are told where.
#
"""


class BadEdit(MergeError):
    """An edited text that makes another object of one."""


def document_of(live: Object) -> Object:
    """What was applied last, as the annotation has it."""
    text = text_of(live)
    if not text:
        raise NoAnnotation(live)
    with readable():
        return parse_last_applied(text)


def text_to_edit(documents: Sequence[Object], form: str) -> str:
    """The text that the editor shows, as YAML or JSON."""
    return HEADER + "---\n".join(object_text(one, form) for one in documents)


def changes(
    found: Sequence[tuple[Object, Object]], text: str, *, unchanged: bool
) -> list[tuple[Object, Object | None]]:
    """Each live object with its new document; None where that is the old one, or was taken out."""
    if unchanged:
        return [(live, None) for live, _ in found]
    edited = by_id(manifests_in(text.encode(), "the edited text"))
    known = {Reference.of(document).id for _, document in found}
    for identity, manifest in edited.items():
        if identity not in known:
            raise BadEdit(
                f"{manifest.place}: {title(manifest.content)} was not there before the edit; "
                "leave apiVersion, kind, name and namespace as they are"
            )
    result: list[tuple[Object, Object | None]] = []
    for live, document in found:
        manifest_now = edited.get(Reference.of(document).id)
        now = manifest_now.content if manifest_now else document
        result.append((live, None if same(now, document) else now))
    return result
