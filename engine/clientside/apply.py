"""What `kubectl apply` does to one object."""

from __future__ import annotations

import marshal

from ..directives import ANNOTATION
from ..errors import GeneratedName, MergeError, NotAnObject, NotASchema, said
from ..json_merge import json_apply_patch, json_three_way_patch
from ..patches import apply_patch, three_way_patch
from ..values.guard import run, with_room
from ..values.plain import copied, same
from .last_applied import (
    annotated,
    annotations_of,
    as_sent,
    drops_annotations,
    parse_last_applied,
    read_last_applied,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..tables.schema import Schema
    from ..values.plain import Object
    from .reasons import Change

IDENTITY = ("apiVersion", "kind", "metadata.name")
"""What a JSON merge patch must not touch, lest it become another object; kubectl checks no other patch for it."""

READ: Any = type("Read", (), {"__slots__": (), "__repr__": lambda _: "READ"})()
"""Stands for "read it from the live object", where None would mean that nothing was applied before."""


class Story:
    """The documents of an apply, kept as they were for the case that somebody asks why."""

    __slots__ = ("_documents", "_way")

    def __init__(self, config: Object, last: Object | None, live: Object | None, way: Way) -> None:
        documents = (config, last, live)
        try:
            # The fastest copy there is: an apply whose story nobody asks for should not pay for it.
            self._documents: Any = marshal.dumps(documents)
        except ValueError:
            self._documents = tuple(map(copied, documents))
        self._way = way

    def live(self) -> Object:
        """The live object as it was; the caller's own."""
        live: Object = self._copies()[2]
        return live

    def told(self, merged: Object) -> tuple[Change, ...]:
        """The reasons, given what came out."""
        from .reasons import explain

        config, last, live = self._copies()
        way = self._way
        return with_room(
            lambda: explain(config, last, live, way.told_by, merged, strategic=way.merges_lists, finer=way.checks)
        )

    def _copies(self) -> Any:
        known = self._documents
        return marshal.loads(known) if type(known) is bytes else [*map(copied, known)]  # noqa: S302 - our own bytes


class Outcome:
    """What one apply comes to.

    result      "created", "configured" or "unchanged", as kubectl prints it
    merged      the object as it is afterwards
    patch       what is sent: a patch, or the whole object where it is created
    patch_type  "strategic", "merge", "create", or "none" where nothing is sent
    warnings    what kubectl would warn of, one sentence each
    """

    __slots__ = ("_changes", "_merged", "_story", "patch", "patch_type", "result", "warnings")

    def __init__(
        self, result: str, merged: Object | None, patch: Object, patch_type: str, warnings: list[str], story: Story
    ) -> None:
        self.result, self.patch, self.patch_type = result, patch, patch_type
        self.warnings = tuple(warnings)
        self._merged, self._story = merged, story
        self._changes: tuple[Change, ...] | None = None

    @property
    def merged(self) -> Object:
        """The object as it is afterwards; where nothing is sent, live is copied when it is first asked for."""
        if self._merged is None:
            self._merged = self._story.live()
        return self._merged

    @merged.setter
    def merged(self, merged: Object) -> None:
        self._merged = merged

    @property
    def changes(self) -> tuple[Change, ...]:
        """Why every field has its value; worked out when it is first asked for."""
        if self._changes is None:
            self._changes = self._story.told(self.merged)
        return self._changes

    def __repr__(self) -> str:
        return f"<Outcome {self.result} by {self.patch_type}>"


def apply(
    config: Object,
    live: Object | None,
    schema: Schema | None,
    overwrite: bool = True,
    *,
    last_applied: Object | str | None = READ,
    safe: bool = False,
    lists: str = "kubectl",
) -> Outcome:
    """What `kubectl apply` makes of a config and the live object (None if there is none).

    What was applied last is read from the live object's annotation, unless it is given as a document or as the
    text of the annotation; None stands for an object that was never applied. Without a schema, and for custom
    resources, the patch is a JSON merge patch, and `overwrite` does not matter.

    `safe` asks for the merge that loses nothing; `lists="schema"` lets the lists of a custom resource merge by the
    keys of its own schema, where kubectl would replace them.
    """
    if lists not in ("kubectl", "schema"):
        raise MergeError(f"lists is 'kubectl' or 'schema', not {said(lists)}")
    if not isinstance(config, dict):
        raise NotAnObject("config", config)
    way = Way.of(schema, overwrite, safe, lists)
    if live is None:
        return run(lambda config: _create(config, way), config=config)
    return run(lambda config, live: _update(config, live, last_applied, way), config=config, live=live)


class Way:
    """How an object is patched: by which patch, how it is made, and by which rules its story is told."""

    __slots__ = ("applied_by", "checks", "make", "merges_lists", "patch_type", "told_by")

    def __init__(
        self,
        patch_type: str,
        make: Callable[[Object | None, Object, Object], Object],
        applied_by: Schema | None,
        told_by: Schema | None,
        *,
        merges_lists: bool,
        checks: bool,
    ) -> None:
        self.patch_type, self.make, self.applied_by, self.told_by = patch_type, make, applied_by, told_by
        self.merges_lists = merges_lists
        self.checks = checks
        """Whether a config that cannot be merged without loss is refused, even before there is a live object.

        The elements of its lists are told apart by all of their keys then.
        """

    @staticmethod
    def of(schema: Schema | None, overwrite: bool, safe: bool, lists: str) -> Way:
        """The way that kubectl takes, or that was asked for."""
        if schema is not None and takes_strategic(schema):

            def strategic(last: Object | None, config: Object, live: Object) -> Object:
                return three_way_patch(last, config, live, schema, overwrite, safe=safe)

            return Way("strategic", strategic, schema, schema, merges_lists=True, checks=safe)
        if schema is not None and lists == "schema":
            from ..custom.lists import merging_lists, patch_by_schema

            def by_schema(last: Object | None, config: Object, live: Object) -> Object:
                return patch_by_schema(last or {}, config, live, schema, IDENTITY)

            return Way("merge", by_schema, None, merging_lists(schema), merges_lists=True, checks=True)

        def merge(last: Object | None, config: Object, live: Object) -> Object:
            patch = json_three_way_patch(last, config, live, unchanged=IDENTITY)
            return {} if safe and same(json_apply_patch(live, patch), live) else patch

        return Way("merge", merge, None, schema, merges_lists=False, checks=False)


def _create(config: Object, way: Way) -> Outcome:
    """The object as it is sent to be created: nulls ask for nothing then, and are left out."""
    _refuse_generated_name(config)
    wanted = annotated(config)
    if way.checks:
        way.make({}, wanted, _bare(wanted))
    sent: Object = _without_nulls(wanted)
    story = Story(wanted, None, None, way)
    return Outcome("created", copied(sent), sent, "create", _config_warnings(config), story)


def _update(config: Object, live: Object, last_applied: Any, way: Way) -> Outcome:
    _refuse_generated_name(config)
    warnings = _config_warnings(config)
    wanted, live = annotated(config), as_sent(live)
    last = _last_applied(live, last_applied, wanted, warnings)
    if _metadata(live).get("deletionTimestamp"):
        warnings.append("the object is being deleted; what is applied now goes with it")
    story = Story(wanted, last, live, way)
    patch = way.make(last, wanted, live)
    if not patch:
        return Outcome("unchanged", None, patch, "none", warnings, story)
    return Outcome("configured", apply_patch(live, patch, way.applied_by), patch, way.patch_type, warnings, story)


def takes_strategic(schema: Schema) -> bool:
    """Whether kubectl sends a kind strategic merge patches: if the server says so, else if it knows the kind itself."""
    if not hasattr(schema, "patch_types"):
        raise NotASchema(schema)
    if schema.patch_types is not None:
        return "strategic" in schema.patch_types
    if schema.built_in:
        return True
    from ..tables.loading import load

    return (schema.api_version, schema.kind) in load()


def _metadata(document: Object) -> Object:
    metadata = document.get("metadata")
    return metadata if type(metadata) is dict else {}


def _bare(document: Object) -> Object:
    """Nothing of a document but which object it is."""
    bare: Object = {key: document[key] for key in ("apiVersion", "kind") if key in document}
    metadata = _metadata(document)
    return {**bare, "metadata": {"name": metadata["name"]}} if "name" in metadata else bare


def _without_nulls(value: Any) -> Any:
    """A copy without fields that are null, in maps at any depth; elements of lists stay, null or not."""
    if type(value) is dict:
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if type(value) is list:
        return [_without_nulls(item) for item in value]
    return copied(value)


def _last_applied(live: Object, given: Any, wanted: Object, warnings: list[str]) -> Object | None:
    if given is READ:
        if ANNOTATION not in annotations_of(live):
            warnings.append(
                f"the live object has no annotation {ANNOTATION}, so it is not known what to clear; "
                "apply writes it from now on"
            )
        return read_last_applied(live, wanted)
    if given is None:
        return None
    if isinstance(given, str):
        return parse_last_applied(given)
    if not isinstance(given, dict):
        raise NotAnObject("last applied config", given)
    return as_sent(given)


def _config_warnings(config: Object) -> list[str]:
    if drops_annotations(config):
        return ["an annotation of the config is no text, so kubectl drops all of them; quote it"]
    return []


def _refuse_generated_name(config: Object) -> None:
    metadata = _metadata(config)
    if metadata.get("generateName") and not metadata.get("name"):
        raise GeneratedName(metadata["generateName"])
