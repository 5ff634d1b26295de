"""Denials, warnings and changes by admission policies (`--policies`)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine.linter import LintRule

from ....output.secrets import is_secret
from ..record import SERVER, GateProblem, GateRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..server import Judged

LONGEST = 60
"""Maximum length of a value in a message."""


def denied(judged: Judged) -> Iterator[GateProblem]:
    """Denials by policies."""
    for one in judged.policies.denials:
        yield GateProblem(one.steps, f"The API server rejects this: {_sentence(one.message)}")


def warned(judged: Judged) -> Iterator[GateProblem]:
    """Warnings of policies with the action Warn."""
    for one in judged.policies.warnings:
        yield GateProblem(one.steps, f"The API server warns: {_sentence(one.message)}")


def overridden(judged: Judged) -> Iterator[GateProblem]:
    """Values that a mutating policy replaces on every apply."""
    hidden = is_secret(judged.content)
    for one in judged.policies.overridden:
        by = f"MutatingAdmissionPolicy '{one.policy}' with binding '{one.binding}'"
        if hidden:
            change = "replaces the value"
        elif one.after is None:
            change = f"removes {_shown(one.before)}"
        else:
            change = f"replaces {_shown(one.before)} with {_shown(one.after)}"
        yield GateProblem(one.steps, f"{by} {change}, and every apply sets it back.")


def wrong_types(judged: Judged) -> Iterator[GateProblem]:
    """Expressions of a policy that fit none of the kinds that it matches."""
    for one in judged.policies.types:
        yield GateProblem(one.steps, f"The expression fits no matched kind: {_sentence(one.message)}")


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[0]}...{text[-1]}"


_REPLICAS = """
        # kind: apps/v1 Deployment
        # config
        spec:
          replicas: 9
          selector: {matchLabels: {app: web}}
          template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web:1}]}}
        ---
        # policies
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: few-replicas}
        spec:
          matchConstraints:
            resourceRules: [{operations: ["*"], apiGroups: [apps], apiVersions: ["*"], resources: [deployments]}]
          validations: [{expression: object.spec.replicas <= 5}]
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: few-replicas-binding}
        spec: {policyName: few-replicas, validationActions: [ACTION]}
        """

DENIED = LintRule(
    "KM113",
    "policy-denies",
    "error",
    meaning="An admission policy denies the object, so the API server rejects it.",
    advice="Change the object as the policy requires.",
    explanation="""
        Pass the files with admission policies, bindings and params as `--policies`. The message is that of the API
        server, with the names of the policy and the binding. Validating policies are evaluated since 1.30, and mutating
        ones since 1.36, because they are on by default since then. If params are not in the files, their bindings are
        skipped, because the params may exist in the cluster.
        """,
    example=_REPLICAS.replace("ACTION", "Deny"),
    about=SERVER,
)
WARNED = LintRule(
    "KM114",
    "policy-warns",
    "warning",
    meaning="The object violates an admission policy with the action Warn.",
    advice="Change the object as the policy requires.",
    explanation="""
        The API server accepts the object, and kubectl prints the warning.
        """,
    example=_REPLICAS.replace("ACTION", "Warn"),
    about=SERVER,
)
OVERRIDDEN = LintRule(
    "KM115",
    "policy-overrides",
    "warning",
    meaning="A mutating admission policy gives the field another value than the config.",
    advice="Write the value of the policy, or remove the field.",
    explanation="""
        The stored object never equals the config. Every apply sends the value of the config, and the policy replaces
        it again, so each apply reports `configured`, and GitOps tools always report drift.
        """,
    example="""
        # kind: apps/v1 Deployment
        # release: 1.36
        # config
        spec:
          replicas: 9
          selector: {matchLabels: {app: web}}
          template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web:1}]}}
        ---
        # policies
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicy
        metadata: {name: three-replicas}
        spec:
          reinvocationPolicy: Never
          matchConstraints:
            resourceRules: [{operations: [CREATE], apiGroups: [apps], apiVersions: ["*"], resources: [deployments]}]
          mutations:
          - patchType: ApplyConfiguration
            applyConfiguration: {expression: "Object{spec: Object.spec{replicas: 3}}"}
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicyBinding
        metadata: {name: three-replicas-binding}
        spec: {policyName: three-replicas}
        """,
    about=SERVER,
)
WRONG_TYPES = LintRule(
    "KM116",
    "policy-type-error",
    "warning",
    meaning="An expression of a ValidatingAdmissionPolicy has a type error for every kind that the policy matches.",
    advice="Correct the field or the type in the expression.",
    explanation="""
        The API server accepts the policy, because it checks expressions without the types of objects. Most such
        expressions then fail for every object, and with `failurePolicy: Fail`, every request is rejected.
        kube-controller-manager writes the error into `status.typeChecking` of the policy. Errors for only some of the
        matched kinds are not reported, because the expression may check the kind first. Rules with a wildcard in their
        groups or versions are not checked.
        """,
    example="""
        # kind: admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy
        # config
        spec:
          matchConstraints:
            resourceRules: [{operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]
          validations:
          - expression: object.spec.replica <= 5
        """,
    about=SERVER,
)

RULES = (
    GateRule(DENIED, denied),
    GateRule(WARNED, warned),
    GateRule(OVERRIDDEN, overridden),
    GateRule(WRONG_TYPES, wrong_types),
)
