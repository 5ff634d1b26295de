"""Live objects for hover: from a file or a dump, or from a cluster with read-only requests."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError

from ..apiserver.identity import Reference
from ..linting.gate.places import ElementNames
from ..manifests.files import Files
from ..manifests.live import read_live
from ..ownership.fields import NOBODYS, owned_fields
from .model import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema

    from ..apiserver.identity import ObjectId
    from ..cluster import Cluster
    from ..ownership.fields import OwnedField
    from .places import Target

KEPT = 30.0
"""Seconds for which an object of a cluster is kept."""
MOST = 200
"""Characters of a value."""


class LiveOptions(NamedTuple):
    """The source of live objects, from the options of the client."""

    files: tuple[str, ...] = ()
    context: str | None = None
    kubeconfig: str | None = None


class LiveSource:
    """The live objects. Only objects that are hovered over are requested from a cluster."""

    def __init__(self, options: LiveOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._by_id: dict[ObjectId, dict[str, Any]] | None = None
        self._cluster: Cluster | None = None
        self._known: dict[ObjectId, tuple[float, dict[str, Any] | None]] = {}

    @property
    def is_given(self) -> bool:
        """Whether the client has named a source."""
        return bool(self._options.files or self._options.context or self._options.kubeconfig)

    def lines(self, target: Target, schema: Schema) -> Iterator[Line]:
        """The live value of a field, and its owners. Values of Secrets are masked."""
        try:
            reference = Reference.of(target.content)
            if not reference.id.name:
                return
            live = self._object(reference)
        except MergeError as error:
            yield Line("live", str(error))
            return
        except (KeyError, TypeError, AttributeError):  # an object that is not complete yet
            return
        if live is None:
            yield Line("live", "the object does not exist")
            return
        steps = ElementNames(target.content, schema).named(_positions(target.steps))
        found = next((one for one in owned_fields(live, schema) if one.steps == steps), None)
        if found is None:
            yield Line("live", "the field is not set")
            return
        yield Line("live", _value(found), is_code=True)
        yield Line("owners", _owners(found))

    def _object(self, reference: Reference) -> dict[str, Any] | None:
        with self._lock:
            if self._options.files:
                if self._by_id is None:
                    read = read_live(self._options.files, Files(), recursive=True)
                    self._by_id = {one.id: one.content for one in read}
                return self._by_id.get(reference.id)
            known = self._known.get(reference.id)
            if known is None or time.monotonic() - known[0] > KEPT:
                known = self._known[reference.id] = time.monotonic(), self._requested(reference)
            return known[1]

    def _requested(self, reference: Reference) -> dict[str, Any] | None:
        from ..cluster import NotFound, connect

        if self._cluster is None:
            self._cluster = connect(self._options.kubeconfig, self._options.context)
        try:
            return self._cluster.get(reference)
        except NotFound:
            return None


def _positions(steps: tuple[object, ...]) -> tuple[Any, ...]:
    return tuple(step for step in steps if step is not None)


def _value(found: OwnedField) -> str:
    text = json.dumps(found.value, ensure_ascii=False)
    return text if len(text) <= MOST else f"{text[:MOST]}..."


def _owners(found: OwnedField) -> str:
    if not found.owners:
        return "none" if found.state == NOBODYS else "see the fields inside or around it"
    return ", ".join(
        f"{one.manager} ({one.operation}{f', {one.subresource}' if one.subresource else ''})" for one in found.owners
    )
