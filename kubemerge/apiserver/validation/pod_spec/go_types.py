"""The internal Go types of Pods, claims and volumes, which a server prints in its messages.

Copied from k8s.io/kubernetes 1.37: each type with its fields, as `Name:name in the API:type`. The name in the API is
left out where it only begins with a small letter. The types `s`, `i`, `b`, `q`, `o` and `m` are strings, integers,
booleans, quantities, integers or strings, and metadata. `*`, `[]` and `{}` are pointers, lists and maps. `~` is an
embedded struct.

`@37` at the end of a field is its first minor release, and `@35-35` its first and last. `PodSpec@36` is the type until
1.36. Servers until 1.33 print Go syntax instead.
"""

from __future__ import annotations

from functools import lru_cache

_TYPES = """
PodTemplateSpec: ~::ObjectMeta Spec::PodSpec
PodSpec: Volumes::[]Volume InitContainers::[]Container Containers::[]Container
    EphemeralContainers::[]EphemeralContainer RestartPolicy::s TerminationGracePeriodSeconds::*i
    ActiveDeadlineSeconds::*i DNSPolicy:dnsPolicy:s NodeSelector::{}s ServiceAccountName::s
    DeprecatedServiceAccount:serviceAccount:s AutomountServiceAccountToken::*b NodeName::s HostNetwork::b HostPID::b
    HostIPC::b ShareProcessNamespace::*b SecurityContext::*PodSecurityContext
    ImagePullSecrets::[]LocalObjectReference Hostname::s Subdomain::s Affinity::*Affinity SchedulerName::s
    Tolerations::[]Toleration HostAliases::[]HostAlias PriorityClassName::s Priority::*i
    DNSConfig:dnsConfig:*PodDNSConfig ReadinessGates::[]PodReadinessGate RuntimeClassName::*s EnableServiceLinks::*b
    PreemptionPolicy::*s Overhead::{}q TopologySpreadConstraints::[]TopologySpreadConstraint SetHostnameAsFQDN::*b
    OS:os:*PodOS HostUsers::*b SchedulingGates::[]PodSchedulingGate ResourceClaims::[]PodResourceClaim
    Resources::*ResourceRequirements HostnameOverride::*s SchedulingGroup::*PodSchedulingGroup
    EvictionResponders::[]EvictionResponder
PodSpec@36: Volumes::[]Volume InitContainers::[]Container Containers::[]Container
    EphemeralContainers::[]EphemeralContainer RestartPolicy::s TerminationGracePeriodSeconds::*i
    ActiveDeadlineSeconds::*i DNSPolicy:dnsPolicy:s NodeSelector::{}s ServiceAccountName::s
    AutomountServiceAccountToken::*b NodeName::s SecurityContext::PodSecurityContext
    ImagePullSecrets::[]LocalObjectReference Hostname::s Subdomain::s SetHostnameAsFQDN::*b Affinity::*Affinity
    SchedulerName::s Tolerations::[]Toleration HostAliases::[]HostAlias PriorityClassName::s Priority::*i
    PreemptionPolicy::*s DNSConfig:dnsConfig:*PodDNSConfig ReadinessGates::[]PodReadinessGate RuntimeClassName::*s
    Overhead::{}q EnableServiceLinks::*b TopologySpreadConstraints::[]TopologySpreadConstraint OS:os:*PodOS
    SchedulingGates::[]PodSchedulingGate ResourceClaims::[]PodResourceClaim Resources::*ResourceRequirements
    HostnameOverride::*s WorkloadRef::*WorkloadReference@35-35 SchedulingGroup::*PodSchedulingGroup@36
WorkloadReference: Name::s PodGroup::s PodGroupReplicaKey::s
Volume: Name::s ~::VolumeSource
VolumeSource: HostPath::*HostPathVolumeSource EmptyDir::*EmptyDirVolumeSource
    GCEPersistentDisk:gcePersistentDisk:*GCEPersistentDiskVolumeSource
    AWSElasticBlockStore:awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo::*GitRepoVolumeSource
    Secret::*SecretVolumeSource NFS:nfs:*NFSVolumeSource ISCSI:iscsi:*ISCSIVolumeSource
    Glusterfs::*GlusterfsVolumeSource PersistentVolumeClaim::*PersistentVolumeClaimVolumeSource
    RBD:rbd:*RBDVolumeSource FlexVolume::*FlexVolumeSource Cinder::*CinderVolumeSource
    CephFS:cephfs:*CephFSVolumeSource Flocker::*FlockerVolumeSource DownwardAPI::*DownwardAPIVolumeSource
    FC:fc:*FCVolumeSource AzureFile::*AzureFileVolumeSource ConfigMap::*ConfigMapVolumeSource
    VsphereVolume::*VsphereVirtualDiskVolumeSource Quobyte::*QuobyteVolumeSource AzureDisk::*AzureDiskVolumeSource
    PhotonPersistentDisk::*PhotonPersistentDiskVolumeSource Projected::*ProjectedVolumeSource
    PortworxVolume::*PortworxVolumeSource ScaleIO::*ScaleIOVolumeSource StorageOS:storageos:*StorageOSVolumeSource
    CSI:csi:*CSIVolumeSource Ephemeral::*EphemeralVolumeSource Image::*ImageVolumeSource
VolumeSource@36: HostPath::*HostPathVolumeSource EmptyDir::*EmptyDirVolumeSource
    GCEPersistentDisk:gcePersistentDisk:*GCEPersistentDiskVolumeSource
    AWSElasticBlockStore:awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo::*GitRepoVolumeSource
    Secret::*SecretVolumeSource NFS:nfs:*NFSVolumeSource ISCSI:iscsi:*ISCSIVolumeSource
    Glusterfs::*GlusterfsVolumeSource PersistentVolumeClaim::*PersistentVolumeClaimVolumeSource
    RBD:rbd:*RBDVolumeSource Quobyte::*QuobyteVolumeSource FlexVolume::*FlexVolumeSource Cinder::*CinderVolumeSource
    CephFS:cephfs:*CephFSVolumeSource Flocker::*FlockerVolumeSource DownwardAPI::*DownwardAPIVolumeSource
    FC:fc:*FCVolumeSource AzureFile::*AzureFileVolumeSource ConfigMap::*ConfigMapVolumeSource
    VsphereVolume::*VsphereVirtualDiskVolumeSource AzureDisk::*AzureDiskVolumeSource
    PhotonPersistentDisk::*PhotonPersistentDiskVolumeSource Projected::*ProjectedVolumeSource
    PortworxVolume::*PortworxVolumeSource ScaleIO::*ScaleIOVolumeSource StorageOS:storageos:*StorageOSVolumeSource
    CSI:csi:*CSIVolumeSource Ephemeral::*EphemeralVolumeSource Image::*ImageVolumeSource
HostPathVolumeSource: Path::s Type::*s
EmptyDirVolumeSource: Medium::s SizeLimit::*q Mode::*i@37
GCEPersistentDiskVolumeSource: PDName:pdName:s FSType:fsType:s Partition::i ReadOnly::b
AWSElasticBlockStoreVolumeSource: VolumeID::s FSType:fsType:s Partition::i ReadOnly::b
GitRepoVolumeSource: Repository::s Revision::s Directory::s
SecretVolumeSource: SecretName::s Items::[]KeyToPath DefaultMode::*i Optional::*b DefaultUser::*i@37
KeyToPath: Key::s Path::s Mode::*i User::*i@37
NFSVolumeSource: Server::s Path::s ReadOnly::b
ISCSIVolumeSource: TargetPortal::s IQN:iqn:s Lun::i ISCSIInterface:iscsiInterface:s FSType:fsType:s ReadOnly::b
    Portals::[]s DiscoveryCHAPAuth:chapAuthDiscovery:b SessionCHAPAuth:chapAuthSession:b
    SecretRef::*LocalObjectReference InitiatorName::*s
LocalObjectReference: Name::s
GlusterfsVolumeSource: EndpointsName:endpoints:s Path::s ReadOnly::b
PersistentVolumeClaimVolumeSource: ClaimName::s ReadOnly::b
RBDVolumeSource: CephMonitors:monitors:[]s RBDImage:image:s FSType:fsType:s RBDPool:pool:s RadosUser:user:s
    Keyring::s SecretRef::*LocalObjectReference ReadOnly::b
FlexVolumeSource: Driver::s FSType:fsType:s SecretRef::*LocalObjectReference ReadOnly::b Options::{}s
CinderVolumeSource: VolumeID::s FSType:fsType:s ReadOnly::b SecretRef::*LocalObjectReference
CephFSVolumeSource: Monitors::[]s Path::s User::s SecretFile::s SecretRef::*LocalObjectReference ReadOnly::b
FlockerVolumeSource: DatasetName::s DatasetUUID::s
DownwardAPIVolumeSource: Items::[]DownwardAPIVolumeFile DefaultMode::*i DefaultUser::*i@37
DownwardAPIVolumeFile: Path::s FieldRef::*ObjectFieldSelector ResourceFieldRef::*ResourceFieldSelector Mode::*i
    User::*i@37
ObjectFieldSelector: APIVersion:apiVersion:s FieldPath::s
ResourceFieldSelector: ContainerName::s Resource::s Divisor::q
FCVolumeSource: TargetWWNs::[]s Lun::*i FSType:fsType:s ReadOnly::b WWIDs:wwids:[]s
AzureFileVolumeSource: SecretName::s ShareName::s ReadOnly::b
ConfigMapVolumeSource: ~::LocalObjectReference Items::[]KeyToPath DefaultMode::*i Optional::*b DefaultUser::*i@37
VsphereVirtualDiskVolumeSource: VolumePath::s FSType:fsType:s StoragePolicyName::s StoragePolicyID::s
QuobyteVolumeSource: Registry::s Volume::s ReadOnly::b User::s Group::s Tenant::s
AzureDiskVolumeSource: DiskName::s DataDiskURI:diskURI:s CachingMode::*s FSType:fsType:*s ReadOnly::*b Kind::*s
PhotonPersistentDiskVolumeSource: PdID::s FSType:fsType:s
ProjectedVolumeSource: Sources::[]VolumeProjection DefaultMode::*i DefaultUser::*i@37
VolumeProjection: Secret::*SecretProjection DownwardAPI::*DownwardAPIProjection ConfigMap::*ConfigMapProjection
    ServiceAccountToken::*ServiceAccountTokenProjection ClusterTrustBundle::*ClusterTrustBundleProjection
    PodCertificate::*PodCertificateProjection
SecretProjection: ~::LocalObjectReference Items::[]KeyToPath Optional::*b
DownwardAPIProjection: Items::[]DownwardAPIVolumeFile
ConfigMapProjection: ~::LocalObjectReference Items::[]KeyToPath Optional::*b
ServiceAccountTokenProjection: Audience::s ExpirationSeconds::*i Path::s User::*i@37
ClusterTrustBundleProjection: Name::*s SignerName::*s LabelSelector::*m Optional::*b Path::s User::*i@37
PodCertificateProjection: SignerName::s KeyType::s MaxExpirationSeconds::*i CredentialBundlePath::s KeyPath::s
    CertificateChainPath::s UserAnnotations::{}s@35 User::*i@37
PortworxVolumeSource: VolumeID::s FSType:fsType:s ReadOnly::b
ScaleIOVolumeSource: Gateway::s System::s SecretRef::*LocalObjectReference SSLEnabled:sslEnabled:b
    ProtectionDomain::s StoragePool::s StorageMode::s VolumeName::s FSType:fsType:s ReadOnly::b
StorageOSVolumeSource: VolumeName::s VolumeNamespace::s FSType:fsType:s ReadOnly::b SecretRef::*LocalObjectReference
CSIVolumeSource: Driver::s ReadOnly::*b FSType:fsType:*s VolumeAttributes::{}s
    NodePublishSecretRef::*LocalObjectReference
EphemeralVolumeSource: VolumeClaimTemplate::*PersistentVolumeClaimTemplate
PersistentVolumeClaimTemplate: ~::ObjectMeta Spec::PersistentVolumeClaimSpec
PersistentVolumeClaimSpec: AccessModes::[]s Selector::*m Resources::VolumeResourceRequirements VolumeName::s
    StorageClassName::*s VolumeMode::*s DataSource::*TypedLocalObjectReference DataSourceRef::*TypedObjectReference
    VolumeAttributesClassName::*s
VolumeResourceRequirements: Limits::{}q Requests::{}q
TypedLocalObjectReference: APIGroup:apiGroup:*s Kind::s Name::s
TypedObjectReference: APIGroup:apiGroup:*s Kind::s Name::s Namespace::*s
ImageVolumeSource: Reference::s PullPolicy::s
Container: Name::s Image::s Command::[]s Args::[]s WorkingDir::s Ports::[]ContainerPort EnvFrom::[]EnvFromSource
    Env::[]EnvVar Resources::ResourceRequirements ResizePolicy::[]ContainerResizePolicy RestartPolicy::*s
    RestartPolicyRules::[]ContainerRestartRule VolumeMounts::[]VolumeMount VolumeDevices::[]VolumeDevice
    LivenessProbe::*Probe ReadinessProbe::*Probe StartupProbe::*Probe Lifecycle::*Lifecycle
    TerminationMessagePath::s TerminationMessagePolicy::s ImagePullPolicy::s SecurityContext::*SecurityContext
    Stdin::b StdinOnce::b TTY:tty:b
ContainerPort: Name::s HostPort::i ContainerPort::i Protocol::s HostIP::s
EnvFromSource: Prefix::s ConfigMapRef::*ConfigMapEnvSource SecretRef::*SecretEnvSource
ConfigMapEnvSource: ~::LocalObjectReference Optional::*b
SecretEnvSource: ~::LocalObjectReference Optional::*b
EnvVar: Name::s Value::s ValueFrom::*EnvVarSource
EnvVarSource: FieldRef::*ObjectFieldSelector ResourceFieldRef::*ResourceFieldSelector
    ConfigMapKeyRef::*ConfigMapKeySelector SecretKeyRef::*SecretKeySelector FileKeyRef::*FileKeySelector
ConfigMapKeySelector: ~::LocalObjectReference Key::s Optional::*b
SecretKeySelector: ~::LocalObjectReference Key::s Optional::*b
FileKeySelector: VolumeName::s Path::s Key::s Optional::*b
ResourceRequirements: Limits::{}q Requests::{}q Claims::[]ResourceClaim
ResourceClaim: Name::s Request::s
ContainerResizePolicy: ResourceName::s RestartPolicy::s
ContainerRestartRule: Action::s ExitCodes::*ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: Operator::s Values::[]i
VolumeMount: Name::s ReadOnly::b RecursiveReadOnly::*s MountPath::s SubPath::s MountPropagation::*s SubPathExpr::s
    BindMountOptions::[]s@37
VolumeDevice: Name::s DevicePath::s
Probe: ~::ProbeHandler InitialDelaySeconds::i TimeoutSeconds::i PeriodSeconds::i SuccessThreshold::i
    FailureThreshold::i TerminationGracePeriodSeconds::*i
ProbeHandler: Exec::*ExecAction HTTPGet:httpGet:*HTTPGetAction TCPSocket:tcpSocket:*TCPSocketAction
    GRPC:grpc:*GRPCAction
ExecAction: Command::[]s
HTTPGetAction: Path::s Port::o Host::s Scheme::s HTTPHeaders:httpHeaders:[]HTTPHeader Protocol::*s@37
HTTPHeader: Name::s Value::s
TCPSocketAction: Port::o Host::s
GRPCAction: Port::i Service::*s Mode::*s@37
Lifecycle: PostStart::*LifecycleHandler PreStop::*LifecycleHandler StopSignal::*s
LifecycleHandler: Exec::*ExecAction HTTPGet:httpGet:*HTTPGetAction TCPSocket:tcpSocket:*TCPSocketAction
    Sleep::*SleepAction
SleepAction: Seconds::i
SecurityContext: Capabilities::*Capabilities Privileged::*b SELinuxOptions:seLinuxOptions:*SELinuxOptions
    WindowsOptions::*WindowsSecurityContextOptions RunAsUser::*i RunAsGroup::*i RunAsNonRoot::*b
    ReadOnlyRootFilesystem::*b AllowPrivilegeEscalation::*b ProcMount::*s SeccompProfile::*SeccompProfile
    AppArmorProfile::*AppArmorProfile
Capabilities: Add::[]s Drop::[]s
SELinuxOptions: User::s Role::s Type::s Level::s
WindowsSecurityContextOptions: GMSACredentialSpecName:gmsaCredentialSpecName:*s
    GMSACredentialSpec:gmsaCredentialSpec:*s RunAsUserName::*s HostProcess::*b
SeccompProfile: Type::s LocalhostProfile::*s
AppArmorProfile: Type::s LocalhostProfile::*s
EphemeralContainer: ~::EphemeralContainerCommon TargetContainerName::s
EphemeralContainerCommon: Name::s Image::s Command::[]s Args::[]s WorkingDir::s Ports::[]ContainerPort
    EnvFrom::[]EnvFromSource Env::[]EnvVar Resources::ResourceRequirements ResizePolicy::[]ContainerResizePolicy
    RestartPolicy::*s RestartPolicyRules::[]ContainerRestartRule VolumeMounts::[]VolumeMount
    VolumeDevices::[]VolumeDevice LivenessProbe::*Probe ReadinessProbe::*Probe StartupProbe::*Probe
    Lifecycle::*Lifecycle TerminationMessagePath::s TerminationMessagePolicy::s ImagePullPolicy::s
    SecurityContext::*SecurityContext Stdin::b StdinOnce::b TTY:tty:b
PodSecurityContext: SELinuxOptions:seLinuxOptions:*SELinuxOptions WindowsOptions::*WindowsSecurityContextOptions
    RunAsUser::*i RunAsGroup::*i RunAsNonRoot::*b SupplementalGroups::[]i SupplementalGroupsPolicy::*s
    FSGroup:fsGroup:*i Sysctls::[]Sysctl FSGroupChangePolicy:fsGroupChangePolicy:*s SeccompProfile::*SeccompProfile
    AppArmorProfile::*AppArmorProfile SELinuxChangePolicy:seLinuxChangePolicy:*s
PodSecurityContext@36: HostNetwork::b HostPID::b HostIPC::b ShareProcessNamespace::*b HostUsers::*b
    SELinuxOptions:seLinuxOptions:*SELinuxOptions WindowsOptions::*WindowsSecurityContextOptions RunAsUser::*i
    RunAsGroup::*i RunAsNonRoot::*b SupplementalGroups::[]i SupplementalGroupsPolicy::*s FSGroup:fsGroup:*i
    FSGroupChangePolicy:fsGroupChangePolicy:*s Sysctls::[]Sysctl SeccompProfile::*SeccompProfile
    AppArmorProfile::*AppArmorProfile SELinuxChangePolicy:seLinuxChangePolicy:*s
Sysctl: Name::s Value::s
Affinity: NodeAffinity::*NodeAffinity PodAffinity::*PodAffinity PodAntiAffinity::*PodAntiAffinity
NodeAffinity: RequiredDuringSchedulingIgnoredDuringExecution::*NodeSelector
    PreferredDuringSchedulingIgnoredDuringExecution::[]PreferredSchedulingTerm
VolumeNodeAffinity: Required::*NodeSelector
NodeSelector: NodeSelectorTerms::[]NodeSelectorTerm
NodeSelectorTerm: MatchExpressions::[]NodeSelectorRequirement MatchFields::[]NodeSelectorRequirement
NodeSelectorRequirement: Key::s Operator::s Values::[]s
PreferredSchedulingTerm: Weight::i Preference::NodeSelectorTerm
PodAffinity: RequiredDuringSchedulingIgnoredDuringExecution::[]PodAffinityTerm
    PreferredDuringSchedulingIgnoredDuringExecution::[]WeightedPodAffinityTerm
PodAffinityTerm: LabelSelector::*m Namespaces::[]s TopologyKey::s NamespaceSelector::*m MatchLabelKeys::[]s
    MismatchLabelKeys::[]s
WeightedPodAffinityTerm: Weight::i PodAffinityTerm::PodAffinityTerm
PodAntiAffinity: RequiredDuringSchedulingIgnoredDuringExecution::[]PodAffinityTerm
    PreferredDuringSchedulingIgnoredDuringExecution::[]WeightedPodAffinityTerm
Toleration: Key::s Operator::s Value::s Effect::s TolerationSeconds::*i
HostAlias: IP:ip:s Hostnames::[]s
PodDNSConfig: Nameservers::[]s Searches::[]s Options::[]PodDNSConfigOption
PodDNSConfigOption: Name::s Value::*s
PodReadinessGate: ConditionType::s
TopologySpreadConstraint: MaxSkew::i TopologyKey::s WhenUnsatisfiable::s LabelSelector::*m MinDomains::*i
    NodeAffinityPolicy::*s NodeTaintsPolicy::*s MatchLabelKeys::[]s
PodOS: Name::s
PodSchedulingGate: Name::s
PodResourceClaim: Name::s ResourceClaimName::*s ResourceClaimTemplateName::*s
PodSchedulingGroup: PodGroupName::*s
EvictionResponder: Name::s Priority::*i
PersistentVolumeSource: GCEPersistentDisk:gcePersistentDisk:*GCEPersistentDiskVolumeSource
    AWSElasticBlockStore:awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource HostPath::*HostPathVolumeSource
    Glusterfs::*GlusterfsPersistentVolumeSource NFS:nfs:*NFSVolumeSource RBD:rbd:*RBDPersistentVolumeSource
    ISCSI:iscsi:*ISCSIPersistentVolumeSource Cinder::*CinderPersistentVolumeSource
    CephFS:cephfs:*CephFSPersistentVolumeSource FC:fc:*FCVolumeSource Flocker::*FlockerVolumeSource
    FlexVolume::*FlexPersistentVolumeSource AzureFile::*AzureFilePersistentVolumeSource
    VsphereVolume::*VsphereVirtualDiskVolumeSource Quobyte::*QuobyteVolumeSource AzureDisk::*AzureDiskVolumeSource
    PhotonPersistentDisk::*PhotonPersistentDiskVolumeSource PortworxVolume::*PortworxVolumeSource
    ScaleIO::*ScaleIOPersistentVolumeSource Local::*LocalVolumeSource
    StorageOS:storageos:*StorageOSPersistentVolumeSource CSI:csi:*CSIPersistentVolumeSource
PersistentVolumeSource@36: GCEPersistentDisk:gcePersistentDisk:*GCEPersistentDiskVolumeSource
    AWSElasticBlockStore:awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource HostPath::*HostPathVolumeSource
    Glusterfs::*GlusterfsPersistentVolumeSource NFS:nfs:*NFSVolumeSource RBD:rbd:*RBDPersistentVolumeSource
    Quobyte::*QuobyteVolumeSource ISCSI:iscsi:*ISCSIPersistentVolumeSource FlexVolume::*FlexPersistentVolumeSource
    Cinder::*CinderPersistentVolumeSource CephFS:cephfs:*CephFSPersistentVolumeSource FC:fc:*FCVolumeSource
    Flocker::*FlockerVolumeSource AzureFile::*AzureFilePersistentVolumeSource
    VsphereVolume::*VsphereVirtualDiskVolumeSource AzureDisk::*AzureDiskVolumeSource
    PhotonPersistentDisk::*PhotonPersistentDiskVolumeSource PortworxVolume::*PortworxVolumeSource
    ScaleIO::*ScaleIOPersistentVolumeSource Local::*LocalVolumeSource
    StorageOS:storageos:*StorageOSPersistentVolumeSource CSI:csi:*CSIPersistentVolumeSource
GlusterfsPersistentVolumeSource: EndpointsName:endpoints:s Path::s ReadOnly::b EndpointsNamespace::*s
RBDPersistentVolumeSource: CephMonitors:monitors:[]s RBDImage:image:s FSType:fsType:s RBDPool:pool:s
    RadosUser:user:s Keyring::s SecretRef::*SecretReference ReadOnly::b
SecretReference: Name::s Namespace::s
ISCSIPersistentVolumeSource: TargetPortal::s IQN:iqn:s Lun::i ISCSIInterface:iscsiInterface:s FSType:fsType:s
    ReadOnly::b Portals::[]s DiscoveryCHAPAuth:chapAuthDiscovery:b SessionCHAPAuth:chapAuthSession:b
    SecretRef::*SecretReference InitiatorName::*s
CinderPersistentVolumeSource: VolumeID::s FSType:fsType:s ReadOnly::b SecretRef::*SecretReference
CephFSPersistentVolumeSource: Monitors::[]s Path::s User::s SecretFile::s SecretRef::*SecretReference ReadOnly::b
FlexPersistentVolumeSource: Driver::s FSType:fsType:s SecretRef::*SecretReference ReadOnly::b Options::{}s
AzureFilePersistentVolumeSource: SecretName::s ShareName::s ReadOnly::b SecretNamespace::*s
ScaleIOPersistentVolumeSource: Gateway::s System::s SecretRef::*SecretReference SSLEnabled:sslEnabled:b
    ProtectionDomain::s StoragePool::s StorageMode::s VolumeName::s FSType:fsType:s ReadOnly::b
LocalVolumeSource: Path::s FSType:fsType:*s
StorageOSPersistentVolumeSource: VolumeName::s VolumeNamespace::s FSType:fsType:s ReadOnly::b
    SecretRef::*ObjectReference
ObjectReference: Kind::s Namespace::s Name::s UID:uid:s APIVersion:apiVersion:s ResourceVersion::s FieldPath::s
CSIPersistentVolumeSource: Driver::s VolumeHandle::s ReadOnly::b FSType:fsType:s VolumeAttributes::{}s
    ControllerPublishSecretRef::*SecretReference NodeStageSecretRef::*SecretReference
    NodePublishSecretRef::*SecretReference ControllerExpandSecretRef::*SecretReference
    NodeExpandSecretRef::*SecretReference
PersistentVolumeClaim: ~::ObjectMeta Spec::PersistentVolumeClaimSpec Status::PersistentVolumeClaimStatus
PersistentVolumeClaimStatus: Phase::s AccessModes::[]s Capacity::{}q Conditions::[]PersistentVolumeClaimCondition
    AllocatedResources::{}q AllocatedResourceStatuses::{}s CurrentVolumeAttributesClassName::*s
    ModifyVolumeStatus::*ModifyVolumeStatus HealthStatus::*VolumeHealthStatus@37
PersistentVolumeClaimCondition: Type::s Status::s LastProbeTime::m LastTransitionTime::m Reason::s Message::s
ModifyVolumeStatus: TargetVolumeAttributesClassName::s Status::s
VolumeHealthStatus: HealthConditions::[]VolumeHealthCondition LastTransitionTime::m
VolumeHealthCondition: Status::s Reason::s Message::s
ResourceClaimTemplateSpec: ~::ObjectMeta Spec::ResourceClaimSpec
ResourceClaimSpec: Devices::DeviceClaim
DeviceClaim: Requests::[]DeviceRequest Constraints::[]DeviceConstraint Config::[]DeviceClaimConfiguration
DeviceRequest: Name::s Exactly::*ExactDeviceRequest FirstAvailable::[]DeviceSubRequest
ExactDeviceRequest: DeviceClassName::s Selectors::[]DeviceSelector AllocationMode::s Count::i AdminAccess::*b
    Tolerations::[]DeviceToleration Capacity::*CapacityRequirements DerivedAttributes::[]DeviceDerivedAttribute@37
DeviceSubRequest: Name::s DeviceClassName::s Selectors::[]DeviceSelector AllocationMode::s Count::i
    Tolerations::[]DeviceToleration Capacity::*CapacityRequirements DerivedAttributes::[]DeviceDerivedAttribute@37
CapacityRequirements: Requests::{}q
DeviceSelector: CEL:cel:*CELDeviceSelector
CELDeviceSelector: Expression::s
DeviceDerivedAttribute: Name::s Expression::s
DeviceConstraint: Requests::[]s MatchAttribute::*s DistinctAttribute::*s
DeviceClaimConfiguration: Requests::[]s ~::DeviceConfiguration
DeviceConfiguration: Opaque::*OpaqueDeviceConfiguration
OpaqueDeviceConfiguration: Driver::s Parameters::m
DeviceToleration: Key::s Operator::s Value::s Effect::s TolerationSeconds::*i
PodFailurePolicy: Rules::[]PodFailurePolicyRule
PodFailurePolicyRule: Action::s OnExitCodes::*PodFailurePolicyOnExitCodesRequirement
    OnPodConditions::[]PodFailurePolicyOnPodConditionsPattern
PodFailurePolicyOnExitCodesRequirement: ContainerName::*s Operator::s Values::[]i
PodFailurePolicyOnPodConditionsPattern: Type::s Status::s
SuccessPolicy: Rules::[]SuccessPolicyRule
SuccessPolicyRule: SucceededIndexes::*s SucceededCount::*i
CounterSet: Name::s Counters::{}Counter
Counter: Value::q
DeviceCounterConsumption: CounterSet::s Counters::{}Counter CompatibilityGroups::[]s@37
PodCertificateRequestSpec: SignerName::s PodName::s PodUID::s ServiceAccountName::s ServiceAccountUID::s NodeName::s
    NodeUID::s MaxExpirationSeconds::*i PKIXPublicKey:pkixPublicKey:*s ProofOfPossession::*s StubPKCS10Request::*s@35
    UnverifiedUserAnnotations::{}s@35
ResourceClaimConsumerReference: APIGroup:apiGroup:s Resource::s Name::s UID:uid:s
AllocatedDeviceStatus: Driver::s Pool::s Device::s ShareID::*s Conditions::[]m Data::m NetworkData::*NetworkDeviceData
NetworkDeviceData: InterfaceName::s IPs:ips:[]s HardwareAddress::s
ParentReference: Group::s Resource::s Namespace::s Name::s
VolumeAttachmentSpec: Attacher::s Source::VolumeAttachmentSource NodeName::s
VolumeAttachmentSource: PersistentVolumeName::*s InlineVolumeSpec::*PersistentVolumeSpec
PersistentVolumeSpec: Capacity::{}q ~::PersistentVolumeSource AccessModes::[]s ClaimRef::*ObjectReference
    PersistentVolumeReclaimPolicy::s StorageClassName::s MountOptions::[]s VolumeMode::*s
    NodeAffinity::*VolumeNodeAffinity VolumeAttributesClassName::*s
"""


NEWEST = 37
CHANGED = 34, 35, 36, NEWEST
"""The first minor releases with other types than the one before."""


@lru_cache(maxsize=len(CHANGED))
def types(minor: int = NEWEST) -> dict[str, tuple[tuple[str, str, str], ...]]:
    """Return the fields of each type: the internal name, the name in the API, and the type."""
    found: dict[str, tuple[tuple[str, str, str], ...]] = {}
    for line in _TYPES.replace("\n    ", " ").strip().splitlines():
        written, _, fields = line.partition(": ")
        name, _, until = written.partition("@")
        if not until or minor <= int(until):
            found[name] = tuple(_field(field) for field, _, era in _parted(fields) if _has(era, minor))
    return found


def _parted(fields: str) -> list[tuple[str, str, str]]:
    return [one.partition("@") for one in fields.split()]


def _has(era: str, minor: int) -> bool:
    since, _, until = era.partition("-")
    return int(since or 0) <= minor <= int(until or minor)


def _field(written: str) -> tuple[str, str, str]:
    inside, outside, type_ = written.split(":")
    return inside, outside or inside[:1].lower() + inside[1:], type_
