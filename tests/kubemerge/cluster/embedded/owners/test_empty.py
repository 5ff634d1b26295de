"""What a server starts from is what Go's own types print, as `admission/record_reference.py` recorded it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine
from kubemerge.cluster.embedded.owners.empty import EMPTY, empty_object

DATA = Path(__file__).parents[1] / "admission" / "data"
ROWS: list[dict[str, Any]] = json.loads((DATA / "empty.json").read_text(encoding="utf-8"))
TABLES = engine.load("1.37")
SERVED = [row for row in ROWS if (row["apiVersion"], row["kind"]) in TABLES]
ODD = {("events.k8s.io/v1", "Event"): "one table for the Events of both groups", ("v1", "APIGroup"): "is never stored"}


def with_empty_lists(value: Any, wanted: Any) -> Any:
    """The value with null in the place of empty lists that Go prints as null."""
    if value == [] and wanted is None:
        return None
    if isinstance(value, dict) and isinstance(wanted, dict):
        return {key: with_empty_lists(inner, wanted.get(key)) for key, inner in value.items()}
    return value


@pytest.mark.parametrize("row", SERVED, ids=lambda row: f"{row['apiVersion']} {row['kind']}")
def test_an_empty_object_is_as_in_go(row: dict[str, Any]) -> None:
    key = (row["apiVersion"], row["kind"])
    made = empty_object(TABLES.schema(*key))
    head = {"apiVersion": key[0], "kind": key[1], "metadata": {}}
    assert (with_empty_lists(made, row["object"]) == {**row["object"], **head}) is (key not in ODD)


def test_every_kind_of_the_table_is_one_of_go() -> None:
    assert len(SERVED) > 60
    assert set(EMPTY) <= {row["kind"] for row in ROWS}


def test_a_kind_without_anything_of_its_own() -> None:
    made = empty_object(TABLES.schema("v1", "ConfigMap"))
    assert made == {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}}
    assert empty_object(engine.load("1.7").schema("apps/v1beta1", "Deployment"))["spec"]["strategy"] == {}
