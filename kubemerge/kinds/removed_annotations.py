"""Annotations and labels that Kubernetes no longer reads or sets. No server warns of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..apiserver.unchecked import as_list, as_map
from .hazard import PODS, Hazard, is_one_of, is_set, is_true

if TYPE_CHECKING:
    from .hazard import Object

_MASTER, _CONTROL_PLANE = "node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"
_REQUIRED = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.*"
_KUBEADM = "cmd/kubeadm/app/cmd/upgrade/apply.go of 1.24"


def _tolerates_old_only(value: Any, _: Object) -> bool:
    """Whether a list of tolerations contains the old control-plane taint, but not the new one."""
    keys = [as_map(one).get("key") for one in as_list(value) if isinstance(one, dict)]
    return _MASTER in keys and not any(one in keys for one in (_CONTROL_PLANE, None, ""))


def _selects_master(*operators: str) -> Any:
    def holds(value: Any, _: Object) -> bool:
        return as_map(value).get("key") == _MASTER and as_map(value).get("operator") in operators

    return holds


def _is_token_secret(value: Any, _: Object) -> bool:
    """Whether the name is like those that the token controller made: five letters without vowels."""
    return isinstance(value, str) and bool(re.search(r"-token-[bcdfghjklmnpqrstvwxz2456789]{5}$", value))


ANNOTATIONS = (
    Hazard(
        "1.24",
        "inert",
        "notable",
        PODS,
        "pod:tolerations",
        _tolerates_old_only,
        f"since 1.24, control plane nodes of kubeadm have the taint {_CONTROL_PLANE}, and since 1.25 no "
        f"longer {_MASTER}, so these Pods are not scheduled there",
        f"also tolerate {_CONTROL_PLANE}",
        "cmd/kubeadm/app/cmd/upgrade/apply.go of 1.24 and 1.25",
    ),
    Hazard(
        "1.24",
        "inert",
        "notable",
        PODS,
        f"pod:nodeSelector.{_MASTER}",
        is_set,
        "kubeadm no longer sets this label, so no node matches",
        f"select {_CONTROL_PLANE}",
        _KUBEADM,
    ),
    Hazard(
        "1.24",
        "inert",
        "notable",
        PODS,
        f"pod:{_REQUIRED}.matchExpressions.*",
        _selects_master("Exists", "In"),
        "kubeadm no longer sets this label, so no node matches",
        f"select {_CONTROL_PLANE}",
        _KUBEADM,
    ),
    Hazard(
        "1.24",
        "changed",
        "notable",
        PODS,
        f"pod:{_REQUIRED}.matchExpressions.*",
        _selects_master("DoesNotExist", "NotIn"),
        "kubeadm no longer sets this label, so the rule no longer excludes control plane nodes",
        f"exclude {_CONTROL_PLANE} with the operator DoesNotExist",
        _KUBEADM,
    ),
    Hazard(
        "1.24",
        "inert",
        "breaking",
        ("Service",),
        "metadata.annotations.service.alpha.kubernetes.io/tolerate-unready-endpoints",
        is_true,
        "the annotation is ignored, so Pods that are not ready are left out",
        "set spec.publishNotReadyAddresses",
        "pkg/controller/endpoint/endpoints_controller.go of 1.24",
    ),
    Hazard(
        "1.27",
        "deprecated",
        "notable",
        ("Service",),
        "metadata.annotations.service.kubernetes.io/topology-aware-hints",
        is_set,
        "the annotation is deprecated",
        "use service.kubernetes.io/topology-mode",
        "pkg/apis/core/annotation_key_constants.go of 1.27",
    ),
    Hazard(
        "1.18",
        "deprecated",
        "info",
        ("Ingress",),
        "metadata.annotations.kubernetes.io/ingress.class",
        is_set,
        "the annotation is deprecated",
        "set spec.ingressClassName",
        "pkg/apis/networking/types.go of 1.18",
    ),
    Hazard(
        "1.25",
        "inert",
        "notable",
        PODS,
        "podmeta:annotations.kubectl.kubernetes.io/default-logs-container",
        is_set,
        "kubectl no longer reads the annotation, so `kubectl logs` takes the first container",
        "use kubectl.kubernetes.io/default-container",
        "k8s.io/kubectl/pkg/polymorphichelpers/logsforobject.go of 1.25",
    ),
    *(
        Hazard(
            "1.24",
            "changed",
            "info",
            PODS,
            f"podmeta:annotations.kubernetes.io/{way}-bandwidth",
            is_set,
            "the kubelet no longer reads the annotation, only container runtimes and network plugins do",
            "use a container runtime with the CNI plugin bandwidth",
            "pkg/kubelet/dockershim/network/cni/cni.go, gone in 1.24",
        )
        for way in ("ingress", "egress")
    ),
    Hazard(
        "1.21",
        "inert",
        "breaking",
        PODS,
        "podmeta:annotations.experimental.windows.kubernetes.io/isolation-type",
        is_one_of("hyperv"),
        "the annotation is ignored, so the containers run without Hyper-V isolation",
        "set runtimeClassName to a RuntimeClass with Hyper-V isolation",
        "pkg/kubelet/apis/well_known_annotations_windows.go of 1.21",
    ),
    Hazard(
        "1.20",
        "inert",
        "info",
        PODS,
        "podmeta:annotations.podpreset.admission.kubernetes.io/exclude",
        is_set,
        "PodPreset was removed, so the annotation has no effect",
        "remove the annotation",
        "plugin/pkg/admission/podpreset, gone in 1.20",
    ),
    Hazard(
        "1.19",
        "inert",
        "notable",
        PODS,
        "podmeta:annotations.node.kubernetes.io/bootstrap-checkpoint",
        is_true,
        "the kubelet no longer writes checkpoints of Pods, so the annotation has no effect",
        "run the Pod as a static Pod",
        "pkg/kubelet/checkpoint, gone in 1.19",
    ),
    Hazard(
        "1.23",
        "inert",
        "notable",
        ("Node",),
        "metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods",
        is_set,
        "the scheduler ignores the annotation",
        "set a taint with the effect PreferNoSchedule",
        "pkg/scheduler/framework/plugins/nodepreferavoidpods, gone in 1.23",
    ),
    Hazard(
        "1.19",
        "inert",
        "notable",
        ("Node",),
        "metadata.labels.alpha.service-controller.kubernetes.io/exclude-balancer",
        is_set,
        "the service controller ignores the label",
        "use the label node.kubernetes.io/exclude-from-external-load-balancers",
        "k8s.io/cloud-provider/controllers/service/controller.go of 1.19",
    ),
    Hazard(
        "1.34",
        "inert",
        "breaking",
        ("Namespace",),
        "metadata.labels.resource.k8s.io/admin-access",
        is_one_of("true"),
        "the label is ignored, so claims with admin access are rejected in this namespace",
        "use the label resource.kubernetes.io/admin-access",
        "pkg/apis/resource/types.go of 1.34",
    ),
    *(
        Hazard(
            since,
            "inert",
            "info",
            ("Service",),
            f"metadata.annotations.service.beta.kubernetes.io/azure-load-balancer-{name}",
            is_set,
            "the in-tree cloud provider no longer reads the annotation",
            "remove the annotation",
            f"k8s.io/legacy-cloud-providers/azure/azure_loadbalancer.go of {since}",
        )
        for name, since in (("mixed-protocols", "1.21"), ("disable-tcp-reset", "1.22"))
    ),
    Hazard(
        "1.24",
        "inert",
        "notable",
        PODS,
        "pod:volumes.*.secret.secretName",
        _is_token_secret,
        "new clusters and new ServiceAccounts no longer get a token Secret, so the Pod waits for the Secret",
        "remove the volume, and use the token that is mounted anyway, or a projected serviceAccountToken",
        "pkg/features/kube_features.go of 1.24: gate LegacyServiceAccountTokenNoAutoGeneration is on by default",
    ),
)
