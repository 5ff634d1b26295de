"""What API documentation does not say of built-in kinds: scope, shared storage, and who counts generations."""

from __future__ import annotations

CLUSTER_SCOPED = frozenset(
    {
        "AuditSink",
        "CSIDriver",
        "CSINode",
        "CertificateSigningRequest",
        "ClusterCIDR",
        "ClusterTrustBundle",
        "ComponentStatus",
        "CustomResourceDefinition",
        "DeviceClass",
        "DeviceTaintRule",
        "FlowSchema",
        "IPAddress",
        "IngressClass",
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "MutatingWebhookConfiguration",
        "PodSecurityPolicy",
        "PriorityClass",
        "PriorityLevelConfiguration",
        "ResourceClass",
        "ResourcePoolStatusRequest",
        "ResourceSlice",
        "RuntimeClass",
        "ServiceCIDR",
        "StorageVersion",
        "StorageVersionMigration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
        "VolumeAttributesClass",
    }
)
"""Kinds without a namespace, of those that came after the last documents with paths (1.13)."""

STORED_IN = {
    ("events.k8s.io", "Event"): "",
    ("extensions", "DaemonSet"): "apps",
    ("extensions", "Deployment"): "apps",
    ("extensions", "Ingress"): "networking.k8s.io",
    ("extensions", "NetworkPolicy"): "networking.k8s.io",
    ("extensions", "PodSecurityPolicy"): "policy",
    ("extensions", "ReplicaSet"): "apps",
}
"""Kinds that can be reached through two groups, with the group they are kept in: they are the same objects."""

COUNTED_SINCE = {
    "CronJob": 7,
    "CustomResourceDefinition": 7,
    "DaemonSet": 7,
    "Deployment": 7,
    "EndpointSlice": 7,
    "FlowSchema": 7,
    "Ingress": 7,
    "IngressClass": 7,
    "Job": 7,
    "MutatingAdmissionPolicy": 7,
    "MutatingAdmissionPolicyBinding": 7,
    "MutatingWebhookConfiguration": 7,
    "NetworkPolicy": 7,
    "Pod": 34,
    "PodDisruptionBudget": 7,
    "PodTemplate": 18,
    "PriorityClass": 7,
    "PriorityLevelConfiguration": 7,
    "ReplicaSet": 7,
    "ReplicationController": 7,
    "StatefulSet": 7,
    "ValidatingAdmissionPolicy": 7,
    "ValidatingAdmissionPolicyBinding": 7,
    "ValidatingWebhookConfiguration": 7,
}
"""Built-in kinds that have a metadata.generation, with the minor since which they have; custom resources all do."""

ANNOTATIONS_COUNT = frozenset({"Deployment"})
"""Kinds whose generation goes up with their annotations too: a Deployment copies them to its ReplicaSets."""


def stored_in(group: str, kind: str) -> str:
    """The group that a kind's objects are kept in."""
    return STORED_IN.get((group, kind), group)
