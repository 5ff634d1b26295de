"""The growth of the cost of every public function, lint rule, command and HTTP request, over objects of all shapes.

The cost is processor time, as `costs` measures it. For commands and requests, calls are counted.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import codegen
import engine
from engine.linter import RULES
from engine.linter.context import LintContext
from kubemerge.actions.apply import apply
from kubemerge.cluster import ClusterError, Reference, open_cluster
from kubemerge.migrate import plan_migration
from kubemerge.ownership.fields import owned_fields

from ..codegen.sample_specs import crd
from .command_growth import limits_below_all_sizes
from .costs import SIZES, grows_slowly, steep_functions
from .growth_rows import ROWS
from .many import MANY
from .shapes import SHAPES, many_containers, many_fields, shuffled
from .texts_and_pages import REPORTS, SHOWN
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema

    from .shapes import Case
    from .trial import Trial, Tried

    Call = Callable[[], object]
    Function = Callable[[Case, Schema], Call]

ANY = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
KEYED = {
    "type": "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    "items": {"type": "object", "properties": {"name": {"type": "string"}, "value": {"type": "integer"}}},
}


@cache
def _tables() -> engine.Tables:
    spec = {**ANY, "properties": {"items": KEYED}}
    return engine.load().overlay(codegen.read(crd({"type": "object", "properties": {"spec": spec}})))


def _patch(case: Case, schema: Schema) -> dict[str, Any]:
    return engine.three_way_patch(case.last, case.config, case.live, schema)


def _two(case: Case, schema: Schema) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two patches of one object."""
    return _patch(case, schema), engine.two_way_patch(case.config, case.live, schema)


def _merge_patches(case: Case, schema: Schema) -> Call:
    one, other = _two(case, schema)
    return lambda: engine.merge_patches(one, other, schema)


def _conflicts(case: Case, schema: Schema) -> Call:
    one, other = _two(case, schema)
    return lambda: engine.conflicts(one, other, schema)


def _apply_patch(case: Case, schema: Schema) -> Call:
    patch = _patch(case, schema)
    return lambda: engine.apply_patch(case.live, patch, schema)


def _json_apply_patch(case: Case, _: Schema) -> Call:
    patch = engine.json_three_way_patch(case.last, case.config, case.live)
    return lambda: engine.json_apply_patch(case.live, patch)


def _changes(case: Case, schema: Schema, **how: Any) -> Call:
    outcome = engine.apply(case.config, case.live, schema, **how)
    return lambda: outcome.changes


@cache
def _schema(api_version: str, kind: str) -> Schema:
    return _tables().schema(api_version, kind)


@lru_cache(maxsize=len(SIZES))
def _context(case: Case, schema: Schema) -> LintContext:
    """The context of the lint rules. It is made once for all of them, since it takes longer than most."""
    return LintContext(case.config, schema, case.live, case.last, _tables())


def _rule(code: str) -> Function:
    rule = RULES[code]

    def function(case: Case, schema: Schema) -> Call:
        context = _context(case, schema)
        if rule.check:
            check = rule.check
            return lambda: list(check(context))
        place = rule.check_place
        return lambda: [list(place(context, one)) for one in context.places] if place else None

    return function


def _owned(case: Case, schema: Schema) -> dict[str, Any]:
    """The live object after two managers have written it."""
    created = engine.record_update(None, case.live, schema, manager="creator")
    return engine.server_side_apply(case.last, created, schema, manager="me", force=True).merged or created


def _applied(case: Case, schema: Schema, **how: Any) -> Call:
    owned = _owned(case, schema)
    return lambda: engine.server_side_apply(case.config, owned, schema, **how)


def _updated(case: Case, schema: Schema) -> Call:
    owned = _owned(case, schema)
    after = {**case.config, "metadata": {**owned["metadata"], **case.config["metadata"]}}
    return lambda: engine.record_update(owned, after, schema, manager="other")


def _of_owned(call: Callable[[Case, dict[str, Any], Schema], object]) -> Function:
    """A call with the live object as two managers have written it."""

    def function(case: Case, schema: Schema) -> Call:
        owned = _owned(case, schema)
        return lambda: call(case, owned, schema)

    return function


