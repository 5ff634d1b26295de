"""Admission policies in an embedded cluster."""

from __future__ import annotations

import sys
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.authorization.authorizer import Authorizer, Decision
from kubemerge.apiserver.errors import Invalid, PolicyRejection
from kubemerge.apiserver.identity import Reference
from kubemerge.apiserver.registry import feature_gates
from kubemerge.cluster import open_cluster

from .samples import Object, mutating, rules, validating

if TYPE_CHECKING:
    from kubemerge.apiserver.authorization.attributes import Attributes

CONFIG: Object = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}, "data": {"a": "b"}}
WHERE = Reference("v1", "ConfigMap", "one", "default")
DENIES = validating("object == null || object.data.a != 'b'")


def test_a_policy_is_in_effect_with_its_binding() -> None:
    with open_cluster(":memory:") as cluster:
        cluster.create(DENIES[0])
        cluster.create(CONFIG, dry_run=True)
        cluster.create(DENIES[1])
        with pytest.raises(PolicyRejection, match="denied request: failed expression"):
            cluster.create(CONFIG)
        cluster.delete(Reference.of(DENIES[1]))
        cluster.create(CONFIG)


def test_another_process_sees_a_new_policy(tmp_path: object) -> None:
    file = f"{tmp_path}/cluster.db"
    with open_cluster(file) as one, open_cluster(file) as other:
        other.create(CONFIG, dry_run=True)
        for policy in DENIES:
            one.create(policy)
        with pytest.raises(PolicyRejection):
            other.create(CONFIG)


def test_a_rejected_group_of_requests_leaves_no_policy(tmp_path: object) -> None:
    with open_cluster(f"{tmp_path}/cluster.db") as cluster:
        with suppress(KeyError), cluster.together():
            for policy in DENIES:
                cluster.create(policy)
            raise KeyError
        cluster.create(CONFIG)


def test_reset_removes_policies() -> None:
    with open_cluster(":memory:") as cluster:
        for policy in DENIES:
            cluster.create(policy)
        cluster.reset()
        cluster.create(CONFIG)


def test_imported_policies_are_in_effect() -> None:
    with open_cluster(":memory:") as cluster:
        for policy in DENIES:
            cluster.create(policy)
        dumped = list(cluster.dump())
    with open_cluster(":memory:") as other:
        other.create(CONFIG, dry_run=True)
        other.load(dumped)
        with pytest.raises(PolicyRejection):
            other.create(CONFIG)


def test_a_changed_policy_is_compiled_again() -> None:
    with open_cluster(":memory:") as cluster:
        for policy in DENIES:
            cluster.create(policy)
        patch = {"spec": {"validations": [{"expression": "true"}]}}
        cluster.patch(Reference.of(DENIES[0]), patch, "merge")
        cluster.create(CONFIG)


def test_mutated_fields_have_no_owner() -> None:
    with open_cluster(":memory:") as cluster:
        for policy in mutating("Object{data: {'added': 'x'}}"):
            cluster.create(policy)
        found = cluster.create(CONFIG)
    assert found["data"] == {"a": "b", "added": "x"}
    assert list(found["metadata"]["managedFields"][0]["fieldsV1"]["f:data"]) == [".", "f:a"]


def test_a_feature_gate_turns_mutating_policies_on() -> None:
    policies = [
        {**one, "apiVersion": "admissionregistration.k8s.io/v1beta1"}
        for one in mutating("Object{data: {'added': 'x'}}")
    ]
    try:
        for on in (False, True):
            feature_gates.set_gates({"MutatingAdmissionPolicy": on})
            with open_cluster(":memory:", release="1.34") as cluster:
                for policy in policies:
                    cluster.create(policy)
                assert ("added" in cluster.create(CONFIG)["data"]) is on
    finally:
        feature_gates.set_gates({})


class OnlyPods(Authorizer):
    """An authorizer that allows everything on Pods."""

    def __init__(self) -> None:
        self.checks = 0

    def authorize(self, attributes: Attributes) -> Decision:
        self.checks += 1
        return Decision(attributes.resource == "pods", "" if attributes.resource == "pods" else "no rule")


def test_an_authorizer_decides_once_in_each_request() -> None:
    asks = "authorizer.group('').resource('{0}').check('get').allowed()"
    with open_cluster(":memory:") as cluster:
        cluster.authorizer = only_pods = OnlyPods()
        both = f"{asks.format('pods')} && {asks.format('pods')}"
        for policy in (*validating(both, name="pods"), *validating(asks.format("secrets"), name="secrets")):
            cluster.create(policy)
        with pytest.raises(PolicyRejection, match="'secrets-binding'"):
            cluster.create(CONFIG)
        assert only_pods.checks == 2


