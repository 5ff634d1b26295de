"""Built-in kinds whose versions are deprecated, as servers warn of them; from the lifecycles of k8s.io/api 0.37.1."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Deprecation(NamedTuple):
    """Since when a version of a kind is deprecated, from when on it is not served, and what to use instead."""

    since: int
    gone: int
    """A minor release, as `since` is; 0 if none is known."""
    instead: str


WARNS_SINCE = 19
"""The minor release since which servers send warnings."""
_TABLE = """
    v1 19 0 - ComponentStatus
    v1 33 0 discovery.k8s.io/v1,EndpointSlice Endpoints
    admissionregistration.k8s.io/v1alpha1 35 38 - MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
    admissionregistration.k8s.io/v1alpha1 29 32 - ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding
    admissionregistration.k8s.io/v1beta1 37 40 =admissionregistration.k8s.io/v1 MutatingAdmissionPolicy
    admissionregistration.k8s.io/v1beta1 37 40 =admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding
    admissionregistration.k8s.io/v1beta1 16 22 =admissionregistration.k8s.io/v1 MutatingWebhookConfiguration
    admissionregistration.k8s.io/v1beta1 16 22 =admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration
    admissionregistration.k8s.io/v1beta1 31 34 - ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding
    apps/v1beta1 8 16 =apps/v1 ControllerRevision Deployment DeploymentRollback StatefulSet
    apps/v1beta1 8 16 =autoscaling/v1 Scale
    apps/v1beta2 9 16 =apps/v1 ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet
    apps/v1beta2 9 16 =autoscaling/v1 Scale
    authentication.k8s.io/v1alpha1 29 32 - SelfSubjectReview
    authentication.k8s.io/v1beta1 30 33 - SelfSubjectReview
    authentication.k8s.io/v1beta1 19 22 =authentication.k8s.io/v1 TokenReview
    authorization.k8s.io/v1beta1 19 22 =authorization.k8s.io/v1 LocalSubjectAccessReview SelfSubjectAccessReview
    authorization.k8s.io/v1beta1 19 22 =authorization.k8s.io/v1 SelfSubjectRulesReview SubjectAccessReview
    batch/v1beta1 21 25 =batch/v1 CronJob
    certificates.k8s.io/v1alpha1 34 37 - ClusterTrustBundle
    certificates.k8s.io/v1beta1 19 22 =certificates.k8s.io/v1 CertificateSigningRequest
    certificates.k8s.io/v1beta1 37 40 =certificates.k8s.io/v1 ClusterTrustBundle PodCertificateRequest
    coordination.k8s.io/v1alpha2 35 38 - LeaseCandidate
    coordination.k8s.io/v1beta1 19 22 =coordination.k8s.io/v1 Lease
    coordination.k8s.io/v1beta1 36 39 - LeaseCandidate
    discovery.k8s.io/v1beta1 21 25 =discovery.k8s.io/v1 EndpointSlice
    events.k8s.io/v1beta1 22 25 - Event
    extensions/v1beta1 8 16 =apps/v1 DaemonSet Deployment ReplicaSet
    extensions/v1beta1 8 16 - DeploymentRollback
    extensions/v1beta1 14 22 =networking.k8s.io/v1 Ingress
    extensions/v1beta1 9 16 =networking.k8s.io/v1 NetworkPolicy
    extensions/v1beta1 2 16 - Scale
    flowcontrol.apiserver.k8s.io/v1beta1 23 26 =flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema
    flowcontrol.apiserver.k8s.io/v1beta1 23 26 =flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration
    flowcontrol.apiserver.k8s.io/v1beta2 26 29 =flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema
    flowcontrol.apiserver.k8s.io/v1beta2 26 29 =flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration
    flowcontrol.apiserver.k8s.io/v1beta3 29 32 =flowcontrol.apiserver.k8s.io/v1 FlowSchema PriorityLevelConfiguration
    lifecycle.k8s.io/v1alpha1 40 43 - Eviction EvictionRequest
    networking.k8s.io/v1beta1 34 37 - IPAddress ServiceCIDR
    networking.k8s.io/v1beta1 19 22 =networking.k8s.io/v1 Ingress
    networking.k8s.io/v1beta1 19 22 networking.k8s.io/v1,IngressClassList IngressClass
    node.k8s.io/v1beta1 22 25 - RuntimeClass
    policy/v1beta1 22 25 - Eviction
    policy/v1beta1 21 25 =policy/v1 PodDisruptionBudget
    rbac.authorization.k8s.io/v1beta1 17 22 =rbac.authorization.k8s.io/v1 ClusterRole ClusterRoleBinding
    rbac.authorization.k8s.io/v1beta1 17 22 =rbac.authorization.k8s.io/v1 Role RoleBinding
    resource.k8s.io/v1alpha3 36 39 - DeviceTaintRule
    resource.k8s.io/v1alpha3 39 42 - ResourcePoolStatusRequest
    resource.k8s.io/v1beta1 35 38 - DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice
    resource.k8s.io/v1beta2 36 39 - DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice
    resource.k8s.io/v1beta2 39 42 - DeviceTaintRule
    scheduling.k8s.io/v1beta1 40 43 - PodGroup Workload
    scheduling.k8s.io/v1beta1 14 22 =scheduling.k8s.io/v1 PriorityClass
    storage.k8s.io/v1alpha1 21 24 =storage.k8s.io/v1beta1 CSIStorageCapacity
    storage.k8s.io/v1alpha1 21 24 =storage.k8s.io/v1 VolumeAttachment
    storage.k8s.io/v1alpha1 32 35 =storage.k8s.io/v1 VolumeAttributesClass
    storage.k8s.io/v1beta1 19 22 =storage.k8s.io/v1 CSIDriver StorageClass VolumeAttachment
    storage.k8s.io/v1beta1 17 22 =storage.k8s.io/v1 CSINode
    storage.k8s.io/v1beta1 24 27 =storage.k8s.io/v1 CSIStorageCapacity
    storage.k8s.io/v1beta1 34 37 =storage.k8s.io/v1 VolumeAttributesClass
    storagemigration.k8s.io/v1beta1 37 40 =storagemigration.k8s.io/v1 StorageVersionMigration
"""
"""An apiVersion, since when, until when, what instead (`=`: only the apiVersion of it), and the kinds."""


@cache
def _rows() -> dict[tuple[str, str], Deprecation]:
    found = {}
    for line in _TABLE.strip().splitlines():
        api_version, since, gone, instead, *kinds = line.split()
        for kind in kinds:
            said = "" if instead == "-" else instead.replace(",", " ")
            said = f"{said[1:]} {kind}" if said.startswith("=") else said
            found[api_version, kind] = Deprecation(int(since), int(gone), said)
    return found


def deprecation(api_version: str, kind: str, release: str) -> str:
    """What a server of this release warns of when the kind is asked for; empty if it is not deprecated."""
    found = _rows().get((api_version, kind))
    if found is None or int(release.partition(".")[2]) < max(found.since, WARNS_SINCE):
        return ""
    gone = f", unavailable in v1.{found.gone}+" if found.gone else ""
    instead = f"; use {found.instead}" if found.instead else ""
    return f"{api_version} {kind} is deprecated in v1.{found.since}+{gone}{instead}"
