"""Served kinds by their names in paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..cluster import EmbeddedCluster
    from ..protocol import Resource


class Catalog:
    """The kinds of a cluster, updated when definitions change."""

    def __init__(self, cluster: EmbeddedCluster) -> None:
        self._cluster = cluster
        self._read_at = -1
        self._by_path: dict[tuple[str, str], Resource] = {}

    def has_built_in(self, group: str) -> bool:
        """Whether a group has built-in kinds."""
        return any(one.group == group and one.built_in for one in self._by_path.values())

    def find(self, api_version: str, plural: str) -> Resource | None:
        """Return the kind of a path, as `apps/v1` and `deployments`."""
        now = self._cluster.kinds_changed()
        if now != self._read_at:
            self._by_path = {(one.api_version, one.plural): one for one in self._cluster.resources()}
            self._read_at = now
        return self._by_path.get((api_version, plural))
