"""The config that the objects of a fleet are held against: the same for all clusters, or one for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.tables.served import unserved

from ...kinds.facts import DEFINITION
from ...manifests.objects import by_id, manifests_in
from ...offline.pairs import Inputs, in_its_namespace

if TYPE_CHECKING:
    from ...manifests.identity import ObjectId
    from ...manifests.objects import Manifest
    from .base import Rules


class ConfigFile(NamedTuple):
    """A file of the config; the name of the cluster is empty if it is for all."""

    cluster: str
    source: str
    data: bytes


class Config:
    """The objects of the config of each cluster."""

    def __init__(self, files: tuple[ConfigFile, ...], rules: Rules) -> None:
        self._files = files
        read = {(one.cluster, one.source): [*manifests_in(one.data, one.source)] for one in files}
        definitions = [one for found in read.values() for one in found if one.key[1] == DEFINITION[1]]
        self.schemas = rules.schemas(definitions)
        self._read = read
        self._known: dict[str, dict[ObjectId, Manifest]] = {}

    def of(self, cluster: str) -> dict[ObjectId, Manifest]:
        """The objects of the config of a cluster."""
        if cluster not in self._known:
            mine = [one for (whose, _), found in self._read.items() if whose in ("", cluster) for one in found]
            placed = [in_its_namespace(one, None, self.schemas.of(one.key)) for one in mine]
            self._known[cluster] = by_id(placed)
        return self._known[cluster]

    def placed(self, live: Manifest) -> Manifest:
        """A live object with its namespace."""
        return in_its_namespace(live, None, self.schemas.of(live.key))

    def inputs(self, manifest: Manifest, live: Manifest) -> Inputs:
        """What an apply of an object of the config to a live one starts from."""
        schema = self.schemas.of(manifest.key)
        config = in_its_namespace(manifest, live.content["metadata"].get("namespace"), None)
        missing = "" if schema is not None else unserved(manifest.key, self.schemas.tables(manifest.key))
        return Inputs(config, live, schema, unserved=missing)
