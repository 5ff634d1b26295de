"""Texts of untrusted objects that are kept for other objects: only short ones."""

from __future__ import annotations

import engine
from tests.memory import allocated

SCHEMA = engine.load().schema("v1", "Pod")


def test_long_keys_of_list_elements_are_not_kept() -> None:
    def apply(first: int) -> None:
        names = [f"{number}{'x' * 100_000}" for number in range(first, first + 20)]
        containers = [{"name": "a", "env": [{"name": name, "value": "v"} for name in names]}]
        config = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": containers}}
        made = engine.server_side_apply(config, None, SCHEMA, manager="m").merged
        engine.server_side_apply(config, made, SCHEMA, manager="n")
        engine.field_owners(made)

    apply(0)
    assert allocated(lambda: apply(20)).left < 1_000_000
