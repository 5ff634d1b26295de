"""The cluster of a plan: live objects, schemas, and the server that handles the requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..apiserver.errors import NoMatch
from ..manifests.objects import Manifest
from .requests import Requests

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..apiserver.pipeline import Server
    from ..offline.pairs import Inputs

    Object = dict[str, Any]


class ClusterView:
    """The live objects of a plan, and the server that handles its requests.

    `find` returns an object with its live object and its schema. `server` is an in-memory server of the release.
    `require` raises NoMatch for a kind that the real cluster does not serve. None: there is no real cluster. `objects`
    returns the live objects of a kind. None: there are none.
    """

    def __init__(
        self,
        find: Callable[[Manifest], Inputs],
        server: Server,
        require: Callable[[str, str], Any] | None = None,
        objects: Callable[[str, str, str | None], list[Object]] | None = None,
    ) -> None:
        self._find, self._require, self._objects = find, require, objects
        self.server, self.requests = server, Requests(server)

    @property
    def is_remote(self) -> bool:
        """Whether live objects are read from a real cluster, not from files."""
        return self._require is not None

    def inputs(self, manifest: Manifest) -> Inputs:
        """An object with its live object and its schema."""
        return self._find(manifest)

    def inputs_of_content(self, content: Object, source: str) -> Inputs:
        """An object that is not in the config, with its live object and its schema. `source` describes its origin."""
        return self._find(Manifest(source, content))

    def serves(self, content: Object) -> bool:
        """Whether the cluster serves the object's kind. Unknown custom kinds count as served."""
        require = self._require or self.server.require
        try:
            require(content["apiVersion"], content["kind"])
        except NoMatch as error:
            return self._require is None and error.may_be_custom
        return True

    def with_namespace(self, content: Object, namespace: str) -> Object:
        """The object, with this namespace if it has none and its kind is namespaced."""
        metadata = content["metadata"]
        if metadata.get("namespace"):
            return content
        if self.requests.serves(content) and not self.server.has_namespaces(content):
            return content
        return {**content, "metadata": {**metadata, "namespace": namespace}}

    def list_offline(self, api_version: str, kind: str) -> list[Object]:
        """The live objects of a kind in files and the embedded cluster. None for a real cluster: no request is sent."""
        return [] if self.is_remote else self.list(api_version, kind)

    def list(self, api_version: str, kind: str, namespace: str | None = None) -> list[Object]:
        """The live objects of a kind. A real cluster is sent a request for them."""
        return [] if self._objects is None else self._objects(api_version, kind, namespace)
