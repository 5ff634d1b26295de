"""Values without nulls: what is left of an object that went through the Go types of its kind."""

from __future__ import annotations

from ...values.plain import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def without_nulls(value: Any) -> Any:
    """A value without the fields that are null; it is the same one if there are none."""
    kind = type(value)
    if kind is dict:
        result = value
        for key, inner in value.items():
            known = type(inner)
            if inner is None:
                new = ABSENT
            elif known is dict or known is list:
                new = without_nulls(inner)
            else:
                continue
            if new is not inner:
                result = dict(value) if result is value else result
                if new is ABSENT:
                    del result[key]
                else:
                    result[key] = new
        return result
    if kind is list:
        items = [without_nulls(item) if type(item) in (dict, list) else item for item in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value
