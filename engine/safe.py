"""The three-way patch that loses nothing: the exact one wherever that is right, another valid one where it is not."""

from __future__ import annotations

from .desired import desired_maps
from .errors import MergeError
from .hazards import is_harmless, tells_apart
from .merge import APPLY
from .reconcile import Irregular, long_way, reconciled
from .settle import settled_patch
from .values import same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .shapes import Shape
    from .values import Object


def safe_patch(last: Object, config: Object, live: Object, shape: Shape) -> Object:
    """The patch that brings `live` to what config means (see `desired`); empty if it would change nothing."""
    patch = _regular(last, config, live, shape)
    if patch is not None:
        return patch if patch and not same(APPLY.maps(live, patch, shape), live) else {}
    wanted = desired_maps(config, last, live, shape)
    if same(wanted, live):
        return {}
    try:
        patch = long_way(last, config, live, shape)
        if same(APPLY.maps(live, patch, shape), wanted):
            return patch
    except MergeError:
        pass  # the reference has no answer here, and we have
    return settled_patch(live, wanted, shape)


def _regular(last: Object, config: Object, live: Object, shape: Shape) -> Object | None:
    """The exact patch of documents without any hazard; None where there may be one."""
    try:
        patch = reconciled(last, config, live, shape)
        return patch if is_harmless(patch, live, shape) and tells_apart(config, last, live, shape) else None
    except (Irregular, MergeError, TypeError, LookupError, AttributeError):
        return None  # whatever is wrong, the long way finds it and says where
