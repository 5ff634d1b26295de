"""Edit a live object: the text in the editor, and the patch from the edited text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine
from engine import MergeError
from engine.clientside.last_applied import with_last_applied
from engine.clientside.method import is_compiled_in
from engine.json_merge import json_two_way_patch

from ..manifests.objects import Manifest, manifests_in
from ..output.object_text import object_text
from .requests import sent
from .serverside.managers import EDIT

if TYPE_CHECKING:
    from ..cluster import Cluster, Object

HEADER = (
    "# Edit the object and save the file. Lines that begin with # are ignored, and an empty file cancels the "
    "edit.\n# Only your changes are sent, so concurrent changes of other writers are kept. If your changes "
    "are rejected, the\n# edited text is kept in a file, whose name is printed.\n#\n"
)
_APART = ("managedFields",)


class BadEdit(MergeError):
    """An edited text that describes a different object."""


def shown(live: Object) -> Object:
    """The object as it is edited: without managedFields, which users do not edit."""
    metadata = {key: value for key, value in live["metadata"].items() if key not in _APART}
    return {**live, "metadata": metadata}


def text_to_edit(live: Object, form: str) -> str:
    """The text that the editor shows, as YAML or JSON."""
    return HEADER + object_text(shown(live), form)


def substance(text: str) -> str:
    """The text without its comments. Empty if nothing is left."""
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return "\n".join(lines).strip()


def send(
    cluster: Cluster,
    live: Object,
    text: str,
    *,
    save: bool = False,
    manager: str = EDIT,
    validate: str | None = None,
) -> Object | None:
    """The object after the edit; None if the edit changes nothing."""
    before, after = shown(live), _read(live, substance(text))
    if save:
        after = with_last_applied(after)
    patch, patch_type = _patch(cluster, before, after)
    return sent(cluster, live, patch, patch_type, "none", manager=manager, validate=validate) if patch else None


def _read(live: Object, text: str) -> Object:
    found = list(manifests_in(text.encode(), "the edited text"))
    if len(found) != 1:
        raise BadEdit(f"the edited text contains {len(found)} objects. Keep exactly one")
    if found[0].id != Manifest("", live).id or found[0].key != Manifest("", live).key:
        raise BadEdit("the edited text is another object. Keep apiVersion, kind, name and namespace")
    return found[0].content


def _patch(cluster: Cluster, before: Object, after: Object) -> tuple[Object, str]:
    """The patch with the edits, of the type that kubectl sends."""
    resource = cluster.resource(before["apiVersion"], before["kind"])
    schema = cluster.schema(before["apiVersion"], before["kind"])
    if schema is not None and "strategic" in resource.patch_types and is_compiled_in(schema):
        return engine.two_way_patch(before, after, schema), "strategic"
    return json_two_way_patch(before, after), "merge"
