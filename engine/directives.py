"""The words with a meaning of their own: in a strategic merge patch, and the name of apply's annotation."""

from __future__ import annotations

ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"
"""Where `kubectl apply` keeps what it applied last."""

PATCH = "$patch"
"""In a map or in an element of a list: what happens to the whole of it."""
REPLACE = "replace"
DELETE = "delete"

RETAIN = "$retainKeys"
"""In a map: the keys that may stay; all others go."""
ORDER = "$setElementOrder"
"""Before a slash and the name of a list: the order that its elements shall have."""
REMOVE = "$deleteFromPrimitiveList"
"""Before a slash and the name of a list: the scalars that go from it."""

_PREFIXES = (PATCH, RETAIN, ORDER, REMOVE)


def is_directive(key: object) -> bool:
    """Whether a key would be read as a directive of a patch: it begins like one."""
    return isinstance(key, str) and key[:1] == "$" and key.startswith(_PREFIXES)
