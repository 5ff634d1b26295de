"""Path elements of list items: by the keys of the list or by the value itself."""

from __future__ import annotations

from ...values.kept import LONGEST
from ..fields.path_elements import key_element, text_key_element, value_element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .schema import List


class InvalidListItem(Exception):
    """A value that cannot be an element of its list. The text is the API server's reason."""


def path_element_of(item: Any, part: List) -> str:
    """The path element of an item of a list that is not atomic."""
    if not part.keys:
        return _of_set(item)
    if type(item) is not dict:
        what = "a null element" if item is None else "non-map elements"
        raise InvalidListItem(f"associative list with keys may not have {what}")
    if len(part.keys) == 1:  # the most frequent case, called many times for each element
        only = part.keys[0][0]
        text = item.get(only)
        if type(text) is str and len(text) <= LONGEST:
            return text_key_element(only, text)
    pairs = []
    for name, default in part.keys:
        value = item.get(name, default)
        if value is not None or name in item:
            pairs.append((name, value))
        elif part.requires_keys:
            what = f'omits key field "{name}" (and doesn\'t have default value)'
            raise InvalidListItem(f"associative list with keys has an element that {what}")
    if not pairs:
        raise InvalidListItem(_without_keys([name for name, _ in part.keys]))
    return key_element(pairs)


def _without_keys(names: list[str]) -> str:
    quoted = " ".join([f'"{name}"' for name in names])
    return (
        f"associative list with keys has an element that omits all key fields [{quoted}] "
        "(and doesn't have default values for any key fields)"
    )


def _of_set(item: Any) -> str:
    kind = type(item)
    if kind is dict:
        raise InvalidListItem("associative list without keys has an element that's a map type")
    if kind is list:
        raise InvalidListItem("not supported: associative list with lists as elements")
    if item is None:
        raise InvalidListItem("associative list without keys has an element that's an explicit null")
    return value_element(item)


UNKNOWN_ITEM = "?:"
"""The path element of an item that lost its keys during an apply's pruning; it has no owner."""


def path_elements_of(items: list[Any], part: List) -> list[str]:
    """The path elements of all items, in order. The items of objects have been validated."""
    try:
        return [path_element_of(item, part) for item in items]
    except InvalidListItem:
        return [_known_or_not(item, part) for item in items]


def _known_or_not(item: Any, part: List) -> str:
    try:
        return path_element_of(item, part)
    except InvalidListItem:
        return UNKNOWN_ITEM
