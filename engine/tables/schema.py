"""The merge rules of one kind or type: looking up the rule of a field, and walking all fields."""

from __future__ import annotations

from .. import aliases
from ..errors import BadFieldPath, brief
from ..paths import ELEMENT, join, parse_fields
from .rules import SCALARS, Rule, Type
from .types import Types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCALAR_RULES = {word: Rule("primitive", word) for word in SCALARS}
ANYTHING = Rule("any")


class Schema:
    """The merge rules of every field of a kind. Immutable; get one from `Tables.schema` or `Tables.definition`."""

    __slots__ = ("_types", "key", "namespaced", "patch_types", "release", "type")

    def __init__(
        self,
        types: Types,
        type_: Type,
        key: tuple[str, str] | None,
        namespaced: bool | None,
        patch_types: tuple[str, ...] | None,
        release: str | None,
    ) -> None:
        self._types, self.type = types, type_
        self.key: tuple[str, str] | None = key
        """The apiVersion and the kind; None for a type that is not a kind."""
        self.namespaced: bool | None = namespaced
        """True if objects of the kind are namespaced; None if the specification does not state it."""
        self.patch_types: tuple[str, ...] | None = patch_types
        """The patch types that the kind accepts ("apply", "json", "merge", "strategic"); None if unknown."""
        self.release: str | None = release

    @property
    def api_version(self) -> str | None:
        """The apiVersion, such as "apps/v1"; None for a type that is not a kind."""
        return self.key[0] if self.key else None

    @property
    def kind(self) -> str | None:
        """The kind, such as "Deployment"; None for a type that is not a kind."""
        return self.key[1] if self.key else None

    @property
    def patch_release(self) -> str | None:
        """The release, as "1.36.2" if it is a patch release whose merge algorithms are not those of the newest one."""
        return self._types.patch_release

    @property
    def built_in(self) -> bool:
        """True if the kind is from the tables of a Kubernetes release, not from an overlay."""
        return self._types.minor is not None

    def __repr__(self) -> str:
        name = " ".join(self.key) if self.key else self.type.name
        return f"<Schema {name}{f' of {self.release}' if self.release else ''}>"

    def _facts(self) -> tuple[Any, ...]:
        return self._types, self.type.name, self.key, self.namespaced, self.patch_types, self.release

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.type.name, self.key, self.release))

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_schema, self._facts()

    def __copy__(self) -> Schema:
        return self

    def __deepcopy__(self, _memo: object) -> Schema:
        return self

    @property
    def types(self) -> Types:
        """The types that the kind refers to, by name."""
        return self._types

    def of_types(self, types: Types) -> Schema:
        """The same kind with other types of the same names."""
        return Schema(types, types[self.type.name], self.key, self.namespaced, self.patch_types, self.release)

    def rule(self, path: str) -> Rule | None:
        """The rule of the field at `path` (`spec.template.spec.containers.ports`); None for an unknown field.

        A step into a list goes into its elements, with or without brackets: `containers.ports`, `containers[].ports`
        and `containers[name=web].ports` are the same. `containers[]` is the rule of the elements.
        """
        if not isinstance(path, str):
            raise BadFieldPath(brief(path), "it is not a string")
        try:
            steps = parse_fields(path)
        except ValueError as error:
            raise BadFieldPath(path, str(error)) from None
        rule: Rule | None = self.type.rule
        for step in steps:
            if rule is None:
                return None
            if step is ELEMENT:
                rule = self.inside(rule)[0] if rule.kind == "list" or rule.free_keys else None
                continue
            entered: set[str | None] = set()
            while rule.kind == "list":
                if rule.of in entered:
                    return None  # a list of itself has no fields at any depth
                entered.add(rule.of)
                rule = self.inside(rule)[0]
            rule = self.field(rule, str(step))
        return rule

    def inside(self, rule: Rule) -> tuple[Rule, Type | None]:
        """The rule and the type of the elements of a list, or of the values of a map with free keys."""
        if rule.of is None:
            return ANYTHING, None
        if rule.of in SCALARS:
            return SCALAR_RULES[rule.of], None
        inner = self._types[rule.of]
        return inner.rule, self.struct(inner.rule)

    def field(self, rule: Rule | None, key: str) -> Rule | None:
        """The rule of a field of a map, also of a map with free keys; None for an unknown field."""
        if rule is None:
            return None
        holder = self.struct(rule)
        if holder is not None:
            return holder.fields.get(key)
        if rule.free_keys:
            return self.inside(rule)[0]
        return ANYTHING if rule.kind == "any" else None

    def struct(self, rule: Rule | None) -> Type | None:
        """The type of a value that has fields; None for any other value."""
        return self._types.struct(rule)

    def walk(self) -> aliases.Iterator[tuple[str, Rule]]:
        """Every reachable field with its rule, once per path. Recursive types are not entered again.

        Fields are sorted by name, parents first. The path of the values of a map with free keys ends with `*`, the path
        of elements without fields with `[]`.
        """
        return self._below("", self.type.rule, self.struct(self.type.rule), (self.type.name,))

    def _below(
        self, path: str, rule: Rule, holder: Type | None, inside: tuple[str, ...]
    ) -> aliases.Iterator[tuple[str, Rule]]:
        """The fields below `path`; `inside` names the parent types."""
        if holder is not None:
            for name, field in holder.fields.items():
                at = join(path, name)
                yield at, field
                struct = self.struct(field)
                if struct is None:
                    yield from self._below(at, field, None, inside)
                elif struct.name not in inside:
                    yield from self._below(at, field, struct, (*inside, struct.name))
        elif rule.of is not None and rule.of not in SCALARS:
            element, struct = self.inside(rule)
            if rule.free_keys:
                path = f"{path}.*" if path else "*"
                yield path, element
            elif struct is None:
                path += "[]"
                yield path, element
            if rule.of not in inside:
                yield from self._below(path, element, struct, (*inside, rule.of))


def restore_schema(types: Types, name: str, *others: Any) -> Schema:
    return Schema(types, types[name], *others)
