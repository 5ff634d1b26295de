"""The smallest change with which a server-side apply needs no force, for servers with rules of their own."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from kubemerge.apiserver.pipeline import server_of
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs
from kubemerge.plan.cluster_view import ClusterView
from kubemerge.plan.kubectl import plan_kubectl
from kubemerge.plan.requests import Requests, Response
from kubemerge.plan.tools import PlanOptions
from kubemerge.plan.without_force import REMOVE, SET_LIVE, without_force

SCHEMA = engine.load().schema("v1", "ConfigMap")
BASE: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}}
CONFIG = {**BASE, "data": {"a": "1", "b": "1"}}
LIVE = engine.record_update(None, {**BASE, "data": {"a": "2", "b": "2"}}, SCHEMA, manager="other")


class Demanding(Requests):
    """A server that rejects applies without some entries of data."""

    def __init__(self, needs: set[str]) -> None:
        super().__init__(server_of(None))
        self._needs = needs

    def apply(self, live: Any, config: Any, schema: Any, **options: Any) -> Response:
        """The response to an apply."""
        if not self._needs <= config.get("data", {}).keys():
            return Response(None, problems=("an entry is missing",))
        return super().apply(live, config, schema, **options)


def edits(needs: set[str]) -> tuple[bool, dict[str, str], Any]:
    requests = Demanding(needs)
    inputs = Inputs(Manifest("config", CONFIG), Manifest("live", LIVE), SCHEMA)
    view = ClusterView(lambda _: inputs, requests.server)
    view.requests = requests
    (planned,) = plan_kubectl([inputs], view, PlanOptions(server_side="true")).objects
    assert [one.path for one in planned.conflicts] == ["data.a", "data.b"]
    found = without_force(planned, inputs, requests)
    data = None if found.config is None else found.config.get("data", "none")
    return found.is_found, {one.path: one.action for one in found.edits}, data


CASES = [
    (set[str](), True, {"data.a": REMOVE, "data.b": REMOVE}, "none"),
    ({"b"}, True, {"data.a": REMOVE, "data.b": SET_LIVE}, {"b": "2"}),
    ({"a", "b"}, True, {"data.a": SET_LIVE, "data.b": SET_LIVE}, {"a": "2", "b": "2"}),
]


@pytest.mark.parametrize(("needs", "is_found", "expected", "data"), CASES)
def test_a_field_is_left_out_if_possible_and_else_shared(
    needs: set[str], is_found: bool, expected: dict[str, str], data: Any
) -> None:
    assert edits(needs) == (is_found, expected, data)


def test_the_config_is_not_changed() -> None:
    before = repr((CONFIG, LIVE))
    edits(set())
    assert repr((CONFIG, LIVE)) == before