@pytest.mark.parametrize("is_bound", [False, True])
def test_rbac_decides_for_expressions(*, is_bound: bool) -> None:
    allowed = "authorizer.serviceAccount('default', 'app').group('').resource('pods').check('list').allowed()"
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "view"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [{"kind": "ServiceAccount", "name": "app", "namespace": "default"}],
    }
    with open_cluster(":memory:") as cluster:
        cluster.use_authorization("rbac")
        for one in [*([binding] if is_bound else ()), *validating(allowed)]:
            cluster.create(one)
        with nullcontext() if is_bound else pytest.raises(PolicyRejection):
            cluster.create(CONFIG)


def test_a_deletion_is_denied() -> None:
    with open_cluster(":memory:") as cluster:
        cluster.create(CONFIG)
        keeps = validating("request.operation != 'DELETE' || oldObject.data.a != 'b'")
        keeps[0]["spec"]["matchConstraints"]["resourceRules"][0]["operations"] = ["*"]
        for policy in keeps:
            cluster.create(policy)
        with pytest.raises(PolicyRejection):
            cluster.delete(WHERE)
        assert cluster.get(WHERE)["data"] == {"a": "b"}


def test_rules_match_each_request_by_its_own_scope() -> None:
    """Matches of rules are kept between requests."""
    scoped = {**rules("*"), "resourceRules": [{**rules("*")["resourceRules"][0], "scope": "Cluster"}]}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}
    with open_cluster(":memory:") as cluster:
        for one in validating("false", matchConstraints=scoped):
            cluster.create(one)
        for _ in range(2):
            cluster.create(CONFIG, dry_run=True)
            with pytest.raises(PolicyRejection):
                cluster.create(namespace, dry_run=True)


@pytest.mark.parametrize(("release", "reserved"), [("1.36", False), ("1.37", True)])
def test_names_of_static_manifests_are_reserved(release: str, reserved: bool) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        for one in validating("true", name="rule.static.k8s.io"):
            one["metadata"]["name"] = "rule.static.k8s.io"
            said = 'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot'
            with pytest.raises(Invalid, match=said) if reserved else nullcontext():
                cluster.create(one)


def test_options_of_calls_without_a_server() -> None:
    seen: list[str] = []
    said = "request.operation + '%s'.format([request.options])"
    with open_cluster(":memory:") as cluster:
        spec: Any = {"validations": [{"expression": "false", "messageExpression": said}]}
        for one in validating("false", "Warn", matchConstraints=rules("configmaps", operations=("*",)), **spec):
            cluster.create(one)
        cluster.on_warning = lambda text: seen.append(text.partition("binding': ")[2])
        cluster.create(CONFIG, manager="me", field_validation="Strict", dry_run=True)
        cluster.create(CONFIG)
        cluster.delete(WHERE, uid=cluster.get(WHERE)["metadata"]["uid"], propagation="Orphan")
    first, second, third = seen
    assert '"dryRun":["All"], "fieldManager":"me", "fieldValidation":"Strict", "kind":"CreateOptions"' in first
    assert second == 'CREATE{"apiVersion":"meta.k8s.io/v1", "kind":"CreateOptions"}'
    assert third.startswith('DELETE{"apiVersion":"meta.k8s.io/v1", "kind":"DeleteOptions", "preconditions":{"uid":')
    assert '"propagationPolicy":"Orphan"' in third


def calls_of_a_request(policies: int) -> int:
    """The number of Python calls of a create request with so many bound policies that accept it."""
    count = 0

    def counted(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event == "call"

    with open_cluster(":memory:") as cluster:
        for at in range(policies):
            match = rules("configmaps")
            for one in validating(f"object.metadata.name != 'b{at}'", name=f"rule{at}", matchConstraints=match):
                cluster.create(one)
        cluster.create(CONFIG, dry_run=True)
        before = sys.getprofile()
        sys.setprofile(counted)
        try:
            cluster.create(CONFIG, dry_run=True)
        finally:
            sys.setprofile(before)
    return count


def test_a_policy_that_accepts_a_request_takes_few_calls() -> None:
    assert calls_of_a_request(52) - calls_of_a_request(2) < 50 * 25


@pytest.mark.parametrize("count", [9, 10, 11])
def test_a_failed_validation_is_reported_whatever_their_number(count: int) -> None:
    validations = [{"expression": "object.metadata.name != ''"}] * (count - 1)
    last = {"expression": "object.metadata.name != 'one'", "message": "not one"}
    with open_cluster(":memory:") as cluster:
        for one in validating("true", matchConstraints=rules("configmaps"), validations=[*validations, last]):
            cluster.create(one)
        with pytest.raises(PolicyRejection, match="denied request: not one"):
            cluster.create(CONFIG)
