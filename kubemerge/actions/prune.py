"""Selection of objects that an apply with --prune deletes: those applied before and no longer in the config."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from engine import MergeError
from engine.clientside.last_applied import annotations_of
from engine.directives import ANNOTATION

from ..apiserver.kinds.builtin_kinds import KINDS
from ..cluster import NoMatch, NotFound
from .requests import CLIENT, SERVER, uid_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ..cluster import Cluster, Object, Resource
    from .delete import DeletionTarget

ALLOWED = sorted((key for key, facts in KINDS.items() if facts.pruned), key=lambda key: KINDS[key].pruned)
"""Group and kind of the objects that kubectl prunes by default."""


class BadAllowlist(MergeError):
    """A kind to prune that cannot be read."""

    def __init__(self, text: str) -> None:
        super().__init__(f"--prune-allowlist {text!r} is not a kind. Write group/version/Kind, as in core/v1/ConfigMap")


def allowed(cluster: Cluster, given: Sequence[str]) -> list[Resource]:
    """The kinds that may be pruned. Default: the kinds in kubectl's list that the cluster serves."""
    if given:
        return [cluster.resource(*_read(text)) for text in given]
    served = {(one.group, one.kind): one for one in reversed(cluster.resources())}
    return [served[key] for key in ALLOWED if key in served]


def _read(text: str) -> tuple[str, str]:
    parts = text.split("/")
    if len(parts) != 3 or not all(parts):
        raise BadAllowlist(text)
    group, version, kind = parts
    return (version if group == "core" else f"{group}/{version}"), kind


def unneeded(
    cluster: Cluster,
    kinds: Sequence[Resource],
    namespaces: Collection[str],
    selector: str,
    visited: Collection[str],
) -> Iterator[Object]:
    """Objects of these kinds that were applied before and whose uid is not in `visited`."""
    for one in listed(cluster, kinds, namespaces, selector):
        if ANNOTATION in annotations_of(one) and uid_of(one) not in visited:
            yield one


def listed(cluster: Cluster, kinds: Sequence[Resource], namespaces: Collection[str], selector: str) -> Iterator[Object]:
    """The objects of these kinds: namespace by namespace, then those without a namespace."""
    for namespace in sorted(namespaces):
        for kind in kinds:
            if kind.namespaced:
                yield from cluster.list(kind.api_version, kind.kind, namespace=namespace, selector=selector)
    for kind in kinds:
        if not kind.namespaced:
            yield from cluster.list(kind.api_version, kind.kind, selector=selector)


def delete(cluster: Cluster, doomed: DeletionTarget, dry_run: str) -> None:
    """Delete exactly this object. It may be gone already, with its namespace or its definition."""
    if dry_run == CLIENT:
        return
    with suppress(NotFound, NoMatch):
        cluster.delete(doomed.reference, uid=doomed.uid, dry_run=dry_run == SERVER)
