"""Facts about built-in kinds that are missing in specifications: one row for each kind, with its deviations.

A new fact is a new column. Code for exactly the kinds of this table is where it is used: the checks of names, and the
columns of printed tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..eras import Era

if TYPE_CHECKING:
    from ..protocol import Resource

ALWAYS = 0
"""Every release."""
DOMAIN_NAME, LABEL, PATH_SEGMENT, ADDRESS, ANY_NAME = "domain name", "label", "path segment", "address", "any"
GROUP_RESOURCE = "group and resource"
"""The syntaxes of object names. The checks are in `kubemerge.apiserver.validation.object_names`."""


class KindFacts(NamedTuple):
    """The facts about one kind. The defaults apply to most kinds, and to unknown ones."""

    kind: str
    namespaced: bool = True
    """Whether it is namespaced, if the tables of the release do not contain it."""
    short_names: tuple[str, ...] = ()
    """Its short names in kubectl."""
    plural: str = ""
    """Its irregular plural."""
    also_in: tuple[str, ...] = ()
    """Other groups that serve the same objects."""
    names_are: str = DOMAIN_NAME
    """The syntax of names. In the other group of Event, it is a domain name."""
    names_objects: bool = False
    """Whether a server generates a name for a new object without one."""
    longest_name: int | None = None
    """The maximum length of a name, if shorter than usual: Jobs of a CronJob add 11 characters."""
    immutable: tuple[str, ...] = ()
    """Immutable fields."""
    created_by_put: bool = False
    """Whether PUT creates a missing object."""
    needs_version: bool = False
    """Whether a patch must not remove the resourceVersion. For custom resources, it never may."""
    can_scale: bool = False
    """Whether it has a scale subresource, for `spec.replicas`."""
    counted_since: int | None = None
    """The first minor release whose new objects have generation 1. None for kinds without generations."""
    counted_later: int | None = None
    """The first minor release whose objects start without a generation, and get one with their first change."""
    never_raised: bool = False
    """Whether objects keep their initial generation."""
    counts_empty: bool = False
    """Whether an empty list or map in a request increments the generation, unlike an absent one."""
    counting_metadata: str = ""
    """Metadata whose changes increment the generation, too: a Deployment copies its annotations to its ReplicaSets."""
    raised_by_deletion: bool = True
    """Whether a deletion increments an existing generation."""
    orphans_dependents: bool = False
    """Whether dependents are orphaned by default."""
    never_collected: bool = False
    """Whether a deletion ignores dependents, whatever the propagation policy."""
    answers_deleted: bool = False
    """Whether DELETE returns the object, not only its name."""
    answers_deleted_since: int = 0
    """The first minor release whose DELETE returns the object."""
    pruned: int = 0
    """The position in the default allowlist of `kubectl apply --prune`. 0 if it is not in it."""
    in_all: int = 0
    """The position in the output of `kubectl get all`. 0 if it is not in it."""
    applyset_parent: bool = False
    """Whether its objects can be parents of ApplySets, and are created if they are missing."""
    listed_by: str = ""
    """The numeric column by which its objects are sorted. By default, they are sorted by name."""
    checked_once: tuple[str, ...] = ()
    """The subresources, or an empty text for the object, whose update checks the metadata only once."""
    plain_columns: bool = False
    """Whether its table has only the columns NAME and AGE."""


NAMESPACE = ("", "Namespace")
JOB = ("batch", "Job")
POLICIES = frozenset(
    ("admissionregistration.k8s.io", f"{kind}AdmissionPolicy{part}")
    for kind in ("Validating", "Mutating")
    for part in ("", "Binding")
)
"""Admission policies and their bindings."""
VALIDATING_POLICY = ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy")
WEBHOOKS = frozenset(
    ("admissionregistration.k8s.io", f"{kind}WebhookConfiguration") for kind in ("Validating", "Mutating")
)
"""Configurations of admission webhooks."""
RBAC_GROUP = "rbac.authorization.k8s.io"
"""The group of roles and their bindings."""
DEFINITION = ("apiextensions.k8s.io", "CustomResourceDefinition")
"""Group and kind of objects that contain others: namespaces, and definitions."""

_KINDS_OF: dict[str, tuple[KindFacts, ...]] = {
    "": (
        KindFacts("ComponentStatus", namespaced=False, short_names=("cs",)),
        KindFacts("ConfigMap", short_names=("cm",), pruned=1, applyset_parent=True),
        KindFacts("Endpoints", short_names=("ep",), plural="endpoints", created_by_put=True, pruned=2),
        KindFacts(
            "Event",
            checked_once=("",),
            short_names=("ev",),
            also_in=("events.k8s.io",),
            names_are=PATH_SEGMENT,
            created_by_put=True,
            never_collected=True,
        ),
        KindFacts("LimitRange", checked_once=("",), short_names=("limits",), created_by_put=True, names_objects=True),
        KindFacts(
            "Namespace",
            answers_deleted=True,
            namespaced=False,
            short_names=("ns",),
            names_are=LABEL,
            raised_by_deletion=False,
            pruned=3,
        ),
        KindFacts("Node", namespaced=False, short_names=("no",)),
        KindFacts(
            "PersistentVolume",
            checked_once=("",),
            answers_deleted=True,
            namespaced=False,
            short_names=("pv",),
            pruned=5,
        ),
        KindFacts("PersistentVolumeClaim", answers_deleted=True, short_names=("pvc",), pruned=4),
        KindFacts("Pod", answers_deleted=True, short_names=("po",), counted_since=33, pruned=6, in_all=1),
        KindFacts("PodTemplate", answers_deleted=True, counted_since=22),
        KindFacts(
            "ReplicationController",
            short_names=("rc",),
            can_scale=True,
            counted_since=ALWAYS,
            orphans_dependents=True,
            pruned=7,
            in_all=2,
        ),
        KindFacts("ResourceQuota", answers_deleted=True, short_names=("quota",)),
        KindFacts("Secret", immutable=("type",), pruned=8, applyset_parent=True),
        KindFacts(
            "Service",
            answers_deleted=True,
            answers_deleted_since=23,
            short_names=("svc",),
            names_are=LABEL,
            created_by_put=True,
            pruned=9,
            in_all=3,
        ),
        KindFacts("ServiceAccount", answers_deleted=True, short_names=("sa",), plain_columns=True),
    ),
    "admissionregistration.k8s.io": (
        KindFacts("ExternalAdmissionHookConfiguration", namespaced=False, plain_columns=True),
        KindFacts("InitializerConfiguration", namespaced=False, plain_columns=True),
        KindFacts("MutatingAdmissionPolicy", namespaced=False, needs_version=True, counted_since=ALWAYS),
        KindFacts("MutatingAdmissionPolicyBinding", namespaced=False, needs_version=True, counted_since=ALWAYS),
        KindFacts(
            "MutatingWebhookConfiguration",
            checked_once=("",),
            namespaced=False,
            needs_version=True,
            counted_since=ALWAYS,
            counts_empty=True,
        ),
        KindFacts("ValidatingAdmissionPolicy", namespaced=False, needs_version=True, counted_since=ALWAYS),
        KindFacts("ValidatingAdmissionPolicyBinding", namespaced=False, needs_version=True, counted_since=ALWAYS),
        KindFacts(
            "ValidatingWebhookConfiguration",
            checked_once=("",),
            namespaced=False,
            needs_version=True,
            counted_since=ALWAYS,
            counts_empty=True,
        ),
    ),
    "apiextensions.k8s.io": (
        KindFacts(
            "CustomResourceDefinition",
            namespaced=False,
            short_names=("crd", "crds"),
            needs_version=True,
            counted_since=ALWAYS,
            raised_by_deletion=False,
            immutable=("spec.scope", "spec.names.kind", "spec.group", "spec.names.plural"),
        ),
    ),
    "apiregistration.k8s.io": (KindFacts("APIService", namespaced=False, names_are=PATH_SEGMENT, needs_version=True),),
    "apps": (
        KindFacts("ControllerRevision"),
        KindFacts(
            "DaemonSet",
            short_names=("ds",),
            also_in=("extensions",),
            counted_since=ALWAYS,
            immutable=("spec.selector",),
            pruned=13,
            in_all=4,
        ),
        KindFacts(
            "Deployment",
            short_names=("deploy",),
            also_in=("extensions",),
            can_scale=True,
            counted_since=ALWAYS,
            counting_metadata="annotations",
            immutable=("spec.selector",),
            pruned=14,
            in_all=5,
        ),
        KindFacts(
            "ReplicaSet",
            short_names=("rs",),
            also_in=("extensions",),
            can_scale=True,
            counted_since=ALWAYS,
            immutable=("spec.selector",),
            pruned=15,
            in_all=6,
        ),
        KindFacts(
            "StatefulSet",
            short_names=("sts",),
            names_are=LABEL,
            can_scale=True,
            counted_since=ALWAYS,
            immutable=("spec.selector", "spec.volumeClaimTemplates", "spec.serviceName", "spec.podManagementPolicy"),
            pruned=16,
            in_all=7,
        ),
    ),
    "auditregistration.k8s.io": (KindFacts("AuditSink", namespaced=False, plain_columns=True),),
    "autoscaling": (KindFacts("HorizontalPodAutoscaler", short_names=("hpa",), counted_since=37, in_all=8),),
    "batch": (
        KindFacts(
            "CronJob",
            checked_once=("status",),
            short_names=("cj",),
            longest_name=52,
            counted_since=22,
            pruned=11,
            in_all=9,
        ),
        KindFacts(
            "Job",
            counted_since=22,
            immutable=(
                "spec.selector",
                "spec.completionMode",
                "spec.podFailurePolicy",
                "spec.backoffLimitPerIndex",
                "spec.managedBy",
                "spec.successPolicy",
            ),
            orphans_dependents=True,
            pruned=10,
            in_all=10,
        ),
        KindFacts("ScheduledJob", plain_columns=True),
    ),
    "certificates.k8s.io": (
        KindFacts("CertificateSigningRequest", namespaced=False, short_names=("csr",), names_are=ANY_NAME),
        KindFacts("ClusterTrustBundle", namespaced=False, names_are=ANY_NAME, needs_version=True),
        KindFacts("PodCertificateRequest", needs_version=True),
    ),
    "coordination.k8s.io": (
        KindFacts("Lease", created_by_put=True, needs_version=True),
        KindFacts("LeaseCandidate", names_are=PATH_SEGMENT, created_by_put=True, plain_columns=True),
    ),
    "discovery.k8s.io": (
        KindFacts("EndpointSlice", checked_once=("",), counted_since=ALWAYS, counting_metadata="labels"),
    ),
    "extensions": (KindFacts("ThirdPartyResource", namespaced=False, plain_columns=True),),
    "flowcontrol.apiserver.k8s.io": (
        KindFacts("FlowSchema", namespaced=False, counted_since=ALWAYS, listed_by="MATCHINGPRECEDENCE"),
        KindFacts("PriorityLevelConfiguration", namespaced=False, counted_since=ALWAYS),
    ),
    "internal.apiserver.k8s.io": (
        KindFacts("StorageVersion", namespaced=False, names_are=GROUP_RESOURCE, plain_columns=True),
    ),
    "lifecycle.k8s.io": (
        KindFacts("Eviction", plain_columns=True),
        KindFacts("EvictionRequest", plain_columns=True),
    ),
    "networking.k8s.io": (
        KindFacts("ClusterCIDR", namespaced=False, plain_columns=True),
        KindFacts("IPAddress", namespaced=False, short_names=("ip",), names_are=ADDRESS),
        KindFacts("Ingress", short_names=("ing",), also_in=("extensions",), counted_since=ALWAYS, pruned=12),
        KindFacts("IngressClass", namespaced=False, counted_since=ALWAYS),
        KindFacts(
            "NetworkPolicy",
            short_names=("netpol",),
            also_in=("extensions",),
            counted_since=ALWAYS,
            counts_empty=True,
        ),
        KindFacts("ServiceCIDR", namespaced=False),
    ),
    "node.k8s.io": (KindFacts("RuntimeClass", namespaced=False, created_by_put=True, needs_version=True),),
    "policy": (
        KindFacts(
            "PodDisruptionBudget",
            checked_once=("", "status"),
            short_names=("pdb",),
            names_are=PATH_SEGMENT,
            needs_version=True,
            counted_since=ALWAYS,
        ),
        KindFacts(
            "PodSecurityPolicy",
            answers_deleted=True,
            namespaced=False,
            short_names=("psp",),
            also_in=("extensions",),
            plain_columns=True,
        ),
    ),
    "rbac.authorization.k8s.io": (
        KindFacts("ClusterRole", namespaced=False, names_are=PATH_SEGMENT, created_by_put=True),
        KindFacts("ClusterRoleBinding", namespaced=False, names_are=PATH_SEGMENT, created_by_put=True),
        KindFacts("Role", names_are=PATH_SEGMENT, created_by_put=True),
        KindFacts("RoleBinding", names_are=PATH_SEGMENT, created_by_put=True),
    ),
    "resource.k8s.io": (
        KindFacts("DeviceClass", answers_deleted=True, namespaced=False, counted_since=ALWAYS, plain_columns=True),
        KindFacts("DeviceTaintRule", namespaced=False, needs_version=True, counted_since=ALWAYS),
        KindFacts("PodScheduling", plain_columns=True),
        KindFacts("PodSchedulingContext", plain_columns=True),
        KindFacts("ResourceClaim", answers_deleted=True),
        KindFacts("ResourceClaimParameters", plain_columns=True),
        KindFacts("ResourceClaimTemplate", answers_deleted=True, plain_columns=True),
        KindFacts("ResourceClass", namespaced=False, plain_columns=True),
        KindFacts("ResourceClassParameters", plain_columns=True),
        KindFacts("ResourcePoolStatusRequest", namespaced=False, plain_columns=True),
        KindFacts("ResourceSlice", answers_deleted=True, namespaced=False, counted_since=ALWAYS),
    ),
    "scheduling.k8s.io": (
        KindFacts("CompositePodGroup", plain_columns=True),
        KindFacts("PodGroup", plain_columns=True),
        KindFacts("PriorityClass", namespaced=False, short_names=("pc",), counted_since=ALWAYS, never_raised=True),
        KindFacts("Workload", plain_columns=True),
    ),
    "settings.k8s.io": (KindFacts("PodPreset", plain_columns=True),),
    "storage.k8s.io": (
        KindFacts("CSIDriver", answers_deleted=True, namespaced=False, needs_version=True, counted_later=21),
        KindFacts("CSINode", checked_once=("",), answers_deleted=True, namespaced=False, needs_version=True),
        KindFacts("CSIStorageCapacity", needs_version=True),
        KindFacts("StorageClass", answers_deleted=True, namespaced=False, short_names=("sc",)),
        KindFacts(
            "VolumeAttachment", checked_once=("", "status"), answers_deleted=True, namespaced=False, needs_version=True
        ),
        KindFacts("VolumeAttributesClass", answers_deleted=True, namespaced=False, short_names=("vac",)),
    ),
    "storagemigration.k8s.io": (KindFacts("StorageVersionMigration", namespaced=False, needs_version=True),),
}
"""All kinds stored by some release of Kubernetes, by the group that they are stored in."""

KINDS = {(group, one.kind): one for group, kinds in _KINDS_OF.items() for one in kinds}
"""The kinds by group and kind."""

_STORED_IN = {(other, one.kind): group for (group, _), one in KINDS.items() for other in one.also_in}


def stored_in(group: str, kind: str) -> str:
    """Return the group that objects of a kind are stored in. Other groups may serve them, too."""
    return _STORED_IN.get((group, kind), group)


_EXTENSIONS = "extensions"
_NAMED_EXTENSIONS = {
    "apps": Era(26, 26),
    "networking.k8s.io": Era(until=24),
    "policy": Era(until=24),
}
"""The releases whose errors name the group extensions for kinds that it has had, by their groups.

