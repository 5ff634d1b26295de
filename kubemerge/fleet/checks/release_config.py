"""The manifests of a cluster's Helm releases as the config that its objects are compared with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError

from ...manifests.objects import manifests_in
from ...plan.helm.release import PREFIX, deployed_releases, stored_release
from ..reading.items import items_with, may_hold
from ..reading.parts import parts, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...manifests.objects import Manifest
    from ..reading.sources import Source

    Object = dict[str, Any]

_MARK = PREFIX.encode()
"""A word in every Secret or ConfigMap that stores a release."""


class ReleasesOf(NamedTuple):
    """The newest deployed revision of each release in the dumps of a cluster. Workers read them with the cluster."""

    cluster: str
    sources: tuple[Source, ...]

    @property
    def source(self) -> str:
        """The name in messages."""
        return self.sources[0].name

    def read(self) -> bytes:
        """The namespaces, names and manifests of the releases, as JSON."""
        found = deployed_releases(self._stored())
        return json.dumps([(one.namespace, one.name, one.manifest) for one in found]).encode()

    def _stored(self) -> Iterator[Object]:
        for part in whole(parts(self.sources)):
            for item in items_with(part, _MARK) if may_hold(part, _MARK) else ():
                yield from _releases_in(item.text, item.source)

    def manifests(self, data: bytes) -> list[tuple[Manifest, str | None]]:
        """The objects of the releases, each with its release's namespace. If one occurs twice, the last counts."""
        found: dict[Any, tuple[Manifest, str | None]] = {}
        for namespace, name, text in json.loads(data):
            for one in manifests_in(text.encode(), f"the release {namespace}/{name}"):
                key = one.content["metadata"].get("namespace") or namespace, one.id
                found[key] = one, namespace
        return [*found.values()]


def _releases_in(text: bytes, source: str) -> list[Object]:
    """The release Secrets and ConfigMaps in a text. Unreadable ones are reported when they are checked."""
    try:
        return [one.content for one in manifests_in(text, source) if stored_release(one.content) is not None]
    except MergeError:
        return []
