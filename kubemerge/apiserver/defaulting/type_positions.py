"""Positions of shared types in kinds, and of the types of workloads."""

from __future__ import annotations

from ..unchecked import get_path
from .rules import BALANCED, TypePosition, When

HOST_NETWORK = When("hostNetwork is true", lambda spec: get_path(spec, "hostNetwork") is True)
_TEMPLATE = (TypePosition("spec.template", "PodTemplateSpec"),)

PLACES: dict[str, tuple[TypePosition, ...]] = {
    "Deployment": _TEMPLATE,
    "DaemonSet": _TEMPLATE,
    "ReplicaSet": _TEMPLATE,
    "StatefulSet": (*_TEMPLATE, TypePosition("spec.volumeClaimTemplates[]", "ClaimTemplateOfStatefulSet")),
    "Job": (
        *_TEMPLATE,
        TypePosition("spec.podFailurePolicy?.rules[].onPodConditions[]", "PodFailurePolicyOnPodConditionsPattern"),
        TypePosition("spec.podFailurePolicy?.rules[]", "PodFailurePolicyRule"),
    ),
    "CronJob": (TypePosition("spec.jobTemplate", "JobTemplateSpec"),),
    "JobTemplateSpec": (
        *_TEMPLATE,
        TypePosition(
            "spec.podFailurePolicy?.rules[].onPodConditions[]", "PodFailurePolicyOnPodConditionsPatternOfCronJob"
        ),
        TypePosition("spec.podFailurePolicy?.rules[]", "PodFailurePolicyRule"),
    ),
    "PodFailurePolicyRule": (TypePosition("onExitCodes?", "PodFailurePolicyOnExitCodesRequirement"),),
    "Pod": (
        TypePosition("spec", "PodSpec"),
        TypePosition("spec", "PodSpecOfPod"),
        TypePosition("spec.containers[].resources?", "ResourcesOfPod"),
        TypePosition("spec.initContainers[].resources?", "ResourcesOfPod"),
        TypePosition("spec", "ResourcesOfWholePod"),
    ),
    "PodTemplateSpec": (TypePosition("spec", "PodSpec"), TypePosition("spec", "PodSpecOfTemplate")),
    "PodSpecOfPod": (
        TypePosition("containers[].ports[]", "ContainerPortOfPod", HOST_NETWORK),
        TypePosition("initContainers[].ports[]", "ContainerPortOfPod", HOST_NETWORK),
    ),
    "PodSpecOfTemplate": (
        TypePosition("containers[].ports[]", "ContainerPortOfTemplate", HOST_NETWORK),
        TypePosition("initContainers[].ports[]", "ContainerPortOfTemplate", HOST_NETWORK),
    ),
    "PodSpec": (
        TypePosition("volumes[]", "Volume"),
        TypePosition("initContainers[]", "Container"),
        TypePosition("containers[]", "Container"),
        TypePosition("ephemeralContainers[]", "Container"),
    ),
    "Container": (
        TypePosition("ports[]", "ContainerPort"),
        TypePosition("env[].valueFrom?.fieldRef?", "ObjectFieldSelector"),
        TypePosition("env[].valueFrom?.resourceFieldRef?", "ResourceFieldSelector"),
        TypePosition("env[].valueFrom?.fileKeyRef?", "FileKeySelector"),
        TypePosition("livenessProbe?", "Probe"),
        TypePosition("readinessProbe?", "Probe"),
        TypePosition("startupProbe?", "Probe"),
        TypePosition("lifecycle?.postStart?.httpGet?", "HTTPGetAction"),
        TypePosition("lifecycle?.preStop?.httpGet?", "HTTPGetAction"),
    ),
    "Probe": (TypePosition("httpGet?", "HTTPGetAction"), TypePosition("grpc?", "GRPCAction")),
    "Volume": (
        TypePosition("hostPath?", "HostPathVolumeSource"),
        TypePosition("secret?", "FilesVolumeSource"),
        TypePosition("configMap?", "FilesVolumeSource"),
        TypePosition("downwardAPI?", "FilesVolumeSource"),
        TypePosition("projected?", "FilesVolumeSource"),
        TypePosition("downwardAPI?.items[]", "DownwardAPIVolumeFile"),
        TypePosition("projected?.sources[].downwardAPI?.items[]", "DownwardAPIVolumeFile"),
        TypePosition("projected?.sources[].serviceAccountToken?", "ServiceAccountTokenProjection"),
        TypePosition("ephemeral?.volumeClaimTemplate?", "PersistentVolumeClaimTemplate"),
        TypePosition("image?", "ImageVolumeSource"),
        TypePosition("iscsi?", "ISCSIVolumeSource"),
        TypePosition("rbd?", "RBDVolumeSource"),
        TypePosition("azureDisk?", "AzureDiskVolumeSource"),
        TypePosition("scaleIO?", "ScaleIOVolumeSource"),
    ),
    "DownwardAPIVolumeFile": (
        TypePosition("fieldRef?", "ObjectFieldSelector"),
        TypePosition("resourceFieldRef?", "ResourceFieldSelector"),
    ),
    "Service": (
        TypePosition("spec.ports[]", "ServicePort"),
        TypePosition("status?.loadBalancer?.ingress[]", "LoadBalancerIngress", BALANCED),
    ),
    "PersistentVolumeClaim": (TypePosition("spec", "PersistentVolumeClaimSpec"),),
    "ClaimTemplateOfStatefulSet": (TypePosition("spec", "PersistentVolumeClaimSpec"),),
    "PersistentVolumeClaimTemplate": (TypePosition("spec", "PersistentVolumeClaimSpec"),),
}
"""The positions of the table's types, from the kinds down."""
