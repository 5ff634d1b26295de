"""The tables of a definition are read once, if it is checked before it is used."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest

import codegen
from kubemerge.apiserver.crd.definitions import tables

from ....codegen.sample_specs import crd


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The definitions that are read."""
    found: list[object] = []
    read = codegen.read

    def noted(definition: Any) -> Any:
        found.append(definition)
        return read(definition)

    monkeypatch.setattr(codegen, "read", noted)
    monkeypatch.setattr(tables, "_checked", {})
    return found


def definition(default: object = 1, **spec: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "default": default}}}
    found = {**crd(schema), "metadata": {"name": "things.test.example"}}
    return {**found, "spec": {**found["spec"], **spec}}


def test_a_checked_definition_is_read_once(reads: list[object]) -> None:
    with_defaults = definition(conversion={"strategy": "None"})
    tables.check_readable(with_defaults)
    found = tables.tables_of(definition())
    assert found.schema("test.example/v1", "Thing").rule("a") is not None
    assert reads == [with_defaults]
    tables.tables_of(definition())
    assert len(reads) == 2


@pytest.mark.parametrize(
    "other", [definition(True), definition(1.0), definition(scope="Cluster"), {**definition(), "apiVersion": "x/v1"}]
)
def test_another_definition_of_the_name_is_read(reads: list[object], other: dict[str, Any]) -> None:
    tables.check_readable(definition())
    tables.tables_of(other)
    assert len(reads) == 2


@pytest.mark.parametrize("damage", ["spec", "metadata"])
def test_damaged_definitions(reads: list[object], damage: str) -> None:
    tables.check_readable(definition())
    damaged = deepcopy(definition())
    damaged[damage] = {"name": ["things"]}
    with suppress(codegen.SpecError):
        tables.tables_of(damaged)
    assert len(reads) == 2


def test_few_tables_are_kept(reads: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MOST", 2)
    for name in ("a", "b", "c"):
        tables.check_readable({**definition(), "metadata": {"name": name}})
    assert list(tables._checked) == ["'c'"]
