"""Which kinds a release of Kubernetes has under which apiVersion, and where one is that it lacks."""

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

_MATURITY = r"v(\d+)(?:(alpha|beta)(\d+))?\Z"
_MOVED_AWAY = frozenset({"extensions", "events.k8s.io"})
"""Groups whose kinds also live in another group, which is the one that is meant."""
_ADDED = frozenset({"apiextensions.k8s.io", "apiregistration.k8s.io"})
"""Groups that every cluster has, and that tables of old releases lack: other servers than the main one serve them."""


def rank(api_version: str) -> tuple[bool, int, int, int]:
    """Stable before beta before alpha, a later version before an earlier one."""
    group, _, version = api_version.rpartition("/")
    found = re.match(_MATURITY, version)
    if not found:
        return False, 0, 0, 0
    stage = {None: 2, "beta": 1, "alpha": 0}[found[2]]
    return group not in _MOVED_AWAY, stage, int(found[1]), int(found[3] or 0)


def group_of(api_version: str) -> str:
    """The group of an apiVersion; that of v1 has no name."""
    return api_version.rpartition("/")[0]


def is_of_kubernetes(api_version: str) -> bool:
    """Whether some release has the group; all others are of custom resources."""
    return group_of(api_version) in _groups()


@cache
def _groups() -> frozenset[str]:
    return frozenset(group_of(row[0]) for row in load()._types.data.kinds)


def unserved(key: Key, tables: Tables) -> str:
    """That a release lacks a kind which is no custom resource, and where it is, in words; else empty."""
    if tables.release is None or key in tables or _may_be_custom(key[0]) or _is_left_out(key, tables):
        return ""
    try:
        tables.schema(*key)
    except UnknownKind as error:
        there = moved(key, tables)
        if not there and error.served_in:
            there = f"it is only in {spans(error.served_in)}"
        near = [f"{kind} of {api}" for api, kind in error.near if not kind.endswith("List")]
        if not there and near:
            there = f"did you mean {' or '.join(near)}?"
        return f"there is no {key[1]} of {key[0]}{f'; {there}' if there else ''}"
    return ""


def _may_be_custom(api_version: str) -> bool:
    """Whether the group may be one of custom resources, which need a dot in its name."""
    return "." in group_of(api_version) and not is_of_kubernetes(api_version)


def _is_left_out(key: Key, tables: Tables) -> bool:
    group = group_of(key[0])
    return group in _ADDED and not any(group_of(api_version) == group for api_version, _ in tables.kinds())


def moved(key: Key, tables: Tables) -> str:
    """The most stable apiVersion that has the kind, in words: `batch/v1 has it since 1.21`; empty where none has."""
    found = [other for other in tables.kinds() if other[1] == key[1] and _is_one_kind(other, key)]
    if not found:
        return ""
    best = max(found, key=lambda other: (rank(other[0]), other))
    return f"{best[0]} has it{_since(best, tables.release)}"


def _is_one_kind(one: Key, other: Key) -> bool:
    """Kinds of one name are one kind in one group. Groups of Kubernetes itself hand theirs on to each other."""
    return group_of(one[0]) == group_of(other[0]) or (is_of_kubernetes(one[0]) and is_of_kubernetes(other[0]))


def _since(key: Key, release: str | None) -> str:
    """The first release of those in a row that have it; nothing where that is older than all that are known."""
    known = releases()
    if release is None or key not in load(release):
        return ""
    at = known.index(release)
    while at and key in load(known[at - 1]):
        at -= 1
    return f" since {known[at]}" if at else ""
