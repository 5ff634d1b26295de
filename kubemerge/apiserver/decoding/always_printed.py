"""Fields that a server always prints: Go types without a pointer and without `omitempty`.

This is copied from the Go types of k8s.io/api and k8s.io/kube-aggregator 0.37.0, and holds for every release. Fields
printed as null are in the engine: `engine.serverside.typed.empty`.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.serverside.typed.zero_value_tables import nulls_of

if TYPE_CHECKING:
    from engine.tables.types import Types

ALWAYS = """
    Port=0: DaemonEndpoint
    action: PodFailurePolicyRule
    address type: NodeAddress
    addressType metadata={}: EndpointSlice
    apiGroup kind name: RoleRef
    apiVersion kind name uid: OwnerReference
    architecture bootID containerRuntimeVersion kernelVersion kubeProxyVersion kubeletVersion machineID
        operatingSystem osImage systemUUID: NodeSystemInfo
    assuredConcurrencyShares=0 limitResponse={}: flowcontrol_v1beta1.LimitedPriorityLevelConfiguration
        flowcontrol_v1beta2.LimitedPriorityLevelConfiguration
    attached=false: VolumeAttachmentStatus
    attacher nodeName source={}: VolumeAttachmentSpec
    audience: TokenRequest
    availableReplicas=0 replicas=0: StatefulSetStatus
    backend={}: HTTPIngressPath
    binaryVersion leaseName: LeaseCandidateSpec
    cidr: IPBlock
    claimName: PersistentVolumeClaimVolumeSource
    clientCIDR serverAddress: ServerAddressByClientCIDR
    clientConfig={} name: MutatingWebhook ValidatingWebhook
    conditionType: PodReadinessGate
    conditions={}: Endpoint
    container current={} name: ContainerResourceMetricStatus
    container name target={}: ContainerResourceMetricSource
    containerName requestName resourceName: ContainerExtendedResourceRequest
    containerPort=0: ContainerPort
    count=0: events_v1.EventSeries events_v1beta1.EventSeries
    counterSet: DeviceCounterConsumption
    current={} describedObject={} metric={}: ObjectMetricStatus
    conditions=null currentMetrics=null currentReplicas=0 desiredReplicas=0:
        autoscaling_v2beta1.HorizontalPodAutoscalerStatus autoscaling_v2beta2.HorizontalPodAutoscalerStatus
    current={} metric={}: ExternalMetricStatus PodsMetricStatus
    current={} name: ResourceMetricStatus
    currentHealthy=0 desiredHealthy=0 disruptionsAllowed=0 expectedPods=0: PodDisruptionBudgetStatus
    currentNumberScheduled=0 desiredNumberScheduled=0 numberMisscheduled=0 numberReady=0: DaemonSetStatus
    currentReplicas=0 desiredReplicas=0: autoscaling_v1.HorizontalPodAutoscalerStatus
    daemonEndpoints={} nodeInfo={}: NodeStatus
    deprecatedSource={} metadata={} regarding={}: events_v1.Event events_v1beta1.Event
    describedObject={} metric={} target={}: ObjectMetricSource
    desiredReplicas=0: autoscaling_v2.HorizontalPodAutoscalerStatus
    device driver pool: AllocatedDeviceStatus
    device driver pool request: DeviceRequestAllocationResult
    deviceClassName: ExactDeviceRequest
    deviceClassName name: DeviceSubRequest resource_v1beta1.DeviceRequest
    devicePath name: AttachedVolume VolumeDevice
    devices={}: AllocationResult ResourceClaimSpec
    diskName diskURI: AzureDiskVolumeSource
    divisor="0" resource: ResourceFieldSelector
    driver: CSIVolumeSource FlexPersistentVolumeSource FlexVolumeSource OpaqueDeviceConfiguration
        ResourcePoolStatusRequestSpec
    driver pool={}: ResourceSliceSpec
    driver volumeHandle: CSIPersistentVolumeSource
    driverName metadata={}: VolumeAttributesClass
    effect key: DeviceTaint Taint
    endpoints path: GlusterfsPersistentVolumeSource GlusterfsVolumeSource
    exitCode=0: ContainerStateTerminated
    expression: CELDeviceSelector Validation
    expression name: DeviceDerivedAttribute MatchCondition Variable
    fieldPath: ObjectFieldSelector
    fieldRef warning: ExpressionWarning
    gateway system: ScaleIOPersistentVolumeSource ScaleIOVolumeSource
    generation=0: PoolStatus
    generation=0 name resourceSliceCount=0: ResourcePool
    gid=0 uid=0: LinuxContainerUser
    group resource: GroupResource
    groupPriorityMinimum=0 versionPriority=0: APIServiceSpec
    groupVersion version: GroupVersionForDiscovery
    handSize=0 queueLengthLimit=0 queues=0: QueuingConfiguration
    handler metadata={}: node_v1.RuntimeClass node_v1beta1.RuntimeClass
    image: RBDPersistentVolumeSource RBDVolumeSource
    image imageID lastState={} name ready=false restartCount=0 state={}: ContainerStatus
    intent name: Requester
    intent requester target={}: EvictionRequestSpec
    involvedObject={} metadata={} reportingComponent reportingInstance source={}: core_v1.Event
    ip: EndpointAddress HostAlias HostIP PodIP
    iqn lun=0 targetPortal: ISCSIPersistentVolumeSource ISCSIVolumeSource
    jobTemplate={} schedule: CronJobSpec
    key: ConfigMapKeySelector SecretKeySelector TopologyConstraint TopologySelectorLabelRequirement
    key operator: LabelSelectorRequirement NodeSelectorRequirement
    key path: KeyToPath
    key path volumeName: FileKeySelector
    key valueExpression: AuditAnnotation
    kind: flowcontrol_v1.Subject flowcontrol_v1beta1.Subject flowcontrol_v1beta2.Subject flowcontrol_v1beta3.Subject
    jsonPath name type: apiextensions_v1.CustomResourceColumnDefinition
    jsonPath: SelectableField
    kind plural: CustomResourceDefinitionNames
    kind name: CrossVersionObjectReference IngressClassParametersReference TypedLocalObjectReference
        TypedObjectReference rbac_v1.Subject rbac_v1alpha1.Subject rbac_v1beta1.Subject
    kubeletConfigKey name namespace: ConfigMapNodeConfigSource
    kubeletEndpoint={}: NodeDaemonEndpoints
    limitResponse={}: flowcontrol_v1.LimitedPriorityLevelConfiguration
    limitResponse={} nominalConcurrencyShares=0: flowcontrol_v1beta3.LimitedPriorityLevelConfiguration
    loadBalancer={}: IngressStatus ServiceStatus
    matchingPrecedence=0 priorityLevelConfiguration={}: FlowSchemaSpec
    maxReplicas=0 scaleTargetRef={}: HorizontalPodAutoscalerSpec
    maxSkew=0 topologyKey whenUnsatisfiable: TopologySpreadConstraint
    message reason status type: Condition
    metadata={}: ClusterRole ComponentStatus ConfigMap Endpoints MutatingWebhookConfiguration Role Secret
        ServiceAccount ValidatingWebhookConfiguration
    metadata={} provisioner: StorageClass
    metadata={} revision=0: ControllerRevision
    metadata={} roleRef={}: ClusterRoleBinding RoleBinding
    metadata={} spec={}: CSIDriver ClusterTrustBundle DeviceClass IPAddress IngressClass JobTemplateSpec Lease
        LeaseCandidate LimitRange MutatingAdmissionPolicy MutatingAdmissionPolicyBinding NetworkPolicy
        PersistentVolumeClaimTemplate PodTemplateSpec ResourceClaimTemplate ResourceClaimTemplateSpec
        ResourcePoolStatusRequest ResourceSlice ValidatingAdmissionPolicyBinding Workload node_v1alpha1.RuntimeClass
    metadata={} spec={} status={}: APIService CSINode CertificateSigningRequest CompositePodGroup CronJob DaemonSet
        Deployment DeviceTaintRule Eviction EvictionRequest FlowSchema HorizontalPodAutoscaler Ingress Job Namespace
        Node PersistentVolume PersistentVolumeClaim Pod PodCertificateRequest PodDisruptionBudget PodGroup
        PriorityLevelConfiguration ReplicaSet ReplicationController ResourceQuota Service ServiceCIDR StatefulSet
        StorageVersion StorageVersionMigration ValidatingAdmissionPolicy VolumeAttachment resource_v1.ResourceClaim
        resource_v1beta1.ResourceClaim resource_v1beta2.ResourceClaim
    metadata={} storageClassName: CSIStorageCapacity
    metadata={} template={}: PodTemplate
    metadata={} value=0: PriorityClass
    metric={} target={}: ExternalMetricSource PodsMetricSource
    minCount=0: GangSchedulingPolicy
    minGroupCount=0: CompositeGangSchedulingPolicy
    mountPath name: VolumeMount VolumeMountStatus
    name: CounterSet Device EnvVar EvictionResponder ForNode ForZone GroupSubject MetricIdentifier
        NodeAllocatableMappedResources NodeAllocatableOverheadResources NodeRuntimeHandler PodGroupResourceClaim
        PodGroupResourceClaimStatus PodOS PodResourceClaim PodResourceClaimStatus PodSchedulingGate PodVolumeHealth
        PriorityLevelConfigurationReference ResourceStatus ResponderStatus StorageHealth UserSubject Volume
        WorkloadPodGroupResourceClaim core_v1.ResourceClaim resource_v1.DeviceRequest resource_v1beta2.DeviceRequest
    name namespace: apiextensions_v1.ServiceReference apiextensions_v1beta1.ServiceReference
    name served=false storage=false: CustomResourceDefinitionVersion
    name namespace: ServiceAccountSubject admissionregistration_v1.ServiceReference
        admissionregistration_v1beta1.ServiceReference
    name nodeID: CSINodeDriver
    name port={}: IngressServiceBackend
    name preferredVersion={}: APIGroup
    name resource uid: ResourceClaimConsumerReference
    name resources={}: Container EphemeralContainer
    name schedulingPolicy={}: CompositePodGroupTemplate PodGroupTemplate
    name state: TargetResponder
    name target={}: ResourceMetricSource
    name uid: EvictionPodReference EvictionRequestPodReference
    name value: HTTPHeader Sysctl
    nodeName nodeUID podName podUID serviceAccountName serviceAccountUID signerName: PodCertificateRequestSpec
    operator: PodFailurePolicyOnExitCodesRequirement
    operator scopeName: ScopedResourceSelectorRequirement
    patchType: Mutation
    path: ClusterTrustBundleProjection DownwardAPIVolumeFile HostPathVolumeSource LocalVolumeSource
        ServiceAccountTokenProjection
    path server: NFSVolumeSource
    pdID: PhotonPersistentDiskVolumeSource
    pdName: GCEPersistentDiskVolumeSource
    periodSeconds=0 type value=0: HPAScalingPolicy
    podAffinityTerm={} weight=0: WeightedPodAffinityTerm
    podSelector={}: NetworkPolicySpec
    port=0: GRPCAction HTTPGetAction TCPSocketAction core_v1.EndpointPort
    port=0 protocol: IngressPortStatus PortStatus
    port=0 targetPort=0: ServicePort
    preference={} weight=0: PreferredSchedulingTerm
    reason status: StorageHealthCondition VolumeHealthCondition
    reason status type: StorageVersionCondition
    registry volume: QuobyteVolumeSource
    replicas=0: ReplicaSetStatus ReplicationControllerStatus
    repository: GitRepoVolumeSource
    resource={}: StorageVersionMigrationSpec
    resourceClaimName: NodeAllocatableResourceClaimStatus PodExtendedResourceClaimStatus
    resourceID: ResourceHealth
    resourceName restartPolicy: ContainerResizePolicy
    resources={}: PersistentVolumeClaimSpec
    runtimeHandler: RuntimeClassSpec
    schedulingPolicy={}: CompositePodGroupSpec PodGroupSpec
    seconds=0: SleepAction
    secretName shareName: AzureFilePersistentVolumeSource AzureFileVolumeSource
    serviceName template={} updateStrategy={}: StatefulSetSpec
    servicePort=0: extensions_v1beta1.IngressBackend networking_v1beta1.IngressBackend
    signerName: certificates_v1.CertificateSigningRequestSpec
    source: DeviceAllocationConfiguration
    start=0: StatefulSetOrdinals
    status: ModifyVolumeStatus
    status type: APIServiceCondition CertificateSigningRequestCondition ComponentCondition
        CustomResourceDefinitionCondition DaemonSetCondition DeploymentCondition
        HorizontalPodAutoscalerCondition JobCondition NamespaceCondition NodeCondition
        PersistentVolumeClaimCondition PodCondition PodFailurePolicyOnPodConditionsPattern ReplicaSetCondition
        ReplicationControllerCondition StatefulSetCondition
    rule: ValidationRule
    specReplicasPath statusReplicasPath: CustomResourceSubresourceScale
    strategy: CustomResourceConversion
    strategy={} template={}: DeploymentSpec
    taint={}: DeviceTaintRuleSpec
    target={}: EvictionSpec
    template={}: JobSpec ReplicaSetSpec
    template={} updateStrategy={}: DaemonSetSpec
    templateName workloadName: WorkloadReference
    topologyKey: PodAffinityTerm
    trustBundle: ClusterTrustBundleSpec
    type: AppArmorProfile FlowDistinguisherMethod LimitRangeItem LimitResponse MetricSpec MetricStatus MetricTarget
        PriorityLevelConfigurationSpec SeccompProfile
    value="0": Counter DeviceCapacity
    volumeID: AWSElasticBlockStoreVolumeSource CinderPersistentVolumeSource CinderVolumeSource PortworxVolumeSource
    volumePath: VsphereVirtualDiskVolumeSource
