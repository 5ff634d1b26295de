"""What API documentation does not say of built-in kinds: scope, shared storage, and what requests they take."""

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

CREATED_BY_PUT = frozenset(
    {
        "ClusterRole",
        "ClusterRoleBinding",
        "Endpoints",
        "Event",
        "Lease",
        "LeaseCandidate",
        "LimitRange",
        "Role",
        "RoleBinding",
        "RuntimeClass",
        "Service",
    }
)
"""Kinds whose objects come to be by being replaced; of all others, an object that is replaced has to be there."""

SCALED = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"})
"""Built-in kinds that can be scaled, each by `spec.replicas`."""

VERSION_NEEDED = frozenset(
    {
        "APIService",
        "CSIDriver",
        "CSINode",
        "CSIStorageCapacity",
        "ClusterTrustBundle",
        "ControllerRevision",
        "CustomResourceDefinition",
        "DeviceTaintRule",
        "Lease",
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "MutatingWebhookConfiguration",
        "PodDisruptionBudget",
        "RuntimeClass",
        "StorageVersionMigration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
        "VolumeAttachment",
    }
)
"""Built-in kinds of which a patch may not take the resourceVersion away; it may of no custom resource."""


def stored_in(group: str, kind: str) -> str:
    """The group that a kind's objects are kept in."""
    return STORED_IN.get((group, kind), group)