def _owned_changes(case: Case, schema: Schema) -> Call:
    outcome = engine.server_side_apply(case.config, _owned(case, schema), schema, manager="me", force=True)
    return lambda: outcome.changes


def _field_sets(case: Case, schema: Schema) -> Call:
    """Reading, writing and combining the sets of fields of two managers."""
    one, other = [entry["fieldsV1"] for entry in _owned(case, schema)["metadata"]["managedFields"]][:2]

    def call() -> object:
        left, right = engine.FieldSet.parse(one), engine.FieldSet.parse(other)
        both = left.union(right).difference(left.intersection(right))
        return both.to_fields_v1(), [path in right for path in left.paths()]

    return call


def _path(case: Case) -> str:
    """The field with the elements."""
    return "spec" if "spec" in case.config else "data"


ENGINE: dict[str, Function] = {
    "two_way_patch": lambda case, schema: lambda: engine.two_way_patch(case.last, case.config, schema),
    "two_way_patch without a schema": lambda case, _: lambda: engine.two_way_patch(case.last, case.config, None),
    "three_way_patch": lambda case, schema: lambda: _patch(case, schema),
    "three_way_patch with conflicts": lambda case, schema: (
        lambda: engine.three_way_patch(case.last, case.config, case.live, schema, overwrite=False)
    ),
    "three_way_patch, safe": lambda case, schema: (
        lambda: engine.three_way_patch(case.last, case.config, case.live, schema, safe=True)
    ),
    "json_three_way_patch": lambda case, _: lambda: engine.json_three_way_patch(case.last, case.config, case.live),
    "json_apply_patch": _json_apply_patch,
    "apply_patch": _apply_patch,
    "merge_patches": _merge_patches,
    "conflicts": _conflicts,
    "apply": lambda case, schema: lambda: engine.apply(case.config, case.live, schema),
    "apply, safe": lambda case, schema: lambda: engine.apply(case.config, case.live, schema, safe=True),
    "apply by the keys of the schema": lambda case, schema: (
        lambda: engine.apply(case.config, case.live, schema, lists="schema")
    ),
    "apply, created": lambda case, schema: lambda: engine.apply(case.config, None, schema),
    "apply without a schema": lambda case, _: lambda: engine.apply(case.config, case.live, None),
    "changes": _changes,
    "changes, safe": lambda case, schema: _changes(case, schema, safe=True),
    "last_applied_text": lambda case, _: lambda: engine.last_applied_text(case.config),
    "hand_over": lambda case, _: lambda: engine.hand_over(case.config, case.live, _path(case)),
    "take_over": lambda case, _: lambda: engine.take_over(case.config, case.live, _path(case)),
    "clear": lambda case, _: lambda: engine.clear(case.config, "metadata.labels"),
    "adopt": lambda case, _: lambda: engine.adopt(case.live),
    "server_side_apply": lambda case, schema: _applied(case, schema, manager="me", force=True),
    "server_side_apply, in conflict": lambda case, schema: _applied(case, schema, manager="third"),
    "server_side_apply, created": lambda case, schema: (
        lambda: engine.server_side_apply(case.config, None, schema, manager="me")
    ),
    "record_update": _updated,
    "changes, server-side": _owned_changes,
    "field_owners": _of_owned(lambda _, owned, __: engine.field_owners(owned)),
    "owned_fields": _of_owned(lambda _, owned, schema: owned_fields(owned, schema)),
    "plan_migration": _of_owned(
        lambda case, owned, schema: plan_migration(case.config, owned, schema, before=["creator"])
    ),
    "upgrade_managed_fields": _of_owned(
        lambda _, owned, __: engine.upgrade_managed_fields(owned, from_managers={"creator"}, to_manager="me")
    ),
    "FieldSet": _field_sets,
    "lint": lambda case, schema: lambda: engine.lint(case.config, schema, live=case.live, tables=_tables()),
    **{f"lint rule {code}": _rule(code) for code in RULES},
}


def _in_cluster(case: Case, call: Callable[[Any], object]) -> Call:
    """A call of a cluster that contains the live object."""
    cluster = open_cluster(":memory:")
    if case.kind == "Thing":
        cluster.create(
            {**crd({"type": "object", "properties": {"spec": ANY}}), "metadata": {"name": "things.test.example"}}
        )
    with suppress(ClusterError):
        cluster.load([{**case.live, "metadata": {**case.live["metadata"], "namespace": "default"}}])
    return lambda: call(cluster)


