"""Kinds that a Kubernetes release serves, and the new apiVersions of kinds that it no longer serves."""

from __future__ import annotations

import re
from functools import cache

from ..errors import UnknownKind, spans
from .loading import load, releases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from .tables import Tables

    Key: TypeAlias = tuple[str, str]
    """An apiVersion and a kind."""

_MATURITY = r"v([0-9]{1,18})(?:(alpha|beta)([0-9]{1,18}))?\Z"
_OLD_GROUPS = frozenset({"extensions", "events.k8s.io"})
"""Groups whose kinds are also in another, preferred group."""
_AGGREGATED = frozenset({"apiextensions.k8s.io", "apiregistration.k8s.io"})
"""Groups that every cluster serves, but not from the main server, so old releases have no tables for them."""


def rank(api_version: str) -> tuple[bool, int, int, int]:
    """A sort key for apiVersions: stable is above beta, beta above alpha, and later versions above earlier."""
    group, _, version = api_version.rpartition("/")
    found = re.match(_MATURITY, version)
    if not found:
        return False, 0, 0, 0
    stage = {None: 2, "beta": 1, "alpha": 0}[found[2]]
    return group not in _OLD_GROUPS, stage, int(found[1]), int(found[3] or 0)


def group_of(api_version: str) -> str:
    """The group of an apiVersion; empty for v1."""
    return api_version.rpartition("/")[0]


def is_of_kubernetes(api_version: str) -> bool:
    """True if a Kubernetes release has the group; other groups belong to custom resources."""
    return group_of(api_version) in _groups()


@cache
def _groups() -> frozenset[str]:
    return frozenset(group_of(row[0]) for row in load()._types.data.kinds)


def unserved(key: Key, tables: Tables) -> str:
    """A sentence about a built-in kind that the release does not serve, with its new apiVersion; empty if served."""
    if tables.release is None or may_be_unlisted(key, tables):
        return ""
    try:
        tables.schema(*key)
    except UnknownKind as error:
        hint = moved(key, tables)
        if not hint and error.served_in:
            hint = f"It is served only in {spans(error.served_in)}"
        near = [f"{kind} of {api}" for api, kind in error.near if not kind.endswith("List")]
        if not hint and near:
            hint = f"Did you mean {' or '.join(near)}?"
        return f"{key[0]} {key[1]} is not served{(f'. {hint}' if hint else '')}"
    return ""


def may_be_unlisted(key: Key, tables: Tables) -> bool:
    """True if a cluster may serve a kind that these tables lack: a custom resource, or one of an aggregated server."""
    return _may_be_custom(key[0]) or _is_missing_in_tables(key, tables)


def _may_be_custom(api_version: str) -> bool:
    """True if the group may belong to custom resources, whose group names contain a dot."""
    return "." in group_of(api_version) and not is_of_kubernetes(api_version)


def _is_missing_in_tables(key: Key, tables: Tables) -> bool:
    group = group_of(key[0])
    return group in _AGGREGATED and not any(group_of(api_version) == group for api_version, _ in tables.kinds())


def moved(key: Key, tables: Tables) -> str:
    """The most stable apiVersion with the kind, as text: `Served as batch/v1 since 1.21`; empty if there is none."""
    best = moved_to(key, tables)
    return f"Served as {best}{_since((best, key[1]), tables.release)}" if best else ""


def moved_to(key: Key, tables: Tables, *more: Tables) -> str:
    """The most stable apiVersion with the kind in all of these tables, preferably in its own group; empty if none."""
    found = [other for other in tables.kinds() if other[1] == key[1] and _is_same_kind(other, key)]
    found = [other for other in found if all(other in one for one in more)]
    group = group_of(key[0])

    def preferred(other: Key) -> tuple[object, ...]:
        is_near = group_of(other[0]) == group
        usual, *mature = rank(other[0])
        return (usual or is_near, *mature, is_near, other)

    return max(found, key=preferred)[0] if found else ""


def _is_same_kind(one: Key, other: Key) -> bool:
    """True if two kinds with the same name are the same: in one group, or in two groups of Kubernetes itself."""
    return group_of(one[0]) == group_of(other[0]) or (is_of_kubernetes(one[0]) and is_of_kubernetes(other[0]))


def _since(key: Key, release: str | None) -> str:
    """` since ` and the release that introduced it; empty if all earlier known releases have it."""
    known = releases()
    if release is None or key not in load(release):
        return ""
    at = known.index(release)
    while at and key in load(known[at - 1]):
        at -= 1
    return f" since {known[at]}" if at else ""
