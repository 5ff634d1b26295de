"""Deprecated and removed versions of built-in kinds, for server warnings and upgrade checks.

The table is from the lifecycles of all releases of k8s.io/api from 0.19 to 0.37, and for kinds missing there from the
deprecation guide. A version in neither was removed in the first release whose specification lacks it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import engine
from engine.tables.served import group_of, rank

from ..eras import minor_of
from ..unchecked import as_map, maps


class Deprecation(NamedTuple):
    """The release that deprecates a version of a kind, the release that removes it, and its successor."""

    since: int
    gone: int
    """A minor release, like `since`. 0 if it is unknown."""
    instead: str


WARNS_SINCE = 19
"""The first minor release whose servers send deprecation warnings."""
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
    apiextensions.k8s.io/v1beta1 16 22 =apiextensions.k8s.io/v1 CustomResourceDefinition
    apiregistration.k8s.io/v1beta1 19 22 =apiregistration.k8s.io/v1 APIService
    apps/v1beta1 8 16 =apps/v1 ControllerRevision Deployment DeploymentRollback StatefulSet
    apps/v1beta1 8 16 =autoscaling/v1 Scale
    apps/v1beta2 9 16 =apps/v1 ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet
    apps/v1beta2 9 16 =autoscaling/v1 Scale
    authentication.k8s.io/v1alpha1 29 32 - SelfSubjectReview
    authentication.k8s.io/v1beta1 30 33 - SelfSubjectReview
    authentication.k8s.io/v1beta1 19 22 =authentication.k8s.io/v1 TokenReview
    authorization.k8s.io/v1beta1 19 22 =authorization.k8s.io/v1 LocalSubjectAccessReview SelfSubjectAccessReview
    authorization.k8s.io/v1beta1 19 22 =authorization.k8s.io/v1 SelfSubjectRulesReview SubjectAccessReview
    autoscaling/v2beta1 22 25 =autoscaling/v2 HorizontalPodAutoscaler
    autoscaling/v2beta2 23 26 =autoscaling/v2 HorizontalPodAutoscaler
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
    extensions/v1beta1 11 16 =policy/v1beta1 PodSecurityPolicy
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
    policy/v1beta1 21 25 - PodSecurityPolicy
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
"""An apiVersion, first deprecated release, removal release, successor (`=`: the same kind in that apiVersion), and the
kinds. The successor is the newest that a warning names.
"""
_NAMED_BEFORE = """
    autoscaling/v2beta1 22 autoscaling/v2beta2 HorizontalPodAutoscaler
    flowcontrol.apiserver.k8s.io/v1beta1 25 flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema PriorityLevelConfiguration
    storage.k8s.io/v1alpha1 33 - VolumeAttributesClass
"""
"""Former successors in warnings: an apiVersion, the last such release, the successor's apiVersion, and the kinds."""


_ANOTHER_WAY = {
    "AuditSink": "configure the API server with --audit-webhook-config-file",
    "ClusterCIDR": "configure the controller manager with --cluster-cidr",
    "ComponentStatus": "use the health endpoints of the components",
    "PodPreset": "use a mutating webhook or a MutatingAdmissionPolicy",
    "PodSchedulingContext": "remove it, because the scheduler allocates devices itself",
    "PodSecurityPolicy": "label the namespaces for Pod Security Admission (pod-security.kubernetes.io/enforce)",
    "ResourceClaimParameters": "set the parameters in the config of the ResourceClaim",
    "ResourceClass": "use resource.k8s.io DeviceClass",
    "ResourceClassParameters": "set the parameters in the config of the DeviceClass",
}
"""Advice for removed kinds without a successor of the same name."""


class Lifecycle(NamedTuple):
    """The deprecation, removal and successor of a version of a built-in kind."""

    deprecated: str
    """The first release where it is deprecated. Empty if it is not, or not before its removal."""
    gone: str
    """The first release without it, which may be a future one. Empty if it is unknown."""
    successor: str
    """The apiVersion and kind of the successor, as in `batch/v1 CronJob`. Empty if there is none."""
    successor_since: str
    """The first release that serves the successor."""
    advice: str
    """The advice as a clause: `use batch/v1 CronJob (since 1.21)`."""

    def is_deprecated_in(self, release: str) -> bool:
        """Whether a release serves it as deprecated."""
        return bool(self.deprecated) and _minor(self.deprecated) <= _minor(release) and not self.is_gone_in(release)

    def is_gone_in(self, release: str) -> bool:
        """Whether a release no longer serves it."""
        return bool(self.gone) and _minor(self.gone) <= _minor(release)


@cache
def lifecycle(api_version: str, kind: str) -> Lifecycle | None:
    """Return the lifecycle of a version of a built-in kind, or None for one without deprecation or removal.

    This is the single source for comparisons of releases and for lint.
    """
    key = api_version, kind
    row, listed = _rows().get(key), [release for release in engine.releases() if key in engine.load(release)]
    gone = _release(row.gone) if row else ""
    if not gone and listed and listed[-1] != engine.releases()[-1]:
        gone = engine.releases()[engine.releases().index(listed[-1]) + 1]
    if row is None and not gone:
        return None
    named = row.instead.replace(f"List {kind}", f" {kind}").replace(f"{kind}List", kind) if row else ""
    named = named if len(named.split()) == 2 else _better(key, gone)
    since = _first(named)
    return Lifecycle(_release(row.since) if row else "", gone, named, since, _advice(kind, named, since))


