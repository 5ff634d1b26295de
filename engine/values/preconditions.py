"""Fields that a patch must not change."""

from __future__ import annotations

from ..errors import PreconditionFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .plain import Object


def require_unchanged(patch: Object, unchanged: Sequence[str]) -> Object:
    """The patch; an error if it changes one of these fields ("kind", "metadata.name")."""
    changed = [path for path in unchanged if _touches(patch, path.split("."))]
    if changed:
        raise PreconditionFailed(changed, patch)
    return patch


def _touches(patch: object, fields: Sequence[str]) -> bool:
    if not isinstance(patch, dict) or fields[0] not in patch:
        return False
    return len(fields) == 1 or _touches(patch[fields[0]], fields[1:])
