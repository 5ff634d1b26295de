"""The annotation of live objects with what was applied last: read from them, and set in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import MergeError, json_apply_patch
from engine.gojson import decode, encode
from engine.last_applied import ANNOTATION, annotations_of

from ..cluster import Reference
from .dry_run import CLIENT, NONE, SERVER
from .titles import title

if TYPE_CHECKING:
    from ..cluster import Cluster, Object


class NoAnnotation(MergeError):
    """A live object that does not say what was applied last."""

    def __init__(self, live: Object, hint: str = "") -> None:
        super().__init__(f"no last-applied-configuration annotation found on resource: {title(live)}{hint}")


def text_of(live: Object) -> str:
    """The text of the annotation."""
    found = annotations_of(live).get(ANNOTATION)
    if not found:
        raise NoAnnotation(live)
    return str(found)


def indented(text: str) -> str:
    """The JSON of an annotation as kubectl shows it: laid out, and else the text that it is, to its last newline."""
    from ..showing.printing import laid_out

    decode(text)  # only a text that is JSON can be laid out
    return laid_out(text, 2) + ("\n" if text.endswith("\n") else "")


def set_to(
    cluster: Cluster, live: Object, document: Object, *, create: bool = False, dry_run: str = NONE
) -> tuple[bool, Object]:
    """Have the annotation say that this document was applied last: whether that changes it, and the object then.

    The text is the document as it stands. The one that apply keeps has an empty map of annotations where the config has
    none, and never what the annotation was before.
    """
    text = encode(document) + "\n"
    now = annotations_of(live).get(ANNOTATION)
    if now is None and not create:
        raise NoAnnotation(live, ", to create the annotation, run the command with --create-annotation")
    if now == text:
        return False, live
    patch = {"metadata": {"annotations": {ANNOTATION: text}}}
    if dry_run == CLIENT:
        return True, json_apply_patch(live, patch)
    return True, cluster.patch(Reference.of(live), patch, "merge", dry_run=dry_run == SERVER)
