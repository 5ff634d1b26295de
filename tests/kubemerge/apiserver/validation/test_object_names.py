"""Valid object names by kind, and an API server's messages for others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.defaulting import fill as defaults
from kubemerge.apiserver.plugins import jobs
from kubemerge.apiserver.plugins.context import AdmissionContext
from kubemerge.apiserver.validation import object_names as naming
from kubemerge.apiserver.validation import validation
from kubemerge.cluster import Invalid, Reference

from ..conftest import crontab, crontabs

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

SUBDOMAIN, LABEL, PATH = "a lowercase RFC 1123 subdomain must", "a lowercase RFC 1123 label must", "may not "
RBAC, INTERNAL = "rbac.authorization.k8s.io/v1", "internal.apiserver.k8s.io/v1alpha1"

NAMES: list[tuple[str, str, tuple[str, ...], tuple[str, ...], str]] = [
    # the kind, valid names, invalid names, and the message
    ("v1", "ConfigMap", ("a.b", "1a", "a" * 253), ("Aa", "a_b", "a:b", "-a", "a/b", ".", "a..b", "Ünï"), SUBDOMAIN),
    ("v1", "ServiceAccount", ("a.b",), ("Aa",), SUBDOMAIN),
    ("v1", "Node", ("a.b",), ("Aa",), SUBDOMAIN),
    ("networking.k8s.io/v1", "Ingress", ("a.b",), ("Aa",), SUBDOMAIN),
    ("scheduling.k8s.io/v1", "PriorityClass", ("a.b",), ("Aa",), SUBDOMAIN),
    ("events.k8s.io/v1", "Event", ("a.b",), ("Aa",), SUBDOMAIN),
    ("v1", "ConfigMap", (), ("a" * 254,), "must be no more than 253 characters"),
    ("stable.example.com/v1", "CronTab", ("a.b",), ("Aa",), SUBDOMAIN),
    (
        INTERNAL,
        "StorageVersion",
        ("apps.deployments", "a.b.c"),
        ("a",),
        "name must be in the form of <group>.<resource>",
    ),
    (INTERNAL, "StorageVersion", (), ("A.b",), f"the group segment {SUBDOMAIN}"),
    (INTERNAL, "StorageVersion", (), ("a.1b",), "the resource segment a DNS-1035 label must"),
    ("v1", "Namespace", ("1a", "a" * 63), ("Aa", "a_b", "."), LABEL),
    ("v1", "Namespace", (), ("a.b",), "must not contain dots"),
    (RBAC, "Role", ("Aa", "a_b", "a:b", "-a", "Ünï", "a b", "a" * 254), ("a/b", "a%b", ".", ".."), PATH),
    (RBAC, "ClusterRoleBinding", ("system:x",), ("a/b",), "may not contain '/'"),
    ("policy/v1", "PodDisruptionBudget", ("A_b",), ("a%b",), "may not contain '%'"),
    ("v1", "Event", ("A_b",), (".",), "may not be '.'"),
    ("certificates.k8s.io/v1", "CertificateSigningRequest", ("A_b", "..", "a/b"), (), ""),  # its path is checked last
    ("certificates.k8s.io/v1", "ClusterTrustBundle", ("a.b:c:d", "a:B"), (), ""),  # its signer decides
    ("networking.k8s.io/v1", "IPAddress", ("10.0.0.1", "2001:db8::1"), ("a", "1.2.3"), "must be a valid IP address"),
    ("networking.k8s.io/v1", "IPAddress", (), ("2001:DB8::1",), 'must be in canonical form ("2001:db8::1")'),
]


def problems(api_version: str, kind: str, **metadata: Any) -> list[str]:
    return [*map(str, naming.problems(metadata, api_version.rpartition("/")[0], kind))]


@pytest.mark.parametrize(("api_version", "kind", "good", "bad", "said"), NAMES)
def test_names(api_version: str, kind: str, good: tuple[str, ...], bad: tuple[str, ...], said: str) -> None:
    for name in good:
        assert problems(api_version, kind, name=name) == []
    for name in bad:
        (problem,) = problems(api_version, kind, name=name)
        assert problem.startswith(f'metadata.name: Invalid value: "{name}": {said}')


def test_the_path_is_checked_for_all_kinds() -> None:
    assert [*map(str, naming.path_problems({"name": "..", "generateName": "a/b"}))] == [
        "metadata.generateName: Invalid value: \"a/b\": may not contain '/'",
        "metadata.name: Invalid value: \"..\": may not be '..'",
    ]


def test_all_that_is_wrong_with_a_name_is_reported() -> None:
    assert problems(RBAC, "Role", name="a/%") == [
        "metadata.name: Invalid value: \"a/%\": may not contain '/'",
        "metadata.name: Invalid value: \"a/%\": may not contain '%'",
    ]


@pytest.mark.parametrize(
    ("prefix", "fields"),
    [("a-", []), ("a.", ["generateName"]), ("Ab-", ["generateName", "name"]), ("-", ["generateName", "name"])],
)
def test_what_a_name_is_made_of_is_judged_too(prefix: str, fields: list[str]) -> None:
    found = problems("v1", "ConfigMap", generateName=prefix, name=f"{prefix}x2b4c")
    assert [one.partition(":")[0] for one in found] == [f"metadata.{field}" for field in fields]


def test_a_made_name_is_no_longer_than_a_part_of_a_domain_name(cluster: EmbeddedCluster) -> None:
    content = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "a" * 70}}
    assert cluster.create(content)["metadata"]["name"] == f"{'a' * 58}00001"


def test_a_name_is_judged_when_the_object_comes_to_be(cluster: EmbeddedCluster) -> None:
    cluster.create(crontabs())
    with pytest.raises(Invalid, match=f"{SUBDOMAIN} consist of"):
        cluster.create(crontab("Night"))
    old = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "A", "namespace": "default", "uid": "1"}}
    cluster.load([old])
    assert cluster.patch(Reference.of(old), {"data": {"a": "b"}}, "merge")["data"] == {"a": "b"}
    assert validation.problems(old, old) == []


@pytest.mark.parametrize(
    ("name", "manual", "refused"), [("a" * 63, False, 0), ("a" * 64, False, 1), ("a" * 64, True, 0)]
)
def test_the_name_of_a_job_is_a_label_of_its_pods(name: str, manual: bool, refused: int) -> None:
    pod: dict[str, Any] = {"spec": {"containers": [{"name": "a", "image": "b"}], "restartPolicy": "Never"}}
    spec: dict[str, Any] = {"template": pod, "manualSelector": manual}
    if manual:
        spec["selector"] = {"matchLabels": {"a": "b"}}
        pod["metadata"] = {"labels": {"a": "b"}}
    content = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "uid": "u"}, "spec": spec}
    selected = jobs.generate_selector(
        content, AdmissionContext(lambda *_: iter(()), 37, None, lambda: "", lambda _: None)
    )
    said = f'spec.template.labels: Invalid value: "{name}": must be no more than 63 bytes'
    found = [*map(str, validation.problems(defaults.fill(selected, None, "1.37"), None))]
    assert [one for one in found if "spec.template" in one] == [said] * refused
