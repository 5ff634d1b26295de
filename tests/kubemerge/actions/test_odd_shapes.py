"""Objects whose spec has another shape, from a server or a file: a result, or one sentence."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from engine import MergeError
from kubemerge.actions.generators.workloads import job_of_cron_job
from kubemerge.actions.rollouts.changes import paused, restarted, resumed
from kubemerge.actions.rollouts.history import states
from kubemerge.actions.setting.containers import with_images, with_resources
from kubemerge.actions.setting.others import with_account, with_selector
from kubemerge.actions.setting.variables import Variables, with_variables

from ..apiserver.conftest import deployment

if TYPE_CHECKING:
    from collections.abc import Callable

    from kubemerge.apiserver import EmbeddedCluster

VALUES: tuple[Any, ...] = (None, {}, [], 3, "x", [3], [{}], {"a": None})
PATHS = (
    "spec",
    "spec.template",
    "spec.template.metadata",
    "spec.template.metadata.annotations",
    "spec.template.spec",
    "spec.template.spec.containers",
    "spec.jobTemplate",
    "spec.jobTemplate.metadata",
    "spec.jobTemplate.metadata.annotations",
)
CONTAINER_PATHS = ("resources", "resources.limits", "env", "name")
WORKS: dict[str, Callable[[Any], object]] = {
    "restart": restarted,
    "pause": paused,
    "resume": resumed,
    "a job of a cron job": partial(job_of_cron_job, "j"),
    "images": lambda one: with_images(one, {"a": "b"}, []),
    "resources": lambda one: with_resources(one, "*", "cpu=1", "", []),
    "variables": lambda one: with_variables(one, "*", Variables([{"name": "x", "value": "y"}], ["z"]), overwrite=False),
    "account": lambda one: with_account(one, "a"),
    "selector": lambda one: with_selector({**one, "apiVersion": "v1", "kind": "Service"}, "a=b"),
}


def at(path: str, value: Any) -> Any:
    """The value at a dotted path."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return value


@pytest.mark.parametrize("name", WORKS)
def test_another_shape_is_no_bug(name: str) -> None:
    container = [at(path, value) for path in CONTAINER_PATHS for value in VALUES]
    specs = [at(path, value) for path in PATHS for value in VALUES]
    specs += [at("spec.template.spec.containers", [{"name": "a", **one}]) for one in container]
    for spec in ({}, *specs):
        with suppress(MergeError):
            WORKS[name]({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, **spec})


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("path", ["spec", "spec.template", "spec.template.metadata", "data", "revision"])
def test_the_history_of_another_shape_is_no_bug(
    cluster: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch, path: str, value: Any
) -> None:
    owners = [{"controller": True, "uid": "u"}]
    for kind in ("Deployment", "StatefulSet"):
        live = {**deployment(), "kind": kind, "metadata": {"name": "a", "namespace": "default", "uid": "u"}}
        one = {"metadata": {"name": "a-1", "ownerReferences": owners, "labels": {"app": "web"}}, **at(path, value)}
        monkeypatch.setattr(cluster, "list", lambda *_, one=one, **__: [one])
        [state] = states(cluster, live, cluster.resource("apps/v1", kind), "history viewer")
        assert isinstance(state.template, dict)
        assert isinstance(state.revision, int)
        assert state.cause == "<none>"
