"""Duplicate ownerReferences, which a server removes with a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.go_json import encode

from .unchecked import as_map, as_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from .protocol import Object

SINCE = 20
"""The first minor release that removes them."""
_REST = (
    "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your "
    "requests; duplicate UID(s) observed: {}"
)
SENT = f".metadata.ownerReferences contains duplicate entries; {_REST}"
PATCHED = f".metadata.ownerReferences contains duplicate entries after mutating admission happens; {_REST}"
"""The warning about a patch, and about duplicates that an admission plugin adds."""


def without_duplicates(content: Object, minor: int, warn: Callable[[str], None], text: str) -> Object:
    """Return the object without duplicate ownerReferences. Warn about the uids of the duplicates."""
    metadata = as_map(content.get("metadata"))
    owners = metadata.get("ownerReferences")
    if not isinstance(owners, list) or len(owners) < 2 or minor < SINCE:
        return content
    kept, repeated, seen = [], [], set()
    for one in owners:
        given = {field: value for field, value in sorted(as_map(one).items()) if value is not None}
        key = encode(given or one)
        if key in seen:
            repeated.append(as_text(given.get("uid")))
        else:
            seen.add(key)
            kept.append(one)
    if not repeated:
        return content
    warn(text.format(", ".join(repeated)))
    return {**content, "metadata": {**metadata, "ownerReferences": kept}}
