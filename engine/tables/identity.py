"""The identity of list elements: the one definition for all code that merges, compares or explains lists.

Port 53 for TCP and port 53 for UDP are two elements. The merge key of a strategic merge patch cannot distinguish them,
but the full identity can. Values are compared by JSON type: True, 1 and 1.0 are three values.
"""

from __future__ import annotations

from collections import Counter

from ..errors import BadMergeKey, MissingMergeKey, MixedElements, RepeatedElement
from ..values.go_json import encode
from ..values.plain import ABSENT, identity, kind_name, same
from .rules import SCALARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
    from typing import Any

    from ..errors import MergeError
    from ..values.plain import Object
    from .rules import Rule
    from .types import Types

    KeyStep = tuple[tuple[str, Any], ...]
    """The step of an element in a path: each key with its value."""


class Keys:
    """The keys that identify the elements of one list.

    merge_key  the one field that a strategic merge patch compares, or None
    names      the fields of the full identity, the merge key first; empty where the elements are scalars
    defaults   the value of a key that is missing or null (`TCP` for `protocol`). None if it has no default, or only a
               zero value as the merge key, which a strategic merge patch of a built-in kind requires
    """

    __slots__ = ("_others", "defaults", "merge_key", "names")

    def __init__(self, rule: Rule, types: Types | None) -> None:
        fields = fields_of_elements(rule, types)
        self.merge_key = rule.merge_key
        self.names = _names(rule, fields)
        self.defaults = {name: fields[name].default if name in fields else None for name in self.names}
        zero_is_sent = types is not None and rule.of is not None and types.is_custom(rule.of)
        if self.merge_key and not self.defaults[self.merge_key] and not zero_is_sent:
            self.defaults[self.merge_key] = None
        self._others = tuple(self.defaults.items())[1:]

    @property
    def extra(self) -> tuple[str, ...]:
        """The keys after the merge key. Elements with the same merge key can differ in them."""
        return self.names[1:] if self.merge_key else ()

    def full(self, item: Any) -> Hashable:
        """The full identity as a dict key; None for an element that has none."""
        if not self.names:
            return None if item is None or type(item) in (dict, list) else identity(item)
        values = self._values(item)
        return None if values is None else tuple([value if type(value) is str else identity(value) for value in values])

    def merged_by(self, item: Any) -> Hashable:
        """The identity in a strategic merge patch as a dict key; None for an element that has none."""
        if self.merge_key is None:
            return self.full(item) if not self.names else None
        value = item.get(self.merge_key, ABSENT) if type(item) is dict else ABSENT
        return None if value is ABSENT or type(value) in (dict, list) else identity(value)

    def required(self, item: Any) -> Hashable:
        """The full identity of an element; an error if it has none."""
        found = self.full(item)
        if found is None:
            raise self._fault(item)
        return found

    def key_value(self, item: Any) -> Any:
        """The value of the merge key in an element; an error if it is missing."""
        if self.merge_key is None or type(item) is not dict or self.merge_key not in item:
            raise MissingMergeKey(self.merge_key or "", item)
        return item[self.merge_key]

    def step(self, item: Any) -> KeyStep | None:
        """The full identity as a path step, with defaults for missing keys; None if there is none."""
        if not self.names:
            return None if self.full(item) is None else (("", item),)
        values = self._values(item)
        return None if values is None else tuple(zip(self.names, values, strict=True))

    def short_step(self, item: Any) -> KeyStep | None:
        """The merge key alone as a path step; the full identity if there is no merge key."""
        if self.merge_key is None or self.merged_by(item) is None:
            return self.step(item)
        return ((self.merge_key, item[self.merge_key]),)

    def same_extra(self, one: Object, other: Object) -> bool:
        """True if two elements agree in the keys after the merge key; faster than comparing identities."""
        for name, default in self._others:
            ours, theirs = one.get(name, default), other.get(name, default)
            if type(ours) is str and type(theirs) is str:
                if ours != theirs:
                    return False
            elif not same(default if ours is None else ours, default if theirs is None else theirs):
                return False
        return True

    def index(self, items: Iterable[Any]) -> dict[Hashable, Any]:
        """The elements by full identity, which each must have; the first of equal elements counts."""
        found: dict[Hashable, Any] = {}
        for item in items:
            found.setdefault(self.required(item), item)
        return found

    def check_unique(self, items: list[Any]) -> None:
        """Raise an error for a list with a repeated element, or an element without identity."""
        first: dict[Hashable, int] = {}
        for position, item in enumerate(items):
            other = first.setdefault(self.required(item), position)
            if other != position:
                raise RepeatedElement(self.step(item) or 0, (other, position))

    def _values(self, item: Any) -> list[Any] | None:
        """The values of all keys; None if the element lacks required keys."""
        if type(item) is not dict:
            return None
        values = [default if (value := item.get(name)) is None else value for name, default in self.defaults.items()]
        for value in values:
            kind = type(value)
            if kind is dict or kind is list:
                return None
        if values[0] is not None:
            return values
        return None if self.merge_key or not any(value is not None for value in values) else values

    def _fault(self, item: Any) -> MergeError:
        """The error for an element without identity."""
        if item is None or (self.names and type(item) is not dict):
            return MixedElements([kind_name(item)])
        if not self.names:
            return BadMergeKey(item)
        first = self.names[0]
        if item.get(first) is None and self.defaults[first] is None:
            return MissingMergeKey(first, item)
        return BadMergeKey(next(value for name in self.names if type(value := item.get(name)) in (dict, list)))


