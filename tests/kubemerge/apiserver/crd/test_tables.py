"""The tables of a definition are read once, if it is checked before it is used."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from typing import Any
from unittest.mock import Mock, call

import pytest

import codegen
from kubemerge.apiserver.crd.definitions import tables

from ....codegen.sample_specs import crd


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """The function that reads definitions."""
    found = Mock(wraps=codegen.read)
    monkeypatch.setattr(codegen, "read", found)
    monkeypatch.setattr(tables, "_checked", {})
    return found


def definition(default: object = 1, **spec: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "default": default}}}
    found = {**crd(schema), "metadata": {"name": "things.test.example"}}
    return {**found, "spec": {**found["spec"], **spec}}


def test_a_checked_definition_is_read_once(read: Mock) -> None:
    with_defaults = definition(conversion={"strategy": "None"})
    tables.check_readable(with_defaults)
    found = tables.tables_of(definition())
    assert found.schema("test.example/v1", "Thing").rule("a") is not None
    assert read.call_args_list == [call(with_defaults)]
    tables.tables_of(definition())
    assert read.call_count == 2


@pytest.mark.parametrize(
    "other", [definition(True), definition(1.0), definition(scope="Cluster"), {**definition(), "apiVersion": "x/v1"}]
)
def test_another_definition_of_the_name_is_read(read: Mock, other: dict[str, Any]) -> None:
    tables.check_readable(definition())
    tables.tables_of(other)
    assert read.call_count == 2


@pytest.mark.parametrize("damage", ["spec", "metadata"])
def test_damaged_definitions(read: Mock, damage: str) -> None:
    tables.check_readable(definition())
    damaged = deepcopy(definition())
    damaged[damage] = {"name": ["things"]}
    with suppress(codegen.SpecError):
        tables.tables_of(damaged)
    assert read.call_count == 2


def test_few_tables_are_kept(read: Mock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MOST", 2)
    for name in ("a", "b", "c"):
        tables.check_readable({**definition(), "metadata": {"name": name}})
    assert list(tables._checked) == ["'c'"]
