"""The changes of an apply to an object, as in `kubectl diff`.

The last-applied annotation stays as it is in live, so that it alone is no difference. Managed fields are hidden, and
Secrets are masked. The generation is the one that the server stores.
"""

from __future__ import annotations

from functools import cached_property

from engine.clientside.last_applied import annotations_of, as_sent
from engine.directives import ANNOTATION
from engine.values.immutable import Immutable
from engine.values.plain import copied, same

from ..apiserver.text.text import shown
from ..offline.stored_changes import GENERATION, around
from ..output.object_text import without_managed_fields
from ..output.secrets import Shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..offline.pairs import Merged


class Show(Immutable):
    """Options to show parts of a difference that are hidden by default."""

    __slots__ = ("managed_fields", "secrets")
    managed_fields: bool
    secrets: bool

    def __init__(self, managed_fields: bool = False, secrets: bool = False) -> None:
        self._fill(managed_fields, secrets)


def file_name(api_version: str, kind: str, namespace: str, name: str) -> str:
    """kubectl's file name for an object, always on one line: `apps.v1.Deployment.default.nginx`."""
    group, _, version = api_version.rpartition("/")
    words = (*([group] if group else []), version, kind, namespace, name)
    return shown(".".join(words).replace("/", "_").replace("\0", "_"))


class Difference:
    """An object before and after an apply, ready to be shown."""

    def __init__(self, merged: Merged, show: Show) -> None:
        self.merged = merged
        live = merged.before
        before = None if live is None else as_sent(live)
        after = merged.after
        if merged.outcome.patch_type != "apply":  # a server-side apply updates the annotation, and shows it
            after = _with_annotation_of(after, merged.inputs.config if live is None else live, new=live is None)
        if merged.answer is None:  # a server has incremented it
            after = _with_generation_of(after, live)
        if not show.managed_fields:
            before = None if before is None else without_managed_fields(before)
            after = without_managed_fields(after)
        self.differs = before is None or not same(before, after)
        self._shown = Shown(before, after, secrets=show.secrets)
        self.before: dict[str, Any] | None = self._shown.before
        self.after: dict[str, Any] = self._shown.after

    @property
    def name(self) -> str:
        """kubectl's file name for the object."""
        metadata = self.after["metadata"]
        return file_name(*self.merged.inputs.manifest.key, self._namespace(metadata), metadata.get("name") or "")

    def _namespace(self, metadata: dict[str, Any]) -> str:
        schema = self.merged.inputs.schema
        scope = schema.namespaced if schema else None
        if scope is False:
            return ""
        return str(metadata.get("namespace") or ("default" if scope else ""))

    @cached_property
    def texts(self) -> tuple[str, str]:
        """Both sides as YAML; an object that does not exist is an empty text."""
        from ..apiserver.text.yaml_out import dump

        return "" if self.before is None else dump(self.before), dump(self.after)

    def facts(self) -> Iterator[dict[str, Any]]:
        """Every field that differs, as JSON data."""
        title = self.merged.inputs.title
        if self.before is None:
            new = copied(self.after)
            yield {
                "object": title,
                "path": "",
                "action": "added",
                "before": None,
                "after": new,
                "reason": "not in live",
            }
            return
        changes = self.merged.changes
        if self.merged.outcome.patch_type == "apply":  # maps can be owned beside their contents
            outer = around(change.steps for change in changes)
            changes = tuple(change for change in changes if change.steps not in outer)
        for change in changes:
            before, after = self._shown.at(change.steps, change.before, change.after)
            if change.action == "matched" or change.steps == GENERATION:
                continue  # its fields are listed themselves, and a generation follows other changes
            if change.action == "reordered" or not same(before, after):
                facts = {"before": before, "after": after, "reason": change.reason}
                yield {"object": title, "path": change.path, "action": change.action, **facts}


def _with_generation_of(after: dict[str, Any], live: dict[str, Any] | None) -> dict[str, Any]:
    """The object with the generation of live, which a server only increments: it changes with every other change."""
    found = after["metadata"]
    known = {} if live is None else {key: live["metadata"][key] for key in ("generation",) if key in live["metadata"]}
    if found.get("generation") == known.get("generation"):
        return after
    rest = {key: value for key, value in found.items() if key != "generation"}
    return {**after, "metadata": {**rest, **known}}


def _with_annotation_of(after: dict[str, Any], model: dict[str, Any], *, new: bool) -> dict[str, Any]:
    """The object with the last-applied annotation of `model`."""
    found = {key: value for key, value in annotations_of(after).items() if key != ANNOTATION}
    theirs = annotations_of(model)
    if ANNOTATION in theirs:
        found[ANNOTATION] = theirs[ANNOTATION]
    metadata = {key: value for key, value in after["metadata"].items() if key != "annotations"}
    if found:
        metadata["annotations"] = found
    elif not new and "annotations" in model["metadata"]:
        metadata["annotations"] = {} if theirs else model["metadata"]["annotations"]
    return {**after, "metadata": metadata}