def _names(rule: Rule, fields: Mapping[str, Rule]) -> tuple[str, ...]:
    """The fields of the full identity.

    Older specifications (1.7 to 1.13, some lists until 1.29) do not state the map keys, only the merge key. But a field
    with a default other than "" or 0 is a key in all later specifications, and the API has always worked that way.
    """
    names = rule.map_keys if rule.list_type == "map" else ()
    if rule.merge_key:
        others = [name for name in names if name != rule.merge_key] if rule.merge_key in names else ()
        names = (rule.merge_key, *others)
    if names and rule.derived:
        names += tuple([name for name, field in fields.items() if field.default and name not in names])
    return names


def fields_of_elements(rule: Rule, types: Types | None) -> Mapping[str, Rule]:
    """The fields of the elements of a list; empty for scalars."""
    if rule.of is None or rule.of in SCALARS or types is None:
        return {}
    struct = types.struct(types[rule.of].rule)
    return struct.fields if struct else {}


def index_unique(items: list[Any], name: Callable[[Any], Hashable]) -> dict[Hashable, Any] | None:
    """The elements by `Keys.full` or `Keys.merged_by`; None if one has no identity or two share one."""
    found = {name(item): item for item in items}
    return None if None in found or len(found) < len(items) else found


class ElementLabels:
    """Path steps for elements: by the merge key where it is unique in the given lists, else by all keys."""

    __slots__ = ("_keys", "_shared")

    def __init__(self, keys: Keys, *lists: list[Any]) -> None:
        self._keys = keys
        counts = (Counter(name for item in items if (name := keys.merged_by(item)) is not None) for items in lists)
        self._shared = {name for count in counts for name, times in count.items() if times > 1}

    def of(self, item: Any) -> KeyStep | None:
        """The path step of an element; None if it has no identity."""
        short = self._keys.merged_by(item) not in self._shared
        return self._keys.short_step(item) if short else self._keys.step(item)


def matches_step(item: Any, step: KeyStep) -> bool:
    """True if a path step identifies this element, by its keys or as the scalar under the empty key."""
    return all(
        same(item, value) if not key else type(item) is dict and same(item.get(key), value) for key, value in step
    )


def values_identity(values: list[Any]) -> Hashable:
    """The values of some keys as a dict key, which is equal for values that are the same."""
    return tuple([(type(one), encode(one)) if type(one) in (dict, list) else identity(one) for one in values])


class ElementFinder:
    """Finds list elements as `matches_step` does. Each list is searched once for all steps with the same keys."""

    __slots__ = ("_indexes",)

    def __init__(self) -> None:
        self._indexes: dict[tuple[int, tuple[str, ...]], tuple[list[Any], dict[Hashable, list[int]]]] = {}

    def matching(self, items: list[Any], step: KeyStep) -> list[Any]:
        """The elements that a path step identifies."""
        return [items[place] for place in self.places(items, step)]

    def places(self, items: list[Any], step: KeyStep) -> Iterator[int]:
        """The positions of the elements that a path step identifies."""
        names = tuple([name for name, _ in step])
        known = self._indexes.get((id(items), names))
        if known is None:  # the list is kept, so that no other one gets its number
            known = self._indexes[id(items), names] = items, _places_by_values(items, names)
        for place in known[1].get(values_identity([value for _, value in step]), ()):
            if matches_step(items[place], step):
                yield place


def _places_by_values(items: list[Any], names: tuple[str, ...]) -> dict[Hashable, list[int]]:
    """The positions of elements by the values of some keys; the empty key is the element itself."""
    found: dict[Hashable, list[int]] = {}
    for place, item in enumerate(items):
        if type(item) is dict or not any(names):
            values = [item.get(name) if name else item for name in names]
            found.setdefault(values_identity(values), []).append(place)
    return found
