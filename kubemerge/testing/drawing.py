"""Draw objects of a built-in kind: a small valid object with added fields, repaired until the server accepts it."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from ..apiserver.problem_paths import value_at
from ..kinds.hazard import POD_SPECS
from .field_paths import NOT_DESCENDED_INTO, Field
from .repair import Repairer
from .samples import alternatives, is_sampled, other_union_members, pod_extras
from .values import FREE_TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Rule

    from .field_paths import Path
    from .validator import Validator
    from .values import Values

    Draw = Callable[[Any], Any]

POD_SPEC_PATHS: dict[str, Path] = {kind: tuple(path.split(".")) for kind, path in POD_SPECS.items()}
"""The path of the pod spec in each kind."""
MOST_FIELDS = 16
"""Number of fields that are added to the small object. Each takes time, and may be rejected."""
DEPENDENT = {"adminAccess", "healthCheckNodePort", "nodePort"}
"""Fields whose values depend on other objects of the cluster."""
SKIPPED = {"apiVersion", "kind", "metadata", "managedFields", *DEPENDENT, *NOT_DESCENDED_INTO}


class Drawing:
    """Generates one object of a built-in kind."""

    def __init__(self, validator: Validator, values: Values, draw: Draw) -> None:
        self._validator, self._values, self._draw = validator, values, draw
        self._schema, self._left = validator.schema, MOST_FIELDS

    def object(self) -> dict[str, Any]:
        """A valid object."""
        base = self._draw(self._values.one_of(self._validator.bases))
        content: dict[str, Any] = deepcopy(base)
        self._metadata(content["metadata"])
        small = deepcopy(content)
        pod = value_at(content, POD_SPEC_PATHS.get(self._validator.kind, ("",)))
        if isinstance(pod, dict) and self._draw(self._values.boolean):
            for field, value in pod_extras().items():
                pod.setdefault(field, value)
        self._fill(content, self._schema.type.rule, ())
        if self._validator.repaired(content, Repairer(self._schema, self._chosen, base)):
            return content
        if self._validator.problems(small) is None:
            return small
        copied: dict[str, Any] = deepcopy(base)
        return copied

    def _chosen(self, values: Any) -> Any:
        return self._draw(self._values.one_of(values))

    def _metadata(self, metadata: dict[str, Any]) -> None:
        parts = metadata["name"].split(".")
        metadata["name"] = ".".join(self._draw(self._values.name) if part == "a" else part for part in parts)
        for field, strategy in (("labels", self._values.labels), ("annotations", self._values.annotations)):
            if drawn := self._draw(strategy):
                metadata[field] = {**metadata.get(field, {}), **drawn}

    def _fill(self, content: dict[str, Any], rule: Rule, at: Path) -> None:
        """Add random fields to an object and its nested objects."""
        type_ = self._schema.struct(rule)
        if type_ is None:
            return
        for name, inner in [*content.items()]:
            field = type_.fields.get(name)
            if field is not None and name not in SKIPPED and not (name == "selector" and "template" in content):
                self._enter(inner, field, (*at, name))
        names = tuple(name for name in type_.fields if name not in content and name not in SKIPPED)
        if not names or self._left <= 0:
            return
        for name in self._draw(self._values.some_of(names, 4 if len(at) < 3 else 2)):
            if self._left > 0 and not any(one in content for one in other_union_members(type_.name, name)):
                self._left -= 1
                content[name] = self._value(Field((*at, name), type_.fields[name], type_.name))

    def _enter(self, value: Any, rule: Rule, at: Path) -> None:
        if isinstance(value, dict):
            self._fill(value, rule, at)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            inner = self._schema.inside(rule)[0]
            for number, one in enumerate(value):
                if isinstance(one, dict):
                    self._fill(one, inner, (*at, number))

    def _value(self, field: Field) -> Any:
        rule = field.rule
        if rule.kind == "list":
            return self._list(field)
        if rule.kind == "primitive" and not is_sampled(field):
            name = str(field.path[-1])
            if rule.of == "string" and name in FREE_TEXT:
                return self._draw(self._values.text)
            if rule.of != "string" or self._draw(self._values.chance) == 0:
                return self._draw(self._values.by_type.get(rule.of, self._values.word))
        value = deepcopy(self._chosen([*alternatives(self._schema, field)]))
        if isinstance(value, dict) and rule.free_keys:
            return self._map(field, value)
        if isinstance(value, dict):
            self._fill(value, rule, field.path)
        return value

    def _map(self, field: Field, value: dict[str, Any]) -> dict[str, Any]:
        of, name = self._schema.inside(field.rule)[0].of, str(field.path[-1])
        if name == "stringData" or (name == "data" and self._validator.kind == "ConfigMap"):
            return {key: self._draw(self._values.text) for key in self._draw(self._values.data_keys)}
        if of == "string" and name in ("labels", "matchLabels", "nodeSelector"):
            found: dict[str, Any] = self._draw(self._values.labels)
            return found
        if of == "quantity":
            return {key: self._draw(self._values.quantity) for key in value}
        return value

    def _list(self, field: Field) -> list[Any]:
        rule = field.rule
        inner, type_ = self._schema.inside(rule)
        samples = [*alternatives(self._schema, field)]
        keys = rule.map_keys or ((rule.merge_key,) if rule.merge_key else ())
        found: list[Any] = []
        identities: list[Any] = []
        for number in range(self._draw(self._values.count)):
            one = deepcopy(self._chosen(samples))[0]
            if type_ is not None and isinstance(one, dict):
                if number and "name" in keys and isinstance(one.get("name"), str):
                    one["name"] += str(number)
                self._fill(one, inner, (*field.path, number))
            elif inner.of == "string" and field.path[-1] in FREE_TEXT:
                one = self._draw(self._values.text)
            identity = [one.get(key) for key in keys] if keys and isinstance(one, dict) else one
            if identity not in identities:
                identities.append(identity)
                found.append(one)
        return found
