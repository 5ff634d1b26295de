"""The releases whose servers have a check, for checks that came or went, from upstream's sources since 1.20.

A check without a row here is made in every release. Its problems are only reported if the release has the field.
"""

from __future__ import annotations

from ..eras import Era
from ..problems import IMMUTABLE

# addresses
STRICT_ADDRESSES = Era(36)
"""Neither leading zeros nor IPv4-mapped addresses nor host bits."""
SLICE_ADDRESSES_BEFORE, SLICE_ADDRESSES = Era(until=32), Era(33)
"""The addresses of an EndpointSlice. Since 1.33, IPv6 addresses must be canonical."""
KEPT_ADDRESSES = DUPLICATE_ADDRESSES = Era(until=32)
"""The addresses of a Pod that an update keeps, and duplicates, which are now only reported as of the same family."""
UNBALANCED_BEFORE, UNBALANCED = Era(until=28), Era(29)
"""The addresses of a load balancer in the status of a Service of another type."""
WITH_MODE = Era(30)
"""The mode of such an address is required."""
# workloads
SET_NAME_BEFORE, SET_NAME = Era(until=26), Era(27)
SERVICE_NAME_BEFORE, SERVICE_NAME = Era(until=35), Era(36)
"""Since 1.36, the name of a Service may begin with a digit."""
EXTENDED_CLAIMS = Era(34)
CLASS_IMMUTABLE = Era(32)
"""The QoS class of a Pod is immutable."""
POD_CONDITIONS_BEFORE, POD_CONDITIONS = Era(until=32), Era(33)
"""The path of the conditions of a Pod, which are in its metadata until 1.32."""
DECLARED_FEATURES = Era(35)
"""The features that a Node declares."""
"""The ResourceClaim for extended resources in the status of a Pod."""
APPLIED_CLASS_BEFORE, APPLIED_CLASS = Era(29, 33), Era(34)
"""An update that removes the class of a claim, of any claim or of one to which it was applied."""
SET_POD_SPEC = Era(34)
SET_CLAIMS = Era(34)
SET_SERVICE_NAME = Era(33)
SET_FIELDS = Era(37)
REVISION_OBJECTS = Era(31)
"""The data of a ControllerRevision must be an object, and is raw JSON in Go. Before, it could be any value."""
DAEMON_SELECTOR_LAST, DAEMON_SELECTOR_FIRST = Era(until=33), Era(34)
"""The place of the message about a changed selector of a DaemonSet."""
ZONED_SCHEDULE = Era(29)
NO_ZONE = Era(until=21)
"""The time zone in a schedule."""
TWO_ZONES = Era(until=28)
"""A time zone in the schedule and in its own field. Later, the first alone is an error."""
ONLY_UNAVAILABLE, SURGING = Era(until=21), Era(22)
"""Rolling updates of a DaemonSet, before and since their feature gate for surges is on."""
SHRUNK_COMPLETIONS_BEFORE, SHRUNK_COMPLETIONS = Era(until=26), Era(27)
FIXED_TEMPLATE, DIRECTED_TEMPLATE, RESOURCED_TEMPLATE = Era(until=22), Era(23, 35), Era(36)
"""The template of a suspended Job: later with mutable scheduling directives, then also with mutable resources."""
JOB_AS_NEW, JOB_AS_UPDATE = Era(until=36), Era(37)
"""Updates of a Job, which also passed all checks of a new one until 1.36."""
NO_STATUS = Era(until=33)
"""The status of a Pod condition in a failure policy of a CronJob, before it has a default."""
APP_ARMOR = Era(30)
# storage
NO_ONE_POD, ONE_POD = Era(until=26), Era(27)
"""The access mode ReadWriteOncePod, before and since its feature gate is on."""
ONE_POD_ALONE = Era(22)
DRIVER_SPEC, DRIVER_FIELDS = Era(until=20), Era(21)
"""The immutable spec of a CSIDriver, and later its immutable fields."""
DRIVER_STORAGE_CAPACITY = Era(21, 22)
DRIVER_MOUNTS = Era(21, 29)
NODE_DRIVER_BEFORE, NODE_DRIVER, NODE_DRIVER_WITHOUT_COUNT = Era(until=32), Era(33, 34), Era(35)
ATTACHER_AGAIN, ATTACHER = Era(until=35), Era(36)
"""A VolumeAttachment. Until 1.35, a missing driver of a new one is reported twice, and names are only checked then."""
TOLERATIONS_BEFORE, TOLERATIONS = Era(until=34), Era(35)
"""The path of the tolerations of a RuntimeClass, which repeats their field until 1.34."""
CLASS_FIELDS_BEFORE, CLASS_FIELDS = Era(until=35), Era(36, 36)
"""The immutable fields of a StorageClass: since 1.36 with other messages, since 1.37 by declarative rules."""
VOLUME_ATTRIBUTES = Era(31)
"""The class in a PersistentVolume, which 1.29 and 1.30 keep unchecked while its feature gate is off."""
NODE_AFFINITY_BEFORE, NODE_AFFINITY = Era(until=26), Era(27)
"""Updates of a PersistentVolume's node affinity, in which the labels may become stable since 1.27."""
CLAIM_SIZE_BEFORE, CLAIM_SIZE = Era(until=31), Era(32)
# devices
NO_ATTRIBUTE_BEFORE, NO_ATTRIBUTE = Era(until=34), Era(35, 36)
TWO_ATTRIBUTES_BEFORE, TWO_ATTRIBUTES, TWO_ATTRIBUTES_OR_LISTS = Era(until=31), Era(32, 35), Era(36, 36)
"""The value of an attribute of a device, before declarative rules report it."""
NAME_PARTS_BEFORE, NAME_PARTS = Era(until=34), Era(35)
"""The names of attributes, whose parts are required until 1.34. Later, missing ones are wrong."""
KEYS_IN_PATHS, KEYS_OF_MAPS = Era(until=35), Era(36)
"""The path of the name of an attribute, which contains the name until 1.35."""
ATTRIBUTES = Era(until=36)
"""Only one attribute of a constraint is validated, by handwritten checks."""
BOTH_REQUESTS = Era(until=34)
"""A request of both sorts, whose content is also validated until 1.34."""
CLAIM_SPEC, CLAIM_SPEC_AGAIN = Era(until=36), Era(until=34)
"""The immutable spec of a ResourceClaim. Until 1.34, it is also validated again."""
DEVICE_NAMES_BEFORE, DEVICE_NAMES = Era(until=36), Era(37)
"""The driver of parameters, and driver and pool of an allocated device, which handwritten checks report until 1.36."""
# others
TYPES_SHOWN, VALUES_SHOWN = Era(until=34), Era(35)
"""The value in the message of a broken rule of a definition: until 1.34, it is the type in the schema."""
VARIABLE_NAMES_BEFORE, VARIABLE_NAMES = Era(until=33), Era(34)
"""The name of a variable of an admission policy that is no CEL identifier."""
FIRST_PORT, LAST_PORT = Era(until=36), Era(37)
"""The value in the message about an endPort below the port: until 1.36, it is the port."""
NAMED_AGAIN_UNTIL = {
    "DaemonSet": 33,
    "DeviceClass": 34,
    "Job": 36,
    "NetworkPolicy": 35,
    "ReplicaSet": 33,
    "ReplicationController": 34,
    "Service": 33,
}
"""The last minor release whose updates of a kind validate the prefix of a generated name again. See `named_again`."""
VERBS_BEFORE, VERBS = Era(until=36), Era(37)
"""The verbs of a rule of a role are required."""
CONDITION_TYPES_BEFORE, CONDITION_TYPES = Era(until=36), Era(37)
"""The path of a duplicate condition, which ends with its type until 1.36."""
EMPTY_CONDITION_BEFORE, EMPTY_CONDITION = Era(until=36), Era(37)
"""An empty type or status of a condition. Until 1.36, it was an unsupported value."""
SELECTED_VALUES = Era(26)
"""The values of expressions in label selectors."""
PROVIDER_BEFORE, PROVIDER = Era(until=36), Era(37)
SCALED_GROUP = Era(34)
NO_SCALE_TO_ZERO, SCALE_LIMIT = Era(until=36), Era(until=35)
SHARES_BEFORE, SHARES = Era(until=29), Era(30)
QUOTA_SCOPES = {"CrossNamespacePodAffinity": Era(until=21), "VolumeAttributesClass": Era(until=32)}
"""Scopes of quotas, and the releases that do not support them."""
NO_SAME_ZONE, SAME_ZONE = Era(until=33), Era(34)
"""The values of trafficDistribution besides PreferClose."""

