"""Words of a patch, and nulls, that end up as data."""

from __future__ import annotations

from ...directives import is_directive
from ...values.plain import ABSENT
from ..findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..context import Case
    from ..places import Place


def leaks(case: Case, place: Place) -> Iterator[Finding]:
    """KM018: a directive in the config; or a directive or null that the exact merge leaves in the object."""
    name = place.steps[-1] if place.steps else ""
    if is_directive(name):
        if place.config is not ABSENT:
            message = f"{name} is a word of patches: in a config it is misread, or stays in the object as data."
            yield Finding("KM018", place.steps, message)
        elif place.merged is not ABSENT and place.live is ABSENT:
            message = f"The patch of this apply leaves its word {name} in the object as data."
            yield Finding("KM018", place.steps, message, _APPLY_TWICE)
    elif place.merged is None and place.live is not None and case.merged is not None:
        if place.config is None:
            yield Finding("KM018", place.steps, "A null here is not followed as an instruction: it stays as data.")
        else:
            message = "The patch of this apply leaves a null in the object, as the live element is no longer there."
            yield Finding("KM018", place.steps, message, _APPLY_TWICE)


_APPLY_TWICE = "The server mostly drops it, as no field has this name or value; apply a second time to be sure."
