"""Versions that pluto lists as removed are found by lint in the same release. Each difference has its reason here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import engine
from kubemerge.apiserver.kinds.deprecated import lifecycle

if TYPE_CHECKING:
    from ..shell import Shell

STATED = [
    tuple(line.split())
    for line in Path(__file__).with_name("pluto.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
"""The apiVersion, the kind, and the releases that deprecate and remove it."""
NEVER = {
    ("apps/v1beta1", "ReplicaSet"): "no specification lists it: it came with apps/v1beta2",
    ("flowcontrol.apiserver.k8s.io/v1beta1", "FlowControl"): "there is no such kind; the group has two others",
}
"""Versions that pluto lists and no release has had."""
ALPHA = "an alpha version, which servers leave out by default; the specifications of 1.22 still list it"
GONE_LATER = {
    **{("rbac.authorization.k8s.io/v1alpha1", kind): ALPHA for kind in ("ClusterRole", "ClusterRoleBinding")},
    **{("rbac.authorization.k8s.io/v1alpha1", kind): ALPHA for kind in ("Role", "RoleBinding")},
    ("scheduling.k8s.io/v1alpha1", "PriorityClass"): ALPHA,
}
"""Versions that are removed in 1.23 by the specifications, and earlier by pluto."""
LIFECYCLE = "the lifecycle in k8s.io/api, by which servers warn; pluto has the release in which the next version came"
DEPRECATED_LATER = {
    ("storage.k8s.io/v1beta1", "StorageClass"): LIFECYCLE,
    ("storage.k8s.io/v1beta1", "VolumeAttachment"): LIFECYCLE,
    ("apiregistration.k8s.io/v1beta1", "APIService"): LIFECYCLE,
    ("authentication.k8s.io/v1beta1", "TokenReview"): LIFECYCLE,
    ("coordination.k8s.io/v1beta1", "Lease"): LIFECYCLE,
    ("events.k8s.io/v1beta1", "Event"): LIFECYCLE,
    ("extensions/v1beta1", "PodSecurityPolicy"): "the deprecation guide; pluto has the release before",
    **GONE_LATER,
}
ASKED = ("TokenReview",)
"""Questions to the server, which are never stored: lint passes them over."""


def minor(release: str) -> int:
    return int(release.partition(".")[2])


@pytest.mark.parametrize(("api_version", "kind", "deprecated", "gone"), STATED)
def test_a_version_goes_in_the_release_that_pluto_states(
    shell: Shell, api_version: str, kind: str, deprecated: str, gone: str
) -> None:
    key = api_version, kind
    found = lifecycle(*key)
    assert (found is None) is (key in NEVER)
    if found is None:
        assert not any(key in engine.load(release) for release in engine.releases())
        return
    gone = "1.23" if key in GONE_LATER else gone
    assert found.gone == gone
    later = deprecated != "-" and (not found.deprecated or minor(found.deprecated) > minor(deprecated))
    assert later is (key in DEPRECATED_LATER)
    content = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}}
    shell.write("a.json", content)
    first = engine.releases()[engine.releases().index(gone) - 1]
    for releases in (gone, f"{first}..{gone}"):
        shell.run("lint", "a.json", "--no-config", "--release", releases, "-o", "json", "--select", "KM027,KM202")
        if kind in ASKED:
            assert json.loads(shell.out) == []
            continue
        (said,) = json.loads(shell.out)
        assert said["severity"] == "error"
        assert f"{api_version} {kind} is " in said["message"]
        if found.successor and found.successor.split()[1] == kind:
            assert engine.load(gone).schema(*found.successor.split())
            told = re.fullmatch(
                r"Write apiVersion: (\S+?)(?:, and edit the other fields manually, because .+)?\.", said["advice"]
            )
            assert told
            assert (told[1], kind) in engine.load(gone)
    if found.deprecated and minor(found.deprecated) < minor(gone) and kind not in ASKED:
        shell.run("lint", "a.json", "--no-config", "--release", first, "-o", "json", "--select", "KM201,KM202")
        assert [one["code"] for one in json.loads(shell.out)] == ["KM201"]
