"""Fields behind feature gates. A server drops them while the gate is off, unless the object used them before.

The gates of each release are rows in `generated/feature_gates.py`, and so are the fields that upstream tags with their
gate in `k8s.io/api`. `gated_fields.py` has the other fields.
"""

from __future__ import annotations

import sys
from functools import cache, lru_cache, partial, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine.paths import join

from ..eras import NO_END, Era, minor_of
from ..unchecked import as_text, maps
from .gated_fields import UNTAGGED, GatedField
from .gated_rules import RULES_GATE, rules_in, without_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine import Schema
    from engine.tables.rules import Rule

    from ..unchecked import Object

    Path = tuple[str, ...]


CLEARED_AFTER_BINDING = "ClearingNominatedNodeNameAfterBinding"
RESTART_RULES = "ContainerRestartRules"
OBSOLETE = frozenset({"DynamicKubeletConfig"})
"""Removed gates whose fields are still in the API, and dropped."""
WITH_PARENT = frozenset({"CrossNamespaceVolumeDataSource"})
"""Gates whose field is dropped with the value that holds it."""
ALWAYS_USED = frozenset({"StatefulSetMinReadySeconds"})
"""Gates whose fields a server drops only in new objects, because its check for earlier use is always true."""
FORCED = {"maxSurge": 0, "procMount": "Default"}
"""By gated field, the value that a server sets instead of dropping it."""
UNSET = {"CrossNamespaceVolumeDataSource": ""}
"""By gate, the value that counts as an unset field."""
NULLED = frozenset({"scope"})
"""Gated fields that Go prints as null when absent."""
KEPT_WHOLE = frozenset({"status", "volumeClaimTemplates"})
"""Fields in which nothing is dropped here. `gated_statuses.py` has the fields of statuses."""
GOES_EMPTY = "lifecycle"
"""The parent that is dropped, too, if it becomes empty."""


@cache
def _rows() -> dict[str, list[tuple[int, int, bool]]]:
    """By gate, the first release, the last one, and the default of each of its rows."""
    from generated.feature_gates import GATES  # late, because a command that only reads needs no gates

    found: dict[str, list[tuple[int, int, bool]]] = {}
    for gate, first, last, _, default, _ in GATES:
        found.setdefault(gate, []).append((first, sys.maxsize if last is None else last, default))
    return found


_SET: dict[str, bool] = {}
"""The gates that a cluster sets, by name; the others have the default of the release."""


def known_gates() -> frozenset[str]:
    """The gates of all releases."""
    return frozenset(_rows())


def set_gates(gates: Mapping[str, bool]) -> None:
    """Set the feature gates of the whole process. Gates that were set before lose their values."""
    if dict(gates) != _SET:
        _SET.clear()
        _SET.update(gates)
        for cached in (is_off, closed_fields, _closed, _disabled, _tree):
            cached.cache_clear()


def gates_set() -> tuple[tuple[str, bool], ...]:
    """The gates that are set."""
    return tuple(sorted(_SET.items()))


def is_on(gate: str, minor: int) -> bool:
    """Whether a feature gate is on: as set, or by default. A removed gate keeps its last value."""
    if gate in _SET:
        return _SET[gate]
    begun = [(first, default) for first, _, default in _rows().get(gate, ()) if first <= minor]
    return max(begun, default=(0, False))[1]


@lru_cache(maxsize=1024)
def is_off(gate: str, minor: int) -> bool:
    """Whether a release has a gate and it is off. A release without the gate drops no field for it."""
    rows = _rows().get(gate, ())
    if gate in OBSOLETE and rows and minor > max(last for _, last, _ in rows):
        return True
    if gate in _SET:
        return not _SET[gate] and any(first <= minor <= last for first, last, _ in rows)
    return any(first <= minor <= last and not default for first, last, default in rows)


def eras_of(gate: str) -> Iterator[tuple[Era, bool]]:
    """The eras in which a feature gate is on or off. A gate that is set has one for all releases."""
    starts = sorted({0, *(first for first, _, _ in _rows().get(gate, ()) if gate not in _SET)})
    for start, end in zip(starts, [*starts[1:], NO_END + 1], strict=True):
        yield Era(start, end - 1), is_on(gate, start)


def on_since(gate: str, minor: int) -> int | None:
    """The first release after this one in which a gate is on by default."""
    return min((first for first, _, default in _rows().get(gate, ()) if first > minor and default), default=None)


