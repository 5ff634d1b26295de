"""Live objects for hover: from a file or a dump, or from a cluster with read-only requests."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from engine import MergeError

from ..apiserver.identity import Reference
from ..linting.gate.places import ElementNames
from ..linting.runs import about_paths
from ..manifests.files import Files
from ..manifests.live import read_live
from ..ownership.fields import NOBODYS, owned_fields
from .model import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema

    from ..apiserver.identity import ObjectId
    from ..client.cluster import RemoteCluster
    from ..ownership.fields import OwnedField
    from .places import Target

KEPT = 30.0
"""Seconds for which an object of a cluster, or an error, is kept."""
SECONDS = 3.0
"""Longest wait for a response of the cluster. It is shorter than for commands, because hovers wait for it."""
MOST = 200
"""Characters of a value."""


class LiveOptions(NamedTuple):
    """The source of live objects, from the options of the client."""

    files: tuple[str, ...] = ()
    context: str | None = None
    kubeconfig: str | None = None


class _Absent(MergeError):
    """An object that does not exist."""


_Answer: TypeAlias = dict[str, Any] | MergeError


class LiveSource:
    """The live objects. Only objects that are hovered over are requested from a cluster."""

    def __init__(self, options: LiveOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._by_id: dict[ObjectId, dict[str, Any]] | None = None
        self._state: list[str] | None = None
        self._cluster: RemoteCluster | None = None
        self._known: dict[ObjectId | None, tuple[float, _Answer]] = {}

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
        steps = ElementNames(target.content, schema).named(_positions(target.steps))
        found = next((one for one in owned_fields(live, schema) if one.steps == steps), None)
        if found is None:
            yield Line("live", "the field is not set")
            return
        yield Line("live", _value(found), is_code=True)
        yield Line("owners", _owners(found))

    def _object(self, reference: Reference) -> dict[str, Any]:
        return self._in_files(reference) if self._options.files else self._in_cluster(reference)

    def _in_files(self, reference: Reference) -> dict[str, Any]:
        """The object in the files. Without a namespace, the only object of its kind and name is meant."""
        with self._lock:
            state = about_paths(self._options.files)
            if self._by_id is None or state is None or state != self._state:
                read = read_live(self._options.files, Files(), recursive=True)
                self._by_id, self._state = {one.id: one.content for one in read}, state
            found = self._by_id
        wanted = reference.id
        if wanted in found:
            return found[wanted]
        named = [found[one] for one in found if (one.group_kind, one.name) == (wanted.group_kind, wanted.name)]
        if reference.namespace is None and len(named) == 1:
            return named[0]
        raise _Absent("the object is not in the live files")

    def _in_cluster(self, reference: Reference) -> dict[str, Any]:
        """The object in the cluster. Objects and errors are kept, and the lock is not held during a request."""
        from ..cluster import ConnectError

        found = self._kept(reference.id) or self._kept(None)
        if found is None:
            try:
                found = self._requested(reference)
            except ConnectError as error:
                found = error
                self._keep(None, error)
            except MergeError as error:
                found = error
            self._keep(reference.id, found)
        if isinstance(found, MergeError):
            raise found
        return found

    def _kept(self, key: ObjectId | None) -> _Answer | None:
        """The known facts about an object; for None, the error of an unusable cluster."""
        with self._lock:
            known = self._known.get(key)
        return known[1] if known is not None and time.monotonic() - known[0] <= KEPT else None

    def _keep(self, key: ObjectId | None, found: _Answer) -> None:
        with self._lock:
            self._known[key] = time.monotonic(), found

    def _requested(self, reference: Reference) -> dict[str, Any]:
        from ..cluster import NotFound

        try:
            return self._connected().get(reference)
        except NotFound:
            raise _Absent("the object does not exist") from None

    def _connected(self) -> RemoteCluster:
        from ..cluster import connect

        with self._lock:
            if self._cluster is None:
                self._cluster = connect(self._options.kubeconfig, self._options.context)
                self._cluster.wait_at_most(SECONDS)
                self._cluster.forbid_writes()
            return self._cluster


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
