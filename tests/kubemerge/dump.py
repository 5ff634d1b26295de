"""A dump of a busy cluster: objects that people applied, with the later changes of other managers.

Nothing in it is left to chance, so that the same call gives the same objects.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from engine import last_applied_text

from .objects import ANNOTATION

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

TEAMS = ("billing", "search", "shop", "users", "video")
DIGEST = "registry.example/{}@sha256:" + "0f" * 32


# ---- what people apply ---------------------------------------------------------------------------------------------


def _object(api_version: str, kind: str, name: str, namespace: str | None, **content: Any) -> Object:
    metadata: Object = {"name": name, "labels": {"app.kubernetes.io/part-of": namespace or "platform"}}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **content}


def _template(name: str, **spec: Any) -> Object:
    container = {
        "name": "app",
        "image": f"registry.example/{name}:1.4.2",
        "env": [{"name": "LEVEL", "value": "info"}, {"name": "REGION", "value": "eu"}],
        "ports": [{"containerPort": 8080, "name": "http"}],
        "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
        "volumeMounts": [{"mountPath": "/etc/app", "name": "config"}],
    }
    volumes = [{"name": "config", "configMap": {"name": f"{name}-config"}}]
    return {
        "metadata": {"labels": {"app": name}},
        "spec": {"containers": [container], "volumes": volumes, **spec},
    }


def _job(name: str) -> Object:
    return {"backoffLimit": 2, "template": _template(name, restartPolicy="Never")}


def _chosen(name: str) -> Object:
    return {"matchLabels": {"app": name}}


def _team(team: str) -> Iterator[Object]:
    """The objects that one team applies in its namespace."""
    web, store = f"{team}-web", f"{team}-store"
    rules = [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]}]
    backend = {"service": {"name": web, "port": {"name": "http"}}}
    paths = [{"path": "/", "pathType": "Prefix", "backend": backend}]
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": web}
    cpu = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "10Gi"}}}
    yield _object("v1", "Namespace", team, None)
    yield _object("v1", "ServiceAccount", web, team)
    yield _object("v1", "ConfigMap", f"{web}-config", team, data={"app.conf": "level = info\nregion = eu\n"})
    yield _object("v1", "Secret", f"{web}-keys", team, type="Opaque", data={"token": "c2VjcmV0"})
    yield _object(
        "v1",
        "Service",
        web,
        team,
        spec={"selector": {"app": web}, "ports": [{"name": "http", "port": 80, "targetPort": "http"}]},
    )
    yield _object("v1", "PersistentVolumeClaim", f"{store}-data", team, spec=claim)
    yield _object("v1", "LimitRange", "limits", team, spec={"limits": [{"type": "Container", "default": {"cpu": "1"}}]})
    yield _object("v1", "ResourceQuota", "quota", team, spec={"hard": {"pods": "50"}})
    yield _object("apps/v1", "Deployment", web, team, spec={"selector": _chosen(web), "template": _template(web)})
    yield _object(
        "apps/v1",
        "StatefulSet",
        store,
        team,
        spec={"serviceName": store, "replicas": 3, "selector": _chosen(store), "template": _template(store)},
    )
    yield _object(
        "apps/v1",
        "DaemonSet",
        f"{team}-agent",
        team,
        spec={"selector": _chosen(f"{team}-agent"), "template": _template(f"{team}-agent")},
    )
    yield _object("batch/v1", "Job", f"{team}-migrate", team, spec=_job(f"{team}-migrate"))
    yield _object(
        "batch/v1",
        "CronJob",
        f"{team}-report",
        team,
        spec={"schedule": "0 3 * * *", "jobTemplate": {"spec": _job(web)}},
    )
    yield _object(
        "networking.k8s.io/v1",
        "Ingress",
        web,
        team,
        spec={"rules": [{"host": f"{team}.example", "http": {"paths": paths}}]},
    )
    yield _object(
        "networking.k8s.io/v1",
        "NetworkPolicy",
        web,
        team,
        spec={"podSelector": _chosen(web), "ingress": [{"ports": [{"port": 8080}]}]},
    )
    yield _object(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        web,
        team,
        spec={"scaleTargetRef": target, "maxReplicas": 9, "metrics": [{"type": "Resource", "resource": cpu}]},
    )
    yield _object("policy/v1", "PodDisruptionBudget", web, team, spec={"minAvailable": 1, "selector": _chosen(web)})
    yield _object("rbac.authorization.k8s.io/v1", "Role", web, team, rules=rules)
    yield _object(
        "rbac.authorization.k8s.io/v1",
        "RoleBinding",
        web,
        team,
        roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": web},
        subjects=[{"kind": "ServiceAccount", "name": web, "namespace": team}],
    )
    yield _object("stable.example.com/v1", "Certificate", web, team, spec={"hosts": [f"{team}.example"], "days": 90})


def definition() -> Object:
    """The CustomResourceDefinition of the certificates."""
    fields = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": fields, "status": fields}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema, "subresources": {"status": {}}}
    return _object(
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        "certificates.stable.example.com",
        None,
        spec={
            "group": "stable.example.com",
            "names": {"kind": "Certificate", "plural": "certificates"},
            "scope": "Namespaced",
            "versions": [version],
        },
    )


# ---- what others have written since --------------------------------------------------------------------------------

_TOKEN = {"audience": "istio-ca", "expirationSeconds": 43200, "path": "istio-token"}
_POD = {
    "metadata": {
        "annotations": {"kubectl.kubernetes.io/restartedAt": "2026-01-02T03:04:05Z"},
        "labels": {"security.istio.io/tlsMode": "istio"},
    },
    "spec": {
        "containers": [
            {
                "name": "app",
                "env": [{"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
                "imagePullPolicy": "IfNotPresent",
                "ports": [{"containerPort": 8080, "protocol": "TCP"}],
                "resources": {"limits": {"cpu": "1"}},
                "terminationMessagePath": "/dev/termination-log",
                "volumeMounts": [{"mountPath": "/var/run/secrets/tokens", "name": "istio-token", "readOnly": True}],
            },
            {
                "name": "istio-proxy",
                "image": "docker.io/istio/proxyv2:1.20.0",
                "args": ["proxy", "sidecar"],
                "ports": [{"containerPort": 15090, "name": "http-envoy", "protocol": "TCP"}],
                "volumeMounts": [{"mountPath": "/etc/istio/proxy", "name": "istio-envoy"}],
            },
        ],
        "initContainers": [
            {"name": "istio-init", "image": "docker.io/istio/proxyv2:1.20.0", "args": ["istio-iptables"]}
        ],
        "imagePullSecrets": [{"name": "mirror"}],
        "tolerations": [{"key": "dedicated", "operator": "Exists"}],
        "securityContext": {"fsGroup": 1337},
        "terminationGracePeriodSeconds": 30,
        "volumes": [
            {"name": "istio-envoy", "emptyDir": {"medium": "Memory"}},
            {"name": "istio-token", "projected": {"sources": [{"serviceAccountToken": _TOKEN}]}},
        ],
    },
}
"""Fields that a mesh injects, and that the API server and webhooks add to every pod template."""

_READY = {"conditions": [{"type": "Available", "status": "True"}], "observedGeneration": 4, "replicas": 3}

SINCE: dict[str, Object] = {
    "Certificate": {
        "spec": {"issuer": {"name": "platform"}},
        "status": {"notAfter": "2027-01-02T03:04:05Z", "renewals": 7},
    },
    "ConfigMap": {"data": {"injected-ca.crt": "-----BEGIN CERTIFICATE-----\n"}},
    "CronJob": {
        "spec": {"suspend": False, "jobTemplate": {"spec": {"template": _POD}}},
        "status": {"lastScheduleTime": "2026-01-02T03:00:00Z"},
    },
    "CustomResourceDefinition": {
        "spec": {
            "conversion": {"strategy": "None"},
            "names": {"singular": "certificate", "listKind": "CertificateList"},
        },
        "status": {"storedVersions": ["v1"]},
    },
    "DaemonSet": {
        "spec": {"template": _POD, "updateStrategy": {"type": "OnDelete"}, "revisionHistoryLimit": 3},
        "status": {"numberReady": 5, "desiredNumberScheduled": 5, "currentNumberScheduled": 5, "numberMisscheduled": 0},
    },
    "Deployment": {
        "spec": {"replicas": 7, "template": _POD, "progressDeadlineSeconds": 600, "paused": True},
        "status": {**_READY, "readyReplicas": 3, "updatedReplicas": 3},
    },
    "HorizontalPodAutoscaler": {
        "spec": {"minReplicas": 2, "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60}}},
        "status": {"currentReplicas": 3, "desiredReplicas": 3},
    },
    "Ingress": {
        "spec": {"ingressClassName": "nginx", "tls": [{"hosts": ["all.example"], "secretName": "wildcard"}]},
        "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.10"}]}},
    },
    "Job": {
        "spec": {"template": _POD, "completions": 1, "parallelism": 1, "suspend": True},
        "status": {"active": 1, "startTime": "2026-01-02T03:00:00Z"},
    },
    "LimitRange": {},
    "Namespace": {"spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}},
    "NetworkPolicy": {"spec": {"policyTypes": ["Ingress"]}},
    "PersistentVolumeClaim": {
        "spec": {"storageClassName": "fast", "volumeMode": "Filesystem", "volumeName": "pvc-0815"},
        "status": {"phase": "Bound", "capacity": {"storage": "10Gi"}, "accessModes": ["ReadWriteOnce"]},
    },
    "PodDisruptionBudget": {"spec": {"unhealthyPodEvictionPolicy": "AlwaysAllow"}, "status": {"currentHealthy": 3}},
    "ResourceQuota": {"spec": {"hard": {"requests.cpu": "20"}}, "status": {"used": {"pods": "12"}}},
    "Role": {},
    "RoleBinding": {},
    "Secret": {"data": {"rotated-at": "MjAyNg=="}},
    "Service": {
        "spec": {
            "clusterIP": "10.96.7.7",
            "clusterIPs": ["10.96.7.7"],
            "ports": [{"name": "http", "port": 80, "nodePort": 30080, "protocol": "TCP"}],
            "sessionAffinity": "None",
            "type": "NodePort",
        },
        "status": {"loadBalancer": {}},
    },
    "ServiceAccount": {"secrets": [{"name": "minted"}], "imagePullSecrets": [{"name": "mirror"}]},
    "StatefulSet": {
        "spec": {"template": _POD, "podManagementPolicy": "Parallel", "updateStrategy": {"type": "OnDelete"}},
        "status": {**_READY, "currentRevision": "store-7d9"},
    },
}
"""Later changes to objects of a kind: by controllers, by webhooks, by people with `kubectl scale` and `edit`."""

_METADATA = {
    "annotations": {"deployment.kubernetes.io/revision": "4", "example.com/seen-by": "policy-webhook"},
    "creationTimestamp": "2025-11-12T13:14:15Z",
    "finalizers": ["example.com/cleanup"],
    "generation": 4,
    "labels": {"example.com/cost-centre": "4711"},
    "managedFields": [
        {
            "apiVersion": "v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:metadata": {"f:labels": {"f:example.com/cost-centre": {}}}},
            "manager": "kubectl-client-side-apply",
            "operation": "Update",
        },
        {
            "apiVersion": "v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:metadata": {"f:annotations": {"f:example.com/seen-by": {}}}},
            "manager": "istio",
            "operation": "Update",
            "subresource": "status",
        },
    ],
}


def _over(below: Any, above: Any) -> Any:
    """Merge one value over another. List elements are matched by their port, mount path, name or type."""
    if isinstance(below, dict) and isinstance(above, dict):
        keys = [*below, *(key for key in above if key not in below)]
        return {
            key: _over(below[key], above[key]) if key in below and key in above else below.get(key, above.get(key))
            for key in keys
        }
    if isinstance(below, list) and all(isinstance(item, dict) for item in (*below, *above)):
        mine, theirs = ({_key(item): item for item in items} for items in (below, above))
        return [_over(mine[key], theirs.get(key, {})) if key in mine else theirs[key] for key in {**mine, **theirs}]
    return above


def _key(item: Object) -> Any:
    return next(item[key] for key in ("containerPort", "mountPath", "name", "type") if key in item)


def _lived(config: Object, number: int) -> Object:
    """The live object that a config has become."""
    since = {"metadata": {**_METADATA, "uid": f"uid-{number}", "resourceVersion": str(700_000 + 13 * number)}}
    live: Object = deepcopy(_over(_over(config, SINCE[config["kind"]]), since))
    live["metadata"]["annotations"][ANNOTATION] = last_applied_text(config)
    if config["kind"] == "Service":  # no two of them share what is allocated to them
        address = f"10.96.7.{number}"
        live["spec"] |= {"clusterIP": address, "clusterIPs": [address]}
        live["spec"]["ports"][0]["nodePort"] = 30000 + number
    return _by_webhook(live)


def _by_webhook(live: Object) -> Object:
    """A webhook has replaced the tag of the image by its digest, so this field is not only in live.

    A Job's template cannot be changed, so that no apply could restore the tag.
    """
    if live["kind"] == "Job":
        return live
    for container in ((live.get("spec") or {}).get("template") or {}).get("spec", {}).get("containers", ()):
        if container["name"] == "app":
            container["image"] = DIGEST.format(live["metadata"]["name"])
    return live


def _made_by_controllers(team: str, number: int) -> Iterator[Object]:
    """Objects that were not applied."""
    web = f"{team}-web"
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": web, "uid": f"uid-{number}", "controller": True}
    metadata = {
        "creationTimestamp": "2025-11-12T13:14:16Z",
        "generateName": f"{web}-",
        "labels": {"app": web},
        "ownerReferences": [owner],
    }
    template = _template(web)
    for api_version, kind, name, content in (
        ("apps/v1", "ReplicaSet", f"{web}-7d9", {"spec": {"selector": _chosen(web), "template": template}}),
        ("v1", "Pod", f"{web}-7d9-x2k4p", {"spec": template["spec"], "status": {"phase": "Running"}}),
        ("v1", "Endpoints", web, {"subsets": [{"addresses": [{"ip": "10.0.0.7"}], "ports": [{"port": 8080}]}]}),
    ):
        made = _object(api_version, kind, name, team, **content)
        since = {"metadata": {**metadata, "uid": f"uid-{number}-{kind}", "resourceVersion": str(600_000 + number)}}
        yield deepcopy(_over(made, since))


def dump() -> list[Object]:
    """The objects of the cluster, as `kubectl get -o yaml` prints them."""
    configs = [definition(), *(config for team in TEAMS for config in _team(team))]
    live = [_lived(config, number) for number, config in enumerate(configs)]
    return live + [one for number, team in enumerate(TEAMS) for one in _made_by_controllers(team, number)]
