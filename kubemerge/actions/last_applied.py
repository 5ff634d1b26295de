"""The last-applied annotation of live objects: reading, setting and editing it."""

from __future__ import annotations

from contextlib import contextmanager

from engine import BadAnnotation, BadText, MergeError, json_apply_patch
from engine.clientside.last_applied import annotations_of, parse_last_applied
from engine.directives import ANNOTATION
from engine.values.go_json import decode, encode
from engine.values.plain import same

from ..apiserver.identity import ObjectId, Reference
from ..manifests.objects import by_id, manifests_in, title
from ..output.object_text import object_text
from .requests import CLIENT, NONE, SERVER
from .serverside.managers import KUBECTL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..cluster import Cluster, Object


class NoAnnotation(MergeError):
    """A live object without a last applied config."""

    def __init__(self, live: Object, hint: str = "") -> None:
        name = live["metadata"]["name"]
        super().__init__(f"no last-applied-configuration annotation found on resource: {name}{hint}")


class Unreadable(MergeError):
    """An unreadable annotation, with a fix for users of the command line."""

    def __init__(self, error: BadAnnotation, advice: str) -> None:
        super().__init__(f"the annotation {error.annotation} {error.reason}. {advice}")


IN_CLUSTER = "Set it with `kubemerge apply set-last-applied -f FILE`"
IN_FILES = "Pass the last applied config with --last-applied, or remove the annotation"


@contextmanager
def readable(advice: str = IN_CLUSTER) -> Iterator[None]:
    """A context for reading the annotation. If it cannot be read, the error contains a command that fixes it."""
    try:
        yield
    except BadAnnotation as error:
        raise Unreadable(error, advice) from None


def text_of(live: Object) -> str | None:
    """The text of the annotation, which may be empty; None if there is none."""
    found = annotations_of(live).get(ANNOTATION)
    return None if found is None else str(found)


def as_yaml(text: str, place: str) -> str:
    """An annotation as kubectl shows it: JSON, other YAML, or plain text."""
    from ..apiserver.text.yaml_out import dump
    from ..manifests.documents import read_documents

    return dump(
        next((document for _, document in read_documents(text.encode(), f"last applied config of {place}")), None)
    )


def indented(text: str) -> str:
    """An annotation as kubectl shows it with -o json: indented if it is JSON, otherwise unchanged."""
    from ..output.object_text import laid_out

    try:
        decode(text)  # only JSON can be indented
    except BadText as error:
        raise Unreadable(BadAnnotation(ANNOTATION, f"does not hold JSON ({error.reason})"), IN_CLUSTER) from None
    return laid_out(text, 2) + ("\n" if text.endswith("\n") else "")


def set_to(
    cluster: Cluster,
    live: Object,
    document: Object,
    *,
    create: bool = False,
    dry_run: str = NONE,
    manager: str = KUBECTL,
) -> tuple[bool, Object]:
    """Set the annotation to this document. Return whether that changes it, and the object afterwards.

    The text is the document as it stands. The text that apply writes has an empty map of annotations where the config
    has none, and never contains the previous annotation.
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
    return True, cluster.patch(Reference.of(live), patch, "merge", manager=manager, dry_run=dry_run == SERVER)


# ---- edits ----------------------------------------------------------------------------------------------------------

HEADER = (
    "# This is the last applied config. Edit it and save the file. Lines that begin with # are ignored, and "
    "an empty file\n# cancels the edit. If the edited text is invalid, it is kept in a file, whose name is "
    "printed.\n#\n"
)


class BadEdit(MergeError):
    """An edited text that turns an object into another one."""


def document_of(live: Object) -> Object:
    """The config that was applied last, parsed from the annotation."""
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
    """Each live object with its new document; None if it is the old one, or was removed from the text."""
    if unchanged:
        return [(live, None) for live, _ in found]
    edited = by_id(manifests_in(text.encode(), "the edited text"))
    known = {ObjectId.of(document) for _, document in found}
    for identity, manifest in edited.items():
        if identity not in known:
            raise BadEdit(
                f"{manifest.place}: {title(manifest.content)} was not there before the edit. Keep "
                "apiVersion, kind, name and namespace"
            )
    result: list[tuple[Object, Object | None]] = []
    for live, document in found:
        manifest_now = edited.get(ObjectId.of(document))
        now = manifest_now.content if manifest_now else document
        result.append((live, None if same(now, document) else now))
    return result
