"""Merge rules resolved for speed: what the patch functions must know about a field, worked out once.

The lookups follow the reference on Go types (SEMANTICS of `kubectl` and the API server): a field is found by its
name, else by its name in any case; values in maps with free keys have no fields; and a list in the field of an
object takes the object's type for its elements, as the reference does behind pointers. Scalars cannot be lists.
"""

from __future__ import annotations

from operator import itemgetter

from ..errors import BadStrategy, NotASchema, UnexpectedList, UnknownField
from .identity import Keys
from .rules import SCALARS, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .rules import Type
    from .schema import Schema
    from .types import Types


class Field:
    """How the value of one field is merged.

    merges, replaces, retains   the words of its patch strategy
    merge_key                   what identifies an element of its list, or ""
    key_of                      takes it from an element
    keys                        what identifies an element of its list, in full
    inside                      the shape of its value, if that is a map
    element                     the shape of its elements, if its value is a list
    faulty                      the words of the patch strategy do not go together
    lists                       its value may be a list that is looked into
    quiet                       comparing its value with an equal one leaves nothing in a patch and finds no error
    """

    __slots__ = (
        "_types",
        "element",
        "faulty",
        "inside",
        "key_of",
        "keys",
        "lists",
        "merge_key",
        "merges",
        "name",
        "quiet",
        "replaces",
        "retains",
        "rule",
    )

    element: Shape
    inside: Shape
    keys: Keys
    lists: bool
    quiet: bool

    def __init__(self, name: str, rule: Rule, types: Types | None) -> None:
        self.name, self.rule, self._types = name, rule, types
        words = rule.strategies
        self.retains = "retainKeys" in words
        word = next((word for word in words if word != "retainKeys"), "")
        self.merges, self.replaces = word == "merge", word == "replace"
        self.faulty = len(words) > 2 or (len(words) == 2 and not self.retains)
        self.merge_key = rule.merge_key or ""
        self.key_of = itemgetter(self.merge_key)

    def __getattr__(self, slot: str) -> object:
        """Fills a slot when it is first read: types refer to each other in circles."""
        if slot == "inside":
            self.inside = self._inside()
        elif slot == "element":
            self.element = self._element()
        elif slot == "keys":
            self.keys = Keys(self.rule, self._types)
        elif slot == "lists":
            self.lists = self._lists()
        elif slot == "quiet":
            self.quiet = not self.loud and is_quiet(self.inside) and is_quiet(self.element)
        else:
            raise AttributeError(slot)
        return object.__getattribute__(self, slot)

    @property
    def loud(self) -> bool:
        """Whether even an unchanged value of this field leaves something in a patch, or must be looked into."""
        return self.merges or self.replaces or self.faulty

    mixes = False
    """Whether scalars of several kinds may stand in one list that merges; a strategic merge patch refuses them."""

    def suits(self, *lists: list[Any]) -> bool:  # noqa: ARG002 - a question for fields of custom resources
        """Whether these lists of the field can be merged as its rule says; if not, they are replaced."""
        return True

    @property
    def strategies(self) -> tuple[str, ...]:
        """The words of the patch strategy, as the specification has them."""
        return self.rule.strategies

    @property
    def is_map(self) -> bool:
        """Whether the field is meant to hold an object."""
        return self.rule.kind == "map"

    def _lists(self) -> bool:
        rule = self.rule
        if rule.kind == "list" and rule.of is not None and rule.of not in SCALARS and self._types is not None:
            return self._types[rule.of].rule.kind != "list"
        return not rule.free_keys and (rule.kind != "primitive" or rule.of in ("int-or-string", "quantity"))

    def _inside(self) -> Shape:
        rule = self.rule
        if rule.kind == "any":
            return ANYTHING
        if rule.kind != "map" or rule.free_keys:
            return Shape(f"the field {self.name!r}", None, {})
        return self._shape_of(rule.of)

    def _element(self) -> Shape:
        if self.rule.kind == "list":
            return self._shape_of(self.rule.of)
        return self.inside

    def _shape_of(self, name: str | None) -> Shape:
        if name is None:
            return ANYTHING
        if name in SCALARS or self._types is None:
            return Shape(f"the {name} {self.name!r}", None, {})
        return shape_of(self._types, self._types[name])


class Shape:
    """The fields of a type, or the lack of them. `fields` holds those that were met by their exact name."""

    __slots__ = ("_types", "fields", "finer", "name", "open", "quiet", "struct")

    quiet: bool
    finer: dict[str, Field]
    """What `engine.lossless.hazards` found out of this shape."""

    def __init__(
        self, name: str, types: Types | None, rules: dict[str, Rule], *, struct: bool = False, open_: bool = False
    ) -> None:
        self.name, self._types, self.struct, self.open = name, types, struct, open_
        self.fields = {name: Field(name, rule, types) for name, rule in rules.items()}

    def field(self, name: str) -> Field:
        """The field of this name; an error where there is none, or where its strategy makes no sense."""
        found = self.fields.get(name)
        if found is None:
            found = self._by_any_case(name)
        if found.faulty:
            raise BadStrategy(name, found.strategies)
        return found

    def list_field(self, name: str) -> Field:
        """The same for a field that holds a list."""
        found = self.field(name)
        if not found.lists or (found.is_map and name not in self.fields):
            raise UnexpectedList(name, self.name)
        return found

    def _by_any_case(self, name: str) -> Field:
        if self.struct:
            folded = fold(name)
            for known, field in self.fields.items():
                if fold(known) == folded:
                    return field
        if self.open:
            return ANY_FIELD
        raise UnknownField(name, self.name, has_fields=self.struct)


def fold(name: str) -> str:
    """A field's name without the difference of case, by the rules of Go: two foreign letters count as k and s."""
    return name.replace("\u212a", "k").replace("\u017f", "s").lower()


ANYTHING = Shape("an object of any shape", None, {}, open_=True)
"""A value that the specification leaves open: maps merge key by key, lists are replaced."""
ANY_FIELD = Field("", Rule("any"), None)


def shape(schema: Schema) -> Shape:
    """The shape of the objects of a schema."""
    try:
        types, type_ = schema._types, schema.type
    except AttributeError:
        raise NotASchema(schema) from None
    return shape_of(types, type_)


def shape_of(types: Types, type_: Type) -> Shape:
    """The shape of a type, made once for each set of tables."""
    return types.once(("shape", type_.name), _resolved, types, type_)


def _resolved(types: Types, type_: Type) -> Shape:
    rule = type_.rule
    struct = rule.kind == "map" and not rule.free_keys
    open_ = rule.kind == "any" or rule.open
    return Shape(type_.name, types, dict(type_.fields) if struct else {}, struct=struct, open_=open_)


def is_quiet(start: Shape) -> bool:
    """Whether two equal values of this shape have nothing to say in a patch, at any depth."""
    try:
        return start.quiet
    except AttributeError:
        start.quiet = not any(field.loud for shape in reachable(start) for field in shape.fields.values())
        return start.quiet


def reachable(start: Shape) -> Iterator[Shape]:
    """This shape and all that it refers to, the nearest first, at any depth; shapes refer to each other in circles.

    A shape is made when its turn comes: a kind refers to hundreds of them, and most questions are answered by a few.
    """
    found = {id(start)}
    queue = [start]
    for shape_ in queue:
        yield shape_
        for field in shape_.fields.values():
            for next_ in (field.inside, field.element):
                if id(next_) not in found:
                    found.add(id(next_))
                    queue.append(next_)
