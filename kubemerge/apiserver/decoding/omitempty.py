"""Fields that a server does not print if they are zero or empty: `minReadySeconds: 0` is dropped, `replicas: 0` stays.

In Go, a field without a pointer cannot distinguish a zero from a missing value, and `omitempty` leaves it out. This is
copied from the Go types of k8s.io/api, k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator 0.37.0, and holds for
every release. Most fields behave alike in every type, so the tables list their names. Other scalars stay. Empty lists
and maps with free keys are always dropped, except for the few lists that are printed as null.
"""

from __future__ import annotations

from functools import lru_cache

GONE = """
    $schema active allocationMode apiServerID attribute caBundle certificate certificateChain certificateChainPath
    chapAuthDiscovery chapAuthSession clusterIP clusterScope completedIndexes component concurrencyPolicy containerID
    credentialBundlePath currentRevision datasetName datasetUUID deprecated deprecatedCount description directory
    dnsPolicy emulationVersion encodingVersion exclusiveMaximum exclusiveMinimum externalID externalName
    externalTrafficPolicy failed failureThreshold fieldsType format fullyLabeledReplicas generateName globalDefault
    hardwareAddress health healthCheckNodePort host hostIP hostIPC hostNetwork hostPID hostPort id imagePullPolicy
    imageRef initialDelaySeconds insecureSkipTLSVerify interfaceName iscsiInterface keyPath keyType keyring level
    listKind loadBalancerIP manager medium messageExpression minReadySeconds nodePort nominatedNodeName note nullable
    number numberAvailable numberUnavailable operation pattern paused persistentVolumeReclaimPolicy phase podCIDR
    podIP podManagementPolicy policyName prefix priorityClassName protectionDomain providerID publishNotReadyAddresses
    pullPolicy qosClass readyReplicas reference reportingController resize resourceVersion role schedulerName scheme
    secretFile selfLink serviceAccount sessionAffinity signal singular sizeBytes sslEnabled stdin stdinOnce
    storageMode storagePolicyID storagePolicyName storagePool subPath subPathExpr subdomain subresource succeeded
    successThreshold targetContainerName targetVolumeAttributesClassName templateGeneration tenant
    terminationMessagePath terminationMessagePolicy title tty unavailableReplicas uniqueItems unschedulable
    updateRevision updatedNumberScheduled updatedReplicas username volumeNamespace whenDeleted whenScaled workingDir
    x-kubernetes-embedded-resource x-kubernetes-int-or-string
"""
"""Scalars that are dropped in every type."""

