"""Go's zero values: the empty object of each built-in kind, and the fields that Go prints as null when absent.

The tables come from the Go types of Kubernetes 1.37, and are used for every release. `NULLS_UNTIL` has older fields.
"""

from __future__ import annotations

OBJECT_META, CREATION_TIME = "meta_v1.ObjectMeta", "creationTimestamp"
"""A type, and its field that is null when absent until 1.33."""
NULL_LISTS = """
    APIGroup.versions AllocatedDeviceStatus.conditions CSINodeDriver.topologyKeys CSINodeSpec.drivers
    CephFSPersistentVolumeSource.monitors CephFSVolumeSource.monitors ClusterRole.rules ContainerImage.names
    CustomResourceDefinitionStatus.conditions CustomResourceDefinitionStatus.storedVersions DeviceClaim.requests
    Endpoint.addresses EndpointSlice.endpoints EndpointSlice.ports HTTPIngressRuleValue.paths LimitRangeSpec.limits
    NodeSelector.nodeSelectorTerms NonResourcePolicyRule.nonResourceURLs NonResourcePolicyRule.verbs
    PodExtendedResourceClaimStatus.requestMappings PodFailurePolicy.rules
    PodFailurePolicyOnExitCodesRequirement.values PodSpec.containers PolicyRule.verbs
    PolicyRulesWithSubjects.subjects ProjectedVolumeSource.sources RBDPersistentVolumeSource.monitors
    RBDVolumeSource.monitors ResourcePolicyRule.apiGroups ResourcePolicyRule.namespaces ResourcePolicyRule.resources
    ResourcePolicyRule.verbs Role.rules SuccessPolicy.rules TopologySelectorLabelRequirement.values
    WebhookConversion.conversionReviewVersions WorkloadSpec.podGroupTemplates
    admissionregistration_v1.MutatingWebhook.admissionReviewVersions
    admissionregistration_v1.ValidatingWebhook.admissionReviewVersions
    apiextensions_v1.CustomResourceDefinitionSpec.versions
    autoscaling_v2.HorizontalPodAutoscalerStatus.currentMetrics
"""
"""Lists that are null when empty or absent. Types have their group and version where those differ."""

NULL_VALUES = """
    APIServiceCondition.lastTransitionTime AzureFilePersistentVolumeSource.secretNamespace
    CapacityRequestPolicy.default CertificateSigningRequestCondition.lastTransitionTime
    CertificateSigningRequestCondition.lastUpdateTime CompositePodGroupSpec.workloadRef Condition.lastTransitionTime
    ContainerStateRunning.startedAt ContainerStateTerminated.finishedAt ContainerStateTerminated.startedAt
    ControllerRevision.data CustomResourceDefinitionCondition.lastTransitionTime
    DaemonSetCondition.lastTransitionTime DeploymentCondition.lastTransitionTime DeploymentCondition.lastUpdateTime
    EvictionResponder.priority FlowSchemaCondition.lastTransitionTime GRPCAction.service HTTPIngressPath.pathType
    HorizontalPodAutoscalerCondition.lastTransitionTime IngressClassParametersReference.scope
    JobCondition.lastProbeTime JobCondition.lastTransitionTime
    LimitedPriorityLevelConfiguration.nominalConcurrencyShares MutatingWebhook.sideEffects
    NamespaceCondition.lastTransitionTime NodeAllocatableMappedResources.quantity NodeCondition.lastHeartbeatTime
    NodeCondition.lastTransitionTime OpaqueDeviceConfiguration.parameters
    PersistentVolumeClaimCondition.lastProbeTime PersistentVolumeClaimCondition.lastTransitionTime
    PodCondition.lastProbeTime PodCondition.lastTransitionTime PodGroupTemplate.schedulingConstraints
    PodVolumeHealth.lastTransitionTime PriorityLevelConfigurationCondition.lastTransitionTime
    ReplicaSetCondition.lastTransitionTime ReplicationControllerCondition.lastTransitionTime
    ScaleIOPersistentVolumeSource.secretRef ScaleIOVolumeSource.secretRef StatefulSetCondition.lastTransitionTime
    StorageHealthCondition.lastTransitionTime StorageVersionCondition.lastTransitionTime TargetResponder.priority
    TokenRequestSpec.boundObjectRef TokenRequestSpec.expirationSeconds TokenRequestStatus.expirationTimestamp
    TypedLocalObjectReference.apiGroup TypedObjectReference.apiGroup ValidatingWebhook.sideEffects VolumeError.time
    VolumeHealthStatus.lastTransitionTime apps_v1.DaemonSetSpec.selector apps_v1.DeploymentSpec.selector
    apps_v1.ReplicaSetSpec.selector apps_v1.StatefulSetSpec.selector apps_v1beta2.DaemonSetSpec.selector
    apps_v1beta2.DeploymentSpec.selector apps_v1beta2.ReplicaSetSpec.selector apps_v1beta2.StatefulSetSpec.selector
    core_v1.Event.eventTime core_v1.Event.firstTimestamp core_v1.Event.lastTimestamp
    core_v1.EventSeries.lastObservedTime events_v1.Event.deprecatedFirstTimestamp
    events_v1.Event.deprecatedLastTimestamp events_v1.Event.eventTime events_v1.EventSeries.lastObservedTime
    events_v1beta1.Event.deprecatedFirstTimestamp events_v1beta1.Event.deprecatedLastTimestamp
    events_v1beta1.Event.eventTime events_v1beta1.EventSeries.lastObservedTime
"""
"""Other values that are null when absent."""

