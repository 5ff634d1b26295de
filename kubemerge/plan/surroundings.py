"""The objects around a plan: live objects, schemas, and the server that handles the requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..manifests.objects import Manifest
from .requests import Requests

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..apiserver.pipeline import Server
    from ..offline.pairs import Inputs

    Object = dict[str, Any]


class Surroundings:
    """The live objects of a plan, and the server that handles its requests.

    `find` returns an object with its live object and its schema. `server` is an in-memory server of the release, and
    `objects` returns live objects of one kind, or None if not all of them are known.
    """

    def __init__(
        self,
        find: Callable[[Manifest], Inputs],
        server: Server,
        objects: Callable[[str, str, str | None], list[Object]] | None = None,
    ) -> None:
        self._find, self._objects = find, objects
        self.requests = Requests(server)

    def of(self, content: Object, source: str) -> Inputs:
        """An object that is not in the config, with its live object and its schema. `source` is its place."""
        return self._find(Manifest(source, content))

    def list(self, api_version: str, kind: str, namespace: str | None = None) -> list[Object]:
        """The live objects of a kind that are known."""
        return [] if self._objects is None else self._objects(api_version, kind, namespace)
