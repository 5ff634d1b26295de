"""Where a release has a kind that it serves no more under the apiVersion of a config."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine

from ..kind_names import rank

if TYPE_CHECKING:
    from engine import Tables

    Key = tuple[str, str]


def moved(key: Key, tables: Tables) -> str:
    """The most stable apiVersion that has the kind, in words: `batch/v1 has it since 1.21`; empty where none has."""
    found = [other for other in tables.kinds() if other[1] == key[1] and _is_one_kind(other, key)]
    if not found:
        return ""
    best = max(found, key=lambda other: (rank(other[0]), other))
    return f"{best[0]} has it{_since(best, tables.release)}"


def _is_one_kind(one: Key, other: Key) -> bool:
    """Kinds of one name are one kind in one group. Groups of Kubernetes itself hand theirs on to each other."""
    return _group(one) == _group(other) or (_is_built_in(one) and _is_built_in(other))


def _group(key: Key) -> str:
    return key[0].rpartition("/")[0]


def _is_built_in(key: Key) -> bool:
    return any(key in engine.load(release) for release in engine.releases())


def _since(key: Key, release: str | None) -> str:
    """The first release of those in a row that have it; nothing where that is older than all that are known."""
    known = engine.releases()
    if release is None or key not in engine.load(release):
        return ""
    at = known.index(release)
    while at and key in engine.load(known[at - 1]):
        at -= 1
    return f" since {known[at]}" if at else ""
