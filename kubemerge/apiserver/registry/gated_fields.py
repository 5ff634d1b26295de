"""Fields behind feature gates that no release of `k8s.io/api` tags with their gate, or that it tags wrongly.

A row here overrides a tag of the same field. The rows come from the functions `dropDisabledFields` of upstream's
strategies, and were measured on real API servers. Rows are never removed, because an old release still drops the field.
"""

from __future__ import annotations

from typing import NamedTuple


class GatedField(NamedTuple):
    """A field of a type, in every version of its group, that a server drops while a feature gate is off."""

    of: str
    field: str
    gate: str
    within: str = ""
    """The field that holds the type, if the gate is about this field alone."""
    kind: str = ""
    """The kind, if the gate is about this kind alone."""
    since: int = 0
    """The first minor release that drops the field. Some releases have a gate and keep its field."""


UNTAGGED = (
    GatedField("admissionregistration.MutatingWebhook", "matchConditions", "AdmissionWebhookMatchConditions"),
    GatedField("admissionregistration.ValidatingWebhook", "matchConditions", "AdmissionWebhookMatchConditions"),
    GatedField("apiextensions.CustomResourceDefinitionVersion", "selectableFields", "CustomResourceFieldSelectors"),
    GatedField("apps.RollingUpdateDaemonSet", "maxSurge", "DaemonSetUpdateSurge"),
    GatedField("apps.StatefulSetSpec", "minReadySeconds", "StatefulSetMinReadySeconds"),
    GatedField("apps.StatefulSetSpec", "ordinals", "StatefulSetStartOrdinal"),
    GatedField("apps.StatefulSetSpec", "persistentVolumeClaimRetentionPolicy", "StatefulSetAutoDeletePVC"),
    GatedField("autoscaling.MetricSpec", "containerResource", "HPAContainerMetrics"),
    GatedField("batch.CronJobSpec", "timeZone", "CronJobTimeZone"),
    GatedField("batch.JobSpec", "backoffLimitPerIndex", "JobBackoffLimitPerIndex", kind="Job"),
    GatedField("batch.JobSpec", "completionMode", "IndexedJob", kind="Job"),
    GatedField("batch.JobSpec", "managedBy", "JobManagedBy", kind="Job"),
    GatedField("batch.JobSpec", "maxFailedIndexes", "JobBackoffLimitPerIndex", kind="Job"),
    GatedField("batch.JobSpec", "podFailurePolicy", "JobPodFailurePolicy", kind="Job"),
    GatedField("batch.JobSpec", "podReplacementPolicy", "JobPodReplacementPolicy", kind="Job"),
    GatedField("batch.JobSpec", "successPolicy", "JobSuccessPolicy", kind="Job"),
    GatedField("batch.JobSpec", "suspend", "SuspendJob", kind="Job"),
    GatedField("batch.JobSpec", "ttlSecondsAfterFinished", "TTLAfterFinished", kind="Job"),
    GatedField("core.CSIPersistentVolumeSource", "controllerExpandSecretRef", "ExpandCSIVolumes"),
    GatedField("core.CSIPersistentVolumeSource", "nodeExpandSecretRef", "CSINodeExpandSecret", kind="PersistentVolume"),
    GatedField("core.ConfigMap", "immutable", "ImmutableEphemeralVolumes"),
    GatedField("core.Container", "restartPolicy", "ContainerRestartRules", within="containers"),
    GatedField("core.Container", "restartPolicy", "SidecarContainers", within="initContainers"),
    GatedField("core.EphemeralContainer", "resizePolicy", "InPlacePodVerticalScaling"),
    GatedField("core.EphemeralContainer", "restartPolicy", "ContainerRestartRules"),
    GatedField("core.EphemeralContainer", "restartPolicyRules", "ContainerRestartRules"),
    GatedField("core.Lifecycle", "stopSignal", "ContainerStopSignals"),
    GatedField("core.LifecycleHandler", "sleep", "PodLifecycleSleepAction"),
    GatedField("core.NodeSpec", "configSource", "DynamicKubeletConfig"),
    GatedField("core.PersistentVolumeClaimSpec", "dataSourceRef", "AnyVolumeDataSource", kind="PersistentVolumeClaim"),
    GatedField(
        "core.PersistentVolumeClaimSpec",
        "volumeAttributesClassName",
        "VolumeAttributesClass",
        kind="PersistentVolumeClaim",
    ),
    GatedField(
        "core.PersistentVolumeSpec",
        "volumeAttributesClassName",
        "VolumeAttributesClass",
        kind="PersistentVolume",
        since=31,
    ),
    GatedField("core.PodAffinityTerm", "matchLabelKeys", "MatchLabelKeysInPodAffinity"),
    GatedField("core.PodAffinityTerm", "mismatchLabelKeys", "MatchLabelKeysInPodAffinity"),
    GatedField("core.PodAffinityTerm", "namespaceSelector", "PodAffinityNamespaceSelector"),
    GatedField("core.PodSecurityContext", "fsGroupChangePolicy", "ConfigurableFSGroupPolicy"),
    GatedField("core.PodSecurityContext", "runAsGroup", "RunAsGroup"),
    GatedField("core.PodSecurityContext", "sysctls", "Sysctls"),
    GatedField("core.PodSpec", "ephemeralContainers", "EphemeralContainers"),
    GatedField("core.PodSpec", "hostUsers", "UserNamespacesStatelessPodsSupport"),
    GatedField("core.PodSpec", "hostUsers", "UserNamespacesSupport"),
    GatedField("core.PodSpec", "os", "IdentifyPodOS"),
    GatedField("core.PodSpec", "overhead", "PodOverhead"),
    GatedField("core.PodSpec", "preemptionPolicy", "NonPreemptingPriority"),
    GatedField("core.PodSpec", "schedulingGates", "PodSchedulingReadiness"),
    GatedField("core.PodSpec", "setHostnameAsFQDN", "SetHostnameAsFQDN"),
    GatedField("core.Probe", "terminationGracePeriodSeconds", "ProbeTerminationGracePeriod", within="livenessProbe"),
    GatedField("core.Probe", "terminationGracePeriodSeconds", "ProbeTerminationGracePeriod", within="startupProbe"),
    GatedField("core.Secret", "immutable", "ImmutableEphemeralVolumes"),
    GatedField("core.SecurityContext", "procMount", "ProcMountType"),
    GatedField("core.SecurityContext", "runAsGroup", "RunAsGroup"),
    GatedField("core.ServiceSpec", "allocateLoadBalancerNodePorts", "ServiceLBNodePortControl"),
    GatedField("core.ServiceSpec", "internalTrafficPolicy", "ServiceInternalTrafficPolicy"),
    GatedField("core.ServiceSpec", "ipFamilies", "IPv6DualStack"),
    GatedField("core.ServiceSpec", "ipFamily", "IPv6DualStack"),
    GatedField("core.ServiceSpec", "ipFamilyPolicy", "IPv6DualStack"),
    GatedField("core.ServiceSpec", "loadBalancerClass", "ServiceLoadBalancerClass"),
    GatedField("core.ServiceSpec", "topologyKeys", "ServiceTopology"),
    GatedField("core.ServiceSpec", "trafficDistribution", "ServiceTrafficDistribution"),
    GatedField("core.TopologySpreadConstraint", "matchLabelKeys", "MatchLabelKeysInPodTopologySpread"),
    GatedField("core.TopologySpreadConstraint", "minDomains", "MinDomainsInPodTopologySpread"),
    GatedField("core.TopologySpreadConstraint", "nodeAffinityPolicy", "NodeInclusionPolicyInPodTopologySpread"),
    GatedField("core.TopologySpreadConstraint", "nodeTaintsPolicy", "NodeInclusionPolicyInPodTopologySpread"),
    GatedField(
        "core.TypedObjectReference", "namespace", "CrossNamespaceVolumeDataSource", kind="PersistentVolumeClaim"
    ),
    GatedField("core.Volume", "csi", "CSIInlineVolume"),
    GatedField("core.Volume", "ephemeral", "GenericEphemeralVolume"),
    GatedField("core.Volume", "image", "ImageVolume"),
    GatedField("core.VolumeMount", "recursiveReadOnly", "RecursiveReadOnlyMounts"),
    GatedField("core.VolumeProjection", "podCertificate", "PodCertificateRequest"),
    GatedField("discovery.Endpoint", "hints", "TopologyAwareHints"),
    GatedField("discovery.Endpoint", "nodeName", "EndpointSliceNodeName"),
    GatedField("discovery.EndpointConditions", "serving", "EndpointSliceTerminatingCondition"),
    GatedField("discovery.EndpointConditions", "terminating", "EndpointSliceTerminatingCondition"),
    GatedField("discovery.EndpointHints", "forNodes", "PreferSameTrafficDistribution"),
    GatedField("networking.IngressClassParametersReference", "namespace", "IngressClassNamespacedParams"),
    GatedField("networking.IngressClassParametersReference", "scope", "IngressClassNamespacedParams"),
    GatedField("networking.NetworkPolicyPort", "endPort", "NetworkPolicyEndPort"),
    GatedField("node.RuntimeClass", "overhead", "PodOverhead"),
    GatedField("policy.PodDisruptionBudgetSpec", "unhealthyPodEvictionPolicy", "PDBUnhealthyPodEvictionPolicy"),
    GatedField("policy.PodSecurityPolicySpec", "allowedProcMountTypes", "ProcMountType"),
    GatedField("resource.BasicDevice", "bindingConditions", "DRADeviceBindingConditions"),
    GatedField("resource.BasicDevice", "bindingFailureConditions", "DRADeviceBindingConditions"),
    GatedField("resource.BasicDevice", "bindsToNode", "DRADeviceBindingConditions"),
    GatedField("resource.Device", "bindingConditions", "DRADeviceBindingConditions"),
    GatedField("resource.Device", "bindingFailureConditions", "DRADeviceBindingConditions"),
    GatedField("resource.Device", "bindsToNode", "DRADeviceBindingConditions"),
    GatedField("resource.DeviceConstraint", "distinctAttribute", "DRAConsumableCapacity", since=35),
    GatedField("resource.DeviceRequest", "tolerations", "DRADeviceTaints", since=35),
    GatedField("resource.DeviceSubRequest", "tolerations", "DRADeviceTaints", since=35),
    GatedField("resource.ExactDeviceRequest", "tolerations", "DRADeviceTaints", since=35),
    GatedField("scheduling.PriorityClass", "preemptionPolicy", "NonPreemptingPriority"),
    GatedField("storage.CSIDriverSpec", "fsGroupPolicy", "CSIVolumeFSGroupPolicy"),
    GatedField("storage.CSIDriverSpec", "requiresRepublish", "CSIServiceAccountToken"),
    GatedField("storage.CSIDriverSpec", "tokenRequests", "CSIServiceAccountToken"),
    GatedField("storage.CSIDriverSpec", "volumeLifecycleModes", "CSIInlineVolume"),
)