@cache
def _gated_fields() -> dict[tuple[str, str], list[GatedField]]:
    """Every field behind a gate, by its type and name. The types of tagged fields have a version."""
    from generated.feature_gates import GATED_FIELDS

    found: dict[tuple[str, str], list[GatedField]] = {}
    for of, field, gate in GATED_FIELDS:
        if gate in _rows():  # a few tags name no gate
            found.setdefault((of, field), []).append(GatedField(of, field, gate))
    for one in UNTAGGED:
        found.setdefault((one.of, one.field), []).append(one)
    return found


@cache
def _gated_names() -> frozenset[str]:
    """The names of fields that are behind a gate in any type."""
    return frozenset(field for _, field in _gated_fields())


def _without_version(name: str) -> str:
    """`core.PodSpec` for `core_v1.PodSpec`."""
    package, _, type_ = name.partition(".")
    return f"{package.partition('_')[0]}.{type_}"


def gates_of(type_name: str, field: str, within: str, kind: str, minor: int = NO_END) -> list[str]:
    """The gates of a field of a type, which is the value of the field `within` in an object of a kind."""
    fields = _gated_fields()
    rows = fields.get((_without_version(type_name), field)) or fields.get((type_name, field)) or []
    dropped = [row for row in rows if row.since <= minor]
    return [row.gate for row in dropped if row.within in ("", within) and row.kind in ("", kind)]


class GatedPlace(NamedTuple):
    """A field of a kind that is behind a feature gate."""

    steps: Path
    """The path in an object. `*` stands for every element."""
    gate: str
    place: str
    """The field by its type: `core_v1.PodSpec.hostUsers`."""

    @property
    def path(self) -> str:
        """The path as `engine.Schema.walk` has it."""
        return reduce(join, (step for step in self.steps if step != "*"), "")


def gated_places(schema: Schema) -> Iterator[GatedPlace]:
    """The fields of a kind that are behind a gate, open or closed."""
    yield from _gated_inside(schema, schema.type.rule, (), ())


def _gated_inside(schema: Schema, rule: Rule, at: Path, above: tuple[str, ...]) -> Iterator[GatedPlace]:
    """A type is not visited inside itself."""
    if rule.kind == "list" or (rule.kind == "map" and rule.free_keys):
        yield from _gated_inside(schema, schema.inside(rule)[0], (*at, "*"), above)
    holder = schema.struct(rule)
    if holder is None or holder.name in above:
        return
    within, names = next((step for step in reversed(at) if step != "*"), ""), _gated_names()
    minor = minor_of(str(schema.release))
    for name, field in holder.fields.items():
        if name in KEPT_WHOLE:
            continue
        path = (*at, name)
        for gate in gates_of(holder.name, name, within, str(schema.kind), minor) if name in names else ():
            yield GatedPlace(path, gate, f"{holder.name}.{name}")
        if field.kind != "primitive":
            yield from _gated_inside(schema, field, path, (*above, holder.name))


@lru_cache(maxsize=4096)
def closed_fields(schema: Schema) -> tuple[GatedPlace, ...]:
    """The fields of a kind that a server of its release drops, because their gates are off by default."""
    minor = minor_of(str(schema.release))
    return tuple(one for one in gated_places(schema) if is_off(one.gate, minor))


@cache
def _closed(api_version: str, kind: str, minor: int) -> tuple[GatedPlace, ...]:
    try:
        tables = engine.load(f"1.{minor}")
    except engine.MergeError:
        return ()
    is_known = (api_version, kind) in tables  # an error about an unknown kind takes long, because it has suggestions
    return closed_fields(tables.schema(api_version, kind)) if is_known else ()


@cache
def _disabled(api_version: str, kind: str, minor: int) -> dict[str, tuple[Path, ...]]:
    """The gates that are off in a release, with the paths that are dropped in the kind."""
    found: dict[str, list[Path]] = {}
    for one in _closed(api_version, kind, minor):
        found.setdefault(one.gate, []).append(one.steps[:-1] if one.gate in WITH_PARENT else one.steps)
    return {gate: tuple(paths) for gate, paths in found.items()}


@cache
def _tree(api_version: str, kind: str, minor: int) -> dict[str, Any]:
    """The closed fields as a tree of sorted steps, whose leaves are gates."""
    root: dict[str, Any] = {}
    for one in sorted(_closed(api_version, kind, minor)):
        node = root
        for step in one.steps[:-1]:
            inner = node.setdefault(step, {})
            if not isinstance(inner, dict):
                break  # a field inside of one that is closed itself
            node = inner
        else:
            node[one.steps[-1]] = one.gate
    return root


