"""Random cases that are recorded beside the handwritten ones: fixed seeds over many kinds and releases."""

from __future__ import annotations

from .generate import case
from .inputs import Case, line_of
from .schemas import engine_schema

LONGEST = 2500
"""Longer cases are left out: they are unreadable and add nothing."""

SCHEMAS = {
    "MergeItem": 450,
    "apps/v1 Deployment": 200,
    "v1 Pod": 200,
    "v1 Service": 120,
    "v1 ConfigMap": 60,
    "v1 Secret": 40,
    "v1 Node": 60,
    "v1 Namespace": 30,
    "v1 ServiceAccount": 60,
    "v1 PersistentVolumeClaim": 40,
    "v1 PersistentVolume": 40,
    "apps/v1 StatefulSet": 80,
    "apps/v1 DaemonSet": 60,
    "batch/v1 Job": 60,
    "batch/v1 CronJob": 60,
    "policy/v1 PodDisruptionBudget": 60,
    "networking.k8s.io/v1 Ingress": 40,
    "networking.k8s.io/v1 NetworkPolicy": 40,
    "rbac.authorization.k8s.io/v1 Role": 30,
    "autoscaling/v2 HorizontalPodAutoscaler": 50,
    "admissionregistration.k8s.io/v1 MutatingWebhookConfiguration": 50,
    "storage.k8s.io/v1 CSINode": 40,
    "v1 Pod 1.7": 60,
    "extensions/v1beta1 Deployment 1.9": 60,
    "v1 Service 1.12": 40,
    "apps/v1 Deployment 1.16": 60,
    "policy/v1beta1 PodDisruptionBudget 1.20": 40,
    "v1 Pod 1.24": 60,
    "batch/v1 Job 1.28": 40,
    "v1 Pod 1.31": 60,
    "apps/v1 StatefulSet 1.34": 40,
    "apiregistration.k8s.io/v1 APIService": 60,
    "apiextensions.k8s.io/v1 CustomResourceDefinition": 60,
}
"""The number of cases for each schema."""


def random_cases() -> list[Case]:
    """All of them; one in four is small, so that some cases can be understood at a glance."""
    drawn = []
    for name, count in SCHEMAS.items():
        schema = engine_schema(name)
        drawn += [case(name, seed, 1 if seed % 4 == 0 else 3, schema) for seed in range(count)]
    return [one for one in drawn if len(line_of(one)) <= LONGEST]