"""
"""Fields, with the zero that is printed if it is not an empty text. After a colon come the types that have them.
Indented lines continue. A type has its group and version where those differ.
"""

FIELDS: dict[str, dict[str, Any]] = {}
"""By type, the fields that are always printed, with their zeros."""
for _line in ALWAYS.replace("\n        ", " ").strip().splitlines():
    _fields, _, _types = _line.partition(":")
    _zeros = {
        name: json.loads(zero) if zero else "" for name, _, zero in (word.partition("=") for word in _fields.split())
    }
    FIELDS.update(dict.fromkeys(_types.split(), _zeros))


LATER = {"availableReplicas": 23}
"""Fields that are always printed since a minor release, later than they exist."""


def minor_of(types: Types) -> int | None:
    """The minor release of types, or None for types of no release."""
    return None if types.of_release is None else types.of_release.minor


@lru_cache(maxsize=4096)
def always_printed_fields(owner: str, minor: int | None) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a type (`core_v1.Container`) that a release always prints, with their printed zeros.

    A zero that is a map stands for another type, whose own fields are printed in it.
    """
    found = FIELDS.get(owner) or FIELDS.get(owner.rpartition(".")[2]) or {}
    printed = [(field, zero) for field, zero in found.items() if minor is None or minor >= LATER.get(field, 0)]
    return (*printed, *((field, None) for field in sorted(nulls_of(owner, minor))))
