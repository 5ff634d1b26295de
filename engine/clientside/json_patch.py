"""JSON patches (RFC 6902) between two objects.

Maps are compared key by key. List elements are matched by their identity if they keep their order, so an element that
was inserted at the front does not rewrite the others. A list in another order is replaced.
"""

from __future__ import annotations

from ..errors import BadMergeKey
from ..tables.identity import Keys
from ..tables.schema import ANYTHING
from ..values.plain import copied, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Any

    from ..tables.rules import Rule
    from ..tables.schema import Schema
    from ..values.plain import Object


def operations(before: Object | None, after: Object, schema: Schema | None, *, test: bool = False) -> list[Object]:
    """The operations that turn `before` into `after`, in the order in which they must run."""
    patch = _Patch(schema, test)
    if before is None:
        patch.put("replace", "", after)
    else:
        patch.compare("", before, after, schema.type.rule if schema else None)
    return patch.operations


class _Patch:
    def __init__(self, schema: Schema | None, test: bool) -> None:
        self._schema, self._test = schema, test
        self.operations: list[Object] = []

    def put(self, op: str, path: str, value: Any) -> None:
        self.operations.append({"op": op, "path": path, "value": copied(value)})

    def _replace(self, path: str, before: Any, after: Any) -> None:
        if self._test:
            self.put("test", path, before)
        self.put("replace", path, after)

    def _remove(self, path: str, before: Any) -> None:
        if self._test:
            self.put("test", path, before)
        self.operations.append({"op": "remove", "path": path})

    def compare(self, path: str, before: Any, after: Any, rule: Rule | None) -> None:
        """Add the operations that turn one value into another."""
        kind = type(after)
        if kind is type(before) and kind is dict:
            self._maps(path, before, after, rule)
        elif same(before, after):
            return
        elif kind is type(before) and kind is list and before and after:
            self._lists(path, before, after, rule)
        else:
            self._replace(path, before, after)

    def _maps(self, path: str, before: Object, after: Object, rule: Rule | None) -> None:
        for key in [key for key in before if key not in after]:
            self._remove(f"{path}/{_escape(key)}", before[key])
        for key, value in after.items():
            at = f"{path}/{_escape(key)}"
            if key in before:
                self.compare(at, before[key], value, self._schema.field(rule, key) if self._schema else None)
            else:
                self.put("add", at, value)

    def _lists(self, path: str, before: list[Any], after: list[Any], rule: Rule | None) -> None:
        element = self._schema.inside(rule)[0] if self._schema and rule and rule.kind == "list" else None
        olds, news = self._names(before, rule), self._names(after, rule)
        if olds is None or news is None:
            self._by_position(path, before, after, element)
            return
        places, wanted = {name: at for at, name in enumerate(olds)}, {*news}
        kept = [name for name in olds if name in wanted]
        if not kept or kept != [name for name in news if name in places]:
            self._replace(path, before, after)
            return
        for at in range(len(before) - 1, -1, -1):
            if olds[at] not in wanted:
                self._remove(f"{path}/{at}", before[at])
        for at, name in enumerate(news):
            if name in places:
                self.compare(f"{path}/{at}", before[places[name]], after[at], element)
            else:
                self.put("add", f"{path}/{at}", after[at])

    def _names(self, items: list[Any], rule: Rule | None) -> Sequence[Hashable] | None:
        """The identity of each element; None if the elements have no unique identities."""
        keys = Keys(rule or ANYTHING, self._schema.types if self._schema else None)
        try:
            names = [keys.full(item) for item in items]
        except BadMergeKey:
            return None
        return None if None in names or len({*names}) < len(names) else names

    def _by_position(self, path: str, before: list[Any], after: list[Any], element: Rule | None) -> None:
        """Compare elements without unique identities: equal ends stay, the rest is compared by position."""
        start, end = _ends(before, after)
        olds, news = before[start : len(before) - end], after[start : len(after) - end]
        for at in range(len(olds) - 1, len(news) - 1, -1):
            self._remove(f"{path}/{start + at}", olds[at])
        for at, value in enumerate(news):
            if at < len(olds):
                self.compare(f"{path}/{start + at}", olds[at], value, element)
            else:
                self.put("add", f"{path}/{start + at}", value)


def _ends(before: list[Any], after: list[Any]) -> tuple[int, int]:
    """The number of equal elements at the start and, of the rest, at the end."""
    most = min(len(before), len(after))
    start = next((at for at in range(most) if not same(before[at], after[at])), most)
    end = next((at for at in range(most - start) if not same(before[-1 - at], after[-1 - at])), most - start)
    return start, end


def _escape(key: str) -> str:
    """Escape a key for a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")
