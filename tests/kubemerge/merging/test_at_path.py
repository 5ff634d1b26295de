"""Which changes a typed path means: those at it and below, or that of the value which has it inside."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from kubemerge.merging.at_path import changes_at

from ..objects import deployment

SCHEMA = engine.load("1.37").schema("apps/v1", "Deployment")
CONTAINERS = {"name": "web", "image": "a"}, {"name": "side", "ports": [{"containerPort": 80}], "args": ["x", "y"]}
CONFIG = deployment("web", *CONTAINERS, replicas=2)
LIVE = deployment("web", {"name": "web", "image": "b"}, strategy={"type": "Recreate"})

NEW = "spec.template.spec.containers"
PATHS: dict[str, tuple[dict[str, Any] | None, list[str]]] = {
    "spec.replicas": (LIVE, ["spec.replicas"]),
    f"{NEW}.image": (LIVE, [f"{NEW}[name=web].image"]),
    "spec.strategy.type": (LIVE, ["spec.strategy"]),
    f"{NEW}[name=side].ports": (LIVE, [f"{NEW}[name=side]"]),
    f"{NEW}.ports.containerPort": (LIVE, [f"{NEW}[name=side]"]),
    f"{NEW}[name=side].ports[containerPort=80]": (LIVE, [f"{NEW}[name=side]"]),
    f"{NEW}[name=side].ports[containerPort=81]": (LIVE, []),
    f"{NEW}[name=side].args[1]": (LIVE, [f"{NEW}[name=side]"]),
    f'{NEW}[name=side].args[="y"]': (LIVE, [f"{NEW}[name=side]"]),
    f"{NEW}[name=side].args[2]": (LIVE, []),
    f"{NEW}[name=web].ports": (LIVE, []),
    "spec.strategy.rollingUpdate": (LIVE, []),
    "spec.nothing": (LIVE, []),
    "spec[": (LIVE, []),
    "spec.replicas.": (None, []),
    "spec.template.metadata.labels.app": (None, ["spec"]),
    f"{NEW}[name=web].image": (None, ["spec"]),
    f"{NEW}[name=other].image": (None, []),
    "spec.paused": (None, []),
}


@pytest.mark.parametrize("path", PATHS)
def test_a_path(path: str) -> None:
    live, expected = PATHS[path]
    changes = engine.apply(CONFIG, live, SCHEMA, last_applied=None).changes
    assert [change.path for change in changes_at(changes, path)] == expected