NULLS: dict[str, frozenset[str]] = {}
"""By type, the fields that are null when absent."""
for _type, _, _field in (word.rpartition(".") for table in (NULL_LISTS, NULL_VALUES) for word in table.split()):
    NULLS[_type] = NULLS.get(_type, frozenset()) | {_field}

NULLS_UNTIL = {"ResourceSliceSpec": {"devices": 34}}
"""By type, the fields that were null when absent, with the last minor release that printed them so."""
FORMER_NULLS = {"ResourceSlice": "spec.devices"}
"""By kind, the field of the empty object that was null in those releases."""

EMPTY = """
spec={}
    admissionregistration.k8s.io/v1 MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
    ValidatingAdmissionPolicyBinding; admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy
    MutatingAdmissionPolicyBinding ValidatingAdmissionPolicyBinding; admissionregistration.k8s.io/v1beta1
    MutatingAdmissionPolicy MutatingAdmissionPolicyBinding ValidatingAdmissionPolicyBinding;
    coordination.k8s.io/v1 Lease; coordination.k8s.io/v1beta1 Lease; networking.k8s.io/v1 IPAddress IngressClass;
    networking.k8s.io/v1beta1 IPAddress IngressClass; resource.k8s.io/v1 DeviceClass; resource.k8s.io/v1beta1
    DeviceClass; resource.k8s.io/v1beta2 DeviceClass; storage.k8s.io/v1 CSIDriver; storage.k8s.io/v1beta1
    CSIDriver
spec={} status={}
    admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy; admissionregistration.k8s.io/v1alpha1
    ValidatingAdmissionPolicy; admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy;
    internal.apiserver.k8s.io/v1alpha1 StorageVersion; networking.k8s.io/v1 ServiceCIDR; networking.k8s.io/v1beta1
    ServiceCIDR; v1 Namespace PersistentVolume ResourceQuota
spec.group="" spec.names.plural="" spec.names.kind="" spec.scope="" spec.versions=null status.conditions=null
status.acceptedNames.plural="" status.acceptedNames.kind="" status.storedVersions=null
    apiextensions.k8s.io/v1 CustomResourceDefinition
spec.group="" spec.names.plural="" spec.names.kind="" spec.scope="" status.conditions=null
status.acceptedNames.plural="" status.acceptedNames.kind="" status.storedVersions=null
    apiextensions.k8s.io/v1beta1 CustomResourceDefinition
spec.groupPriorityMinimum=0 spec.versionPriority=0 status={}
    apiregistration.k8s.io/v1 APIService; apiregistration.k8s.io/v1beta1 APIService
data=null revision=0
    apps/v1 ControllerRevision; apps/v1beta1 ControllerRevision; apps/v1beta2 ControllerRevision
spec.selector=null spec.template.metadata={} spec.template.spec.containers=null spec.updateStrategy={}
status.currentNumberScheduled=0 status.numberMisscheduled=0 status.desiredNumberScheduled=0 status.numberReady=0
    apps/v1 DaemonSet; apps/v1beta2 DaemonSet
spec.selector=null spec.template.metadata={} spec.template.spec.containers=null spec.strategy={} status={}
    apps/v1 Deployment; apps/v1beta2 Deployment
spec.selector=null spec.template.metadata={} spec.template.spec.containers=null status.replicas=0
    apps/v1 ReplicaSet; apps/v1beta2 ReplicaSet
spec.selector=null spec.template.metadata={} spec.template.spec.containers=null spec.serviceName=""
spec.updateStrategy={} status.replicas=0 status.availableReplicas=0
    apps/v1 StatefulSet; apps/v1beta2 StatefulSet
spec.template.metadata={} spec.template.spec.containers=null spec.strategy={} status={}
    apps/v1beta1 Deployment; extensions/v1beta1 Deployment
spec={} status.replicas=0
    apps/v1beta1 Scale; apps/v1beta2 Scale; autoscaling/v1 Scale; extensions/v1beta1 Scale; v1
    ReplicationController
spec.template.metadata={} spec.template.spec.containers=null spec.serviceName="" spec.updateStrategy={}
status.replicas=0 status.availableReplicas=0
    apps/v1beta1 StatefulSet
status.userInfo={}
    authentication.k8s.io/v1 SelfSubjectReview; authentication.k8s.io/v1alpha1 SelfSubjectReview;
    authentication.k8s.io/v1beta1 SelfSubjectReview
spec.audiences=null spec.expirationSeconds=null spec.boundObjectRef=null status.token=""
status.expirationTimestamp=null
    authentication.k8s.io/v1 TokenRequest
spec={} status.user={}
    authentication.k8s.io/v1 TokenReview; authentication.k8s.io/v1beta1 TokenReview
spec={} status.allowed=false
    authorization.k8s.io/v1 LocalSubjectAccessReview SelfSubjectAccessReview SubjectAccessReview;
    authorization.k8s.io/v1beta1 LocalSubjectAccessReview SelfSubjectAccessReview SubjectAccessReview
spec={} status.resourceRules=null status.nonResourceRules=null status.incomplete=false
    authorization.k8s.io/v1 SelfSubjectRulesReview; authorization.k8s.io/v1beta1 SelfSubjectRulesReview
spec.scaleTargetRef.kind="" spec.scaleTargetRef.name="" spec.maxReplicas=0 status.currentReplicas=0
status.desiredReplicas=0
    autoscaling/v1 HorizontalPodAutoscaler
spec.scaleTargetRef.kind="" spec.scaleTargetRef.name="" spec.maxReplicas=0 status.desiredReplicas=0
status.currentMetrics=null
    autoscaling/v2 HorizontalPodAutoscaler
spec.schedule="" spec.jobTemplate.metadata={} spec.jobTemplate.spec.template.metadata={}
spec.jobTemplate.spec.template.spec.containers=null status={}
    batch/v1 CronJob; batch/v1beta1 CronJob
spec.template.metadata={} spec.template.spec.containers=null status={}
    batch/v1 Job
spec.request=null spec.signerName="" status={}
    certificates.k8s.io/v1 CertificateSigningRequest
spec.trustBundle=""
    certificates.k8s.io/v1 ClusterTrustBundle; certificates.k8s.io/v1alpha1 ClusterTrustBundle;
    certificates.k8s.io/v1beta1 ClusterTrustBundle
spec.signerName="" spec.podName="" spec.podUID="" spec.serviceAccountName="" spec.serviceAccountUID=""
spec.nodeName="" spec.nodeUID="" spec.stubPKCS10Request=null status={}
    certificates.k8s.io/v1 PodCertificateRequest
spec.request=null status={}
    certificates.k8s.io/v1beta1 CertificateSigningRequest
spec.signerName="" spec.podName="" spec.podUID="" spec.serviceAccountName="" spec.serviceAccountUID=""
spec.nodeName="" spec.nodeUID="" spec.pkixPublicKey=null spec.proofOfPossession=null spec.stubPKCS10Request=null
status={}
    certificates.k8s.io/v1beta1 PodCertificateRequest
spec.leaseName="" spec.binaryVersion=""
    coordination.k8s.io/v1alpha2 LeaseCandidate; coordination.k8s.io/v1beta1 LeaseCandidate
addressType="" endpoints=null ports=null
    discovery.k8s.io/v1 EndpointSlice; discovery.k8s.io/v1beta1 EndpointSlice
eventTime=null regarding={} deprecatedSource={} deprecatedFirstTimestamp=null deprecatedLastTimestamp=null
    events.k8s.io/v1 Event; events.k8s.io/v1beta1 Event
spec.template.metadata={} spec.template.spec.containers=null spec.updateStrategy={} status.currentNumberScheduled=0
status.numberMisscheduled=0 status.desiredNumberScheduled=0 status.numberReady=0
    extensions/v1beta1 DaemonSet
spec={} status.loadBalancer={}
    extensions/v1beta1 Ingress; networking.k8s.io/v1 Ingress; networking.k8s.io/v1beta1 Ingress; v1 Service
spec.podSelector={}
    extensions/v1beta1 NetworkPolicy; networking.k8s.io/v1 NetworkPolicy
spec.template.metadata={} spec.template.spec.containers=null status.replicas=0
    extensions/v1beta1 ReplicaSet
spec.priorityLevelConfiguration.name="" spec.matchingPrecedence=0 status={}
    flowcontrol.apiserver.k8s.io/v1 FlowSchema; flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema;
    flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema; flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema
spec.type="" status={}
    flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration; flowcontrol.apiserver.k8s.io/v1beta1
    PriorityLevelConfiguration; flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration;
    flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration
spec.target={} status={}
    lifecycle.k8s.io/v1alpha1 Eviction
spec.target={} spec.requester="" spec.intent="" status={}
    lifecycle.k8s.io/v1alpha1 EvictionRequest
handler=""
    node.k8s.io/v1 RuntimeClass; node.k8s.io/v1beta1 RuntimeClass
spec.runtimeHandler=""
    node.k8s.io/v1alpha1 RuntimeClass
spec={} status.disruptionsAllowed=0 status.currentHealthy=0 status.desiredHealthy=0 status.expectedPods=0
    policy/v1 PodDisruptionBudget; policy/v1beta1 PodDisruptionBudget
rules=null
    rbac.authorization.k8s.io/v1 ClusterRole Role; rbac.authorization.k8s.io/v1alpha1 ClusterRole Role;
    rbac.authorization.k8s.io/v1beta1 ClusterRole Role
roleRef.apiGroup="" roleRef.kind="" roleRef.name=""
    rbac.authorization.k8s.io/v1 ClusterRoleBinding RoleBinding; rbac.authorization.k8s.io/v1alpha1
    ClusterRoleBinding RoleBinding; rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding RoleBinding
spec.taint.key="" spec.taint.effect="" status={}
    resource.k8s.io/v1 DeviceTaintRule; resource.k8s.io/v1alpha3 DeviceTaintRule; resource.k8s.io/v1beta2
    DeviceTaintRule
spec.devices.requests=null status={}
    resource.k8s.io/v1 ResourceClaim; resource.k8s.io/v1beta1 ResourceClaim; resource.k8s.io/v1beta2 ResourceClaim
spec.metadata={} spec.spec.devices.requests=null
    resource.k8s.io/v1 ResourceClaimTemplate; resource.k8s.io/v1beta1 ResourceClaimTemplate;
    resource.k8s.io/v1beta2 ResourceClaimTemplate
spec.driver="" spec.pool.name="" spec.pool.generation=0 spec.pool.resourceSliceCount=0
    resource.k8s.io/v1 ResourceSlice; resource.k8s.io/v1beta1 ResourceSlice; resource.k8s.io/v1beta2 ResourceSlice
spec.driver=""
    resource.k8s.io/v1alpha3 ResourcePoolStatusRequest
value=0
    scheduling.k8s.io/v1 PriorityClass; scheduling.k8s.io/v1beta1 PriorityClass
spec.workloadRef=null spec.schedulingPolicy={} status={}
    scheduling.k8s.io/v1alpha3 CompositePodGroup
spec.schedulingPolicy={} status={}
    scheduling.k8s.io/v1alpha3 PodGroup; scheduling.k8s.io/v1beta1 PodGroup
spec.podGroupTemplates=null
    scheduling.k8s.io/v1alpha3 Workload; scheduling.k8s.io/v1beta1 Workload
spec.drivers=null status={}
    storage.k8s.io/v1 CSINode; storage.k8s.io/v1beta1 CSINode
storageClassName=""
    storage.k8s.io/v1 CSIStorageCapacity; storage.k8s.io/v1alpha1 CSIStorageCapacity; storage.k8s.io/v1beta1
    CSIStorageCapacity
provisioner=""
    storage.k8s.io/v1 StorageClass; storage.k8s.io/v1beta1 StorageClass
spec.attacher="" spec.source={} spec.nodeName="" status.attached=false
    storage.k8s.io/v1 VolumeAttachment; storage.k8s.io/v1alpha1 VolumeAttachment; storage.k8s.io/v1beta1
    VolumeAttachment
driverName=""
    storage.k8s.io/v1 VolumeAttributesClass; storage.k8s.io/v1alpha1 VolumeAttributesClass; storage.k8s.io/v1beta1
    VolumeAttributesClass
spec.resource.group="" spec.resource.resource="" status={}
    storagemigration.k8s.io/v1 StorageVersionMigration; storagemigration.k8s.io/v1beta1 StorageVersionMigration
target={}
    v1 Binding
involvedObject={} source={} firstTimestamp=null lastTimestamp=null eventTime=null reportingComponent=""
reportingInstance=""
    v1 Event
spec.limits=null
    v1 LimitRange
spec={} status.daemonEndpoints.kubeletEndpoint.Port=0 status.nodeInfo.machineID="" status.nodeInfo.systemUUID=""
status.nodeInfo.bootID="" status.nodeInfo.kernelVersion="" status.nodeInfo.osImage=""
status.nodeInfo.containerRuntimeVersion="" status.nodeInfo.kubeletVersion="" status.nodeInfo.kubeProxyVersion=""
status.nodeInfo.operatingSystem="" status.nodeInfo.architecture=""
    v1 Node
spec.resources={} status={}
    v1 PersistentVolumeClaim
spec.containers=null status={}
    v1 Pod
template.metadata={} template.spec.containers=null
    v1 PodTemplate
range="" data=null
    v1 RangeAllocation
"""
"""The fields of empty objects besides apiVersion, kind and metadata; below them the kinds, by apiVersion."""


def nulls_of(name: str, minor: int | None) -> frozenset[str]:
    """The fields of a type that are null when absent. Without a minor release, those of the newest one."""
    own = name.rpartition(".")[2]
    found = NULLS.get(name, frozenset()) | NULLS.get(own, frozenset())
    if minor is None or own not in NULLS_UNTIL:
        return found
    return found | {field for field, until in NULLS_UNTIL[own].items() if minor <= until}


_by_kind: dict[tuple[str, str], str] = {}


def fields_of(api_version: str, kind: str) -> list[str]:
    """The fields of a kind's empty object, as in the table."""
    if not _by_kind:
        _read()
    return _by_kind.get((api_version, kind), "").split()


def _read() -> None:
    fields, kinds = "", ""
    for line in [*EMPTY.strip().split("\n"), ""]:
        if line.startswith(" "):
            kinds += line
            continue
        if kinds:
            for words in kinds.split(";"):
                version, *names = words.split()
                _by_kind.update({(version, name): fields for name in names})
            fields, kinds = "", ""
        fields += f"{line} "