def _reference(case: Case) -> Reference:
    return Reference(case.api_version, case.kind, case.live["metadata"]["name"], "default")


def _new(case: Case) -> dict[str, Any]:
    return {**case.config, "metadata": {**case.config["metadata"], "name": "other"}}


CLUSTER: dict[str, Function] = {
    "actions.apply": lambda case, _: _in_cluster(case, lambda cluster: apply(cluster, case.config)),
    "Cluster.create": lambda case, _: _in_cluster(case, lambda cluster: cluster.create(_new(case))),
    "Cluster.replace": lambda case, _: _in_cluster(case, lambda cluster: cluster.replace(case.config)),
    "Cluster.patch": lambda case, schema: _in_cluster(
        case,
        lambda cluster: cluster.patch(
            _reference(case), {"spec": None, "data": None, "metadata": {"labels": {"a": "b"}}}, "merge"
        ),
    ),
    "Cluster.patch, server-side": lambda case, _: _in_cluster(
        case, lambda cluster: cluster.patch(_reference(case), case.config, "apply", manager="me", force=True)
    ),
    "Cluster.get": lambda case, _: _in_cluster(case, lambda cluster: cluster.get(_reference(case))),
    "Cluster.list": lambda case, _: _in_cluster(case, lambda cluster: list(cluster.list(case.api_version, case.kind))),
    "Cluster.dump": lambda case, _: _in_cluster(case, lambda cluster: list(cluster.dump())),
    "Cluster.delete": lambda case, _: _in_cluster(case, lambda cluster: cluster.delete(_reference(case))),
}

SIZES_OF = {"actions.apply": (100, 400, 1_600)}
"""The sizes for a function that cannot have the usual ones: an applied config has to fit into an annotation of 256 KiB.
A larger one is rejected after other work.
"""
FUNCTIONS = {**ENGINE, **CLUSTER, **SHOWN, **REPORTS}
SHAPES_OF_REPORTS = (many_fields, many_containers, shuffled)

PAIRS = [(name, shape) for shape in SHAPES for name in FUNCTIONS if name not in REPORTS or shape in SHAPES_OF_REPORTS]
"""Pairs to measure: the name of a function, and a shape."""


def call_of(function: Function, case: Case) -> Call:
    """A function over the documents of a case. A rejected document counts as done."""
    schema = _schema(case.api_version, case.kind)
    made: Call | None = None
    with suppress(engine.MergeError):
        made = function(case, schema)

    def call() -> None:
        with suppress(engine.MergeError):
            made() if made else None

    return call


def measured(name: str, shape: Callable[[int], Case]) -> float:
    """The exponent of a function over a shape. Raises a Loss if it is too steep."""
    made = lru_cache(shape)
    sizes = SIZES_OF.get(name, SIZES)
    return grows_slowly(f"{name} of {shape.__name__}", lambda size: call_of(FUNCTIONS[name], made(size)), sizes)


def attack(trial: Trial) -> Tried:
    """Measure each function over each shape. A part of the attack measures a random sample."""
    chosen = PAIRS if trial.times >= 1 else trial.random.sample(PAIRS, trial.often(len(PAIRS)))
    steepest = max(measured(name, shape) for name, shape in chosen)
    yield (
        f"functions over {len(SHAPES)} shapes from {SIZES[0]} to {SIZES[-1]} elements (the steepest: {steepest:.2f})",
        len(chosen),
    )
    others = list(MANY) if trial.times >= 1 else trial.random.sample(list(MANY), trial.often(len(MANY)))
    steepest = max(grows_slowly(name, MANY[name]) for name in others)
    yield f"functions over many objects, definitions and documents (the steepest: {steepest:.2f})", len(others)
    rows = list(ROWS) if trial.times >= 1 else trial.random.sample(list(ROWS), trial.often(len(ROWS)))
    with limits_below_all_sizes():
        for name in rows:
            found = steep_functions(ROWS[name])
            insist(not found, f"{name}: {'; '.join(found)}")
    yield "commands and requests whose calls are counted", len(rows)
