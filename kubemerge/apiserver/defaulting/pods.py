"""Defaults of Pods with everything in them, of Services and of claims."""

from __future__ import annotations

from ..unchecked import get_path
from .pod_resources import OF_WHOLE_PODS
from .rules import (
    BALANCED,
    LIMITS,
    NIL,
    NO_SOURCE,
    REMOVED,
    REQUESTS,
    ZERO,
    Default,
    Group,
    When,
    equals,
    given,
    pull_policy,
    same_as,
)

_CORE = "core/v1/defaults.go SetDefaults_"
_GENERATED = "core/v1/zz_generated.defaults.go"

PODS = (
    Group(
        ("ResourcesOfPod",),
        _CORE + "Pod",
        (Default("requests", REQUESTS, LIMITS, unset=None),),
    ),
    Group(("PodSpecOfPod",), _CORE + "Pod", (Default("enableServiceLinks", True, since="1.13"),)),
    Group(("ResourcesOfWholePod",), _CORE + "Pod", OF_WHOLE_PODS),
    Group(("ContainerPortOfPod",), _CORE + "Pod", (Default("hostPort", same_as("containerPort"), unset=ZERO),)),
    Group(
        ("ContainerPortOfTemplate",),
        _CORE + "PodSpec",
        (Default("hostPort", same_as("containerPort"), until="1.27", unset=ZERO),),
    ),
    Group(
        ("PodSpec",),
        _CORE + "PodSpec",
        (
            Default("dnsPolicy", "ClusterFirst"),
            Default("restartPolicy", "Always"),
            Default("securityContext", {}),
            Default("terminationGracePeriodSeconds", 30),
            Default("schedulerName", "default-scheduler"),
        ),
    ),
    Group(
        ("PodSpec",),
        "core/v1/conversion.go",
        (
            Default("serviceAccountName", same_as("serviceAccount"), given("serviceAccount")),
            Default("serviceAccount", same_as("serviceAccountName"), given("serviceAccountName"), unset=None),
        ),
    ),
    Group(
        ("Container",),
        _CORE + "Container",
        (
            Default("imagePullPolicy", pull_policy("image")),
            Default("terminationMessagePath", "/dev/termination-log"),
            Default("terminationMessagePolicy", "File"),
        ),
    ),
    Group(("Container",), "servers print empty resources", (Default("resources", {}),)),
    Group(("ContainerPort",), _GENERATED, (Default("protocol", "TCP"),)),
    Group(("ObjectFieldSelector",), _CORE + "ObjectFieldSelector", (Default("apiVersion", "v1"),)),
    Group(("FileKeySelector",), _GENERATED, (Default("optional", False, since="1.34"),)),
    Group(("ResourceFieldSelector",), "servers print an empty divisor", (Default("divisor", "0"),)),
    Group(
        ("Probe",),
        _CORE + "Probe",
        (
            Default("timeoutSeconds", 1, unset=ZERO),
            Default("periodSeconds", 10, unset=ZERO),
            Default("successThreshold", 1, unset=ZERO),
            Default("failureThreshold", 3, unset=ZERO),
        ),
    ),
    Group(("HTTPGetAction",), _CORE + "HTTPGetAction", (Default("path", "/"), Default("scheme", "HTTP"))),
    Group(("GRPCAction",), _GENERATED, (Default("service", "", since="1.23"),)),
)

VOLUMES = (
    Group(("Volume",), _CORE + "Volume", (Default("emptyDir", {}, NO_SOURCE),)),
    Group(
        ("ImageVolumeSource",),
        _CORE + "Volume",
        (Default("pullPolicy", pull_policy("reference"), since="1.35"),),
    ),
    Group(("HostPathVolumeSource",), _CORE + "HostPathVolumeSource", (Default("type", "", since="1.8"),)),
    Group(
        ("FilesVolumeSource",),
        f"{_CORE}SecretVolumeSource, ConfigMapVolumeSource, DownwardAPIVolumeSource, ProjectedVolumeSource",
        (Default("defaultMode", 420),),
    ),
    Group(
        ("ServiceAccountTokenProjection",),
        _CORE + "ServiceAccountTokenProjection",
        (Default("expirationSeconds", 3600, since="1.11"),),
    ),
    Group(("ISCSIVolumeSource",), _GENERATED, (Default("iscsiInterface", "default"),)),
    Group(
        ("RBDVolumeSource",),
        _GENERATED,
        (Default("pool", "rbd"), Default("user", "admin"), Default("keyring", "/etc/ceph/keyring")),
    ),
    Group(
        ("AzureDiskVolumeSource",),
        _GENERATED,
        (
            Default("cachingMode", "ReadWrite"),
            Default("kind", "Shared"),
            Default("fsType", "ext4"),
            Default("readOnly", False),
        ),
    ),
    Group(
        ("ScaleIOVolumeSource",),
        _GENERATED,
        (Default("storageMode", "ThinProvisioned"), Default("fsType", "xfs")),
    ),
)

_OUTSIDE = equals("spec.type", "NodePort", "LoadBalancer")
_REACHABLE = When(
    f"{_OUTSIDE.words}, or externalIPs are set for ClusterIP",
    lambda owner: (
        _OUTSIDE.holds(owner)
        or (get_path(owner, "spec.type") == "ClusterIP" and bool(get_path(owner, "spec.externalIPs")))
    ),
)
_FOR_ONE_CLIENT = equals("spec.sessionAffinity", "ClientIP")
_PROXIED = equals("spec.type", "NodePort", "LoadBalancer", "ClusterIP")

SERVICES_AND_CLAIMS = (
    Group(
        ("Service",),
        _CORE + "Service",
        (
            Default("spec.sessionAffinity", "None"),
            Default(
                "spec.sessionAffinityConfig", REMOVED, equals("spec.sessionAffinity", "None"), since="1.8", unset=None
            ),
            Default("spec.sessionAffinityConfig.clientIP.timeoutSeconds", 10800, _FOR_ONE_CLIENT, since="1.8"),
            Default("spec.type", "ClusterIP"),
            Default("spec.externalTrafficPolicy", "Cluster", _OUTSIDE, until="1.28"),
            Default("spec.externalTrafficPolicy", "Cluster", _REACHABLE, since="1.29"),
            Default("spec.internalTrafficPolicy", "Cluster", since="1.22", until="1.23", unset=NIL),
            Default("spec.internalTrafficPolicy", "Cluster", _PROXIED, since="1.24", unset=NIL),
            Default("spec.allocateLoadBalancerNodePorts", True, BALANCED, since="1.22"),
        ),
    ),
    Group(
        ("ServicePort",),
        _CORE + "Service",
        (Default("protocol", "TCP"), Default("targetPort", same_as("port"), unset=ZERO)),
    ),
    Group(
        ("LoadBalancerIngress",),
        _CORE + "Service",
        (Default("ipMode", "VIP", given("ip"), since="1.30"),),
    ),
    Group(("PersistentVolumeClaim",), _CORE + "PersistentVolumeClaim", (Default("status.phase", "Pending"),)),
    Group(
        ("PersistentVolumeClaimSpec",),
        _CORE + "PersistentVolumeClaimSpec",
        (Default("volumeMode", "Filesystem", since="1.13", unset=NIL),),
    ),
)
