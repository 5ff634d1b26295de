"""Lint findings about fields that only the server sets hold in a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.actions.apply import ApplyOptions, apply
from kubemerge.cluster import Conflict, Invalid

from ..objects import deployment

if TYPE_CHECKING:
    from kubemerge.cluster import Cluster

AT_ONCE = ApplyOptions(sleep=lambda _: None)


def with_field(path: str, value: Any) -> dict[str, Any]:
    """A Deployment with this field in its metadata, or beside it."""
    config = deployment()
    where, _, name = path.rpartition(".")
    (config[where] if where else config)[name] = value
    return config


def found(config: dict[str, Any], live: dict[str, Any] | None = None) -> list[str]:
    schema = engine.load().schema("apps/v1", "Deployment")
    return [f"{one.code} {one.path}" for one in engine.lint(config, schema, live=live)]


@pytest.mark.parametrize("path", ["metadata.resourceVersion", "metadata.uid"])
def test_the_second_apply_is_refused(path: str, cluster: Cluster) -> None:
    config = with_field(path, "1")
    assert found(config) == [f"KM025 {path}"]
    live = apply(cluster, config, AT_ONCE).content
    assert found(config, live) == [f"KM025 {path}"]
    with pytest.raises((Conflict, Invalid)):
        apply(cluster, config, AT_ONCE)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("metadata.creationTimestamp", "2020-01-01T00:00:00Z"),
        ("metadata.generation", 7),
        ("metadata.selfLink", "/x"),
        ("status", {"replicas": 3}),
    ],
)
def test_what_is_never_taken_is_sent_on_every_apply(path: str, value: Any, cluster: Cluster) -> None:
    config = with_field(path, value)
    live = apply(cluster, config).content
    assert found(config, live) == [f"KM026 {path}"]
    for _ in range(3):
        done = apply(cluster, config)
        assert done.result == "configured"
        where, _, name = path.rpartition(".")
        assert (done.content[where] if where else done.content).get(name) != value


@pytest.mark.parametrize(("path", "value"), [("status", {}), ("metadata.generation", 1), ("metadata.uid", "")])
def test_what_harms_nobody_is_not_found(path: str, value: Any, cluster: Cluster) -> None:
    config = with_field(path, value)
    live = apply(cluster, config).content
    assert found(config) == found(config, live) == []
