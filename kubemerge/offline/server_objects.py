"""Live objects and merge rules from a server instead of files, for read-only commands.

Unlike an apply, these commands continue if the server does not serve a kind: its definition may be in the config.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.tables.served import unserved

from ..actions.apply import found
from ..actions.requests import placed, prefetched
from ..cluster import NoMatch, Reference
from ..manifests.objects import Manifest
from .pairs import Inputs, in_its_namespace
from .tables import Schemas, laid_over

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from engine import Schema, Tables

    from ..client.cluster import RemoteCluster
    from .tables import Tell


class ServerSchemas(Schemas):
    """The rules of a server, requested when a kind is first used; definitions in the config override them.

    With the tables of a `release` as the base, the server is used only for kinds that the release lacks.
    """

    def __init__(
        self,
        cluster: RemoteCluster,
        base: Tables,
        over: Sequence[Tables],
        definitions: Iterable[Manifest],
        tell: Tell,
        *,
        release: bool = False,
    ) -> None:
        super().__init__(base, over, definitions, tell)
        self._cluster, self._base, self._release = cluster, base, release
        self._asked: set[str] = set()

    def of(self, key: tuple[str, str]) -> Schema | None:
        """The merge rules of a kind; None if they are unknown."""
        self._ask(key)
        return super().of(key)

    def tables(self, key: tuple[str, str]) -> Tables:
        """The tables that have a kind, or should."""
        self._ask(key)
        return super().tables(key)

    def _ask(self, key: tuple[str, str]) -> None:
        if key[0] in self._asked or (self._release and key in self._base):
            return
        self._asked.add(key[0])
        own_tables: Any = self._cluster.tables_of(key[0])
        if own_tables is not None:
            self._below = self._below.overlay(own_tables)
            self._now = laid_over(self._below, self._over)


class ServerObjects:
    """The inputs for the objects of a config, from a server."""

    def __init__(self, cluster: RemoteCluster, namespace: str | None, schemas: Schemas) -> None:
        self._cluster, self._namespace, self.schemas = cluster, namespace, schemas

    @property
    def live_objects(self) -> list[dict[str, Any]]:
        """None: only the live objects of the config are read."""
        return []

    def prefetched(self, manifests: Iterable[Manifest]) -> Iterator[Manifest]:
        """The same objects; their live objects are requested ahead."""
        return prefetched(self._cluster, manifests, self._namespace)

    def of(self, manifest: Manifest) -> Inputs:
        """An object of a config with its live object and its schema."""
        schema = self.schemas.of(manifest.key)
        missing = unserved(manifest.key, self.schemas.tables(manifest.key))
        try:
            resource = self._cluster.resource(*manifest.key)
        except NoMatch:
            return Inputs(in_its_namespace(manifest, self._namespace, schema), None, schema, unserved=missing)
        config = placed(manifest.content, resource, self._namespace, self._cluster.namespace)
        live = found(self._cluster, Reference.of(config))
        there = None if live is None else Manifest(self._cluster.place, live)
        return Inputs(manifest.with_content(config), there, schema, unserved=missing)
