"""Positions of shared types in kinds, and of the types of workloads."""

from __future__ import annotations

from ..unchecked import get_path
from .rules import BALANCED, Place, When

HOST_NETWORK = When("hostNetwork is true", lambda spec: get_path(spec, "hostNetwork") is True)
_TEMPLATE = (Place("spec.template", "PodTemplate"),)

PLACES: dict[str, tuple[Place, ...]] = {
    "Deployment": _TEMPLATE,
    "DaemonSet": _TEMPLATE,
    "ReplicaSet": _TEMPLATE,
    "StatefulSet": (*_TEMPLATE, Place("spec.volumeClaimTemplates[]", "ClaimTemplate")),
    "Job": (*_TEMPLATE, Place("spec.podFailurePolicy?.rules[].onPodConditions[]", "PodConditionPattern")),
    "CronJob": (Place("spec.jobTemplate", "JobTemplate"),),
    "JobTemplate": (
        *_TEMPLATE,
        Place("spec.podFailurePolicy?.rules[].onPodConditions[]", "PodConditionPattern"),
    ),
    "Pod": (
        Place("spec", "PodSpec"),
        Place("spec", "PodsOwnSpec"),
        Place("spec.containers[].resources?", "PodsOwnResources"),
        Place("spec.initContainers[].resources?", "PodsOwnResources"),
    ),
    "PodTemplate": (Place("spec", "PodSpec"), Place("spec", "TemplatesOwnSpec")),
    "PodsOwnSpec": (
        Place("containers[].ports[]", "HostPort", HOST_NETWORK),
        Place("initContainers[].ports[]", "HostPort", HOST_NETWORK),
    ),
    "TemplatesOwnSpec": (
        Place("containers[].ports[]", "TemplatesHostPort", HOST_NETWORK),
        Place("initContainers[].ports[]", "TemplatesHostPort", HOST_NETWORK),
    ),
    "PodSpec": (
        Place("volumes[]", "Volume"),
        Place("initContainers[]", "Container"),
        Place("containers[]", "Container"),
        Place("ephemeralContainers[]", "Container"),
    ),
    "Container": (
        Place("ports[]", "ContainerPort"),
        Place("env[].valueFrom?.fieldRef?", "ObjectFieldSelector"),
        Place("env[].valueFrom?.resourceFieldRef?", "ResourceFieldSelector"),
        Place("livenessProbe?", "Probe"),
        Place("readinessProbe?", "Probe"),
        Place("startupProbe?", "Probe"),
        Place("lifecycle?.postStart?.httpGet?", "HTTPGetAction"),
        Place("lifecycle?.preStop?.httpGet?", "HTTPGetAction"),
    ),
    "Probe": (Place("httpGet?", "HTTPGetAction"), Place("grpc?", "GRPCAction")),
    "Volume": (
        Place("hostPath?", "HostPathVolumeSource"),
        Place("secret?", "FilesVolumeSource"),
        Place("configMap?", "FilesVolumeSource"),
        Place("downwardAPI?", "FilesVolumeSource"),
        Place("projected?", "FilesVolumeSource"),
        Place("downwardAPI?.items[]", "DownwardAPIVolumeFile"),
        Place("projected?.sources[].downwardAPI?.items[]", "DownwardAPIVolumeFile"),
        Place("projected?.sources[].serviceAccountToken?", "ServiceAccountTokenProjection"),
        Place("ephemeral?.volumeClaimTemplate?", "EphemeralClaimTemplate"),
        Place("image?", "ImageVolumeSource"),
        Place("iscsi?", "ISCSIVolumeSource"),
        Place("rbd?", "RBDVolumeSource"),
        Place("azureDisk?", "AzureDiskVolumeSource"),
        Place("scaleIO?", "ScaleIOVolumeSource"),
    ),
    "DownwardAPIVolumeFile": (
        Place("fieldRef?", "ObjectFieldSelector"),
        Place("resourceFieldRef?", "ResourceFieldSelector"),
    ),
    "Service": (
        Place("spec.ports[]", "ServicePort"),
        Place("status?.loadBalancer?.ingress[]", "LoadBalancerIngress", BALANCED),
    ),
    "PersistentVolumeClaim": (Place("spec", "ClaimSpec"),),
    "ClaimTemplate": (Place("spec", "ClaimSpec"),),
    "EphemeralClaimTemplate": (Place("spec", "ClaimSpec"),),
}
"""The positions of the table's types, from the kinds down."""
