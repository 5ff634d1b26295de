"""Validation of values against their types, in the API server's words."""

from __future__ import annotations

from ...errors import MergeError
from ...values.plain import kind_name
from ..fields.path_elements import field_element, format_path
from .items import InvalidListItem, path_element_of
from .schema import List, Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .schema import Atom

    Location = tuple[Any, ...]
    """A linked list: the parent's location, and the step from there."""


class WrongType(MergeError):
    """An object that does not fit its kind. `problems` are pairs: the path as the API server writes it, and the text.

    `values` has the expected type and the actual value by problem number. `doing` is the API server's prefix for
    problems that occur while it converts the object to another apiVersion.
    """

    doing: str | None = None

    def __init__(self, problems: list[tuple[str, str]], values: dict[int, tuple[str, Any]] | None = None) -> None:
        self.problems, self.values = problems, values or {}
        texts = [f"{where}: {what}" if where else what for where, what in problems]
        super().__init__(f"{'; '.join(texts)}. Correct the value, or use the schema of a release that has the field")


def validate(value: Any, atom: Atom, *, duplicates: bool) -> bool:
    """Validate a value. With `duplicates`, list elements may repeat. Return True if a field of the value is null."""
    found = _Check(duplicates)
    found.value(value, atom, ())
    if found.problems:
        raise WrongType(found.problems, found.values)
    return found.nulls


class _Check:
    def __init__(self, duplicates: bool) -> None:
        self.duplicates = duplicates
        self.nulls = False
        self.problems: list[tuple[str, str]] = []
        self.values: dict[int, tuple[str, Any]] = {}

    def value(self, value: Any, atom: Atom, place: Location) -> None:
        kind = type(value)
        part = atom.parts[kind]
        if kind is dict and type(part) is Map:
            self.fields(value, part, place)
        elif kind is list and type(part) is List:
            self.items(value, part, place)
        elif value is not None and (type(part) in (Map, List) or kind not in part.accepts):  # type: ignore[union-attr]
            word = "map" if type(part) is Map else "list" if type(part) is List else part.word  # type: ignore[union-attr]
            self.values[len(self.problems)] = word, value
            self.problem(place, f"expected {word}, got {kind_name(value)}")

    def fields(self, value: dict[str, Any], part: Map, place: Location) -> None:
        known = part.known
        for key, inner in value.items():
            atom = known.get(key) or part.atom(key)
            if atom is None:
                self.problem((place, field_element(key)), "field not declared in schema")
                return  # as in the reference, which visits fields in any order
            if inner is None:
                self.nulls = True
            elif type(inner) not in atom.plain:
                self.value(inner, atom, (place, field_element(key)))

    def items(self, items: list[Any], part: List, place: Location) -> None:
        atom = part.element
        if part.atomic:
            for at, item in enumerate(items):
                if type(item) not in atom.plain:
                    self.value(item, atom, (place, f"i:{at}"))
            return
        seen = set()
        for at, item in enumerate(items):
            try:
                element = path_element_of(item, part)
            except InvalidListItem as error:
                self.problem(place, f"element {at}: {error}")
                return
            if element in seen and not self.duplicates:
                self.problem(place, f"duplicate entries for key {format_path((element,))}")
            seen.add(element)
            if type(item) not in atom.plain:
                self.value(item, atom, (place, element))

    def problem(self, place: Location, what: str) -> None:
        steps: list[str] = []
        while place:
            place, element = place
            steps.append(element)
        self.problems.append((format_path(reversed(steps)), what))
