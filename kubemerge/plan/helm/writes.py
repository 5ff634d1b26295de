"""The requests of Helm for one object: create, patch, replace, server-side apply, and hooks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import engine
from engine import MergeError, upgrade_managed_fields

from ...apiserver.identity import ObjectId
from ...output.secrets import is_secret
from ..advice import conflict_advice
from ..fields import Comparison
from ..model import CLIENT_SIDE, REFUSED, REPLACE, SERVER_SIDE, PlannedObject
from ..requests import Response
from ..writing import planned, untracked_note
from .manifests import BEFORE_CREATION, SUCCEEDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Schema

    from ...offline.pairs import Inputs
    from ..cluster_view import ClusterView
    from ..tools import PlanOptions

    Object = dict[str, Any]

MANAGER = "helm"
_NOT_IN_SCHEME = frozenset({"apiregistration.k8s.io"})
"""Built-in groups that Helm's scheme lacks, so Helm sends JSON merge patches for them."""
TWO_WAY = (
    "Helm compares only the two manifests for this kind, so a live value that differs stays until the manifest changes"
)
BASELINE = "the object is not in the release, so Helm compares it with the cluster's state"


@dataclass(frozen=True)
class Target:
    """An object of a release with its live object. `content` is the object as Helm sends it."""

    inputs: Inputs
    content: Object

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The identity with the version, by which Helm finds new objects."""
        metadata = self.content["metadata"]
        version, kind = self.content["apiVersion"], self.content["kind"]
        return version, kind, metadata.get("namespace") or "", metadata.get("name") or ""

    @property
    def id(self) -> ObjectId:
        """The identity without the version."""
        return ObjectId.of(self.content)


class Writing:
    """The plan of one object."""

    def __init__(self, target: Target, manager: str) -> None:
        self._target, self._manager = target, manager

    def planned(self, method: str, action: str, live: Object | None, **more: Any) -> PlannedObject:
        """The plan of an object that gets no patch."""
        content = self._target.content
        metadata = content["metadata"]
        return PlannedObject(
            *(content["apiVersion"], content["kind"], metadata.get("namespace"), metadata.get("name", "")),
            *(method, action, self._manager),
            before=live,
            after=live if method == "none" else None,
            config=content,
            place=self._target.inputs.manifest.place,
            **more,
        )


class Writer:
    """Sends Helm's requests for objects, and remembers their results."""

    name = namespace = action = ""

    def __init__(self, view: ClusterView, options: PlanOptions, *, on_server: bool, takes_over: bool) -> None:
        self._requests, self._options = view.requests, options
        self._on_server, self._takes_over = on_server, takes_over
        self.manager = options.manager or MANAGER
        self._now: dict[ObjectId, Object | None] = {}
        self._messages: dict[int, str] = {}

    @property
    def method(self) -> str:
        """The method for new objects."""
        return SERVER_SIDE if self._on_server else CLIENT_SIDE

    def live(self, target: Target) -> Object | None:
        """The live object after the writes so far."""
        if target.id not in self._now:
            given = target.inputs.live
            self._now[target.id] = None if given is None else self._requests.read(given.content)
        return self._now[target.id]

    def forget(self, target: Target) -> None:
        """Mark an object as deleted."""
        self._now[target.id] = None

    def message(self, one: PlannedObject) -> str:
        """Helm's error for a rejected object."""
        return self._messages.get(id(one.config), "; ".join(one.problems))

    # ---- create -----------------------------------------------------------------------------------------------------

    def create(self, target: Target, *, notes: tuple[str, ...] = (), force: bool = False) -> PlannedObject:
        """Create an object, or apply it if the method is server-side."""
        live = self.live(target) if self._on_server else None
        schema = target.inputs.schema
        if self._on_server:
            response = self._requests.apply(
                live, target.content, schema, manager=self.manager, force=force, strict=True
            )
        else:
            response = self._requests.create(target.content, schema, manager=self.manager)
        return self._done(target, self.method, live, response, (), notes=notes)

    def hook(self, target: Target, policies: Sequence[str], event: str) -> PlannedObject:
        """Create a hook. The plan assumes that it succeeds."""
        notes = [f"{event} hook"]
        before = self.live(target)
        is_definition = target.content["kind"] == "CustomResourceDefinition"
        if before is not None and BEFORE_CREATION in policies and not is_definition:
            notes.append("deleted and created again (before-hook-creation)")
            self.forget(target)
        elif before is not None and not self._on_server:
            return self._exists(target, before, tuple(notes))
        found = self.create(target, notes=tuple(notes))
        if found.action == REFUSED:
            return found
        if SUCCEEDED in policies and not is_definition:
            self.forget(target)
            found = replace(found, after=None, notes=(*found.notes, "deleted when the hook succeeds"))
        return found if before is None else replace(found, before=before)

    def _exists(self, target: Target, live: Object, notes: tuple[str, ...]) -> PlannedObject:
        text = f'{self._requests.resource_of(target.content)} "{target.id.name}" already exists'
        found = Writing(target, self.manager).planned(self.method, REFUSED, live, problems=(text,), notes=notes)
        return replace(found, after=None)

    # ---- update -----------------------------------------------------------------------------------------------------

    def update(self, target: Target, live: Object, original: Object | None) -> PlannedObject:
        """Change an existing object. `original` is the object in the former release, or None."""
        notes = () if original is not None or self._on_server else (BASELINE,)
        previous = () if original is None or original is target.content else (original,)
        if self._options.force:
            strict = self._options.tool_version != "3"
            schema = target.inputs.schema
            response = self._requests.replace(live, target.content, schema, manager=self.manager, strict=strict)
            return self._done(target, REPLACE, live, response, previous, notes=notes)
        if self._on_server:
            return self._apply(target, live, previous, notes)
        return self._patch(target, live, live if original is None else original, previous, notes)

    def _apply(
        self, target: Target, live: Object, previous: tuple[Object, ...], notes: tuple[str, ...]
    ) -> PlannedObject:
        start = live
        if self._takes_over:
            start = upgrade_managed_fields(live, {self.manager}, self.manager)
        response = self._requests.apply(
            start,
            target.content,
            target.inputs.schema,
            manager=self.manager,
            force=self._options.force_conflicts,
            strict=True,
        )
        found = self._done(target, SERVER_SIDE, live, response, previous, notes=(*untracked_note(live), *notes))
        if response.object is None and start["metadata"] != live["metadata"]:
            self._now[target.id] = start
            note = "Helm hands its client-side fields over before the apply, and this stays although the apply fails"
            return replace(found, after=start, notes=(*found.notes, note))
        return found

    def _patch(
        self, target: Target, live: Object, original: Object, previous: tuple[Object, ...], notes: tuple[str, ...]
    ) -> PlannedObject:
        schema = target.inputs.schema
        strategic = is_typed(target.content, schema)
        try:
            patch, kind = self._merged(target.content, live, original, schema if strategic else None)
        except MergeError as error:
            text = f"failed to create patch: {error}"
            return self._done(
                target, CLIENT_SIDE, live, Response(None, (), (text,), error=error), previous, notes=notes
            )
        if not patch:
            response = Response(live)
        else:
            response = self._requests.patch(live, target.content, patch, kind, schema, manager=self.manager)
        drift = "" if strategic or self._three_way else TWO_WAY
        return self._done(target, CLIENT_SIDE, live, response, previous, notes=notes, drift=drift)

    @property
    def _three_way(self) -> bool:
        """Whether Helm also compares untyped objects with the live state: only when it takes ownership."""
        return self.action == "install" and self._options.take_ownership

    def _merged(self, content: Object, live: Object, original: Object, schema: Schema | None) -> tuple[Any, str]:
        if schema is not None:
            return engine.three_way_patch(original, content, live, schema), "strategic"
        baseline = live if self._three_way else original
        return engine.json_three_way_patch(original, content, baseline), "merge"

    # ---- results ----------------------------------------------------------------------------------------------------

    def _done(
        self,
        target: Target,
        method: str,
        live: Object | None,
        response: Response,
        previous: tuple[Object, ...],
        *,
        notes: tuple[str, ...] = (),
        drift: str = "",
    ) -> PlannedObject:
        verb = {"install": "install", "upgrade": "upgrade"}.get(self.action, "rollback")
        what = "REVISION" if verb == "rollback" else "CHART"
        chosen = " --server-side=true" if self._options.server_side == "true" else ""
        force = f"helm {verb}{chosen} --force-conflicts {self.name} {what}"
        advice = conflict_advice("helm", "Helm", target.inputs.manifest.source, force, target.inputs)
        found = planned(
            *(target.inputs, method, Comparison(live, target.inputs.schema, self.manager), live, response),
            config=target.content,
            previous=previous,
            advice=advice,
            notes=notes,
            drift=drift,
        )
        if response.object is not None:
            self._now[target.id] = response.object
        else:
            text = (
                "; ".join(found.problems) if found.problems and is_secret(target.content) else response.server_message
            )
            self._messages[id(target.content)] = self._in_words(target, method, text, response, is_new=live is None)
        return found

    def _in_words(self, target: Target, method: str, text: str, response: Response, *, is_new: bool) -> str:
        version, kind, namespace, name = target.key
        if method == SERVER_SIDE:
            verb = "conflict occurred while applying" if response.conflicts else "server-side apply failed for"
            group_version = version if "/" in version else f"/{version}"
            return f"{verb} object {namespace}/{name} {group_version}, Kind={kind}: {text}"
        if method == REPLACE:
            return f"failed to replace object: {text}"
        if is_new or text.startswith("failed to create patch"):
            return text
        return f'cannot patch "{name}" with kind {kind}: {text}'


def is_typed(content: Object, schema: Schema | None) -> bool:
    """Whether the kind is in Helm's scheme, so that Helm sends strategic merge patches."""
    group = content["apiVersion"].rpartition("/")[0]
    return schema is not None and schema.built_in and group not in _NOT_IN_SCHEME
