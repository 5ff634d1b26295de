"""The table of plugins by kind, in the order of the server, with their first minor releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry.autoscaler_conversion import as_decoded
from ..registry.core import NAMES_ARE_LABELS_SINCE, with_name_as_label
from ..registry.record import LazyModule
from . import base64_data as of_bytes
from . import (
    devices,
    ingresses,
    jobs,
    limits,
    nodes,
    pods,
    profiles,
    resizing,
    signing,
    storage,
    template_generation,
    topology,
)
from . import pod_security as security
from . import policy_params as policies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..problems import Problem
    from ..protocol import Object
    from .context import AdmissionContext

    Plugin = Callable[[Object, AdmissionContext], Object]
    Validator = Callable[[Object, AdmissionContext], None]
    ProblemFinder = Callable[[Object, AdmissionContext], Iterable[Problem]]

MUTATING: dict[tuple[str, str], tuple[tuple[int, Plugin], ...]] = {
    ("", "Pod"): (
        (7, limits.set_pod_defaults),
        (7, pods.tolerations),
        (11, pods.priority),
        (20, pods.runtime_class),
        (19, profiles.copy_profiles),
        (topology.SINCE, topology.copy_labels),
    ),
    ("", "PersistentVolumeClaim"): (
        (10, storage.protect_claim),
        (7, storage.set_default_class),
    ),
    ("", "PersistentVolume"): ((11, storage.protect_volume),),
    ("networking.k8s.io", "Ingress"): ((ingresses.SINCE, ingresses.set_default_class),),
    ("", "Node"): ((17, nodes.taint_not_ready),),
    ("apps", "DaemonSet"): ((9, template_generation.increment_generation),),
    ("batch", "Job"): ((7, jobs.generate_selector), (25, jobs.mark_as_tracked)),
}
READ: dict[tuple[str, str], tuple[tuple[int, Plugin], ...]] = {
    ("", "ConfigMap"): ((7, of_bytes.read),),
    ("", "Namespace"): ((NAMES_ARE_LABELS_SINCE, lambda content, _: with_name_as_label(content)),),
    ("", "Pod"): ((16, pods.addresses), (27, pods.grace_period)),
    ("", "Secret"): ((7, of_bytes.read),),
    ("apps", "DaemonSet"): ((9, template_generation.read),),
    ("autoscaling", "HorizontalPodAutoscaler"): ((7, lambda content, context: as_decoded(content, context.minor)),),
    ("resource.k8s.io", "DeviceTaintRule"): ((33, devices.of_rule),),
    ("resource.k8s.io", "ResourceSlice"): ((33, devices.of_slice),),
}
"""Decoding steps before managedFields are recorded."""
_IN_TEMPLATE = ((security.SINCE, security.template("spec.template")),)
VALIDATING: dict[tuple[str, str], tuple[tuple[int, Validator], ...]] = {
    ("", "Namespace"): ((security.NAMESPACES_SINCE, security.namespace),),
    ("", "PersistentVolumeClaim"): ((7, limits.check_claim), (7, storage.check_resize)),
    ("", "Pod"): (
        (7, limits.check_pod),
        (security.SINCE, security.pod),
        (20, pods.overhead),
        (resizing.SINCE, resizing.check_resize),
    ),
    ("", "PodTemplate"): ((security.SINCE, security.template("template")),),
    ("", "ReplicationController"): _IN_TEMPLATE,
    (policies.GROUP, "MutatingAdmissionPolicy"): ((36, policies.check_name), (32, policies.check_policy)),
    (policies.GROUP, "MutatingAdmissionPolicyBinding"): ((36, policies.check_name), (32, policies.check_binding)),
    (policies.GROUP, "ValidatingAdmissionPolicy"): ((36, policies.check_name), (26, policies.check_policy)),
    (policies.GROUP, "ValidatingAdmissionPolicyBinding"): ((36, policies.check_name), (26, policies.check_binding)),
    ("apps", "DaemonSet"): _IN_TEMPLATE,
    ("apps", "Deployment"): _IN_TEMPLATE,
    ("apps", "ReplicaSet"): _IN_TEMPLATE,
    ("apps", "StatefulSet"): _IN_TEMPLATE,
    ("batch", "CronJob"): ((security.SINCE, security.template("spec.jobTemplate.spec.template")),),
    ("batch", "Job"): _IN_TEMPLATE,
    signing.REQUEST: ((signing.SINCE, signing.check), (signing.SINCE, signing.restrict_subject)),
    (signing.GROUP, "ClusterTrustBundle"): ((signing.BUNDLES_SINCE, signing.attest),),
    ("scheduling.k8s.io", "PriorityClass"): ((11, pods.only_default),),
}
"""Plugins for validated objects."""
NEW: dict[tuple[str, str], tuple[int, ProblemFinder]] = {
    ("resource.k8s.io", "ResourceClaim"): (32, devices.admin_access),
    ("resource.k8s.io", "ResourceClaimTemplate"): (32, devices.admin_access),
}
"""Validation of new objects by others, whose problems are reported before those of the object alone."""
STATUS: dict[tuple[str, str], tuple[int, ProblemFinder]] = {
    ("certificates.k8s.io", "PodCertificateRequest"): (34, LazyModule("plugins.issued_certificates").problems),
    ("resource.k8s.io", "ResourceClaim"): (34, devices.admin_access_in_status),
}
"""The same for changes of a status."""
