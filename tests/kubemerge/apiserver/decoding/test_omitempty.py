"""The tables of zeros agree with Go's types.

`data/zeros.json` contains the types of all kinds in k8s.io/client-go, k8s.io/apiextensions-apiserver and
k8s.io/kube-aggregator 0.37.0: `gone` are scalars with `omitempty` and without a pointer, `kept` the other ones, `null`
lists without `omitempty`. `record_reference` recorded it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import engine
from engine.serverside.typed.zero_value_tables import NULL_LISTS
from kubemerge.apiserver.decoding import omitempty

if TYPE_CHECKING:
    from engine.tables.rules import Rule

DATA = Path(__file__).parents[1] / "data"
TYPES: list[dict[str, str]] = json.loads((DATA / "zeros.json").read_text(encoding="utf-8"))


def said(word: str) -> list[tuple[str, str]]:
    return [(row["type"], field) for row in TYPES for field in row.get(word, "").split()]


@pytest.mark.parametrize(("word", "goes"), [("gone", True), ("kept", False)])
def test_every_scalar_is_as_in_go(word: str, goes: bool) -> None:
    assert len(said(word)) > 600
    assert [at for at in said(word) if omitempty.is_omitted(*at) is not goes] == []


def test_nothing_in_the_tables_is_unknown_to_go() -> None:
    owners = {name for row in TYPES for name in (row["type"], row["type"].rpartition(".")[2])}
    named = {
        name
        for table in (omitempty.GONE_IN, omitempty.GONE_BUT_IN)
        for types in table.values()
        for name in types.split()
    }
    assert named | {name.rpartition(".")[0] for name in NULL_LISTS.split()} <= owners
    assert {*omitempty.GONE.split(), *omitempty.GONE_IN, *omitempty.GONE_BUT_IN} == {field for _, field in said("gone")}


@pytest.mark.parametrize(
    "kind", [("apps/v1", "StatefulSet"), ("v1", "Service"), ("autoscaling/v2", "HorizontalPodAutoscaler")]
)
def test_types_are_called_as_in_the_tables(kind: tuple[str, str]) -> None:
    schema = engine.load("1.37").schema(*kind)
    reached = {str(rule.of) for _, rule in schema.walk() if rule.kind == "map" and not rule.free_keys}
    with_scalars = {name for name in reached if any(has_zero(rule) for rule in schema.types[name].fields.values())}
    assert with_scalars
    assert with_scalars <= {row["type"] for row in TYPES}


def has_zero(rule: Rule) -> bool:
    return rule.kind == "primitive" and rule.of in ("integer", "boolean")
