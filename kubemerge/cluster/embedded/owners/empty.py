"""What a server starts from when it creates an object of a built-in kind: what Go prints of one with nothing in it.

That counts as there before, so whoever creates a Deployment owns `spec.strategy.type`, and not `spec.strategy` itself.
This is read off the Go types of k8s.io/api, k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator 0.37, and holds
for every release. Metadata, which is the same in all kinds, and status, which no creation writes, are left out. A list
that Go prints as null counts as an empty one, and anything else that is null as nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import Schema

    from ...protocol import Object

_POD: Object = {"metadata": {}, "spec": {"containers": []}}
_WORKLOAD: Object = {"spec": {"selector": None, "template": _POD}}
_UPDATED: Object = {"spec": {**_WORKLOAD["spec"], "updateStrategy": {}}}
_EVENT = ("deprecatedFirstTimestamp", "deprecatedLastTimestamp", "eventTime", "firstTimestamp", "lastTimestamp")
_SUBJECT = {"apiGroup": "", "kind": "", "name": ""}
_CERTIFICATE = ("nodeName", "nodeUID", "podName", "podUID", "serviceAccountName", "serviceAccountUID", "signerName")

EMPTY: dict[str, Object] = {
    "APIService": {"spec": {"groupPriorityMinimum": 0, "versionPriority": 0}},
    "CSINode": {"spec": {"drivers": []}},
    "CSIStorageCapacity": {"storageClassName": ""},
    "CertificateSigningRequest": {"spec": {"request": None, "signerName": ""}},
    "ClusterRole": {"rules": []},
    "ClusterRoleBinding": {"roleRef": _SUBJECT},
    "ClusterTrustBundle": {"spec": {"trustBundle": ""}},
    "CompositePodGroup": {"spec": {"schedulingPolicy": {}, "workloadRef": None}},
    "ControllerRevision": {"data": None, "revision": 0},
    "CronJob": {"spec": {"jobTemplate": {"metadata": {}, "spec": {"template": _POD}}, "schedule": ""}},
    "CustomResourceDefinition": {
        "spec": {"group": "", "names": {"kind": "", "plural": ""}, "scope": "", "versions": []}
    },
    "DaemonSet": _UPDATED,
    "Deployment": {"spec": {**_WORKLOAD["spec"], "strategy": {}}},
    "DeviceTaintRule": {"spec": {"taint": {"effect": "", "key": ""}}},
    "EndpointSlice": {"addressType": "", "endpoints": [], "ports": []},
    "Event": {
        **dict.fromkeys(_EVENT),
        "deprecatedSource": {},
        "involvedObject": {},
        "regarding": {},
        "reportingComponent": "",
        "reportingInstance": "",
        "source": {},
    },
    "Eviction": {"spec": {"target": {}}},
    "EvictionRequest": {"spec": {"intent": "", "requester": "", "target": {}}},
    "FlowSchema": {"spec": {"matchingPrecedence": 0, "priorityLevelConfiguration": {"name": ""}}},
    "HorizontalPodAutoscaler": {"spec": {"maxReplicas": 0, "scaleTargetRef": {"kind": "", "name": ""}}},
    "Job": {"spec": {"template": _POD}},
    "LeaseCandidate": {"spec": {"binaryVersion": "", "leaseName": ""}},
    "LimitRange": {"spec": {"limits": []}},
    "NetworkPolicy": {"spec": {"podSelector": {}}},
    "PersistentVolumeClaim": {"spec": {"resources": {}}},
    "Pod": {"spec": {"containers": []}},
    "PodCertificateRequest": {
        "spec": {
            **dict.fromkeys(_CERTIFICATE, ""),
            **dict.fromkeys(("pkixPublicKey", "proofOfPossession", "stubPKCS10Request")),
        }
    },
    "PodGroup": {"spec": {"schedulingPolicy": {}}},
    "PodTemplate": {"template": _POD},
    "PriorityClass": {"value": 0},
    "PriorityLevelConfiguration": {"spec": {"type": ""}},
    "ReplicaSet": _WORKLOAD,
    "ResourceClaim": {"spec": {"devices": {"requests": []}}},
    "ResourceClaimTemplate": {"spec": {"metadata": {}, "spec": {"devices": {"requests": []}}}},
    "ResourcePoolStatusRequest": {"spec": {"driver": ""}},
    "ResourceSlice": {"spec": {"driver": "", "pool": {"generation": 0, "name": "", "resourceSliceCount": 0}}},
    "Role": {"rules": []},
    "RoleBinding": {"roleRef": _SUBJECT},
    "RuntimeClass": {"handler": "", "spec": {"runtimeHandler": ""}},
    "StatefulSet": {"spec": {**_UPDATED["spec"], "serviceName": ""}},
    "StorageClass": {"provisioner": ""},
    "StorageVersionMigration": {"spec": {"resource": {"group": "", "resource": ""}}},
    "VolumeAttachment": {"spec": {"attacher": "", "nodeName": "", "source": {}}},
    "VolumeAttributesClass": {"driverName": ""},
    "Workload": {"spec": {"podGroupTemplates": []}},
}
"""By kind; what a version of it does not have is left out. Any other kind with a spec has an empty one."""
_OTHERS: Object = {"spec": {}}


@lru_cache(maxsize=256)
def _fields(schema: Schema) -> Object:
    return _known(EMPTY.get(str(schema.kind), _OTHERS), str(schema.type.rule.of), schema)


def _known(value: Object, owner: str, schema: Schema) -> Object:
    """The value with the fields that its type has in this version."""
    fields = schema.types[owner].fields
    result: Object = {}
    for name, inner in value.items():
        rule = fields.get(name)
        if rule is not None:
            is_struct = isinstance(inner, dict) and rule.kind == "map" and not rule.free_keys and rule.of is not None
            result[name] = _known(inner, str(rule.of), schema) if is_struct else inner
    return result


def empty_object(schema: Schema) -> dict[str, Any]:
    """An object of a built-in kind with nothing in it, and without a uid: it was never stored. Nobody may change it."""
    return {"apiVersion": schema.api_version, "kind": schema.kind, "metadata": {}, **_fields(schema)}
