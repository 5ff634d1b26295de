"""Type checking of policies beyond the recorded ones: generations, releases, other controllers and hostile policies."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.policies import type_checking
from kubemerge.apiserver.protocol import Reference
from kubemerge.cluster import open_cluster

from .samples import API, Object, validating

NAME = "validatingadmissionpolicy-status-controller"
WHERE = Reference(API, "ValidatingAdmissionPolicy", "rule", None)


def matching(resource: str = "configmaps") -> Object:
    rule = {"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": [resource]}
    return {"resourceRules": [rule]}


def policy(expression: str, **spec: Any) -> Object:
    return validating(expression, **{"matchConstraints": matching(), **spec})[0]


def test_a_new_generation_is_checked_again() -> None:
    with open_cluster(":memory:") as cluster:
        cluster.create(policy("object.foo == 1"))
        found = cluster.get(WHERE)
        assert found["status"]["typeChecking"]["expressionWarnings"][0]["fieldRef"] == "spec.validations[0].expression"
        cluster.patch(WHERE, {"spec": {"validations": [{"expression": "true"}]}}, "merge")
        assert cluster.get(WHERE)["status"] == {"observedGeneration": 2}  # as on a server: an apply removes its fields
        cluster.patch(WHERE, {"spec": {"validations": [{"expression": "1 == 1"}]}}, "merge")
        assert cluster.get(WHERE)["status"] == {"observedGeneration": 3, "typeChecking": {}}
        before = cluster.get(WHERE)["metadata"]["resourceVersion"]
        labelled = cluster.patch(WHERE, {"metadata": {"labels": {"a": "b"}}}, "merge")
        assert cluster.get(WHERE)["metadata"]["resourceVersion"] == labelled["metadata"]["resourceVersion"] > before


@pytest.mark.parametrize(("release", "controllers"), [("1.37", "-*"), ("1.37", f"*,-{NAME}")])
def test_without_the_controller_the_status_is_empty(release: str, controllers: str) -> None:
    with open_cluster(":memory:", release=release, controllers=controllers) as cluster:
        cluster.create(policy("object.foo == 1"))
        assert cluster.get(WHERE)["status"] == {}


def test_an_older_release_has_its_own_schemas() -> None:
    with open_cluster(":memory:", release="1.30") as cluster:
        cluster.create(policy("object.spec.resources == null", matchConstraints=matching("pods")))
        assert "undefined field 'resources'" in str(cluster.get(WHERE)["status"])


def test_the_number_of_checks_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type_checking, "MOST_CHECKS", 3)
    with open_cluster(":memory:") as cluster:
        cluster.create(policy("true", validations=[{"expression": "object.foo == 1"}] * 5))
        assert len(cluster.get(WHERE)["status"]["typeChecking"]["expressionWarnings"]) == 3


def test_variables_that_double_in_size_have_small_types() -> None:
    variables = [{"name": "v0", "expression": "object.metadata"}]
    variables += [{"name": f"v{n}", "expression": f"[variables.v{n - 1}, variables.v{n - 1}]"} for n in range(1, 60)]
    with open_cluster(":memory:") as cluster:
        cluster.create(policy("variables.v59 == object", variables=variables))
        assert cluster.get(WHERE)["status"]["observedGeneration"] == 1


def test_a_deep_expression_is_no_error() -> None:
    with open_cluster(":memory:") as cluster:
        cluster.create(policy(f"object.foo == 1 || {'(' * 200}true{')' * 200}"))
        assert "undefined field" in str(cluster.get(WHERE)["status"])
