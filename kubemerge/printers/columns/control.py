"""Columns of the kinds that govern a cluster: nodes, rights, quotas, admission, API extensions."""

from __future__ import annotations

from ..cells import control as cells
from ..cells.shared import at, flag, joined, pairs, referred, size
from .shared import AGE, CREATED, NAME, Columns, column, wide

_EVENT = (
    column("LAST SEEN", cells.last_seen),
    column("TYPE", at("type", "")),
    column("REASON", at("reason", "")),
    column("OBJECT", cells.involved),
    wide("SUBOBJECT", cells.involved_field),
    wide("SOURCE", cells.source),
    column("MESSAGE", cells.message),
    wide("FIRST SEEN", cells.first_seen),
    wide("COUNT", cells.times),
    wide("NAME", at("metadata.name")),
)
_BINDING = (
    NAME,
    column("ROLE", referred("roleRef")),
    AGE,
    wide("USERS", cells.subjects("User")),
    wide("GROUPS", cells.subjects("Group")),
    wide("SERVICEACCOUNTS", cells.subjects("ServiceAccount")),
)
_POLICY_BINDING = (NAME, column("POLICYNAME", "spec.policyName"), column("PARAMREF", cells.parameter_reference), AGE)
_WEBHOOKS = (NAME, column("WEBHOOKS", size("webhooks")), AGE)
_PARAMETERS = column("PARAMKIND", cells.parameter_kind)

CONTROL: Columns = {
    ("", "ComponentStatus"): (
        NAME,
        column("STATUS", cells.health),
        column("MESSAGE", cells.of_health("message")),
        column("ERROR", cells.of_health("error")),
    ),
    ("", "ConfigMap"): (NAME, column("DATA", size("data", "binaryData")), AGE),
    ("", "Event"): _EVENT,
    ("", "LimitRange"): (NAME, CREATED),
    ("", "Namespace"): (NAME, column("STATUS", at("status.phase", "")), AGE),
    ("", "Node"): (
        NAME,
        column("STATUS", cells.node_status),
        column("ROLES", cells.roles),
        AGE,
        column("VERSION", at("status.nodeInfo.kubeletVersion", "")),
        wide("INTERNAL-IP", cells.node_address("InternalIP")),
        wide("EXTERNAL-IP", cells.node_address("ExternalIP")),
        wide("OS-IMAGE", at("status.nodeInfo.osImage", "<unknown>")),
        wide("KERNEL-VERSION", cells.kernel),
        wide("CONTAINER-RUNTIME", at("status.nodeInfo.containerRuntimeVersion", "<unknown>")),
    ),
    ("", "ResourceQuota"): (
        NAME,
        column("REQUEST", cells.quota(limits=False)),
        column("LIMIT", cells.quota(limits=True)),
        AGE,
    ),
    ("", "Secret"): (NAME, column("TYPE", at("type", "")), column("DATA", size("data")), AGE),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicy"): (
        NAME,
        column("MUTATIONS", size("spec.mutations")),
        _PARAMETERS,
        AGE,
    ),
    ("admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"): _POLICY_BINDING,
    ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"): _WEBHOOKS,
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): (
        NAME,
        column("VALIDATIONS", size("spec.validations")),
        _PARAMETERS,
        AGE,
    ),
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"): _POLICY_BINDING,
    ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"): _WEBHOOKS,
    ("apiextensions.k8s.io", "CustomResourceDefinition"): (
        NAME,
        column("SCOPE", at("spec.scope", "")),
        column("VERSIONS", cells.versions),
        CREATED,
        wide("GROUP", at("spec.group", "")),
        wide("KIND", at("spec.names.kind", "")),
        wide("SHORTNAMES", joined("spec.names.shortNames", "")),
        wide("ESTABLISHED", cells.established),
    ),
    ("apiregistration.k8s.io", "APIService"): (
        NAME,
        column("SERVICE", cells.api_server),
        column("AVAILABLE", cells.available),
        AGE,
    ),
    ("certificates.k8s.io", "CertificateSigningRequest"): (
        NAME,
        AGE,
        column("SIGNERNAME", "spec.signerName"),
        column("REQUESTOR", at("spec.username", "")),
        column("REQUESTEDDURATION", cells.requested_duration),
        column("CONDITION", cells.signing_state),
    ),
    ("certificates.k8s.io", "ClusterTrustBundle"): (NAME, column("SIGNERNAME", "spec.signerName")),
    ("certificates.k8s.io", "PodCertificateRequest"): (
        NAME,
        column("PODNAME", "spec.podName"),
        column("SERVICEACCOUNTNAME", "spec.serviceAccountName"),
        column("NODENAME", "spec.nodeName"),
        column("SIGNERNAME", "spec.signerName"),
        column("STATE", cells.request_state),
        column("UNVERIFIEDUSERANNOTATIONS", pairs("spec.unverifiedUserAnnotations")),
    ),
    ("coordination.k8s.io", "Lease"): (NAME, column("HOLDER", at("spec.holderIdentity", "")), AGE),
    ("flowcontrol.apiserver.k8s.io", "FlowSchema"): (
        NAME,
        column("PRIORITYLEVEL", "spec.priorityLevelConfiguration.name"),
        column("MATCHINGPRECEDENCE", at("spec.matchingPrecedence", 0)),
        column("DISTINGUISHERMETHOD", "spec.distinguisherMethod.type"),
        AGE,
        column("MISSINGPL", cells.dangling),
    ),
    ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"): (
        NAME,
        column("TYPE", at("spec.type", "")),
        column("NOMINALCONCURRENCYSHARES", "spec.limited.nominalConcurrencyShares"),
        column("QUEUES", "spec.limited.limitResponse.queuing.queues"),
        column("HANDSIZE", "spec.limited.limitResponse.queuing.handSize"),
        column("QUEUELENGTHLIMIT", "spec.limited.limitResponse.queuing.queueLengthLimit"),
        AGE,
    ),
    ("node.k8s.io", "RuntimeClass"): (NAME, column("HANDLER", at("handler", "")), AGE),
    ("rbac.authorization.k8s.io", "ClusterRole"): (NAME, CREATED),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): _BINDING,
    ("rbac.authorization.k8s.io", "Role"): (NAME, CREATED),
    ("rbac.authorization.k8s.io", "RoleBinding"): _BINDING,
    ("scheduling.k8s.io", "PriorityClass"): (
        NAME,
        column("VALUE", at("value", 0)),
        column("GLOBAL-DEFAULT", flag("globalDefault")),
        AGE,
        column("PREEMPTIONPOLICY", at("preemptionPolicy", "PreemptLowerPriority")),
    ),
    ("storagemigration.k8s.io", "StorageVersionMigration"): (
        NAME,
        column("RESOURCE", cells.migrated),
        column("STATUS", cells.migration_state),
    ),
}
