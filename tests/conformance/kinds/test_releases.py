"""Servers of every release accept ordinary objects of every kind in the release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.apiserver.registry.autoscalers import NO_METRIC, ONLY_WITH_GATE
from kubemerge.apiserver.registry.resource_claims import NO_CONSTRAINT
from kubemerge.cluster import ClusterError, Invalid, NoMatch, open_cluster

from ...codegen.sample_specs import kubemerge
from ...conftest import spread
from .bodies import bodies, document

if TYPE_CHECKING:
    from pathlib import Path

RELEASES = engine.releases()
BY_DEFAULT = ("1.7", "1.16", "1.20", "1.25", "1.29", "1.33", RELEASES[-1])
SOME = [
    pytest.param(one, marks=() if one in BY_DEFAULT else (pytest.mark.slow, pytest.mark.left_out)) for one in RELEASES
]
WITHOUT_A_FIELD = {
    "spec.ingress[0].from[1]: Required value: must specify a peer",  # ipBlock is new in 1.8
    "spec.ingress[0].from[0]: Required value: must specify a peer",
    # containerResource is dropped before 1.27
    f"spec.metrics[2].containerResource: Required value: {NO_METRIC} ({ONLY_WITH_GATE})",
    # distinctAttribute is dropped before 1.36
    f"spec.devices.constraints[0]: Required value: {NO_CONSTRAINT}",
    f"spec.spec.devices.constraints[0]: Required value: {NO_CONSTRAINT}",
    # the same with matchAttribute alone, in 1.34 and 1.35
    "spec.devices.constraints[0].matchAttribute: Required value",
    "spec.spec.devices.constraints[0].matchAttribute: Required value",
    # since 1.36, expressions can read the field, because DRAConsumableCapacity is on
    'spec.selectors[1].cel.expression: Invalid value: "device.allowMultipleAllocations": compilation failed: '
    "ERROR: <input>:1:7: undefined field 'allowMultipleAllocations'\n | device.allowMultipleAllocations\n | ......^",
    # perDeviceNodeSelection is dropped before 1.36
    "spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required",
    # inlineVolumeSpec is new in 1.15
    "spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
}
"""Problems that an older release rightly reports, because it does not know a field."""


def refused(release: str) -> dict[tuple[str, str, str], set[str]]:
    """The ordinary objects that a server of the release rejects."""
    found = {}
    for body in bodies():
        for which in ("a", "b"):
            # each in a separate cluster, because names are not unique among the bodies
            with open_cluster(":memory:", release=release) as cluster:
                name = body.names[0] if body.names else f"name-{which}"
                try:
                    cluster.create(document(body, getattr(body, which), name))
                except NoMatch:
                    break
                except Invalid as error:
                    found[body.apiVersion, body.kind, which] = {*map(str, error.problems)}
                except ClusterError:
                    pass
    return found


@pytest.mark.parametrize("release", SOME)
def test_objects_accepted_by_the_newest_release_are_accepted(release: str, newest: dict[Any, set[str]]) -> None:
    found = {key: problems - WITHOUT_A_FIELD - newest.get(key, set()) for key, problems in refused(release).items()}
    assert {key: problems for key, problems in found.items() if problems} == {}


@pytest.fixture(scope="module")
def newest() -> dict[Any, set[str]]:
    return refused(RELEASES[-1])


JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: nginx}]}}}
"""


@pytest.mark.parametrize("release", spread(RELEASES))
def test_ordinary_job_is_accepted_and_labelled_as_in_its_release(release: str, tmp_path: Path) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        config = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": "j"},
            "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "nginx"}]}}},
        }
        stored = cluster.create(config)
    plain, prefixed = (
        {"controller-uid", "job-name"},
        {"batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"},
    )
    expected = plain | prefixed if int(release.partition(".")[2]) >= 27 else plain
    assert set(stored["spec"]["template"]["metadata"]["labels"]) == expected
    (tmp_path / "job.yaml").write_text(JOB)
    assert kubemerge("lint", "--release", release, str(tmp_path / "job.yaml")) == 0