# Pods
OF_HOST_BEFORE, OF_HOST = Era(until=36), Era(37)
"""The path of shareProcessNamespace, which is in the security context of the internal type until 1.36."""
NOT_OF_CONTAINERS = Era(until=33)
"""The restart policy of a container that is no init container."""
RULES_OF_SIDECARS = Era(34, 35)
SLEEP_BEFORE_GATE, SLEEP_BEFORE, SLEEP = Era(until=31), Era(32, 32), Era(33)
"""Since 1.33, a handler may sleep for 0 seconds."""
NO_DRIVER_TWICE = Era(until=34)
"""A missing name of a driver is also reported as a wrong one."""
PROBES_EARLY, PROBES_LAST = Era(until=24), Era(25)
SHARED_DISK = Era(until=28)
NO_HUGE_PAGES = Era(until=22)
"""Variables and files with the amount of huge pages."""
UNSHOWN_LIMIT, SHOWN_LIMIT = Era(until=26), Era(27)
"""The limit in the message about a request above it."""
COMPARED_BEFORE, COMPARED = Era(until=34), Era(35)
"""The operators Lt and Gt of tolerations, which messages name since 1.35, although their feature gate is off."""
TYPED_RESOURCE_NAMES = Era(29)
"""The names of resources in messages, which were plain strings before."""
NODE_VALUES = Era(33)
"""The values of required labels of nodes."""
NO_FILE_VARIABLES, FILE_VARIABLES = Era(until=34), Era(35)
"""Variables from files, before and since their feature gate is on."""
ONE_ACTION, ACTIONS = Era(until=35), Era(36)
"""The actions of restart rules, before and since a container may restart all others."""
STRICT_VARIABLES, VARIABLES = Era(until=31), Era(32)
"""Names of environment variables. Later, they may have any printable ASCII characters except `=`."""
STRICT_SEARCHES, SEARCHES = Era(until=32), Era(33)
"""DNS search paths. Later, they may have underscores and may be a dot."""
DOTTED_SYSCTLS, SYSCTLS = Era(until=24), Era(25)
"""Names of sysctls. Since 1.25, they may have slashes."""
NOT_OF_INIT_EARLY, NOT_OF_INIT_BEFORE, NOT_OF_INIT = Era(until=24), Era(25, 27), Era(28)
"""Fields that an init container may not have, since 1.28 unless it is a sidecar."""
NO_HOST_PROCESS, HOST_PROCESS = Era(22, 22), Era(23)
"""Host processes of Windows, before and since their feature gate is on."""
SPREAD_SELECTOR = Era(27)
"""The label selector of a topology spread constraint."""
SELECTED_TWICE, MERGED_TWICE = Era(until=33), Era(34)
"""Keys of a topology spread constraint that its selector has, too. Since 1.34, a server merges them into it."""
MOUNT_OPTION_BEFORE, MOUNT_OPTION = Era(until=36), Era(37)
"""The value MountOption of seLinuxChangePolicy."""
NO_CONTAINER_METRIC, CONTAINER_METRIC = Era(until=26), Era(27)

