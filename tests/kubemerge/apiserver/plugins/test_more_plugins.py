"""Plugins by release and user. Responses of a server are in tests/conformance/policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.authorization.authorizer import Authorizer, Decision
from kubemerge.apiserver.plugins import signing
from kubemerge.apiserver.plugins.context import AdmissionContext
from kubemerge.cluster import Forbidden, open_cluster

if TYPE_CHECKING:
    from kubemerge.apiserver.authorization.attributes import Attributes

INGRESS = "networking.k8s.io/v1"


def ingress_class(name: str, version: str) -> dict[str, Any]:
    annotations = {"ingressclass.kubernetes.io/is-default-class": "true"}
    metadata = {"name": name, "annotations": annotations}
    return {
        "apiVersion": version,
        "kind": "IngressClass",
        "metadata": metadata,
        "spec": {"controller": "example.com/c"},
    }


def ingress(version: str) -> dict[str, Any]:
    backend = {"service": {"name": "s", "port": {"number": 80}}}
    return {"apiVersion": version, "kind": "Ingress", "metadata": {"name": "a"}, "spec": {"defaultBackend": backend}}


@pytest.mark.parametrize(("release", "expected"), [("1.24", ""), ("1.25", "a"), ("1.37", "a")])
def test_two_default_classes_of_an_ingress(release: str, expected: str) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        for name in ("b", "a"):
            cluster.create(ingress_class(name, INGRESS))
        if expected:
            assert cluster.create(ingress(INGRESS))["spec"]["ingressClassName"] in ("a", "b")
        else:
            with pytest.raises(Forbidden, match="2 default IngressClasses were found, only 1 allowed"):
                cluster.create(ingress(INGRESS))


@pytest.mark.parametrize(("release", "has_labels"), [("1.34", False), ("1.35", True)])
def test_labels_of_nodes_on_pods(release: str, *, has_labels: bool) -> None:
    labels = {"topology.kubernetes.io/zone": "z"}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": labels}}
    spec = {"nodeName": "n", "containers": [{"name": "c", "image": "i"}]}
    with open_cluster(":memory:", release=release) as cluster:
        cluster.create(node)
        made = cluster.create({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec})
    assert made["metadata"].get("labels") == (labels if has_labels else None)


class Nobody(Authorizer):
    """Allows only one request."""

    decides = True

    def __init__(self, allowed: str) -> None:
        self.allowed = allowed

    def authorize(self, attributes: Attributes) -> Decision:
        return Decision(f"{attributes.verb} {attributes.resource} {attributes.name}" == self.allowed)


@pytest.mark.parametrize(
    ("allowed", "is_allowed"),
    [("", False), ("attest signers example.com/any", True), ("attest signers example.com/*", True)],
)
def test_a_trust_bundle_needs_the_permission_for_its_signer(allowed: str, *, is_allowed: bool) -> None:
    bundle: dict[str, Any] = {"metadata": {"name": "a"}, "spec": {"signerName": "example.com/any"}}
    context = AdmissionContext(
        of_kind=lambda *_: iter(()),
        minor=37,
        live=None,
        now=str,
        namespace=lambda _: None,
        authorizer=Nobody(allowed),
    )
    if is_allowed:
        signing.attest(bundle, context)
        return
    with pytest.raises(Forbidden) as error:
        signing.attest(bundle, context)
    said = 'user not permitted to attest for signerName "example.com/any"'
    assert str(error.value) == f'clustertrustbundles.certificates.k8s.io "a" is forbidden: {said}'
    signing.attest(bundle, context._replace(live=bundle))


TRACKING = "batch.kubernetes.io/job-tracking"


@pytest.mark.parametrize(
    ("release", "added", "restored"),
    [("1.24", False, False), ("1.25", True, False), ("1.26", True, True), ("1.27", True, True), ("1.28", False, False)],
)
def test_an_annotation_of_tracked_jobs(release: str, added: bool, restored: bool) -> None:
    template = {"spec": {"containers": [{"name": "c", "image": "i"}], "restartPolicy": "Never"}}
    content = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"}, "spec": {"template": template}}
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create(content)
        assert (TRACKING in made["metadata"].get("annotations", {})) is added
        found = cluster.replace({**made, "metadata": {**made["metadata"], "annotations": {"x": "y"}}})
    assert (TRACKING in found["metadata"]["annotations"]) is restored
