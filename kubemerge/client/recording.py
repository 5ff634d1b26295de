"""Export of a whole cluster over its API, so that tests can start with a copy of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.directives import ANNOTATION

from ..apiserver.errors import ClusterError, Forbidden, NoResource
from ..apiserver.kinds.builtin_kinds import stored_in
from ..output.secrets import FIELDS, is_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..apiserver.protocol import Cluster, Object, Resource

EVENTS = {("", "Event"), ("events.k8s.io", "Event")}
"""Kinds that report events, not state."""


def record_cluster(cluster: Cluster, *, secrets: bool, on_omitted: Callable[[str], None]) -> Iterator[Object]:
    """Yield the objects of all kinds, by default without values of Secrets. `on_omitted` is called with omitted kinds.

    Each object is read in one version only, and under the group in which it is stored.
    """
    for resource in _kinds(cluster):
        try:
            for one in cluster.list(resource.api_version, resource.kind):
                yield one if secrets or not is_secret(one) else without_values(one)
        except (Forbidden, NoResource) as error:
            on_omitted(f"{resource.called}: {error}")
        except ClusterError as error:
            if error.code != 405:
                raise


def _kinds(cluster: Cluster) -> list[Resource]:
    found: dict[tuple[str, str], Resource] = {}
    for one in cluster.resources():  # the preferred version of a kind comes first
        key = one.group, one.kind
        listed = not one.verbs or "list" in one.verbs
        if listed and key not in EVENTS and (not one.built_in or stored_in(*key) == one.group):
            found.setdefault(key, one)
    return list(found.values())


def without_values(secret: Object) -> Object:
    """Return a Secret with its keys, but without values."""
    metadata = secret["metadata"]
    if isinstance(metadata.get("annotations"), dict):
        others = {name: text for name, text in metadata["annotations"].items() if name != ANNOTATION}
        metadata = {**metadata, "annotations": others}
    data = secret.get("data")
    kept = {key: value for key, value in secret.items() if key not in FIELDS}
    return {**kept, "metadata": metadata, **({"data": dict.fromkeys(data, "")} if isinstance(data, dict) else {})}