SET_UPDATES = (
    (Era(until=21), (), "'replicas', 'template', and 'updateStrategy'"),
    (Era(22, 22), (), "'replicas', 'template', 'updateStrategy' and 'minReadySeconds'"),
    (
        Era(23, 25),
        ("minReadySeconds", "persistentVolumeClaimRetentionPolicy"),
        "'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'",
    ),
    (
        Era(26, 32),
        ("minReadySeconds", "persistentVolumeClaimRetentionPolicy", "ordinals"),
        "'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and "
        "'minReadySeconds'",
    ),
    (
        Era(33, 36),
        ("minReadySeconds", "persistentVolumeClaimRetentionPolicy", "ordinals", "revisionHistoryLimit"),
        "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', "
        "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds'",
    ),
)
"""By era, the fields of a StatefulSet that may change besides replicas, template and updateStrategy, and their names in
the message. Since 1.37, each immutable field has its own message.
"""
SHADOWED = Era(until=36)
"""Handwritten checks stay in place, and declarative rules only repeat them."""
NODE_PORTS_DRAWN = Era(23)
"""Node ports are drawn before the check of a Service, so that equal ports have equal ones."""
REFERENCE_BEFORE, REFERENCE = Era(until=33), Era(34)
"""Kind and name of an Ingress's reference. Until 1.33, the message repeats that they are required."""
LEVELS, LEVEL_TYPES = Era(37), Era(36)
"""The union of a PriorityLevelConfiguration, and its types. Before, other handwritten checks reported them."""
DECLARED = {
    ("ClusterRole", "rules[].verbs"): VERBS,
    ("DeviceClass", "spec.config[].opaque.driver"): DEVICE_NAMES,
    ("HorizontalPodAutoscaler", "spec.maxReplicas"): Era(36),
    ("HorizontalPodAutoscaler", "spec.minReplicas"): Era(37),
    ("IngressClass", "spec.parameters.kind"): REFERENCE,
    ("IngressClass", "spec.parameters.name"): REFERENCE,
    ("Node", "spec.providerID"): PROVIDER,
    ("PriorityLevelConfiguration", "spec.exempt"): LEVELS,
    ("PriorityLevelConfiguration", "spec.limited"): LEVELS,
    ("PriorityLevelConfiguration", "spec.limited.limitResponse.queuing"): LEVELS,
    ("PriorityLevelConfiguration", "spec.limited.limitResponse.type"): LEVELS,
    ("PriorityLevelConfiguration", "spec.type"): LEVEL_TYPES,
    ("ResourceClaim", "spec"): Era(37),
    ("ResourceClaim", "spec.devices.config[].opaque.driver"): DEVICE_NAMES,
    ("ResourceClaim", "spec.devices.constraints[].distinctAttribute"): Era(37),
    ("ResourceClaim", "spec.devices.constraints[].matchAttribute"): Era(37),
    ("ResourceClaim", "status.allocation.devices.config[].opaque.driver"): DEVICE_NAMES,
    ("ResourceClaim", "status.allocation.devices.results[].driver"): DEVICE_NAMES,
    ("ResourceClaim", "status.allocation.devices.results[].pool"): DEVICE_NAMES,
    ("ResourceClaimTemplate", "spec.spec.devices.config[].opaque.driver"): DEVICE_NAMES,
    ("ResourceClaimTemplate", "spec.spec.devices.constraints[].distinctAttribute"): Era(37),
    ("ResourceClaimTemplate", "spec.spec.devices.constraints[].matchAttribute"): Era(37),
    ("ResourceSlice", "union"): Era(37),
    ("RuntimeClass", "format=k8s-short-name"): Era(37),
    ("Role", "rules[].verbs"): VERBS,
    ("StatefulSet", IMMUTABLE): SET_FIELDS,
    ("StorageClass", IMMUTABLE): Era(37),
    ("ValidatingAdmissionPolicyBinding", "spec.validationActions"): Era(37),
    ("VolumeAttachment", "spec.attacher"): Era(37),
}
"""Declarative rules that replaced other handwritten checks, by kind, and by origin or path. Paths have no indexes."""
