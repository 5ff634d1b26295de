"""Each plugin begins with its release."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from kubemerge.apiserver import plugins
from kubemerge.apiserver.errors import ClusterError
from kubemerge.apiserver.plugins.context import AdmissionContext

ENFORCED = {"metadata": {"name": "n", "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}}
NAMED: dict[str, Any] = {"metadata": {"name": "a", "namespace": "n"}}
DEVICES = "resource.k8s.io"
ADMIN = {"devices": {"requests": [{"name": "r", "exactly": {"adminAccess": True}}]}}
TAINTED = {"devices": [{"name": "d", "taints": [{"key": "a", "effect": "NoSchedule"}]}]}
POD = {"tolerations": [{"operator": "Exists"}], "containers": [{"name": "c", "image": "a"}]}
OPEN = {"template": {"spec": {**POD, "hostNetwork": True}}}


def context(minor: int, warned: list[str] | None = None) -> AdmissionContext:
    """A namespace in which no Pod is allowed, and nothing else."""
    found = [] if warned is None else warned
    now = "2026-01-02T03:04:05Z"
    return AdmissionContext(lambda *_: iter(()), minor, None, lambda: now, lambda _: ENFORCED, found.append)


@pytest.mark.parametrize(
    ("group", "kind", "since", "given"),
    [
        ("", "Pod", 16, {"status": {"podIP": "10.1.1.1"}}),
        ("", "Pod", 27, {"spec": {"terminationGracePeriodSeconds": -1}}),
        ("", "Namespace", 21, {}),
        (DEVICES, "DeviceTaintRule", 33, {"spec": {"taint": {"key": "k", "effect": "NoSchedule"}}}),
        (DEVICES, "ResourceSlice", 33, {"spec": TAINTED}),
    ],
)
def test_decoding_since(group: str, kind: str, since: int, given: dict[str, Any]) -> None:
    content = {**NAMED, **given}
    assert plugins.read(deepcopy(content), group, kind, context(since - 1)) == content
    assert plugins.read(deepcopy(content), group, kind, context(since)) != content


@pytest.mark.parametrize(
    ("group", "kind", "since", "given"),
    [
        ("", "Pod", 11, {"spec": POD}),
        ("", "PersistentVolumeClaim", 10, {"spec": {}}),
        ("", "PersistentVolume", 11, {"spec": {}}),
        ("", "Node", 17, {"spec": {}}),
    ],
)
def test_changes_since(group: str, kind: str, since: int, given: dict[str, Any]) -> None:
    content = {**NAMED, **given}
    assert plugins.admit(deepcopy(content), group, kind, context(since - 1)) == content
    assert plugins.admit(deepcopy(content), group, kind, context(since)) != content


@pytest.mark.parametrize(
    ("group", "kind", "since", "given"),
    [
        ("", "Pod", 20, {"spec": {**POD, "overhead": {"cpu": "1"}}}),
        ("", "Pod", 25, {"spec": POD}),
        ("", "Namespace", 23, {"metadata": {"name": "n", "labels": {"pod-security.kubernetes.io/enforce": "x"}}}),
    ],
)
def test_rejections_since(group: str, kind: str, since: int, given: dict[str, Any]) -> None:
    content = {"apiVersion": "v1", "kind": kind, **NAMED, **given}
    plugins.validate(content, group, kind, context(since - 1))
    with pytest.raises(ClusterError):
        plugins.validate(content, group, kind, context(since))


@pytest.mark.parametrize(("kind", "spec"), [("ResourceClaim", ADMIN), ("ResourceClaimTemplate", {"spec": ADMIN})])
def test_admin_access_since(kind: str, spec: dict[str, Any]) -> None:
    content = {"kind": kind, **NAMED, "spec": spec}
    assert plugins.problems_of_new(content, DEVICES, kind, context(31)) == []
    (problem,) = plugins.problems_of_new(content, DEVICES, kind, context(32))
    assert "admin access to devices requires" in str(problem)


def test_admin_access_in_a_status_since() -> None:
    results = [{"request": "a"}, {"request": "b", "adminAccess": True}]
    content = {"kind": "ResourceClaim", **NAMED, "status": {"allocation": {"devices": {"results": results}}}}
    before, after = (context(minor)._replace(subresource="status") for minor in (33, 34))
    assert plugins.problems_of_status(content, DEVICES, "ResourceClaim", before) == []
    (problem,) = plugins.problems_of_status(content, DEVICES, "ResourceClaim", after)
    assert problem.path == "status.allocation.devices.results[1].adminAccess"
    for one in (after._replace(live=content), after._replace(subresource=None)):
        assert plugins.problems_of_status(content, DEVICES, "ResourceClaim", one) == []


@pytest.mark.parametrize(
    ("group", "kind", "given"),
    [
        ("", "PodTemplate", OPEN),
        ("", "ReplicationController", {"spec": OPEN}),
        *(("apps", kind, {"spec": OPEN}) for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
        ("batch", "Job", {"spec": OPEN}),
        ("batch", "CronJob", {"spec": {"jobTemplate": {"spec": OPEN}}}),
    ],
)
def test_warnings_about_templates_since_pod_security(group: str, kind: str, given: dict[str, Any]) -> None:
    before: list[str] = []
    after: list[str] = []
    plugins.validate({**NAMED, **given}, group, kind, context(24, before))
    plugins.validate({**NAMED, **given}, group, kind, context(25, after))
    assert before == []
    assert [one[:62] for one in after] == ['would violate PodSecurity "restricted:latest": host namespaces']
