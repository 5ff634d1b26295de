"""Directives of strategic merge patches, and the name of the last-applied annotation."""

from __future__ import annotations

ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"
"""The annotation in which `kubectl apply` stores the config that it applied last."""

PATCH = "$patch"
"""In a map or a list element: replace or delete it as a whole."""
REPLACE = "replace"
DELETE = "delete"

RETAIN = "$retainKeys"
"""In a map: the keys to keep; all others are removed."""
ORDER = "$setElementOrder"
"""`$setElementOrder/NAME`: the order of the elements of the list NAME."""
REMOVE = "$deleteFromPrimitiveList"
"""`$deleteFromPrimitiveList/NAME`: the scalars to remove from the list NAME."""

_PREFIXES = (PATCH, RETAIN, ORDER, REMOVE)


def is_directive(key: object) -> bool:
    """True if a key starts like a directive and so would be read as one."""
    return isinstance(key, str) and key[:1] == "$" and key.startswith(_PREFIXES)