def without(value: Any, path: Path, forced: object = None) -> Any:
    """Return a value without a field, or with the forced value of the field."""
    step, rest = path[0], path[1:]
    if step == "*" and isinstance(value, dict):
        return {key: without(one, rest, forced) for key, one in value.items()}
    if step == "*":
        return [without(one, rest, forced) for one in value] if isinstance(value, list) else value
    if not isinstance(value, dict) or step not in value:
        return value
    if not rest:
        left = {field: one for field, one in value.items() if field != step}
        return left | ({step: forced} if forced is not None or step in NULLED else {})
    inner = without(value[step], rest, forced)
    if step == GOES_EMPTY and not inner and value[step]:
        return {field: one for field, one in value.items() if field != step}
    return {**value, step: inner}


def disabled_fields(content: Object, minor: int) -> list[tuple[str, str]]:
    """The path of each field of an object that a server drops because its gate is off, with the gate."""
    rules = rules_in(content) if is_off(RULES_GATE, minor) else ()
    return [*_disabled_in(content, _tree(*_kind_of(content), minor), ""), *((path, RULES_GATE) for path in rules)]


def _kind_of(content: Object) -> tuple[str, str]:
    return str(content.get("apiVersion")), str(content.get("kind"))


def _disabled_in(content: Any, tree: dict[str, Any], at: str) -> list[tuple[str, str]]:
    if not tree:
        return []
    found: list[tuple[str, str]] = []
    if isinstance(content, list):
        inside = tree.get("*", {})
        for index, one in enumerate(content):
            found += _disabled_in(one, inside, f"{at}[{index}]")
    elif isinstance(content, dict) and "*" in tree:
        for key, one in content.items():
            found += _disabled_in(one, tree["*"], f"{at}.{key}")
    elif isinstance(content, dict):
        for step, inner in tree.items():
            if step not in content:
                continue
            path = f"{at}.{step}" if at else step
            if not isinstance(inner, str):
                found += _disabled_in(content[step], inner, path)
            elif content[step] not in (None, FORCED.get(step), UNSET.get(inner)):
                found.append((path, inner))
    return found


def drop_disabled(content: Object, before: Object | None, minor: int) -> Object:
    """Return the object without the fields whose gates are off, except gates that the object used before."""
    key = _kind_of(content)
    tree = _tree(*key, minor)
    used = {gate for _, gate in _disabled_in(content, tree, "")} if tree else set()
    if before is not None:
        used -= ALWAYS_USED
    if used and before:
        used -= {gate for _, gate in _disabled_in(before, tree, "")}
    for gate in sorted(used):
        for path in _disabled(*key, minor)[gate]:
            drop = _without_image_volumes if gate == IMAGE_VOLUME else partial(without, forced=FORCED.get(path[-1]))
            content = drop(content, path)
    if is_off(RULES_GATE, minor) and not any(rules_in(before or {})):
        content = without_rules(content)
    return content


IMAGE_VOLUME = "ImageVolume"
CONTAINERS = ("initContainers", "containers", "ephemeralContainers")


def _without_image_volumes(content: Any, path: Path) -> Any:
    """The object without the volumes that are images, and without their mounts."""
    if not isinstance(content, dict):
        return content
    step, rest = path[0], path[1:]
    if step != "volumes":
        return {**content, step: _without_image_volumes(content.get(step), rest)} if step in content else content
    if not isinstance(content.get(step), list):
        return content
    images = {as_text(one.get("name")) for _, one in maps(content, step) if one.get("image") is not None}
    kept = [one for one in content[step] if not isinstance(one, dict) or one.get("image") is None]
    found = _with_list(content, step, kept)
    for field in CONTAINERS:
        if isinstance(content.get(field), list):
            found[field] = [_without_mounts(one, images) for one in content[field]]
    return found


def _without_mounts(container: Any, volumes: set[str]) -> Any:
    mounts = container.get("volumeMounts") if isinstance(container, dict) else None
    if not isinstance(mounts, list):
        return container
    kept = [one for one in mounts if not isinstance(one, dict) or as_text(one.get("name")) not in volumes]
    return _with_list(container, "volumeMounts", kept)


def _with_list(content: Object, field: str, kept: list[Any]) -> Object:
    """A copy with a list, or without the field if the list is empty."""
    return {**{name: one for name, one in content.items() if name != field}, **({field: kept} if kept else {})}
