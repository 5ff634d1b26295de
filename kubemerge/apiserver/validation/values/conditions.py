"""Conditions of `meta/v1`, which many kinds share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...problems import Problem, duplicate, invalid, required, too_long, unsupported
from ...unchecked import as_map, as_number, as_text, maps
from ..eras import CONDITION_TYPES, CONDITION_TYPES_BEFORE, EMPTY_CONDITION, EMPTY_CONDITION_BEFORE
from ..names import USED, key
from .formats import required_explained

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

STATUSES = ("False", "True", "Unknown")
_REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?"
_NO_REASON = (
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric "
    "characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or "
    f"'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', {USED} '{_REASON}')"
)


def conditions(content: Object, _: Object) -> Iterator[Problem]:
    """Validate all conditions in a status."""
    seen: set[str] = set()
    for index, one in maps(as_map(content.get("status")), "conditions"):
        at, type_ = f"status.conditions[{index}]", as_text(one.get("type"))
        if type_ in seen:
            yield from CONDITION_TYPES_BEFORE.limit([duplicate(f"{at}.type", type_)])
            yield from CONDITION_TYPES.limit([duplicate(at, type_)])
        seen.add(type_)
        yield from condition(at, one)


def condition(at: str, one: Object) -> Iterator[Problem]:
    """Validate one condition."""
    type_, status, reason = (as_text(one.get(field)) for field in ("type", "status", "reason"))
    wrong_type = [invalid(f"{at}.type", type_, why) for why in key(type_)]
    yield from wrong_type if type_ else EMPTY_CONDITION_BEFORE.limit(wrong_type)
    if not type_:
        yield from EMPTY_CONDITION.limit([required(f"{at}.type", "is required")])
    wrong_status = [unsupported(f"{at}.status", status, STATUSES)] if status not in STATUSES else []
    yield from wrong_status if status else EMPTY_CONDITION_BEFORE.limit(wrong_status)
    if not status:
        yield from EMPTY_CONDITION.limit([required(f"{at}.status")])
    if (as_number(one.get("observedGeneration")) or 0) < 0:
        yield invalid(f"{at}.observedGeneration", one["observedGeneration"], "must be greater than or equal to zero")
    if not one.get("lastTransitionTime"):
        yield from required_explained(f"{at}.lastTransitionTime", "must be set")
    if not reason:
        yield from required_explained(f"{at}.reason", "must be set")
    elif not re.fullmatch(_REASON, reason):
        yield invalid(f"{at}.reason", reason, _NO_REASON)
    if len(reason.encode()) > 1024:
        yield too_long(f"{at}.reason", 1024)
    if len(as_text(one.get("message")).encode()) > 32 * 1024:
        yield too_long(f"{at}.message", 32768)
