"""The lossless three-way patch: the exact patch if it is safe, else another valid patch."""

from __future__ import annotations

from ..errors import MergeError
from ..strategic.fast import apply_by
from ..strategic.one_pass import NeedsGeneralPath, full_three_way, quick_three_way
from ..values.plain import ABSENT, copied, same
from .hazards import identities_agree, is_harmless
from .merge import merge_maps
from .object_patch import patch_between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tables.patch_schema import PatchSchema
    from ..values.plain import Object


def safe_patch(last: Object, config: Object, live: Object, schema: PatchSchema) -> Object:
    """The patch from `live` to the lossless merge (see `merge_maps`); empty if nothing changes."""
    patch = _exact_if_harmless(last, config, live, schema)
    if patch is not None:
        if not patch or _surely_changes(patch, live) or not same(apply_by(schema).maps(live, patch, schema), live):
            return patch
        return {}
    copied([last, config, live])  # raises an error for values that are not plain
    wanted = merge_maps(config, last, live, schema)
    if same(wanted, live):
        return {}
    try:
        patch = full_three_way(last, config, live, schema)
        if same(apply_by(schema).maps(live, patch, schema), wanted):
            return patch
    except MergeError:
        pass  # the reference fails here, the lossless merge does not
    return patch_between(live, wanted, schema)


def _surely_changes(patch: Object, live: Object) -> bool:
    """True if a patch certainly changes a live object; if False, it has to be applied to find out."""
    for key, value in patch.items():
        kind = type(value)
        if kind is list or key[:1] == "$":
            continue
        old = live.get(key, ABSENT)
        if value is None:
            if old is not ABSENT:
                return True
        elif kind is dict:
            if type(old) is dict and _surely_changes(value, old):
                return True
        elif not same(old, value):
            return True
    return False


def _exact_if_harmless(last: Object, config: Object, live: Object, schema: PatchSchema) -> Object | None:
    """The exact patch if it is known to be safe, else None."""
    try:
        patch = quick_three_way(last, config, live, schema)
        return patch if is_harmless(patch, live, schema) and identities_agree(config, last, live, schema) else None
    except (NeedsGeneralPath, MergeError, TypeError, LookupError, AttributeError):
        return None  # the full patch raises the error with its path
