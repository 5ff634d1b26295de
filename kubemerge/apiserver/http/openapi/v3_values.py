"""Defaults and enums of built-in types that only OpenAPI v3 contains.

Recorded from the documents of Kubernetes 1.37. All versions of a type share a line. A type's name is its group and
name, as `core.Pod`.
"""

from __future__ import annotations

STRUCTS = """
admissionregistration.MutatingAdmissionPolicy spec
admissionregistration.MutatingAdmissionPolicyBinding spec
admissionregistration.MutatingWebhook clientConfig
admissionregistration.ValidatingAdmissionPolicy spec status
admissionregistration.ValidatingAdmissionPolicyBinding spec
admissionregistration.ValidatingWebhook clientConfig
apiextensions.CustomResourceDefinition spec status
apiextensions.CustomResourceDefinitionSpec names
apiextensions.CustomResourceDefinitionStatus acceptedNames
apiregistration.APIService spec status
apps.DaemonSet spec status
apps.DaemonSetSpec template updateStrategy
apps.Deployment spec status
apps.DeploymentSpec strategy template
apps.ReplicaSet spec status
apps.ReplicaSetSpec template
apps.StatefulSet spec status
apps.StatefulSetSpec template updateStrategy
authentication.SelfSubjectReview status
authentication.SelfSubjectReviewStatus userInfo
authentication.TokenRequest spec status
authentication.TokenReview spec status
authentication.TokenReviewStatus user
authorization.LocalSubjectAccessReview spec status
authorization.SelfSubjectAccessReview spec status
authorization.SelfSubjectRulesReview spec status
authorization.SubjectAccessReview spec status
autoscaling.ContainerResourceMetricSource target
autoscaling.ContainerResourceMetricStatus current
autoscaling.ExternalMetricSource metric target
autoscaling.ExternalMetricStatus current metric
autoscaling.HorizontalPodAutoscaler spec status
autoscaling.HorizontalPodAutoscalerSpec scaleTargetRef
autoscaling.ObjectMetricSource describedObject metric target
autoscaling.ObjectMetricStatus current describedObject metric
autoscaling.PodsMetricSource metric target
autoscaling.PodsMetricStatus current metric
autoscaling.ResourceMetricSource target
autoscaling.ResourceMetricStatus current
autoscaling.Scale spec status
batch.CronJob spec status
batch.CronJobSpec jobTemplate
batch.Job spec status
batch.JobSpec template
batch.JobTemplateSpec spec
certificates.CertificateSigningRequest spec status
certificates.ClusterTrustBundle spec
certificates.PodCertificateRequest spec status
coordination.Lease spec
core.Binding target
core.Container resources
core.ContainerStatus lastState state
core.EphemeralContainer resources
core.Event involvedObject source
core.LimitRange spec
core.Namespace spec status
core.Node spec status
core.NodeDaemonEndpoints kubeletEndpoint
core.NodeStatus daemonEndpoints nodeInfo
core.PersistentVolume spec status
core.PersistentVolumeClaim spec status
core.PersistentVolumeClaimSpec resources
core.PersistentVolumeClaimTemplate spec
core.Pod spec status
core.PodTemplate template
core.PodTemplateSpec spec
core.PreferredSchedulingTerm preference
core.ReplicationController spec status
core.ResourceQuota spec status
core.Service spec status
core.ServiceStatus loadBalancer
core.WeightedPodAffinityTerm podAffinityTerm
discovery.Endpoint conditions
events.Event deprecatedSource regarding
flowcontrol.FlowSchema spec status
flowcontrol.FlowSchemaSpec priorityLevelConfiguration
flowcontrol.LimitedPriorityLevelConfiguration limitResponse
flowcontrol.PriorityLevelConfiguration spec status
meta.APIGroup preferredVersion
networking.HTTPIngressPath backend
networking.IPAddress spec
networking.Ingress spec status
networking.IngressClass spec
networking.IngressServiceBackend port
networking.IngressStatus loadBalancer
networking.NetworkPolicy spec
networking.NetworkPolicySpec podSelector
networking.ServiceCIDR spec status
policy.PodDisruptionBudget spec status
rbac.ClusterRoleBinding roleRef
rbac.RoleBinding roleRef
resource.AllocationResult devices
resource.DeviceClass spec
resource.DeviceTaintRule spec status
resource.DeviceTaintRuleSpec taint
resource.ResourceClaim spec status
resource.ResourceClaimSpec devices
resource.ResourceClaimTemplate spec
resource.ResourceClaimTemplateSpec spec
resource.ResourceSlice spec
resource.ResourceSliceSpec pool
storage.CSIDriver spec
storage.CSINode spec status
storage.VolumeAttachment spec status
storage.VolumeAttachmentSpec source
storagemigration.StorageVersionMigration spec status
storagemigration.StorageVersionMigrationSpec resource
"""
"""Fields whose default is `{}`, because Go always has an object there. `metadata` is one in every type."""
ZEROS = """
apps.ControllerRevision revision
apps.DaemonSetCondition status type
apps.DeploymentCondition status type
apps.ReplicaSetCondition status type
apps.StatefulSetCondition status type
apps.StatefulSetOrdinals start
apps.StatefulSetSpec serviceName
apps.StatefulSetStatus availableReplicas
authentication.TokenRequestStatus token
autoscaling.ScaleSpec replicas
batch.PodFailurePolicyOnPodConditionsPattern status
core.AzureDiskVolumeSource readOnly
core.ConfigMapEnvSource name
core.ConfigMapKeySelector name
core.ConfigMapProjection name
core.ConfigMapVolumeSource name
core.Event reportingComponent reportingInstance
core.FileKeySelector optional
core.GRPCAction service
core.LocalObjectReference name
core.NodeRuntimeHandler name
core.ReplicationControllerSpec minReadySeconds
core.SecretEnvSource name
core.SecretKeySelector name
core.SecretProjection name
flowcontrol.FlowSchemaSpec matchingPrecedence
flowcontrol.QueuingConfiguration handSize queueLengthLimit queues
policy.PodDisruptionBudgetStatus currentHealthy desiredHealthy disruptionsAllowed expectedPods
rbac.RoleRef apiGroup
scheduling.PriorityClass value
"""
"""Optional fields whose default is 0, false or the empty string."""
WITHOUT = """
admissionregistration.MutatingWebhook sideEffects
admissionregistration.ValidatingAdmissionPolicyBindingSpec policyName
admissionregistration.ValidatingWebhook sideEffects
authentication.TokenReviewSpec token
certificates.CertificateSigningRequestSpec request
certificates.PodCertificateRequestSpec stubPKCS10Request
core.ContainerRestartRule action
core.ContainerRestartRuleOnExitCodes operator
core.EvictionResponder priority
core.ImageVolumeStatus imageRef
core.PodCertificateProjection keyType signerName
flowcontrol.FlowSchemaCondition type
flowcontrol.PriorityLevelConfigurationCondition type
networking.HTTPIngressPath pathType
networking.ParentReference name resource
"""
"""Required fields without a default. That of any other one is 0, false or the empty string."""
VALUES = """
certificates.PodCertificateRequestSpec maxExpirationSeconds=86400
core.AzureDiskVolumeSource cachingMode="ReadWrite" fsType="ext4" kind="Shared"
core.ContainerPort protocol="TCP"
core.ISCSIPersistentVolumeSource iscsiInterface="default"
core.ISCSIVolumeSource iscsiInterface="default"
core.RBDPersistentVolumeSource keyring="/etc/ceph/keyring" pool="rbd" user="admin"
core.RBDVolumeSource keyring="/etc/ceph/keyring" pool="rbd" user="admin"
core.ReplicationControllerSpec replicas=1
core.ScaleIOPersistentVolumeSource fsType="xfs" storageMode="ThinProvisioned"
core.ScaleIOVolumeSource fsType="xfs" storageMode="ThinProvisioned"
core.ServicePort protocol="TCP"
resource.DeviceToleration operator="Equal"
"""
"""Fields with other defaults, as JSON."""
ENUMS = """
-|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket: core.HostPathVolumeSource.type
-|IPv4|IPv6: core.ServiceSpec.ipFamilies[]
*|CONNECT|CREATE|DELETE|UPDATE: admissionregistration.NamedRuleWithOperations.operations[]
  admissionregistration.RuleWithOperations.operations[]
*|Cluster|Namespaced: admissionregistration.NamedRuleWithOperations.scope
  admissionregistration.RuleWithOperations.scope
*|NodePrepareResources|NodeUnprepareResources: resource.DeviceRequestAllocationResult.skipNodeOperations[]
  resource.ResourceSliceSpec.skipNodeOperations[]
Active|Terminating: core.NamespaceStatus.phase
All|ExactCount: resource.DeviceSubRequest.allocationMode resource.ExactDeviceRequest.allocationMode
Allow|Forbid|Replace: batch.CronJobSpec.concurrencyPolicy
Always|IfNotPresent|Never: core.Container.imagePullPolicy core.EphemeralContainer.imagePullPolicy
  core.ImageVolumeSource.pullPolicy
Always|Never|OnFailure: core.PodSpec.restartPolicy
Always|OnRootMismatch: core.PodSecurityContext.fsGroupChangePolicy
AlwaysAllow|IfHealthyBudget: policy.PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy
ApplyConfiguration|JSONPatch: admissionregistration.Mutation.patchType
Audit|Deny|Warn: admissionregistration.ValidatingAdmissionPolicyBindingSpec.validationActions[]
Available|Bound|Failed|Pending|Released: core.PersistentVolumeStatus.phase
BestEffort|Burstable|Guaranteed: core.PodStatus.qosClass
BestEffort|CrossNamespacePodAffinity|NotBestEffort|NotTerminating|PriorityClass|Terminating|VolumeAttributesClass:
  core.ResourceQuotaSpec.scopes[] core.ScopedResourceSelectorRequirement.scopeName
Bidirectional|HostToContainer|None: core.VolumeMount.mountPropagation
Block|Filesystem: core.PersistentVolumeClaimSpec.volumeMode core.PersistentVolumeSpec.volumeMode
  storage.StorageHealthCondition.volumeMode
Bound|Lost|Pending: core.PersistentVolumeClaimStatus.phase
ClientIP|None: core.ServiceSpec.sessionAffinity
Cluster|Local: core.ServiceSpec.externalTrafficPolicy core.ServiceSpec.internalTrafficPolicy
ClusterFirst|ClusterFirstWithHostNet|Default|None: core.PodSpec.dnsPolicy
ClusterIP|ExternalName|LoadBalancer|NodePort: core.ServiceSpec.type
ControllerResizeInProgress|ControllerResizeInfeasible|NodeResizeInProgress|NodeResizeInfeasible|NodeResizePending:
  core.PersistentVolumeClaimStatus.allocatedResourceStatuses{}
Count|FailIndex|FailJob|Ignore: batch.PodFailurePolicyRule.action
DataLoss|Degraded|Inaccessible: core.VolumeHealthCondition.status
Dedicated|Managed|Shared: core.AzureDiskVolumeSource.kind
Default|Unmasked: core.SecurityContext.procMount
Delete|Recycle|Retain: core.PersistentVolumeSpec.persistentVolumeReclaimPolicy storage.StorageClass.reclaimPolicy
DoNotSchedule|ScheduleAnyway: core.TopologySpreadConstraint.whenUnsatisfiable
DoesNotExist|Exists|Gt|In|Lt|NotIn: core.NodeSelectorRequirement.operator
DoesNotExist|Exists|In|NotIn: core.ScopedResourceSelectorRequirement.operator
Egress|Ingress: networking.NetworkPolicySpec.policyTypes[]
Equal|Exists: resource.DeviceToleration.operator
Equal|Exists|Gt|Lt: core.Toleration.operator
Equivalent|Exact: admissionregistration.MatchResources.matchPolicy
  admissionregistration.MutatingWebhook.matchPolicy admissionregistration.ValidatingWebhook.matchPolicy
Exact|ImplementationSpecific|Prefix: networking.HTTPIngressPath.pathType
FQDN|IPv4|IPv6: discovery.EndpointSlice.addressType
Fail|Ignore: admissionregistration.MutatingAdmissionPolicySpec.failurePolicy
  admissionregistration.MutatingWebhook.failurePolicy
  admissionregistration.ValidatingAdmissionPolicySpec.failurePolicy
  admissionregistration.ValidatingWebhook.failurePolicy
Failed|Pending|Running|Succeeded|Unknown: core.PodStatus.phase
Failed|TerminatingOrFailed: batch.JobSpec.podReplacementPolicy
FallbackToLogsOnError|File: core.Container.terminationMessagePolicy
  core.EphemeralContainer.terminationMessagePolicy
FieldValueDuplicate|FieldValueForbidden|FieldValueInvalid|FieldValueRequired: apiextensions.ValidationRule.reason
FromClaim|FromClass: resource.DeviceAllocationConfiguration.source
HTTP|HTTPS: core.HTTPGetAction.scheme
HTTP1|HTTP2: core.HTTPGetAction.protocol
Honor|Ignore: core.TopologySpreadConstraint.nodeAffinityPolicy core.TopologySpreadConstraint.nodeTaintsPolicy
IfNeeded|Never: admissionregistration.MutatingAdmissionPolicySpec.reinvocationPolicy
  admissionregistration.MutatingWebhook.reinvocationPolicy
Immediate|WaitForFirstConsumer: storage.StorageClass.volumeBindingMode
In|NotIn: batch.PodFailurePolicyOnExitCodesRequirement.operator
InProgress|Infeasible|Pending: core.ModifyVolumeStatus.status
Indexed|NonIndexed: batch.JobSpec.completionMode
Localhost|RuntimeDefault|Unconfined: core.AppArmorProfile.type core.SeccompProfile.type
Merge|Strict: core.PodSecurityContext.supplementalGroupsPolicy
Never|PreemptLowerPriority: core.PodSpec.preemptionPolicy scheduling.PriorityClass.preemptionPolicy
NoExecute|NoSchedule|None: resource.DeviceTaint.effect resource.DeviceToleration.effect
NoExecute|NoSchedule|PreferNoSchedule: core.Taint.effect core.Toleration.effect
None|NoneOnDryRun|Some|Unknown: admissionregistration.MutatingWebhook.sideEffects
  admissionregistration.ValidatingWebhook.sideEffects
None|ReadOnly|ReadWrite: core.AzureDiskVolumeSource.cachingMode
OnDelete|Recreate|RollingUpdate: apps.StatefulSetUpdateStrategy.type
OnDelete|RollingUpdate: apps.DaemonSetUpdateStrategy.type
OrderedReady|Parallel: apps.StatefulSetSpec.podManagementPolicy
Pending|Running|Terminated: core.NodeStatus.phase
Plaintext|TLS: core.GRPCAction.mode
PreferDualStack|RequireDualStack|SingleStack: core.ServiceSpec.ipFamilyPolicy
ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod: core.PersistentVolumeClaimSpec.accessModes[]
  core.PersistentVolumeClaimStatus.accessModes[] core.PersistentVolumeSpec.accessModes[]
  storage.StorageHealthCondition.accessMode
Recreate|RollingUpdate: apps.DeploymentStrategy.type
SCTP|TCP|UDP: core.ContainerPort.protocol core.EndpointPort.protocol core.PortStatus.protocol
  core.ServicePort.protocol discovery.EndpointPort.protocol networking.IngressPortStatus.protocol
  networking.NetworkPolicyPort.protocol
SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ:
  core.ContainerStatus.stopSignal core.Lifecycle.stopSignal
StorageDegraded|StorageUnreachable: storage.StorageHealthCondition.status
any|cert_sign|client_auth|code_signing|content_commitment|crl_sign|data_encipherment|decipher_only|digital_signature|email_protection|encipher_only|ipsec_end_system|ipsec_tunnel|ipsec_user|key_agreement|key_encipherment|microsoft_sgc|netscape_sgc|ocsp_signing|s/mime|server_auth|signing|timestamping:
  certificates.CertificateSigningRequestSpec.usages[]
"""
"""Values, and after a colon the fields that may have them. `-` is the empty string, `_` a space, `[]` are elements."""
