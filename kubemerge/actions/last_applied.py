"""The annotation of live objects with what was applied last: read from them, and set in them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine import BadAnnotation, BadText, MergeError, json_apply_patch
from engine.clientside.last_applied import annotations_of
from engine.directives import ANNOTATION
from engine.values.go_json import decode, encode

from ..cluster import Reference
from .dry_run import CLIENT, NONE, SERVER
from .titles import title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..cluster import Cluster, Object


class NoAnnotation(MergeError):
    """A live object that does not say what was applied last."""

    def __init__(self, live: Object, hint: str = "") -> None:
        super().__init__(f"no last-applied-configuration annotation found on resource: {title(live)}{hint}")


class Unreadable(MergeError):
    """An annotation that does not say what was applied last, with the way out for whoever typed the command."""

    def __init__(self, error: BadAnnotation, way_out: str) -> None:
        super().__init__(f"the annotation {error.annotation} {error.reason}; {way_out}")


IN_CLUSTER = "set it with `kubemerge apply set-last-applied -f FILE`"
IN_FILES = "give what was applied last with --last-applied, or remove the annotation"


@contextmanager
def readable(way_out: str = IN_CLUSTER) -> Iterator[None]:
    """Do what reads the annotation; that it cannot be read is told with what to type."""
    try:
        yield
    except BadAnnotation as error:
        raise Unreadable(error, way_out) from None


def text_of(live: Object) -> str:
    """The text of the annotation, which may be empty."""
    found = annotations_of(live).get(ANNOTATION)
    if found is None:
        raise NoAnnotation(live)
    return str(found)


def as_yaml(text: str, place: str) -> str:
    """An annotation as kubectl shows it, whatever it holds: JSON, other YAML, or a few words."""
    from ..manifests.documents import read_documents
    from ..output.yaml_out import dump

    return dump(next((document for _, document in read_documents(text.encode(), f"last-applied of {place}")), None))


def indented(text: str) -> str:
    """The JSON of an annotation as kubectl shows it: laid out, and else the text that it is, to its last newline."""
    from ..output.object_text import laid_out

    try:
        decode(text)  # only a text that is JSON can be laid out
    except BadText as error:
        raise Unreadable(BadAnnotation(ANNOTATION, f"does not hold JSON ({error.reason})"), IN_CLUSTER) from None
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
