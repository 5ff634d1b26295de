"""Differences between the merge algorithms of Kubernetes releases, in one table.

A name stands for one behaviour of older releases, which one place of the code implements. The newest release has none
of them. The rules of each field are in the generated tables, by minor release; this table also knows patch releases.
"""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Release: TypeAlias = tuple[int, int]
    """Minor and patch: (36, 2) is 1.36.2."""
    Behaviour: TypeAlias = frozenset[str]

LAST = 1 << 16
"""In place of a patch: the newest one of the minor release."""
NEWEST: Behaviour = frozenset()

# Strategic merge patches: k8s.io/apimachinery/pkg/util/strategicpatch

STORES_DELETE_LISTS = "strategic: a `$deleteFromPrimitiveList` for a list that live lacks becomes this list"
STORES_NULLS = "strategic: nulls in a map or list that live lacks are stored"
STORES_DIRECTIVES = "strategic: `$patch` in a map or list that live lacks is stored"
REPLACES_BY_DELETE_LISTS = "strategic: a `$deleteFromPrimitiveList` for a list without the strategy merge replaces it"

# JSON merge patches by kubectl: k8s.io/apimachinery/pkg/util/jsonmergepatch

SENDS_EMPTY_MAPS = "JSON merge: parts of a three-way patch without changes are sent as empty maps"

TABLE: tuple[tuple[str, Release, Release], ...] = (
    (SENDS_EMPTY_MAPS, (0, 0), (10, LAST)),
    (STORES_DELETE_LISTS, (0, 0), (22, LAST)),
    (STORES_NULLS, (0, 0), (23, LAST)),
    (STORES_DIRECTIVES, (0, 0), (27, LAST)),
    (REPLACES_BY_DELETE_LISTS, (0, 0), (27, LAST)),
)
"""Rows of behaviour, first and last release. A behaviour that was backported has a row for each minor release."""


@lru_cache(maxsize=256)
def behaviour_of(minor: int | None, patch: int | None = None) -> Behaviour:
    """The behaviours of a release; without a patch, of its newest one. Without a minor, those of the newest release."""
    if minor is None:
        return NEWEST
    release = (minor, LAST if patch is None else patch)
    return frozenset([name for name, first, last in TABLE if first <= release <= last])
