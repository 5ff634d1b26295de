"""The fields that identify the elements of each list: from merge tables, for kustomize files, and for unknown kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from engine import Schema
    from engine.paths import Step
    from engine.tables.rules import Rule

    Lookup: TypeAlias = Callable[[str, str], Schema | None]
    """The merge rules of an apiVersion and kind. None for an unknown kind."""
    Values: TypeAlias = Sequence[Sequence[Any]]
    """The elements of one list in several files."""

SET = ("",)
"""The keys of a list of scalars: each element identifies itself."""
_BY_NAME = (("name",),)
_ORDERED = frozenset({"initContainers"})
"""Lists with merge keys whose order matters to Kubernetes."""
_SET_FIELDS = (
    *("resources", "components", "bases", "crds", "generators", "transformers", "validators", "configurations"),
    *("patchesStrategicMerge", "openapi"),
)
_GENERATOR = {"files": (SET,), "literals": (SET,), "envs": (SET,)}
_KUSTOMIZE: dict[str, Any] = {
    **dict.fromkeys(_SET_FIELDS, (SET,)),
    **dict.fromkeys(("images", "replicas", "vars", "helmCharts"), _BY_NAME),
    **dict.fromkeys(("configMapGenerator", "secretGenerator"), (("namespace", "name"), ("name",))),
    "patches": (("path",),),
    "patchesJson6902": (("path",),),
    **_GENERATOR,
}
"""The keys of lists in kustomization files, by field name. Names at different levels have the same keys."""
OBJECT_KEYS = ("group", "kind", "namespace", "name")
"""The keys of an object in a List, or of a document in a file."""


class Place:
    """A value of a document: the merge rule of its field, if known."""

    def __init__(self, schema: Schema | None, rule: Rule | None, name: str = "", plain: str = "") -> None:
        self._schema, self._rule, self._name, self._plain = schema, rule, name, plain

    @classmethod
    def of(cls, document: Any, lookup: Lookup) -> Place:
        """The place of a whole document."""
        if not isinstance(document, dict):
            return cls(None, None, plain="yaml")
        version, kind = document.get("apiVersion"), document.get("kind")
        if isinstance(version, str) and version.startswith("kustomize.config.k8s.io/"):
            return cls(None, None, plain="kustomize")
        if isinstance(version, str) and isinstance(kind, str):
            if isinstance(document.get("items"), list):
                return cls(None, None, plain="list")
            schema = lookup(version, kind)
            return cls(schema, schema.type.rule if schema else None)
        kustomize = {"resources", "patches", "images", "components", "configMapGenerator", "namePrefix"}
        return cls(None, None, plain="kustomize" if kustomize & document.keys() == document.keys() else "yaml")

    def child(self, key: str) -> Place:
        """The place of a field."""
        rule = self._schema.field(self._rule, key) if self._schema else None
        return Place(self._schema if rule else None, rule, key, self._plain)

    def element(self, value: Any, lookup: Lookup) -> Place:
        """The place of an element of this list."""
        if self._plain == "list":
            return Place.of(value, lookup)
        rule = self._schema.inside(self._rule)[0] if self._schema and self._rule else None
        return Place(self._schema if rule else None, rule, self._name, self._plain)

    def keys(self, lists: Values) -> tuple[str, ...] | None:
        """The fields that identify each element in all of these lists. None if the list is merged by position."""
        return next((keys for keys in self._candidates() if _are_unique(keys, lists)), None)

    def is_ordered(self, lists: Values) -> bool:
        """Whether two additions at the same position conflict."""
        if self._plain in {"kustomize", "list"}:
            return False
        if self._rule is None or self._rule.kind != "list" or self._name in _ORDERED:
            return True
        if self.keys(lists) not in self._own_keys():
            return True
        return self._name == "env" and any("$(" in str(item) for values in lists for item in values)

    def _candidates(self) -> Sequence[tuple[str, ...]]:
        if self._plain == "kustomize":
            found: Sequence[tuple[str, ...]] = _KUSTOMIZE.get(self._name, ())
            return found
        if self._plain == "list":
            return (OBJECT_KEYS,) if self._name == "items" else ()
        if self._plain == "yaml":
            return ()
        return [*self._own_keys(), *_BY_NAME]

    def _own_keys(self) -> Sequence[tuple[str, ...]]:
        """The keys of the list in the merge tables."""
        rule = self._rule
        if rule is None or rule.kind != "list":
            return ()
        by_set = (SET,) if rule.list_type == "set" or ("merge" in rule.strategies and not rule.merge_key) else ()
        return [*([(rule.merge_key,)] if rule.merge_key else ()), *([rule.map_keys] if rule.map_keys else ()), *by_set]


def identity(value: Any, keys: tuple[str, ...]) -> Step | None:
    """The step of an element with these keys. None if it lacks the first or last of them."""
    if keys == SET:
        return (("", value),) if isinstance(value, (str, int, float, bool)) else None
    if not isinstance(value, dict):
        return None
    if keys == OBJECT_KEYS:
        return object_identity(value)
    found = tuple((key, value[key]) for key in keys if key in value)
    has_one = any(key in value for key in keys)
    return found if has_one and all(isinstance(one, (str, int, bool)) for _, one in found) else None


def object_identity(value: Any) -> Step | None:
    """The group, kind, namespace and name of an object as a step. None for any other value."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    if not isinstance(metadata, dict):
        return None
    version, kind = value.get("apiVersion"), value.get("kind")
    name = metadata.get("name") or metadata.get("generateName")
    namespace = metadata.get("namespace") or ""
    found = (version, kind, namespace, name)
    if not all(isinstance(one, str) for one in found) or not name:
        return None
    group = str(version).rpartition("/")[0]
    return (("group", group), ("kind", kind), ("namespace", namespace), ("name", name))


def _are_unique(keys: tuple[str, ...], lists: Values) -> bool:
    for values in lists:
        found = [typed(identity(value, keys)) for value in values]
        if None in found or len(set(found)) != len(found):
            return False
    return True


def typed(step: Any) -> Any:
    """An identity for comparison, in which 1 and True differ. None stays None."""
    return None if step is None else tuple((key, type(value).__name__, value) for key, value in step)
