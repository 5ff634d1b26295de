"""Deprecated and removed versions of kinds, and their replacements, as in the guide to deprecated APIs."""

from __future__ import annotations

import re

import pytest

import engine
from kubemerge.apiserver.kinds.deprecated import deprecation, lifecycle, successor

GUIDE = """
    1.16 1.9  extensions/v1beta1 Deployment -> apps/v1 Deployment
    1.16 1.8  extensions/v1beta1 NetworkPolicy -> networking.k8s.io/v1 NetworkPolicy
    1.22 1.16 admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration -> admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration
    1.22 1.16 apiextensions.k8s.io/v1beta1 CustomResourceDefinition -> apiextensions.k8s.io/v1 CustomResourceDefinition
    1.22 1.19 networking.k8s.io/v1beta1 Ingress -> networking.k8s.io/v1 Ingress
    1.22 1.19 networking.k8s.io/v1beta1 IngressClass -> networking.k8s.io/v1 IngressClass
    1.22 1.14 scheduling.k8s.io/v1beta1 PriorityClass -> scheduling.k8s.io/v1 PriorityClass
    1.25 1.21 batch/v1beta1 CronJob -> batch/v1 CronJob
    1.25 1.23 autoscaling/v2beta1 HorizontalPodAutoscaler -> autoscaling/v2 HorizontalPodAutoscaler
    1.25 1.20 node.k8s.io/v1beta1 RuntimeClass -> node.k8s.io/v1 RuntimeClass
    1.26 1.23 autoscaling/v2beta2 HorizontalPodAutoscaler -> autoscaling/v2 HorizontalPodAutoscaler
    1.27 1.24 storage.k8s.io/v1beta1 CSIStorageCapacity -> storage.k8s.io/v1 CSIStorageCapacity
    1.29 1.29 flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema -> flowcontrol.apiserver.k8s.io/v1 FlowSchema
    1.32 1.29 flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema -> flowcontrol.apiserver.k8s.io/v1 FlowSchema
"""  # noqa: E501 - one kind to a line
"""The release that removes a version, the release that adds its successor, the version, and the successor."""


@pytest.mark.parametrize("line", GUIDE.strip().splitlines())
def test_what_is_gone_has_its_successor(line: str) -> None:
    gone, _, api_version, kind, _, other, name = line.split()
    found = lifecycle(api_version, kind)
    assert found is not None
    assert found.gone == gone
    assert found.is_gone_in(gone)
    assert not found.is_deprecated_in(gone)
    assert successor(api_version, kind, "1.37") == f"{other} {name}"


@pytest.mark.parametrize("line", [one for one in GUIDE.strip().splitlines() if "flowcontrol" not in one])
def test_the_successor_is_there_when_the_guide_says(line: str) -> None:
    _, since, api_version, kind, _, _, _ = line.split()
    found = lifecycle(api_version, kind)
    assert found is not None
    assert found.successor_since in (since, "" if since == "1.8" else since)


def test_a_kind_without_successor_has_another_way_out() -> None:
    found = lifecycle("policy/v1beta1", "PodSecurityPolicy")
    assert found is not None
    assert (found.gone, found.successor) == ("1.25", "")
    assert "Pod Security Admission" in found.advice


def test_the_successor_is_one_that_the_release_has() -> None:
    """The successor of a version may be removed as well in that release, or may be added later."""
    assert successor("flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema", "1.28").startswith(
        "flowcontrol.apiserver.k8s.io/v1beta3 "
    )
    assert successor("flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema", "1.37") == (
        "flowcontrol.apiserver.k8s.io/v1 FlowSchema"
    )
    assert successor("batch/v1beta1", "CronJob", "1.20") == ""


def test_what_is_neither_deprecated_nor_gone_has_no_lifecycle() -> None:
    assert lifecycle("apps/v1", "Deployment") is None
    assert lifecycle("example.com/v1", "Deployment") is None


def test_every_version_that_the_newest_specification_has_lost_is_gone() -> None:
    newest = set(engine.load().kinds())
    for release in engine.releases():
        for key in set(engine.load(release).kinds()) - newest:
            found = lifecycle(*key)
            assert found is not None, key
            assert found.is_gone_in(engine.releases()[-1]), key


def test_a_server_warns_of_what_is_deprecated_from_1_19_on() -> None:
    assert deprecation("policy/v1beta1", "PodSecurityPolicy", "1.24") == (
        "policy/v1beta1 PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+"
    )
    assert deprecation("policy/v1beta1", "PodSecurityPolicy", "1.20") == ""
    assert deprecation("extensions/v1beta1", "Deployment", "1.18") == ""


@pytest.mark.parametrize(
    ("key", "release", "named"),
    [
        ("flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema", "1.25", "flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema"),
        ("autoscaling/v2beta1 HorizontalPodAutoscaler", "1.22", "autoscaling/v2beta2 HorizontalPodAutoscaler"),
        ("autoscaling/v2beta1 HorizontalPodAutoscaler", "1.23", "autoscaling/v2 HorizontalPodAutoscaler"),
        ("storage.k8s.io/v1alpha1 VolumeAttributesClass", "1.33", ""),
        ("storage.k8s.io/v1alpha1 VolumeAttributesClass", "1.34", "storage.k8s.io/v1 VolumeAttributesClass"),
    ],
)
def test_a_warning_names_the_successor_of_its_release(key: str, release: str, named: str) -> None:
    api_version, kind = key.split()
    assert deprecation(api_version, kind, release).partition("; use ")[2] == named


def test_named_successors_are_served_by_the_release() -> None:
    for release in engine.releases():
        served = {*engine.load(release).kinds()}
        for key in served:
            named = deprecation(*key, release).partition("; use ")[2].replace("IngressClassList", "IngressClass")
            assert not named or (*named.split(),) in served or key[1] in SUBRESOURCES, (release, key, named)


SUBRESOURCES = ("Scale", "DeploymentRollback")
"""Kinds whose successor is in no specification: apps/v1 has no rollback."""


FORGOTTEN = {
    "ExternalAdmissionHookConfiguration",
    "InitializerConfiguration",
    "LeaseCandidate",
    "ScheduledJob",
    "DeploymentRollback",
    "Scale",
    "ThirdPartyResource",
    "Eviction",
    "EvictionRequest",
    "PodScheduling",
    "ResourcePoolStatusRequest",
    "PodGroup",
    "Workload",
    "EphemeralContainers",
    "NodeConfigSource",
}
"""Removed kinds without a successor that nobody needs advice for: alpha kinds, and those of the future."""
NO_KINDS = {"DeleteOptions", "Status", "WatchEvent"}
KNOWN = {key for release in engine.releases() for key in engine.load(release).kinds()}


def test_removed_kinds_without_a_successor_have_advice() -> None:
    removed = {key: lifecycle(*key) for key in KNOWN if key[1] not in NO_KINDS and not key[1].endswith("List")}
    without = {kind for (_, kind), found in removed.items() if found is not None and not found.advice}
    assert without == FORGOTTEN


def test_advice_names_kinds_that_exist() -> None:
    words = {word for key in KNOWN if (found := lifecycle(*key)) for word in re.findall(r"[A-Z]\w+", found.advice)}
    assert words - {"API", "Pod", "Security", "Admission"} <= {kind for _, kind in KNOWN}
