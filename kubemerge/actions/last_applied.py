"""The annotation of live objects with what was applied last: read from them, and set in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    """The JSON of an annotation, indented as kubectl does, with its escapes and the newline at its end."""
    import json

    document: Any = decode(text)
    shown = json.dumps(document, indent=2, ensure_ascii=False)
    for letter in "<>&\u2028\u2029":
        shown = shown.replace(letter, f"\\u{ord(letter):04x}")  # they can only be inside of strings
    return shown + ("\n" if text.endswith("\n") else "")


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
