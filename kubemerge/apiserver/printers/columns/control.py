"""Columns of cluster administration kinds: nodes, RBAC, quotas, admission, API extensions."""

from __future__ import annotations

from ..cells import control as cells
from ..cells.shared import at, flag, joined, pairs, referred, size
from .shared import AGE, CREATED, NAME, Columns, column, wide

_EVENT = (
    column("Last Seen", cells.last_seen),
    column("Type", at("type", "")),
    column("Reason", at("reason", "")),
    column("Object", cells.involved),
    wide("Subobject", cells.involved_field),
    wide("Source", cells.source),
    column("Message", cells.message),
    wide("First Seen", cells.first_seen),
    wide("Count", cells.times),
    NAME._replace(priority=1),
)
_BINDING = (
    NAME,
    column("Role", referred("roleRef")),
    AGE,
    wide("Users", cells.subjects("User")),
    wide("Groups", cells.subjects("Group")),
    wide("ServiceAccounts", cells.subjects("ServiceAccount")),
)
_POLICY_BINDING = (NAME, column("PolicyName", "spec.policyName"), column("ParamRef", cells.parameter_reference), AGE)
_WEBHOOKS = (NAME, column("Webhooks", size("webhooks"), "integer"), AGE)
_PARAMETERS = column("ParamKind", cells.parameter_kind)

CONTROL: Columns = {
    ("", "ComponentStatus"): (
        NAME,
        column("Status", cells.health),
        column("Message", cells.of_health("message")),
        column("Error", cells.of_health("error")),
    ),
    ("", "ConfigMap"): (NAME, column("Data", size("data", "binaryData")), AGE),
    ("", "Event"): _EVENT,
    ("", "LimitRange"): (NAME, CREATED),
    ("", "Namespace"): (NAME, column("Status", at("status.phase", "")), AGE),
    ("", "Node"): (
        NAME,
        column("Status", cells.node_status),
        column("Roles", cells.roles),
        AGE,
        column("Version", at("status.nodeInfo.kubeletVersion", "")),
        wide("Internal-IP", cells.node_address("InternalIP")),
        wide("External-IP", cells.node_address("ExternalIP")),
        wide("OS-Image", at("status.nodeInfo.osImage", "<unknown>")),
        wide("Kernel-Version", cells.kernel),
        wide("Container-Runtime", at("status.nodeInfo.containerRuntimeVersion", "<unknown>")),
    ),
    ("", "ResourceQuota"): (
        NAME,
        column("Request", cells.quota(limits=False)),
        column("Limit", cells.quota(limits=True)),
        AGE,
    ),
    ("", "Secret"): (NAME, column("Type", at("type", "")), column("Data", size("data")), AGE),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"): (
        NAME,
        column("Mutations", size("spec.mutations"), "integer"),
        _PARAMETERS,
        AGE,
    ),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"): _POLICY_BINDING,
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"): _WEBHOOKS,
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): (
        NAME,
        column("Validations", size("spec.validations"), "integer"),
        _PARAMETERS,
        AGE,
    ),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"): _POLICY_BINDING,
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"): _WEBHOOKS,
    ("apiextensions.k8s.io", "CustomResourceDefinition"): (
        NAME,
        column("Scope", at("spec.scope", "")),
        column("Versions", cells.versions),
        CREATED,
        wide("Group", at("spec.group", "")),
        wide("Kind", at("spec.names.kind", "")),
        wide("ShortNames", joined("spec.names.shortNames", "")),
        wide("Established", cells.established, "boolean"),
    ),
    ("apiregistration.k8s.io", "APIService"): (
        NAME,
        column("Service", cells.api_server),
        column("Available", cells.available),
        AGE,
    ),
    ("certificates.k8s.io", "CertificateSigningRequest"): (
        NAME,
        AGE,
        column("SignerName", "spec.signerName"),
        column("Requestor", at("spec.username", "")),
        column("RequestedDuration", cells.requested_duration),
        column("Condition", cells.signing_state),
    ),
    ("certificates.k8s.io", "ClusterTrustBundle"): (NAME, column("SignerName", "spec.signerName")),
    ("certificates.k8s.io", "PodCertificateRequest"): (
        NAME,
        column("PodName", "spec.podName"),
        column("ServiceAccountName", "spec.serviceAccountName"),
        column("NodeName", "spec.nodeName"),
        column("SignerName", "spec.signerName"),
        column("State", cells.request_state),
        column("UnverifiedUserAnnotations", pairs("spec.unverifiedUserAnnotations")),
    ),
    ("coordination.k8s.io", "Lease"): (NAME, column("Holder", at("spec.holderIdentity", "")), AGE),
    ("flowcontrol.apiserver.k8s.io", "FlowSchema"): (
        NAME,
        column("PriorityLevel", "spec.priorityLevelConfiguration.name"),
        column("MatchingPrecedence", at("spec.matchingPrecedence", 0)),
        column("DistinguisherMethod", "spec.distinguisherMethod.type"),
        AGE,
        column("MissingPL", cells.dangling),
    ),
    ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"): (
        NAME,
        column("Type", at("spec.type", "")),
        column("NominalConcurrencyShares", "spec.limited.nominalConcurrencyShares"),
        column("Queues", "spec.limited.limitResponse.queuing.queues"),
        column("HandSize", "spec.limited.limitResponse.queuing.handSize"),
        column("QueueLengthLimit", "spec.limited.limitResponse.queuing.queueLengthLimit"),
        AGE,
    ),
    ("node.k8s.io", "RuntimeClass"): (NAME, column("Handler", at("handler", "")), AGE),
    ("rbac.authorization.k8s.io", "ClusterRole"): (NAME, CREATED),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): _BINDING,
    ("rbac.authorization.k8s.io", "Role"): (NAME, CREATED),
    ("rbac.authorization.k8s.io", "RoleBinding"): _BINDING,
    ("scheduling.k8s.io", "PriorityClass"): (
        NAME,
        column("Value", at("value", 0), "integer"),
        column("Global-Default", flag("globalDefault"), "boolean"),
        AGE,
        column("PreemptionPolicy", at("preemptionPolicy", "PreemptLowerPriority")),
    ),
    ("storagemigration.k8s.io", "StorageVersionMigration"): (
        column("Name", "metadata.name"),
        column("Resource", cells.migrated),
        column("Status", cells.migration_state),
    ),
}
