"""The objects that Argo CD sends with RespectIgnoreDifferences=true: ignored fields have their live values.

It follows `normalizeTargetResources` of Argo CD v3.6.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine
from engine.values.plain import ABSENT, copied, same

if TYPE_CHECKING:
    from engine import Schema

    Object = dict[str, Any]


def with_live_values(
    live: Object, normalized_live: Object, target: Object, normalized_target: Object, schema: Schema | None
) -> Object:
    """The object to send. The normalized states lack ignored fields."""
    before, after = (_without_status(one) for one in (normalized_live, live))
    if schema is None:
        patch = engine.two_way_patch(before, after, None)
    else:
        patch = engine.three_way_patch(after, after, before, schema)
    patched: Object = copied(engine.apply_patch(normalized_target, patch, schema))
    _restore(patched, target, normalized_target, normalized_live)
    return patched


def _without_status(content: Object) -> Object:
    return {key: value for key, value in content.items() if key != "status"}


def _restore(patched: Object, original: Object, normalized: Object, live: Object) -> None:
    """Undo changes of fields that are not ignored. Such changes occur where a parent is replaced as a whole."""
    for key, value in original.items():
        now, plain = patched.get(key, ABSENT), normalized.get(key, ABSENT)
        if isinstance(now, dict) and isinstance(value, dict) and isinstance(plain, dict):
            inner = live.get(key)
            _restore(now, value, plain, inner if isinstance(inner, dict) else {})
        elif plain is not ABSENT and same(plain, value) and (now is ABSENT or not same(now, value)):
            patched[key] = copied(value)
    for key in [key for key in patched if key not in original and key in live]:
        del patched[key]
