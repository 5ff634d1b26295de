"""Reading fields of objects that were not validated: a value of a wrong type counts as missing."""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Object = dict[str, Any]


def as_map(value: Any) -> Object:
    """The value if it is a map, else an empty map."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The value if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


def maps(owner: Object, field: str) -> Iterator[tuple[int, Object]]:
    """The maps in a list field, with their indexes."""
    items = owner.get(field)
    if not items or not isinstance(items, list):
        return iter(())  # as nearly always: a Pod alone has some sixty such lists
    return ((index, item) for index, item in enumerate(items) if isinstance(item, dict))


def find_condition(conditions: Any, type_: str) -> Object:
    """The first condition of this type in a list of conditions, or an empty map."""
    return next((one for one in as_list(conditions) if isinstance(one, dict) and one.get("type") == type_), {})


def condition_of(owner: Object, type_: str) -> Object:
    """The first condition of this type in the status, or an empty map."""
    return find_condition(get_path(owner, "status.conditions"), type_)


def has_condition(owner: Object, type_: str) -> bool:
    """Whether the first condition of this type in the status is true."""
    return condition_of(owner, type_).get("status") == "True"


def get_path(owner: Any, path: str) -> Any:
    """The value at a dotted path, or None."""
    for part in _parts(path):
        if not isinstance(owner, dict):
            return None
        owner = owner.get(part)
    return owner


@lru_cache(maxsize=4096)
def _parts(path: str) -> list[str]:
    return path.split(".")


def as_text(value: Any) -> str:
    """The value if it is a string, else an empty string."""
    return value if isinstance(value, str) else ""


def as_number(value: Any) -> int | None:
    """The value if it is an integer, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
