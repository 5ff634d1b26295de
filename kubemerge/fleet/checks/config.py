"""The config that the objects of a fleet are compared with: the same for all clusters, or one for each."""

from __future__ import annotations

import threading
from collections import ChainMap
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from engine import GeneratedName, MergeError
from engine.tables.served import unserved

from ...apiserver.kinds.builtin_kinds import DEFINITION
from ...manifests.objects import by_id, manifests_in
from ...offline.pairs import Inputs, in_its_namespace
from .base import Check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence

    from ...apiserver.identity import ObjectId
    from ...manifests.objects import Manifest
    from ...offline.tables import Schemas
    from .base import Rules
    from .release_config import ReleasesOf

T = TypeVar("T")
_KEPT = 16 << 20
"""Maximum bytes of the files of single clusters that all checks together keep parsed in memory.

Parsed, they need about ten times as much memory. A larger cluster stays until the next one is loaded.
"""


class BadConfig(MergeError):
    """A config file that a worker cannot read."""


class ConfigFile(NamedTuple):
    """A file of the config; the cluster name is empty if the file is for all clusters."""

    cluster: str
    source: str
    data: bytes | None
    """Its content; None if it is read with its cluster, because all files would need too much memory."""
    about: str = ""
    """A hash of the content in that case."""

    @classmethod
    def later(cls, cluster: str, path: str, data: bytes) -> ConfigFile:
        """A file that is read with its cluster."""
        return cls(cluster, str(Path(path).absolute()), None, _hash(data))

    def manifests(self, data: bytes) -> list[tuple[Manifest, str | None]]:
        """The objects in the content. None is a namespace, because the file says it."""
        return [(one, None) for one in manifests_in(data, self.source)]

    def read(self) -> bytes:
        """The file's content."""
        if self.data is not None:
            return self.data
        try:
            found = Path(self.source).read_bytes()
        except OSError as error:
            raise BadConfig(
                f"{self.source}: {error.strerror}. Workers must be able to read the config of a cluster"
            ) from None
        if _hash(found) != self.about:
            raise BadConfig(f"{self.source}: changed since the run started. Start the run again")
        return found


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


class _Read(NamedTuple):
    """The config of a cluster, or of all."""

    objects: MutableMapping[ObjectId, Manifest]
    schemas: Schemas
    size: int = 0
    """Bytes of its files, without those for all clusters."""


class _Kept(threading.local):
    """The parsed configs of single clusters; checks share the limit, because each set of definitions has a work."""

    def __init__(self) -> None:
        self.of: WeakKeyDictionary[Config, dict[str, _Read]] = WeakKeyDictionary()


_kept = _Kept()


