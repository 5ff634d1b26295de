"""Names and pointers of Go fields in 1.20 to 1.22. Errors of the decoder in these releases contain both."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from .go_types import embedded_in

if TYPE_CHECKING:
    from collections.abc import Container


_NAMES = """
$ref:Ref $schema:Schema apiGroup:APIGroup apiGroups:APIGroups apiServerID:APIServerID apiVersion:APIVersion
apiVersions:APIVersions awsElasticBlockStore:AWSElasticBlockStore caBundle:CABundle cephfs:CephFS
chapAuthDiscovery:DiscoveryCHAPAuth chapAuthSession:SessionCHAPAuth cidr:CIDR csi:CSI diskURI:DataDiskURI
dnsConfig:DNSConfig dnsPolicy:DNSPolicy externalID:DoNotUseExternalID fc:FC fsGroup:FSGroup
fsGroupChangePolicy:FSGroupChangePolicy fsGroupPolicy:FSGroupPolicy fsType:FSType
gcePersistentDisk:GCEPersistentDisk gmsaCredentialSpec:GMSACredentialSpec
gmsaCredentialSpecName:GMSACredentialSpecName http:HTTP httpGet:HTTPGet httpHeaders:HTTPHeaders id:ID ip:IP
ipBlock:IPBlock ipFamilies:IPFamilies ipFamilyPolicy:IPFamilyPolicy iqn:IQN iscsi:ISCSI iscsiInterface:ISCSIInterface
jsonPath:JSONPath lastState:LastTerminationState nfs:NFS osImage:OSImage pdName:PDName pool:RBDPool qosClass:QOSClass
rbd:RBD reportingComponent:ReportingController seLinux:SELinux seLinuxOptions:SELinuxOptions sslEnabled:SSLEnabled
storageos:StorageOS tcpSocket:TCPSocket tls:TLS ttlSecondsAfterFinished:TTLSecondsAfterFinished tty:TTY uid:UID url:URL
wwids:WWIDs x-kubernetes-embedded-resource:XEmbeddedResource x-kubernetes-int-or-string:XIntOrString
x-kubernetes-list-map-keys:XListMapKeys x-kubernetes-list-type:XListType x-kubernetes-map-type:XMapType
x-kubernetes-preserve-unknown-fields:XPreserveUnknownFields
RBDVolumeSource.image:RBDImage RBDVolumeSource.monitors:CephMonitors RBDVolumeSource.user:RadosUser
RBDPersistentVolumeSource.image:RBDImage RBDPersistentVolumeSource.monitors:CephMonitors
RBDPersistentVolumeSource.user:RadosUser GlusterfsVolumeSource.endpoints:EndpointsName
GlusterfsPersistentVolumeSource.endpoints:EndpointsName PodSpec.serviceAccount:DeprecatedServiceAccount
"""
"""The names of Go fields that are no JSON name with a capital letter, in 1.20 to 1.22."""
_TYPE_META = frozenset({"apiVersion", "kind"})
_META = frozenset({"ObjectMeta", "ListMeta"})
OLD_EMBEDDED = {"ProbeHandler": "Handler"}
"""The names of embedded structs until 1.22."""


@lru_cache(maxsize=1)
def _go_names() -> dict[str, str]:
    return dict(word.split(":") for word in _NAMES.split())


def steps_to(owner: str, field: str, fields: Container[str], of: str | None) -> list[str]:
    """Return the names of a Go field until 1.22 and of the structs in which it is embedded, the innermost first.

    `fields` belong to the owner, and `of` is the type of the field.
    """
    type_ = str(of).rpartition(".")[2]
    if field == "metadata" and type_ in _META:
        return [type_]
    names = _go_names()
    name = names.get(f"{owner.rpartition('.')[2]}.{field}") or names.get(field) or f"{field[0].upper()}{field[1:]}"
    if field in _TYPE_META and "metadata" in fields:
        return [name, "TypeMeta"]
    return [name, *(OLD_EMBEDDED.get(one, one) for one in reversed(embedded_in(owner).get(field, ())))]


_POINTERS = """
$ref acquireTime activeDeadlineSeconds additionalItems additionalProperties affinity aggregationRule
allocateLoadBalancerNodePorts allowPrivilegeEscalation allowVolumeExpansion appProtocol assigned attachError
attachRequired automountServiceAccountToken averageUtilization averageValue awsElasticBlockStore azureDisk azureFile
backoffLimit behavior blockOwnerDeletion boundObjectRef cachingMode capabilities cephfs cinder claimRef clientIP
collisionCount commonEncodingVersion completionMode completionTime completions config configMap configMapKeyRef
configMapRef configSource containerResource controllerExpandSecretRef controllerPublishSecretRef conversion csi
currentAverageUtilization currentCPUUtilizationPercentage dataSource defaultAllowPrivilegeEscalation defaultBackend
defaultMode defaultRuntimeClassName deleteOptions deletionGracePeriodSeconds deletionTimestamp deprecationWarning
detachError details distinguisherMethod dnsConfig downwardAPI dryRun emptyDir enableServiceLinks endPort
endpointsNamespace ephemeral example exec expirationSeconds external externalDocs failedJobsHistoryLimit
failurePolicy fc fieldRef fieldsV1 flexVolume flocker fsGroupChangePolicy fsGroupPolicy gcePersistentDisk gitRepo
glusterfs gmsaCredentialSpec gmsaCredentialSpecName gracePeriodSeconds hints holderIdentity hostPath http httpGet
immutable ingressClassName initiatorName inlineVolumeSpec internalTrafficPolicy ipBlock ipFamilyPolicy iscsi items
labelSelectorPath lastKnownGood lastScaleTime lastScheduleTime lastSuccessfulTime leaseDurationSeconds
leaseTransitions lifecycle limitBytes limited livenessProbe loadBalancerClass local localhostProfile manualSelector
matchPolicy maxItems maxLength maxProperties maxSurge maxUnavailable maximum maximumVolumeSize metricSelector
minAvailable minItems minLength minProperties minReplicas minimum mode mountPropagation multipleOf namespaceSelector
nfs nodeAffinity nodePublishSecretRef nodeStageSecretRef nodeTopology nonResourceAttributes not objectSelector
openAPIV3Schema optional orphanDependents parallelism parameters patchType pathType persistentVolumeClaim
persistentVolumeName photonPersistentDisk podAffinity podAntiAffinity podController podInfoOnMount pods
portworxVolume postStart preStop preconditions preemptionPolicy procMount progressDeadlineSeconds projected
propagationPolicy queuing quobyte rbd readinessProbe reclaimPolicy reinvocationPolicy related remainingItemCount
renewTime request requestKind requestResource required requiredDuringSchedulingIgnoredDuringExecution
requiresRepublish resourceAttributes resourceFieldRef response revisionHistoryLimit rollingUpdate runAsGroup
runAsNonRoot runAsUserName running runtimeClass runtimeClassName scale scaleDown scaleIO scaleUp scheduling schema
scopeSelector seLinuxOptions seccompProfile secret secretKeyRef secretNamespace secretRef securityContext
selectPolicy series service serviceAccountToken serving sessionAffinityConfig setHostnameAsFQDN
shareProcessNamespace sideEffects sinceSeconds sinceTime sizeLimit stabilizationWindowSeconds startTime started
startingDeadlineSeconds startupProbe storageCapacity storageos subresources successfulJobsHistoryLimit suspend
tailLines targetAverageUtilization targetCPUUtilizationPercentage targetRef tcpSocket terminated terminating
terminationGracePeriodSeconds timeAdded tolerationSeconds ttlSecondsAfterFinished validation valueFrom
volumeBindingMode volumeClaimTemplate volumeMode vsphereVolume waiting webhook webhookClientConfig windowsOptions
x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-preserve-unknown-fields zone NodeConfigStatus.active
CSINodeDriver.allocatable TypedLocalObjectReference.apiGroup IngressClassParametersReference.apiGroup
IngressSpec.backend CSIStorageCapacity.capacity WebhookConversion.clientConfig OwnerReference.controller
VolumeNodeResources.count ExternalMetricStatus.currentAverageValue JSONSchemaProps.default PortStatus.error
PatchOptions.force PodSecurityContext.fsGroup AzureDiskVolumeSource.fsType CSIVolumeSource.fsType
LocalVolumeSource.fsType Subject.group Endpoint.hostname AzureDiskVolumeSource.kind PodAffinityTerm.labelSelector
TopologySpreadConstraint.labelSelector FCVolumeSource.lun EndpointPort.name
IngressClassParametersReference.namespace EndpointAddress.nodeName Endpoint.nodeName MetricSpec.object
MetricStatus.object StatefulSetStatus.observedGeneration HorizontalPodAutoscalerStatus.observedGeneration
RuntimeClass.overhead RuntimeClassSpec.overhead RollingUpdateStatefulSetStrategy.partition ServiceReference.path
NetworkPolicyPeer.podSelector ServiceReference.port EndpointPort.port NetworkPolicyPort.port
CustomResourceDefinitionSpec.preserveUnknownFields PodSpec.priority SecurityContext.privileged EndpointPort.protocol
NetworkPolicyPort.protocol AzureDiskVolumeSource.readOnly CSIVolumeSource.readOnly
SecurityContext.readOnlyRootFilesystem EndpointConditions.ready DeploymentSpec.replicas ReplicaSetSpec.replicas
StatefulSetSpec.replicas ReplicationControllerSpec.replicas MetricSpec.resource MetricStatus.resource
IngressBackend.resource Preconditions.resourceVersion DeploymentSpec.rollbackTo PodSecurityContext.runAsUser
SecurityContext.runAsUser Rule.scope IngressClassParametersReference.scope DaemonSetSpec.selector
DeploymentSpec.selector ReplicaSetSpec.selector StatefulSetSpec.selector MetricIdentifier.selector
ObjectMetricSource.selector ObjectMetricStatus.selector PodsMetricSource.selector PodsMetricStatus.selector
JobSpec.selector PersistentVolumeClaimSpec.selector PodDisruptionBudgetSpec.selector Subject.serviceAccount
CertificateSigningRequestSpec.signerName AdmissionResponse.status CustomResourceSubresources.status
PersistentVolumeClaimSpec.storageClassName ContainerResourceMetricSource.targetAverageValue
ExternalMetricSource.targetAverageValue ResourceMetricSource.targetAverageValue ExternalMetricSource.targetValue
ReplicationControllerSpec.template ManagedFieldsEntry.time MutatingWebhook.timeoutSeconds
ValidatingWebhook.timeoutSeconds ClientIPConfig.timeoutSeconds ListOptions.timeoutSeconds HostPathVolumeSource.type
Preconditions.uid WebhookClientConfig.url Subject.user MetricTarget.value MetricValueStatus.value
PodDNSConfigOption.value
"""
"""The fields that are pointers to one value: in all types, or in one."""


@lru_cache(maxsize=1)
def _pointers() -> frozenset[str]:
    return frozenset(_POINTERS.split())


def is_pointer(owner: str, field: str) -> bool:
    """Whether a field of a type is a pointer to a value."""
    return bool(_pointers() & {field, f"{owner.rpartition('.')[2]}.{field}"})