def successor(api_version: str, kind: str, release: str) -> str:
    """Return the successor of a deprecated or removed version in a release: `batch/v1 CronJob`. Empty if there is none.

    It may be the successor of a successor.
    """
    found, next_one = "", lifecycle(api_version, kind)
    while next_one is not None and next_one.successor and next_one.successor != found:
        found = next_one.successor
        next_one = lifecycle(*_key(found))
        if next_one is not None and not (next_one.is_gone_in(release) or next_one.is_deprecated_in(release)):
            break
    better = _better(_key(found) if found else (api_version, kind), release)
    return better or (found if found and _key(found) in engine.load(_known(release)) else "")


def advice(api_version: str, kind: str, release: str) -> str:
    """Return the advice for a deprecated or removed version in a release, as a clause. Empty if there is none."""
    found = successor(api_version, kind, release)
    if found:
        return f"use {found}"
    cycle = lifecycle(api_version, kind)
    while cycle is not None and cycle.successor:
        after = lifecycle(*_key(cycle.successor))
        if after is None or not after.is_gone_in(release):
            break
        cycle = after
    return cycle.advice if cycle else ""


def _better(key: tuple[str, str], release: str) -> str:
    """The most stable other version of the kind in its group in a release, if it is more stable."""
    others = [
        (rank(other), other, key[1])
        for other, kind in engine.load(_known(release)).kinds()
        if kind == key[1] and group_of(other) == group_of(key[0]) and rank(other) > rank(key[0])
    ]
    return " ".join(max(others)[1:]) if others else ""


def _key(named: str) -> tuple[str, str]:
    api_version, kind = named.split()
    return api_version, kind


def _known(release: str) -> str:
    """The release, or the newest one for a future release."""
    return release if release in engine.releases() else engine.releases()[-1]


def _first(named: str) -> str:
    """The first release that has a kind. Empty for the oldest release."""
    releases = engine.releases()
    at = next((at for at, release in enumerate(releases) if named and _key(named) in engine.load(release)), 0)
    return releases[at] if at else ""


def _advice(kind: str, named: str, since: str) -> str:
    if named:
        return f"use {named}{f' (since {since})' if since else ''}"
    return _ANOTHER_WAY.get(kind, "")


def _release(minor: int) -> str:
    return f"1.{minor}" if minor else ""


def _minor(release: str) -> int:
    return minor_of(release)


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
    """Return the deprecation warning of a server of this release for a kind, or an empty text."""
    found = _rows().get((api_version, kind))
    if found is None or _minor(release) < max(found.since, WARNS_SINCE):
        return ""
    gone = f", unavailable in v1.{found.gone}+" if found.gone else ""
    named = _named(api_version, kind, _minor(release), found.instead)
    instead = f"; use {named}" if named else ""
    return f"{api_version} {kind} is deprecated in v1.{found.since}+{gone}{instead}"


def removed_in(api_version: str, kind: str, release: str) -> str | None:
    """Return the first release without a deprecated version of a kind. Empty if it is not known, None if the version is
    not deprecated in this release.
    """
    found = _rows().get((api_version, kind))
    if found is None or _minor(release) < max(found.since, WARNS_SINCE):
        return None
    return _release(found.gone)


def _named(api_version: str, kind: str, minor: int, newest: str) -> str:
    """The successor that the warning of a server of a minor release names."""
    for line in _NAMED_BEFORE.strip().splitlines():
        version, until, successor_version, *kinds = line.split()
        if version == api_version and kind in kinds and minor <= int(until):
            return "" if successor_version == "-" else f"{successor_version} {kind}"
    return newest


# ---- custom resources -----------------------------------------------------------------------------------------------


class CustomDeprecation(NamedTuple):
    """A deprecated version of a custom resource: the server's warning, and the successor."""

    warning: str
    instead: str
    """An apiVersion. Empty if no later version is served that is not deprecated."""


def custom_deprecation(definition: dict[str, Any], version: str) -> CustomDeprecation | None:
    """Return the deprecation of a version in the `spec` of its definition, or None."""
    known = {str(one.get("name")): one for _, one in maps(definition, "versions")}
    if known.get(version, {}).get("deprecated") is not True:
        return None
    group, kind = definition.get("group"), as_map(definition.get("names")).get("kind")
    served = [f"{group}/{name}" for name, one in known.items() if one.get("served") and not one.get("deprecated")]
    later = [one for one in served if _is_later(one, f"{group}/{version}")]
    instead = next((one for one in later if not any(_is_later(other, one) for other in later)), "")
    said = f"{group}/{version} {kind} is deprecated{f'; use {instead} {kind}' if instead else ''}"
    own = known[version].get("deprecationWarning")
    return CustomDeprecation(own if isinstance(own, str) and own else said, instead)


def _is_later(one: str, other: str) -> bool:
    """Whether servers prefer a version to another."""
    return rank(one) > rank(other) or (rank(one) == rank(other) and one < other)