GONE_IN = {
    "allNodes": "resource_v1beta1.ResourceSliceSpec",
    "apiGroup": """
        ResourceClaimConsumerReference Subject scheduling_v1alpha3.TypedLocalObjectReference
        scheduling_v1beta1.TypedLocalObjectReference
    """,
    "audience": "ServiceAccountTokenProjection",
    "containerName": "ResourceFieldSelector",
    "controller": "IngressClassSpec",
    "driver": "PoolStatus",
    "effect": "DeviceToleration Toleration",
    "error": "ComponentCondition NodeConfigStatus",
    "expression": "ApplyConfiguration JSONPatch",
    "generation": "ObjectMeta",
    "image": "Container EphemeralContainer",
    "ip": "IngressLoadBalancerIngress LoadBalancerIngress",
    "key": "DeviceToleration Toleration",
    "kind": "ObjectReference ParamKind",
    "name": """
        ConfigMapEnvSource ConfigMapKeySelector ConfigMapProjection ConfigMapVolumeSource ContainerPort
        LocalObjectReference ObjectMeta ObjectReference ParamRef ParentReference PodDNSConfigOption SecretEnvSource
        SecretKeySelector SecretProjection SecretReference ServiceBackendPort ServicePort ShareableCapacityStatus
        apiregistration_v1.ServiceReference apiregistration_v1beta1.ServiceReference core_v1.EndpointPort
    """,
    "namespace": """
        ObjectMeta ObjectReference ParamRef ParentReference SecretReference Subject
        apiregistration_v1.ServiceReference apiregistration_v1beta1.ServiceReference
    """,
    "nodeName": "PodSpec resource_v1beta1.ResourceSliceSpec",
    "operator": "ContainerRestartRuleOnExitCodes DeviceToleration Toleration",
    "path": "CephFSPersistentVolumeSource CephFSVolumeSource HTTPGetAction HTTPIngressPath",
    "periodSeconds": "Probe",
    "pool": "RBDPersistentVolumeSource RBDVolumeSource",
    "poolName": "PoolStatus",
    "preserveUnknownFields": "apiextensions_v1.CustomResourceDefinitionSpec",
    "priority": "CustomResourceColumnDefinition",
    "protocol": "ContainerPort ServicePort core_v1.EndpointPort",
    "reinvocationPolicy": "MutatingAdmissionPolicySpec",
    "replicas": "DeploymentStatus",
    "request": "ResourceClaim",
    "resource": "ParentReference",
    "restartPolicy": "PodSpec",
    "secretName": "IngressTLS SecretVolumeSource",
    "serviceAccountName": "PodSpec",
    "serviceName": "IngressBackend",
    "signerName": "ClusterTrustBundleSpec PodCertificateProjection",
    "status": "FlowSchemaCondition PriorityLevelConfigurationCondition",
    "storageClassName": "PersistentVolumeSpec",
    "strategy": "LeaseCandidateSpec",
    "timeoutSeconds": "Probe",
    "type": """
        DaemonSetUpdateStrategy DeploymentStrategy Event FlowSchemaCondition JSONSchemaProps PartitionTypeStatus
        PriorityLevelConfigurationCondition SELinuxOptions Secret ServiceSpec StatefulSetUpdateStrategy
    """,
    "uid": "CertificateSigningRequestSpec ConfigMapNodeConfigSource ObjectMeta ObjectReference",
    "url": "ExternalDocumentation",
    "value": "DeviceTaint DeviceToleration EnvVar Taint Toleration",
    "version": "APIServiceSpec CustomResourceDefinitionSpec",
}
"""Scalars that are dropped in these types only. A type has its group and version where those differ."""

GONE_BUT_IN = {
    "action": "PodFailurePolicyRule",
    "apiVersion": "OwnerReference",
    "availableReplicas": "StatefulSetStatus",
    "count": "VolumeNodeResources events_v1.EventSeries events_v1beta1.EventSeries",
    "currentReplicas": "autoscaling_v1.HorizontalPodAutoscalerStatus",
    "fieldPath": "ObjectFieldSelector",
    "fsType": "AzureDiskVolumeSource CSIVolumeSource LocalVolumeSource",
    "group": "CustomResourceDefinitionSpec GroupResource",
    "hostname": "Endpoint",
    "message": "Condition ResourceHealth ResponderStatus",
    "observedGeneration": """
        EvictionRequestStatus EvictionStatus HorizontalPodAutoscalerCondition HorizontalPodAutoscalerStatus
        apps_v1beta1.StatefulSetStatus
    """,
    "partition": "RollingUpdateStatefulSetStrategy",
    "readOnly": "AzureDiskVolumeSource CSIVolumeSource",
    "reason": """
        Condition StorageHealthCondition StorageVersionCondition Validation ValidationRule VolumeHealthCondition
    """,
    "reportingInstance": "core_v1.Event",
    "revision": "ControllerRevision",
    "user": """
        ClusterTrustBundleProjection DownwardAPIVolumeFile KeyToPath PodCertificateProjection
        ServiceAccountTokenProjection
    """,
    "volumeName": "FileKeySelector",
}
"""Scalars that are dropped in every type except these."""

_GONE = frozenset(GONE.split())
_TYPES = {field: frozenset(types.split()) for table in (GONE_IN, GONE_BUT_IN) for field, types in table.items()}


@lru_cache(maxsize=4096)
def is_omitted(owner: str, field: str) -> bool:
    """Whether a zero in this scalar of a type (`core_v1.Container`) is dropped."""
    if field not in _TYPES:
        return field in _GONE
    named = not _TYPES[field].isdisjoint((owner, owner.rpartition(".")[2]))
    return named == (field in GONE_IN)