The first group that is registered counts: until 1.24, groups were registered in the order of their names. Later servers
were built with a Go that initializes packages in another order, in which apps came after extensions in 1.26.
"""


def named_in(group: str, kind: str, minor: int) -> str:
    """Return the group that the validation errors of a minor release name for a kind."""
    group = stored_in(group, kind)
    era = _NAMED_EXTENSIONS.get(group)
    is_named = era is not None and era.has(minor) and _EXTENSIONS in facts_of(group, kind).also_in
    return _EXTENSIONS if is_named else group


_FOLDERS = {
    ("", "replicationcontrollers"): "controllers",
    ("", "endpoints"): "services/endpoints",
    ("", "nodes"): "minions",
    ("", "services"): "services/specs",
    ("networking.k8s.io", "ingresses"): "ingress",
    ("policy", "podsecuritypolicies"): "podsecuritypolicy",
}
_WITH_GROUP = frozenset({"apiextensions.k8s.io", "apiregistration.k8s.io"})
"""The groups of other servers, which a key contains."""


def key_in_store(resource: Resource, namespace: str | None, name: str) -> str:
    """Return the key of an object in a server's store, which some messages contain."""
    group = stored_in(resource.group, resource.kind)
    folder = _FOLDERS.get((group, resource.plural), resource.plural)
    with_group = not resource.built_in or group in _WITH_GROUP
    return "".join(f"/{step}" for step in (group if with_group else "", folder, namespace, name) if step)


def facts_of(group: str, kind: str) -> KindFacts:
    """Return the facts about a kind in any of its groups. An unknown kind has the defaults."""
    return KINDS.get((stored_in(group, kind), kind)) or KindFacts(kind)
