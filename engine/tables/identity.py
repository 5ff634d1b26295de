"""What an element of a list really is: the merge key, and the further keys where the specification has them.

Two ports 53, one for TCP and one for UDP, are two elements. The merge key of strategic merge patch cannot say so.
"""

from __future__ import annotations

from ..errors import BadMergeKey, MissingMergeKey, MixedElements, RepeatedElement
from ..values.plain import identity, kind_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..paths import Step
    from ..values.plain import Object
    from .shapes import Field

    Name = tuple[Any, ...]
    """What identifies an element: its values under the keys of its list, by JSON type."""


class Keys:
    """The keys by which the elements of one list are told apart; the merge key first.

    A key that an element lacks stands for its default (no `protocol` is `TCP`).
    """

    __slots__ = ("defaults", "names")

    def __init__(self, field: Field) -> None:
        rule = field.rule
        names = [field.merge_key]
        if rule.list_type == "map" and field.merge_key in rule.map_keys:
            names += [key for key in rule.map_keys if key != field.merge_key]
        self.names = tuple(names)
        known = field.element.fields
        self.defaults = tuple(known[key].rule.default if key in known else None for key in names)

    @property
    def finer(self) -> tuple[str, ...]:
        """The keys besides the merge key."""
        return self.names[1:]

    def of(self, element: Any) -> Name:
        """What identifies this element."""
        if type(element) is not dict:
            raise MixedElements([kind_name(element)])
        if element.get(self.names[0]) is None and self.defaults[0] is None:
            raise MissingMergeKey(self.names[0], element)
        values = [element.get(key) for key in self.names]
        return tuple(identity(given if given is not None else default) for given, default in self._with(values))

    def _with(self, values: list[Any]) -> zip[tuple[Any, Any]]:
        return zip(values, self.defaults, strict=True)

    def step(self, element: Object) -> Step:
        """The element in a path: `[port=53,protocol=UDP]`."""
        return tuple((key, element[key]) for key in self.names if key in element)

    def index(self, elements: list[Any]) -> dict[Name, Any]:
        """The elements by what identifies them; the first of equal ones counts."""
        found: dict[Name, Any] = {}
        for element in elements:
            found.setdefault(self.of(element), element)
        return found

    def check_unique(self, elements: list[Any]) -> None:
        """Refuse a list in which two elements are one."""
        first: dict[Name, int] = {}
        for position, element in enumerate(elements):
            other = first.setdefault(self.of(element), position)
            if other != position:
                raise RepeatedElement(self.step(element), (other, position))


class Values:
    """A list of scalars that merges: each value is what identifies it."""

    __slots__ = ()

    def of(self, element: Any) -> Any:
        """What identifies this value, which must be a scalar and not null."""
        if element is None or type(element) in (dict, list):
            raise MixedElements([kind_name(element)]) if element is None else BadMergeKey(element)
        return identity(element)

    def check_unique(self, elements: list[Any]) -> None:
        """Refuse a list that has a value twice."""
        first: dict[Any, int] = {}
        for position, element in enumerate(elements):
            other = first.setdefault(self.of(element), position)
            if other != position:
                raise RepeatedElement((("", element),), (other, position))
