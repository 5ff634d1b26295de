"""The owners of a new object, found in one pass, are those that the steps of an update find."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.serverside import field_managers

from .draw import Draw
from .random_inputs import SCHEMAS
from .schemas import engine_schema
from .spoil import spoiled

if TYPE_CHECKING:
    from collections.abc import Iterator

EACH = 100
"""The number of objects of a kind. Every second one is spoiled: nulls, repeated elements, values of a wrong type."""

EMPTY = {
    "apps/v1 Deployment": [
        {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"selector": {}, "template": {"spec": {}}}},
        {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": {"spec": {"containers": []}}}},
        {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"strategy": {}, "template": {"metadata": {}}}},
    ]
}
"""Values that are null in the empty object of the kind, and empty here."""


def objects(name: str) -> Iterator[dict[str, Any]]:
    schema = engine_schema(name)
    for seed in range(EACH):
        draw = Draw(schema, Random(seed))
        made = draw.document()
        yield spoiled(draw, made, 1) if seed % 2 else made


def stored(made: dict[str, Any], schema: engine.Schema) -> Any:
    try:
        return engine.record_update(None, made, schema, manager="me", time="2026-01-01T00:00:00Z")
    except engine.MergeError as error:
        return str(error)


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name != "MergeItem"])
def test_one_pass_finds_the_same_owners(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = engine_schema(name)
    found: list[bool] = []
    create = field_managers.create

    def noted(*given: Any) -> Any:
        made = create(*given)
        found.append(made is not None)
        return made

    for made in [*objects(name), *EMPTY.get(name, ())]:
        with monkeypatch.context() as patch:
            patch.setattr(field_managers, "create", noted)
            in_one_pass = stored(made, schema)
            patch.setattr(field_managers, "create", lambda *_: None)
            assert in_one_pass == stored(made, schema)
    assert any(found)
