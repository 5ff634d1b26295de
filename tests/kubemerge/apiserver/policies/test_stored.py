"""Admission policies without a cluster: `stored(policies=...)`."""

from __future__ import annotations

import pytest

from kubemerge.apiserver import stored
from kubemerge.apiserver.errors import BadRequest, PolicyRejection

from .samples import API, Object, deployment, mutating, rules, validating

FEW = "object.spec.replicas <= 5"
THREE = "Object{spec: Object.spec{replicas: 3}}"


def test_a_denied_object_is_not_stored() -> None:
    found = stored(deployment(), policies=validating(FEW))
    assert found.object is None
    assert isinstance(found.error, PolicyRejection)
    assert (found.error.code, found.error.reason) == (422, "Invalid")
    assert str(found.problems[0]) == (
        'deployments.apps "web" is forbidden: '
        f"ValidatingAdmissionPolicy 'rule' with binding 'rule-binding' denied request: failed expression: {FEW}"
    )


def test_a_warning_names_the_policy_and_the_binding() -> None:
    found = stored(deployment(), policies=validating(FEW, "Warn"))
    assert found.object is not None
    said = f"ValidatingAdmissionPolicy 'rule' with binding 'rule-binding': failed expression: {FEW}"
    assert found.warnings == (f"Validation failed for {said}",)


def test_audit_has_no_effect() -> None:
    found = stored(deployment(), policies=validating(FEW, "Audit"))
    assert found.object is not None
    assert found.warnings == ()


def test_a_mutation_is_stored() -> None:
    found = stored(deployment(), policies=mutating(THREE))
    assert found.object is not None
    assert found.object["spec"]["replicas"] == 3


def test_an_update_has_the_old_object() -> None:
    live = stored(deployment(3)).object
    found = stored(deployment(4), live=live, policies=validating("oldObject.spec.replicas >= object.spec.replicas"))
    assert "oldObject.spec.replicas" in str(found.problems[0])


EVALUATED = {"1.25": (9, False), "1.29": (9, False), "1.30": (None, True), "1.35": (None, True), "1.36": (3, False)}


@pytest.mark.parametrize("release", EVALUATED)
def test_a_release_evaluates_what_is_on_by_default(release: str) -> None:
    """Validating policies since 1.30, mutating ones since 1.36, which come first."""
    replicas, denied = EVALUATED[release]
    found = stored(deployment(), release=release, policies=[*validating(FEW), *mutating(THREE)])
    assert (found.object is None) is denied
    assert found.object is None or found.object["spec"]["replicas"] == replicas


@pytest.mark.parametrize("version", ["v1alpha1", "v1beta1", "v1"])
def test_a_policy_in_a_version_that_the_release_does_not_serve_is_left_out(version: str) -> None:
    policies = [{**one, "apiVersion": f"admissionregistration.k8s.io/{version}"} for one in validating(FEW)]
    assert (stored(deployment(), release="1.33", policies=policies).object is None) is (version != "v1alpha1")


def test_an_invalid_policy_is_an_error() -> None:
    with pytest.raises(
        BadRequest, match=r"ValidatingAdmissionPolicy rule: spec\.validations\[0\]\.expression: Invalid"
    ):
        stored(deployment(), policies=validating("object.spec.replicas <="))


def _with_params(action: str) -> list[Object]:
    policy, binding = validating("object.spec.replicas <= int(params.data.most)")
    policy["spec"]["paramKind"] = {"apiVersion": "v1", "kind": "ConfigMap"}
    binding["spec"]["paramRef"] = {"name": "limits", "parameterNotFoundAction": action}
    return [policy, binding]


LIMITS = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "limits", "namespace": "prod"}}


@pytest.mark.parametrize("most", [5, 10])
def test_params_are_among_the_policies(most: int) -> None:
    found = stored(deployment(), policies=[*_with_params("Deny"), {**LIMITS, "data": {"most": str(most)}}])
    assert (found.object is None) is (most < 9)


def test_missing_params_may_be_in_the_cluster() -> None:
    assert stored(deployment(), policies=_with_params("Deny")).object is not None


def test_an_unknown_namespace_has_its_name_as_a_label() -> None:
    name = "namespaceObject.metadata.labels['kubernetes.io/metadata.name']"
    assert stored(deployment(), policies=validating(f"{name} == 'prod'")).object is not None
    match = {**rules("*"), "namespaceSelector": {"matchLabels": {"env": "live"}}}
    denies = validating("false", matchConstraints=match)
    labels = {"env": "live"}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "prod", "labels": labels}}
    assert stored(deployment(), policies=denies).object is not None
    assert stored(deployment(), policies=[*denies, namespace]).object is None


def test_policies_are_exempt() -> None:
    policy = validating("true", name="other")[0]
    assert stored(policy, policies=validating("false")).object is not None
    assert policy["apiVersion"] == API


def test_inputs_are_unchanged() -> None:
    policies, config = [*validating(FEW), *mutating(THREE)], deployment()
    before = repr((policies, config))
    stored(config, policies=policies)
    assert repr((policies, config)) == before


def test_static_manifests_are_evaluated_offline() -> None:
    """Their names are reserved, so that requests cannot create them."""
    assert isinstance(stored(deployment(), policies=validating(FEW, name="rule.static.k8s.io")).error, PolicyRejection)
