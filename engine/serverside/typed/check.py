"""Checks that a value fits its type, in the API server's words."""

from __future__ import annotations

from ...errors import MergeError
from ...values.plain import kind_name
from ..fields.elements import of_field, server_text
from .items import NoElement, element_of
from .shapes import List, Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .shapes import Shape

    Place = tuple[Any, ...]
    """A linked list: the place around, and the step from there."""


class WrongType(MergeError):
    """An object that does not fit its kind. `problems` are pairs: where, as the API server writes it, and what.

    `values` has, by the number of a problem, what is expected there and the value that is there instead. `doing` is
    what the API server says before the problems if it meets them while it converts the object to another apiVersion.
    """

    doing: str | None = None

    def __init__(self, problems: list[tuple[str, str]], values: dict[int, tuple[str, Any]] | None = None) -> None:
        self.problems, self.values = problems, values or {}
        texts = [f"{where}: {what}" if where else what for where, what in problems]
        super().__init__(f"{'; '.join(texts)}. Correct the value, or use the schema of a release that has the field")


def check(value: Any, shape: Shape, *, duplicates: bool) -> bool:
    """Refuse a value that does not fit its shape; `duplicates`: elements of a list may be the same one.

    Says whether a field of the value is null.
    """
    found = _Check(duplicates)
    found.value(value, shape, ())
    if found.problems:
        raise WrongType(found.problems, found.values)
    return found.nulls


class _Check:
    def __init__(self, duplicates: bool) -> None:
        self.duplicates = duplicates
        self.nulls = False
        self.problems: list[tuple[str, str]] = []
        self.values: dict[int, tuple[str, Any]] = {}

    def value(self, value: Any, shape: Shape, place: Place) -> None:
        kind = type(value)
        part = shape.parts[kind]
        if kind is dict and type(part) is Map:
            self.fields(value, part, place)
        elif kind is list and type(part) is List:
            self.items(value, part, place)
        elif value is not None and (type(part) in (Map, List) or kind not in part.accepts):  # type: ignore[union-attr]
            word = "map" if type(part) is Map else "list" if type(part) is List else part.word  # type: ignore[union-attr]
            self.values[len(self.problems)] = word, value
            self.problem(place, f"expected {word}, got {kind_name(value)}")

    def fields(self, value: dict[str, Any], part: Map, place: Place) -> None:
        known = part.known
        for key, inner in value.items():
            shape = known.get(key) or part.shape(key)
            if shape is None:
                self.problem((place, of_field(key)), "field not declared in schema")
                return  # as in the reference, which looks at the fields in any order
            if inner is None:
                self.nulls = True
            elif type(inner) not in shape.plain:
                self.value(inner, shape, (place, of_field(key)))

    def items(self, items: list[Any], part: List, place: Place) -> None:
        shape = part.element
        if part.atomic:
            for at, item in enumerate(items):
                if type(item) not in shape.plain:
                    self.value(item, shape, (place, f"i:{at}"))
            return
        seen = set()
        for at, item in enumerate(items):
            try:
                element = element_of(item, part)
            except NoElement as error:
                self.problem(place, f"element {at}: {error}")
                return
            if element in seen and not self.duplicates:
                self.problem(place, f"duplicate entries for key {server_text((element,))}")
            seen.add(element)
            if type(item) not in shape.plain:
                self.value(item, shape, (place, element))

    def problem(self, place: Place, what: str) -> None:
        steps: list[str] = []
        while place:
            place, element = place
            steps.append(element)
        self.problems.append((server_text(reversed(steps)), what))
