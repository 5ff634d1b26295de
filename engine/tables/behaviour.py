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
"""The patch number that stands for the newest patch release."""
NEWEST: Behaviour = frozenset()

# Strategic merge patches: k8s.io/apimachinery/pkg/util/strategicpatch

STORES_DELETE_LISTS = "strategic: a `$deleteFromPrimitiveList` for a list that live lacks becomes this list"
STORES_NULLS = "strategic: nulls in a map or list that live lacks are stored"
STORES_DIRECTIVES = "strategic: `$patch` in a map or list that live lacks is stored"
REPLACES_BY_DELETE_LISTS = "strategic: a `$deleteFromPrimitiveList` for a list without the strategy merge replaces it"

# kubectl, taken to be of the same release: k8s.io/kubectl and k8s.io/apimachinery/pkg/util/jsonmergepatch

SENDS_EMPTY_MAPS = "kubectl: parts of a JSON merge patch without changes are sent as empty maps"
READS_NO_RULES = "kubectl: merge rules are not read from the server, only those of compiled types are known"
SENDS_NULLS = "kubectl: a new object is sent with its nulls"
READS_NO_NULL_ANNOTATIONS = "kubectl, server-side: a config with a null annotation loses all in last-applied"

# Server-side apply: sigs.k8s.io/structured-merge-diff

APPENDS_NEW_ELEMENTS = "server-side: a merged list has the order of live, and new elements at its end"
IGNORES_ORDER = "server-side: an apply that changes only the order of a list changes nothing"
SHARES_CONFLICT_PATHS = "server-side: a conflict may name the path of another conflict"
REJECTS_DUPLICATES = "server-side: an object with repeated list elements has no types"
OWNS_UNTYPED_AS_WHOLE = "server-side: a value for which the schema has no type is owned as a whole"
REQUIRES_ALL_KEYS = "server-side: a list element without one of its keys is an error if the key has no default"
KEEPS_EMPTIED_FIELDS = "server-side: a map or list from which an apply removes everything stays, empty"

# Field managers: k8s.io/apimachinery/pkg/util/managedfields, before 1.27 k8s.io/apiserver

NAMES_NO_OBJECT = "managers: the error for a value of a wrong type does not name the object"
CLEARS_MANAGERS = "managers: managedFields are removed if they cannot be computed"
TIMES_BY_FIELDS = "managers: the time of an entry changes with its fields, and never changes back"
TIMES_CUSTOM_RESOURCES = "managers: a write that changes nothing sets the time in a custom resource"
IGNORES_SUBRESOURCES = "managers: entries name no subresource, and a write to the subresource scale has none"
PRINTS_TEMPLATE_TIMES = "managers: the metadata of a template without a creationTimestamp has null, as Go prints it"
DEDUCES_WITH_INT_OR_STRING = (
    "managers: the types of a custom resource are deduced if its schema has a field that is an integer or a string"
)
OWNS_RESET_FIELDS = "managers: fields that a write cannot change are owned"
LACKS_SCALE_TYPE = (
    "managers: a Scale of a custom resource has no type, so a write of it leaves its replicas without owner"
)

TABLE: tuple[tuple[str, Release, Release], ...] = (
    (SENDS_EMPTY_MAPS, (0, 0), (10, LAST)),
    (READS_NO_RULES, (0, 0), (25, LAST)),
    (SENDS_NULLS, (0, 0), (30, LAST)),
    (READS_NO_NULL_ANNOTATIONS, (0, 0), (32, LAST)),
    (STORES_DELETE_LISTS, (0, 0), (22, LAST)),
    (STORES_NULLS, (0, 0), (23, LAST)),
    (STORES_DIRECTIVES, (0, 0), (27, LAST)),
    (REPLACES_BY_DELETE_LISTS, (0, 0), (27, LAST)),
    (APPENDS_NEW_ELEMENTS, (0, 0), (21, 8)),
    (APPENDS_NEW_ELEMENTS, (22, 0), (22, 5)),
    (APPENDS_NEW_ELEMENTS, (23, 0), (23, 1)),
    (IGNORES_ORDER, (0, 0), (28, LAST)),
    (SHARES_CONFLICT_PATHS, (0, 0), (28, LAST)),
    (REJECTS_DUPLICATES, (0, 0), (28, LAST)),
    (OWNS_UNTYPED_AS_WHOLE, (0, 0), (22, LAST)),
    (REQUIRES_ALL_KEYS, (0, 0), (33, LAST)),
    (KEEPS_EMPTIED_FIELDS, (36, 0), (36, 2)),
    (NAMES_NO_OBJECT, (0, 0), (22, LAST)),
    (CLEARS_MANAGERS, (0, 0), (36, LAST)),
    (TIMES_BY_FIELDS, (0, 0), (24, LAST)),
    (TIMES_CUSTOM_RESOURCES, (25, 0), (30, LAST)),
    (IGNORES_SUBRESOURCES, (0, 0), (21, LAST)),
    (LACKS_SCALE_TYPE, (0, 0), (26, LAST)),
    (PRINTS_TEMPLATE_TIMES, (0, 0), (33, LAST)),
    (DEDUCES_WITH_INT_OR_STRING, (0, 0), (20, LAST)),
    (OWNS_RESET_FIELDS, (0, 0), (20, LAST)),
)
"""Rows of behaviour, first and last release. A behaviour that was backported has a row for each minor release."""


@lru_cache(maxsize=256)
def behaviour_of(minor: int | None, patch: int | None = None) -> Behaviour:
    """The behaviours of a release; without a patch, of its newest one. Without a minor, those of the newest release."""
    if minor is None:
        return NEWEST
    release = (minor, LAST if patch is None else patch)
    return frozenset([name for name, first, last in TABLE if first <= release <= last])