class Config:
    """The config objects of each cluster: the common ones, overridden by the cluster's if identities are equal."""

    def __init__(self, files: tuple[ConfigFile | ReleasesOf, ...], rules: Rules) -> None:
        self._rules = rules
        self._own: dict[str, list[ConfigFile | ReleasesOf]] = {}
        for one in files:
            self._own.setdefault(one.cluster, []).append(one)
        every = self._for_all = _parsed(tuple(self._own.pop("", ())))
        schemas = rules.schemas([*_definitions(every).values()])
        self._common = _Read(_placed([(one, None) for one in every], schemas), schemas)
        self._known: dict[str, _Read] = {}
        self._bad: dict[str, str] = {}
        self._kept = _kept.of
        self._kept[self] = self._known

    def _of(self, cluster: str) -> _Read:
        if cluster not in self._own:
            return self._common
        return self._known.get(cluster) or self._taken_in(cluster)

    def _taken_in(self, cluster: str) -> _Read:
        if cluster not in self._bad:
            try:
                found = self._known[cluster] = self._read(cluster)
            except MergeError as error:  # the same error for each of its objects
                self._bad[cluster] = str(error)
            else:
                return found
        raise BadConfig(self._bad[cluster])  # a new one each time, because a raised error grows

    def _read(self, cluster: str) -> _Read:
        read = [(one, one.read()) for one in self._own[cluster]]
        size = sum(len(data) for _, data in read)
        self._make_room(size)
        own = [one for file, data in read for one in file.manifests(data)]
        schemas, definitions = self._common.schemas, _definitions(one for one, _ in own)
        if definitions:
            schemas = self._rules.schemas([*{**_definitions(self._for_all), **definitions}.values()])
        return _Read(ChainMap(_placed(own, schemas), self._common.objects), schemas, size)

    def _make_room(self, size: int) -> None:
        every = [*self._kept.values()]
        for known in every:
            while known and size + sum(one.size for each in every for one in each.values()) > _KEPT:
                del known[next(iter(known))]

    def of(self, cluster: str) -> Mapping[ObjectId, Manifest]:
        """The objects of the config of a cluster."""
        return self._of(cluster).objects

    def placed(self, cluster: str, live: Manifest) -> Manifest:
        """A live object with its namespace."""
        return in_its_namespace(live, None, self._of(cluster).schemas.of(live.key))

    def schemas(self, cluster: str) -> Schemas:
        """The schemas of the objects of a cluster."""
        return self._of(cluster).schemas

    def inputs(self, cluster: str, manifest: Manifest, live: Manifest) -> Inputs:
        """The inputs of an apply of a config object to a live one."""
        schemas = self._of(cluster).schemas
        schema = schemas.of(manifest.key)
        config = in_its_namespace(manifest, live.content["metadata"].get("namespace"), None)
        missing = "" if schema is not None else unserved(manifest.key, schemas.tables(manifest.key))
        return Inputs(config, live, schema, unserved=missing)


@lru_cache(1)
def _parsed(files: tuple[ConfigFile | ReleasesOf, ...]) -> tuple[Manifest, ...]:
    """The objects of files for all clusters, parsed once for all checks that differ only in their definitions."""
    return tuple([one for file in files for one, _ in file.manifests(file.read())])


def _definitions(manifests: Iterable[Manifest]) -> dict[ObjectId, Manifest]:
    return {one.id: one for one in manifests if one.key[1] == DEFINITION[1]}


def _placed(manifests: Sequence[tuple[Manifest, str | None]], schemas: Schemas) -> dict[ObjectId, Manifest]:
    """The objects by identity, each in its namespace: its own, or the one beside it."""
    for one, _ in manifests:
        if not one.id.name:
            prefix = one.content["metadata"].get("generateName")
            raise BadConfig(f"{one.place}: {one.title}: {GeneratedName(prefix)}")
    return by_id(
        [
            in_its_namespace(one, None if one.content["metadata"].get("namespace") else namespace, schemas.of(one.key))
            for one, namespace in manifests
        ]
    )


class ConfigComparison(Check):
    """A check that compares objects with the config of their cluster."""

    def __init__(self, files: tuple[ConfigFile | ReleasesOf, ...], rules: Rules) -> None:
        super().__init__()
        self._config, self._rules = Config(files, rules), rules
        self._made: tuple[Schemas, Any] | None = None

    def _definitions(self, cluster: str) -> list[dict[str, Any]]:
        """The CustomResourceDefinitions of a cluster."""
        return [*self._rules.definitions, *(one.content for one in self._config.schemas(cluster).definitions)]

    def _once(self, cluster: str, made: Callable[[Schemas, list[dict[str, Any]]], T]) -> T:
        """A server or prediction with the schemas and definitions of a cluster. The last one is cached."""
        schemas = self._config.schemas(cluster)
        if self._made is None or self._made[0] is not schemas:
            self._made = schemas, made(schemas, self._definitions(cluster))
        found: T = self._made[1]
        return found

    def prepare(self, cluster: str) -> None:
        """Read the config of a cluster."""
        with suppress(Exception):
            self._config.of(cluster)
