"""The inputs of one call: manifests, live objects, schemas, and the server that handles predicted requests."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import engine
from engine import MergeError

from ..manifests.documents import read_documents
from ..manifests.files import Files
from ..manifests.objects import manifests_in, objects_in
from .foreign import ForeignTexts
from .results import DEFAULT_LIMIT
from .sandbox import MOST_BYTES, Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..apiserver.pipeline import Server
    from ..client.cluster import RemoteCluster
    from ..manifests.objects import Manifest
    from ..offline.live_cluster import LiveCluster
    from ..offline.pairs import Inputs, Others
    from ..offline.tables import Schemas
    from ..plan.cluster_view import ClusterView

    Object = dict[str, Any]

MOST_OBJECTS = 2000
"""Maximum number of objects in the inputs of a call."""
FILES = "_files"
"""The suffix of the argument with the files of a document argument."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server: its root folder, its release, and the cluster that its tools may read."""

    root: str
    release: str | None = None
    context: str | None = None
    kubeconfig: str | None = None

    @property
    def has_cluster(self) -> bool:
        """Whether a cluster may be read."""
        return self.context is not None or self.kubeconfig is not None


class Workspace:
    """The inputs of one call. It is a context, which closes connections at its end."""

    def __init__(self, settings: Settings, arguments: dict[str, Any]) -> None:
        self._settings, self._arguments = settings, arguments
        self._sandbox = Sandbox(settings.root)
        self._opened = ExitStack()
        self._read: dict[str, list[tuple[str, bytes]]] = {}
        self._objects = self._bytes = 0
        self.foreign = ForeignTexts()
        """The texts of all documents and arguments that were read."""

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    # ---- arguments ------------------------------------------------------------------------------------------------

    def get(self, name: str) -> Any:
        """An argument that is not a document; None if it is missing."""
        found = self._arguments.get(name)
        self.foreign.add(found)
        return found

    def text(self, name: str, otherwise: str = "") -> str:
        """A text argument."""
        found = self.get(name)
        return otherwise if found is None else str(found)

    @property
    def limit(self) -> int:
        """The maximum number of elements of a list in the result."""
        return int(self._arguments.get("limit", DEFAULT_LIMIT))

    @property
    def release(self) -> str | None:
        """The release of the rules; None for the newest one, or that of the cluster."""
        return self.get("release") or self._settings.release

    @property
    def namespace(self) -> str | None:
        """The namespace of objects that name none."""
        return self.get("namespace") or None

    # ---- documents ------------------------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        """Whether a document argument was passed, as text or as files."""
        return name in self._arguments or bool(self._arguments.get(f"{name}{FILES}"))

    def documents(self, name: str) -> list[tuple[str, bytes]]:
        """The documents of an argument, each with its name and its bytes."""
        if name not in self._read:
            found: list[tuple[str, bytes]] = []
            if name in self._arguments:
                found.append((name, self._arguments[name].encode("utf-8", "surrogatepass")))
                self._add_bytes(found[0][1])
            for path in self._arguments.get(f"{name}{FILES}", ()):
                self.foreign.add(path)
                for one in self._sandbox.read(path):
                    self._add_bytes(one[1])
                    found.append(one)
            self._read[name] = found
        return self._read[name]

    def _add_bytes(self, data: bytes) -> None:
        self._bytes += len(data)
        if self._bytes > MOST_BYTES:
            raise MergeError(f"the inputs have more than {MOST_BYTES >> 20} MiB. Pass fewer objects")

    def manifests(self, name: str) -> list[Manifest]:
        """The objects of an argument."""
        found: list[Manifest] = []
        for source, data in self.documents(name):
            found += self._objects_in(source, data)
        return found

    def _objects_in(self, source: str, data: bytes) -> Iterator[Manifest]:
        """The objects of a document. Its texts are registered, also if an object is invalid."""
        try:
            for one in manifests_in(data, source):
                self.foreign.add(one.content)
                self._count(1)
                yield one
        except MergeError:
            with suppress(MergeError):
                for _, document in read_documents(data, source):
                    self.foreign.add(document)
            raise

    def _count(self, objects: int) -> None:
        self._objects += objects
        if self._objects > MOST_OBJECTS:
            raise MergeError(f"the inputs have more than {MOST_OBJECTS} objects. Pass fewer objects")

    def take_texts(self, name: str) -> None:
        """Register the texts of an argument's objects, of each source up to a document that cannot be read.

        Invalid objects count, too.
        """
        found: list[Any] = []
        for source, data in self.documents(name):
            with suppress(MergeError):
                for line, document in read_documents(data, source):
                    self.foreign.add(document)
                    found.append(document)
                    with suppress(MergeError):
                        found[-1:] = objects_in(document, source, line)
        self._count(len(found))

    @cached_property
    def config(self) -> list[Manifest]:
        """The objects to apply."""
        found = self.manifests("config")
        if not found:
            raise MergeError("no object to apply. Pass manifests in config, or paths in config_files")
        return found

    @cached_property
    def live(self) -> list[Manifest]:
        """The live objects that were passed."""
        return self.manifests("live")

    @cached_property
    def definitions(self) -> list[Manifest]:
        """The CustomResourceDefinitions among all objects."""
        from ..offline.tables import definitions_of

        self.manifests("crds")  # an invalid one is an error, and one in another argument is reported by its reader
        read = [document for name in ("crds", "config", "live") for document in self.documents(name)]
        return [one for source, data in read for one in definitions_of(source, data)]

    # ---- live objects and schemas ---------------------------------------------------------------------------------

    @cached_property
    def cluster(self) -> RemoteCluster | None:
        """The cluster, with read access only; None if the server was started without one, or live objects are given."""
        if self.has("live") or not self._settings.has_cluster:
            return None
        from ..cluster import connect

        cluster = self._opened.enter_context(connect(self._settings.kubeconfig, self._settings.context))
        cluster.forbid_writes()
        if self.get("release"):
            raise MergeError("the cluster has its own release. Omit the argument release, or pass live objects")
        return cluster

    @cached_property
    def schemas(self) -> Schemas:
        """The rules of the release and of the definitions."""
        from ..offline.tables import Schemas

        release = self.release if self.cluster is None else self.cluster.release
        return Schemas(engine.load(release), (), self.definitions)

    @cached_property
    def others(self) -> Others | LiveCluster:
        """The counterparts of the objects to apply."""
        if self.cluster is not None:
            from ..offline.live_cluster import LiveCluster

            return LiveCluster(self.cluster, self.namespace, self.schemas if self.definitions else None)
        from ..offline.pairs import Others

        return Others((), None, self.schemas, Files(), namespace=self.namespace, objects=self.live)

    def inputs(self, manifests: Sequence[Manifest] | None = None) -> Iterator[Inputs]:
        """Each object to apply, with its live object and its schema."""
        for one in self.others.prefetched(self.config if manifests is None else manifests):
            yield self._noted(self.others.of(one))

    def _noted(self, inputs: Inputs) -> Inputs:
        if inputs.live is not None:
            self.foreign.add(inputs.live.content)
        return inputs

    # ---- the server -------------------------------------------------------------------------------------------------

    def server(self, manifests: Sequence[Manifest]) -> Server:
        """An in-memory server of the release, which handles predicted requests."""
        from ..offline.live_cluster import LiveCluster
        from ..offline.prediction import server_beside

        definitions = [one.content for one in self.definitions]
        if isinstance(self.others, LiveCluster):
            definitions += self.others.definitions_of(manifests)
            return server_beside(self.others.release, definitions, self.others.neighbours(manifests), keeps_owners=True)
        release = self.schemas.patch_release
        return server_beside(release, definitions, self.others.live_objects, keeps_owners=True)

    def view(self, manifests: Sequence[Manifest] | None = None) -> ClusterView:
        """The cluster as a plan sees it."""
        from ..offline.live_cluster import LiveCluster
        from ..plan.cluster_view import ClusterView

        others = self.others
        require = others.require if isinstance(others, LiveCluster) else None
        server = self.server(self.config if manifests is None else manifests)
        return ClusterView(lambda one: self._noted(others.of(one)), server, require, others.listed)
