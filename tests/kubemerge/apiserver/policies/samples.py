"""Policies with their bindings, and objects for them."""

from __future__ import annotations

from typing import Any

API = "admissionregistration.k8s.io/v1"
Object = dict[str, Any]


def rules(*resources: str, operations: tuple[str, ...] = ("CREATE", "UPDATE")) -> Object:
    every = {"apiGroups": ["*"], "apiVersions": ["*"]}
    return {"resourceRules": [{"operations": list(operations), "resources": list(resources), **every}]}


def validating(expression: str, *actions: str, name: str = "rule", **spec: Any) -> list[Object]:
    """A validating policy and its binding."""
    whole = {"matchConstraints": rules("*"), "validations": [{"expression": expression}], **spec}
    return [
        {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": name}, "spec": whole},
        {
            "apiVersion": API,
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": f"{name}-binding"},
            "spec": {"policyName": name, "validationActions": list(actions or ("Deny",))},
        },
    ]


def mutating(expression: str, *, name: str = "change", **spec: Any) -> list[Object]:
    """A mutating policy with an apply configuration, and its binding."""
    mutation = {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}}
    whole = {"matchConstraints": rules("*"), "reinvocationPolicy": "Never", "mutations": [mutation], **spec}
    return [
        {"apiVersion": API, "kind": "MutatingAdmissionPolicy", "metadata": {"name": name}, "spec": whole},
        {
            "apiVersion": API,
            "kind": "MutatingAdmissionPolicyBinding",
            "metadata": {"name": f"{name}-binding"},
            "spec": {"policyName": name},
        },
    ]


def deployment(replicas: int = 9, **metadata: Any) -> Object:
    containers = [{"name": "web", "image": "web:1"}]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "prod", **metadata},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": containers}},
        },
    }
