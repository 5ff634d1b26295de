"""Unions: groups of fields of which only one may be set, by type.

Specifications mark only a few of them (`x-kubernetes-unions`, since 1.17); a test compares this list with every mark of
every release. The others come from the validation of the API server and from comments of the API types ("one and only
one of the following", "may not be specified when"). Type names have no version.
"""

from __future__ import annotations

_HANDLERS = ("exec", "grpc", "httpGet", "sleep", "tcpSocket")
_VOLUMES = (
    "awsElasticBlockStore",
    "azureDisk",
    "azureFile",
    "cephfs",
    "cinder",
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "fc",
    "flexVolume",
    "flocker",
    "gcePersistentDisk",
    "gitRepo",
    "glusterfs",
    "hostPath",
    "image",
    "iscsi",
    "local",
    "nfs",
    "persistentVolumeClaim",
    "photonPersistentDisk",
    "portworxVolume",
    "projected",
    "quobyte",
    "rbd",
    "scaleIO",
    "secret",
    "storageos",
    "vsphereVolume",
)

ONE_OF: dict[str, tuple[str, ...]] = {
    "admissionregistration.WebhookClientConfig": ("service", "url"),
    "apiextensions.WebhookClientConfig": ("service", "url"),
    "batch.PodFailurePolicyRule": ("onExitCodes", "onPodConditions"),
    "core.EnvFromSource": ("configMapRef", "secretRef"),
    "core.EnvVar": ("value", "valueFrom"),
    "core.EnvVarSource": ("configMapKeyRef", "fieldRef", "fileKeyRef", "resourceFieldRef", "secretKeyRef"),
    "core.Handler": _HANDLERS,
    "core.LifecycleHandler": _HANDLERS,
    "core.PersistentVolumeSpec": _VOLUMES,
    "core.PodResourceClaim": ("resourceClaimName", "resourceClaimTemplateName"),
    "core.Probe": _HANDLERS,
    "core.Volume": _VOLUMES,
    "core.VolumeProjection": (
        "clusterTrustBundle",
        "configMap",
        "downwardAPI",
        "podCertificate",
        "secret",
        "serviceAccountToken",
    ),
    "extensions.IngressBackend": ("resource", "serviceName"),
    "networking.IngressBackend": ("resource", "service", "serviceName"),
    "networking.ServiceBackendPort": ("name", "number"),
    "policy.PodDisruptionBudgetSpec": ("maxUnavailable", "minAvailable"),
    "scheduling.CompositeDisruptionMode": ("all", "single"),
    "scheduling.CompositePodGroupSchedulingPolicy": ("basic", "gang"),
    "scheduling.DisruptionMode": ("all", "single"),
    "scheduling.PodGroupSchedulingPolicy": ("basic", "gang"),
    "scheduling.WorkloadPodGroupDisruptionMode": ("all", "single"),
    "scheduling.WorkloadPodGroupSchedulingPolicy": ("basic", "gang"),
    "storage.VolumeAttachmentSource": ("inlineVolumeSpec", "persistentVolumeName"),
}
"""By type, the fields of which only one may be set."""


class Discriminator:
    """A discriminator: the field whose value selects one of the other fields.

    by       the name of the discriminator
    members  the field that goes with each value
    refused  true if the API server rejects a field that does not match the value; else the field has no effect
    """

    __slots__ = ("by", "members", "refused")

    def __init__(self, by: str, members: dict[str, str], *, refused: bool = True) -> None:
        self.by, self.members, self.refused = by, members, refused


_ROLLING = {"RollingUpdate": "rollingUpdate"}
_LOCALHOST = {"Localhost": "localhostProfile"}

CHOSEN_BY: dict[str, Discriminator] = {
    "apiextensions.CustomResourceConversion": Discriminator("strategy", {"Webhook": "webhook"}),
    "apps.DaemonSetUpdateStrategy": Discriminator("type", _ROLLING, refused=False),
    "apps.DeploymentStrategy": Discriminator("type", _ROLLING),
    "apps.StatefulSetUpdateStrategy": Discriminator("type", _ROLLING),
    "autoscaling.MetricSpec": Discriminator(
        "type",
        {
            "ContainerResource": "containerResource",
            "External": "external",
            "Object": "object",
            "Pods": "pods",
            "Resource": "resource",
        },
    ),
    "autoscaling.MetricTarget": Discriminator(
        "type", {"AverageValue": "averageValue", "Utilization": "averageUtilization", "Value": "value"}
    ),
    "core.AppArmorProfile": Discriminator("type", _LOCALHOST),
    "core.SeccompProfile": Discriminator("type", _LOCALHOST),
    "extensions.DaemonSetUpdateStrategy": Discriminator("type", _ROLLING, refused=False),
    "extensions.DeploymentStrategy": Discriminator("type", _ROLLING),
    "flowcontrol.LimitResponse": Discriminator("type", {"Queue": "queuing"}),
    "flowcontrol.PriorityLevelConfigurationSpec": Discriminator("type", {"Exempt": "exempt", "Limited": "limited"}),
    "flowcontrol.Subject": Discriminator(
        "kind", {"Group": "group", "ServiceAccount": "serviceAccount", "User": "user"}
    ),
}
"""By type, its discriminator."""
