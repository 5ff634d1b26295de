"""The requests of a tool, handled by an in-memory API server, or by the engine for kinds that it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine import FieldConflict, MergeError, record_update, server_side_apply

from ..apiserver.errors import ApplyConflict, NoMatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema
    from engine.serverside.conflicts import OwnedField

    from ..apiserver.pipeline import Server, Stored
    from ..apiserver.problems import Problem

    Object = dict[str, Any]


class Response(NamedTuple):
    """The response to a request: the stored object, or the reasons for its rejection."""

    object: Object | None
    conflicts: tuple[OwnedField, ...] = ()
    problems: tuple[Problem | str, ...] = ()
    warnings: tuple[str, ...] = ()
    error: MergeError | None = None

    @staticmethod
    def refused(error: MergeError) -> Response:
        """The response to a request that fails with this error alone."""
        return Response(None, (), (str(error),), error=error)

    @property
    def message(self) -> str:
        """The server's error message; empty if it accepted the request."""
        return "" if self.error is None else str(self.error)

    @property
    def server_message(self) -> str:
        """The server's message, without our advice."""
        return str(getattr(self.error, "message", self.error))


class Requests:
    """Sends requests to an in-memory server that keeps nothing. Kinds that it lacks are merged by the engine."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def serves(self, content: Object) -> bool:
        """Whether the server has the kind of an object."""
        try:
            self.server.require(content["apiVersion"], content["kind"])
        except NoMatch:
            return False
        return True

    def resource_of(self, content: Object) -> str:
        """The resource as API messages name it: `deployments.apps`."""
        if not self.serves(content):
            return str(content["kind"])
        return self.server.kinds.resource(content["apiVersion"], content["kind"]).called

    def is_namespaced(self, content: Object) -> bool:
        """Whether the kind of an object is namespaced. True if the server lacks the kind."""
        return not self.serves(content) or self.server.has_namespaces(content)

    def read(self, live: Object | None) -> Object | None:
        """The live object as a server returns it, with default values that a file may lack."""
        return live if live is None or not self.serves(live) else self.server.read(live)

    def create(self, config: Object, schema: Schema | None, *, manager: str, strict: bool = False) -> Response:
        """The response to POST. With `strict`, unknown fields are rejected.

        kubectl and Helm remove the resourceVersion of a new object, so it has no effect.
        """
        if self.serves(config):
            return _response(self.server.create(config, manager=manager, strict=strict))
        return _of_engine(lambda: record_update(None, config, schema, manager=manager))

    def replace(
        self, live: Object, config: Object, schema: Schema | None, *, manager: str, strict: bool = False
    ) -> Response:
        """The response to PUT. A config without resourceVersion replaces any version."""
        if self.serves(config):
            return _response(self.server.replace(live, config, manager=manager, strict=strict))
        metadata = {**live["metadata"], **config["metadata"]}
        return _of_engine(lambda: record_update(live, {**config, "metadata": metadata}, schema, manager=manager))

    def patch(
        self, live: Object, config: Object, patch: Any, patch_type: str, schema: Schema | None, *, manager: str
    ) -> Response:
        """The response to PATCH with a `strategic`, `merge` or `json` patch. The config identifies the object."""
        if self.serves(config):
            return _response(self.server.patch(live, config, patch, patch_type, manager=manager))

        def send() -> Object:
            strategic = patch_type == "strategic" and schema is not None
            merged = engine.apply_patch(live, patch, schema) if strategic else engine.json_apply_patch(live, patch)
            return record_update(live, merged, schema, manager=manager)

        return _of_engine(send)

    def apply(
        self,
        live: Object | None,
        config: Object,
        schema: Schema | None,
        *,
        manager: str,
        force: bool = False,
        strict: bool = False,
    ) -> Response:
        """The response to a server-side apply. With `strict`, unknown fields are rejected."""
        if self.serves(config):
            return _response(self.server.apply(live, config, manager=manager, force=force, strict=strict))
        return _of_engine(lambda: server_side_apply(config, live, schema, manager=manager, force=force).merged)

    def known_problems(self, live: Object | None) -> tuple[Problem | str, ...]:
        """The problems for which the server rejects every write to a live object."""
        if live is None or not self.serves(live):
            return ()
        return tuple(self.server.known_problems(live))


def _response(stored: Stored) -> Response:
    if stored.object is not None:
        return Response(stored.object, warnings=stored.warnings)
    error = stored.error
    if isinstance(error, ApplyConflict):
        return Response(None, error.conflicts, error=error)
    return Response(None, (), stored.problems, stored.warnings, error)


def _of_engine(send: Callable[[], Object]) -> Response:
    try:
        return Response(send())
    except FieldConflict as error:
        return Response(None, tuple(error.conflicts), error=error)
    except MergeError as error:
        return Response.refused(error)
