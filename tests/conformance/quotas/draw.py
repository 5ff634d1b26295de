"""Random quotas, and requests in their namespaces."""

from __future__ import annotations

from random import Random
from typing import Any

Object = dict[str, Any]
RELEASE = "1.37"
BACKGROUND = "?propagationPolicy=Background"
SETUP: list[Object] = [
    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 10},
    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "low"}, "value": 1},
    {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "gold"},
        "provisioner": "example.com/p",
        "allowVolumeExpansion": True,
    },
    {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "sandbox"},
        "handler": "sandbox",
        "overhead": {"podFixed": {"cpu": "50m", "memory": "10Mi"}},
    },
    {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "gpu"},
        "spec": {"extendedResourceName": "example.com/gpu"},
    },
    {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {
                        "openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                    },
                }
            ],
        },
    },
]
"""Cluster-scoped objects that all scenarios share."""
CPU = ("0", "100m", "250m", "0.5", "1", "1500m", "2")
MEMORY = ("0", "64Mi", "128M", "0.5Gi", "1Gi", "1e9", "100500", "12345678k")
STORAGE = ("1Gi", "500Mi", "2G", "1500m", "10Gi", "1.5Gi", "3")
HARD: dict[str, tuple[str, ...]] = {
    "pods": ("0", "1", "2", "3", "10"),
    "count/pods": ("1", "2", "5"),
    "cpu": ("1", "2", "1500m"),
    "requests.cpu": ("1", "2", "0.75"),
    "limits.cpu": ("1", "3", "2500m"),
    "memory": ("1Gi", "2G"),
    "requests.memory": ("1Gi", "512Mi", "1e9"),
    "limits.memory": ("2Gi", "1G"),
    "ephemeral-storage": ("1Gi",),
    "requests.ephemeral-storage": ("1Gi", "100M"),
    "limits.ephemeral-storage": ("2Gi",),
    "requests.example.com/gpu": ("1", "2", "4"),
    "requests.deviceclass.resource.kubernetes.io/gpu": ("1", "3"),
    "gpu.deviceclass.resource.k8s.io/devices": ("1", "2", "40"),
    "count/resourceclaims.resource.k8s.io": ("1", "2"),
    "hugepages-2Mi": ("2Mi", "8Mi"),
    "requests.hugepages-2Mi": ("4Mi",),
    "persistentvolumeclaims": ("1", "2"),
    "count/persistentvolumeclaims": ("2",),
    "requests.storage": ("5Gi", "2G", "12Gi"),
    "gold.storageclass.storage.k8s.io/requests.storage": ("3Gi", "10Gi"),
    "gold.storageclass.storage.k8s.io/persistentvolumeclaims": ("1", "3"),
    "services": ("1", "3"),
    "count/services": ("2",),
    "services.nodeports": ("1", "3"),
    "services.loadbalancers": ("0", "1"),
    "configmaps": ("1", "2"),
    "count/configmaps": ("1", "3"),
    "secrets": ("1", "2"),
    "replicationcontrollers": ("1",),
    "resourcequotas": ("2", "3"),
    "count/deployments.apps": ("1", "2"),
    "count/jobs.batch": ("1",),
    "count/leases.coordination.k8s.io": ("1",),
    "count/widgets.example.com": ("1", "2"),
    "count/events": ("1",),
    "count/nothings.example.org": ("1",),
}
IN_SCOPES = ("pods", "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory")
SCOPES = ("BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "PriorityClass", "CrossNamespacePodAffinity")
CLASS = "VolumeAttributesClass"
PATHS = {
    "Pod": "/api/v1/{}/pods",
    "PersistentVolumeClaim": "/api/v1/{}/persistentvolumeclaims",
    "Service": "/api/v1/{}/services",
    "ConfigMap": "/api/v1/{}/configmaps",
    "Secret": "/api/v1/{}/secrets",
    "ReplicationController": "/api/v1/{}/replicationcontrollers",
    "ResourceQuota": "/api/v1/{}/resourcequotas",
    "Deployment": "/apis/apps/v1/{}/deployments",
    "Job": "/apis/batch/v1/{}/jobs",
    "Lease": "/apis/coordination.k8s.io/v1/{}/leases",
    "Widget": "/apis/example.com/v1/{}/widgets",
    "ResourceClaim": "/apis/resource.k8s.io/v1/{}/resourceclaims",
}


class Draw:
    """One scenario: its namespace, quotas and requests."""

    def __init__(self, seed: int) -> None:
        self._random, self._number = Random(seed), 0
        self.namespace = f"q{seed}"
        self._made: list[tuple[str, str]] = []

    def of(self, *among: Any) -> Any:
        return self._random.choice(among)

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def scenario(self, length: int) -> list[Object]:
        quotas = [self._create("ResourceQuota", self.quota(), f"quota{at}") for at in range(self.of(1, 1, 2))]
        return [*quotas, *(self.request() for _ in range(length))]

    # ---- requests --------------------------------------------------------------------------------------------------

    def _path(self, kind: str, name: str = "", part: str = "") -> str:
        root = PATHS[kind].format(f"namespaces/{self.namespace}")
        return "/".join(filter(None, (root, name, part)))

    def _create(self, kind: str, content: Object, name: str = "") -> Object:
        self._number += 1
        name = name or f"{kind.lower()}{self._number}"
        path = self._path(kind)
        api = path.split("/")[2] if path.startswith("/api/") else "/".join(path.split("/")[2:4])
        metadata = {"name": name, **content.pop("metadata", {})}
        whole = {"apiVersion": api, "kind": kind, "metadata": metadata, **content}
        if kind != "ResourceQuota" and self.chance(0.08):
            return {"method": "POST", "path": f"{path}?dryRun=All", "body": whole}
        self._made.append((kind, name))
        if self.chance(0.08):
            query = "?fieldManager=me&force=true"
            return {"method": "PATCH", "path": self._path(kind, name) + query, "body": whole, "kind": "apply"}
        return {"method": "POST", "path": path, "body": whole}

    def request(self) -> Object:
        if self._made and self.chance(0.25):
            made = [one for one in self._made if one[0] != "ResourceQuota"]
            if made:
                kind, name = self.of(*made)
                self._made.remove((kind, name))
                return {"method": "DELETE", "path": self._path(kind, name) + BACKGROUND}
        if self.chance(0.25):
            changed = self.change()
            if changed:
                return changed
        kind = self.of("Pod", "Pod", "Pod", "Pod", "PersistentVolumeClaim", "PersistentVolumeClaim", "Service", *PATHS)
        if kind == "ResourceQuota":
            return self._create("ResourceQuota", {"spec": {"hard": {"pods": "100"}}})
        return self._create(kind, self.content(kind))

    def change(self) -> Object | None:
        changeable = ("Pod", "PersistentVolumeClaim", "Service", "ResourceQuota")
        made = [one for one in self._made if one[0] in changeable]
        if not made:
            return None
        kind, name = self.of(*made)
        part, body = "", {}
        if kind == "Pod":
            part, body = self.of(
                ("", {"spec": {"activeDeadlineSeconds": 60}}),
                ("status", {"status": {"phase": self.of("Succeeded", "Failed", "Running")}}),
                ("resize", {"spec": {"containers": [{"name": "c0", "resources": self.resources(0)}]}}),
                ("resize", {"spec": {"containers": [{"name": "c0", "resources": self.resources(0)}]}}),
            )
        elif kind == "PersistentVolumeClaim":
            part, body = self.of(
                ("status", {"status": {"phase": "Bound"}}),
                ("", {"spec": {"resources": {"requests": {"storage": self.of(*STORAGE)}}}}),
                ("", {"metadata": {"labels": {"a": self.of("b", "c")}}}),
                ("status", {"status": {"allocatedResources": {"storage": self.of(*STORAGE)}}}),
                ("status", {"status": {"currentVolumeAttributesClassName": self.of("fast", "slow")}}),
            )
        elif kind == "Service":
            body = {"spec": self.service()}
        else:
            if not name.startswith("quota"):
                return None
            body = {"spec": {"hard": self.hard(self.of("pods", "requests.cpu", "services", "secrets"))}}
        return {"method": "PATCH", "path": self._path(kind, name, part), "body": body, "kind": "strategic"}

    # ---- objects ---------------------------------------------------------------------------------------------------

    def hard(self, *names: str) -> Object:
        return {name: self.of(*HARD[name]) for name in names}

    def quota(self) -> Object:
        if self.chance(0.4):
            if self.chance(0.2):
                names = self._random.sample(("persistentvolumeclaims", "requests.storage"), self.of(1, 2))
                return {"spec": {"hard": self.hard(*names), "scopeSelector": self.selector(CLASS, "fast", "slow")}}
            scope = self.of(*SCOPES)
            names = ["pods"] if scope == "BestEffort" else self._random.sample(IN_SCOPES, self.of(1, 2, 3))
            spec: Object = {"hard": self.hard(*names)}
            if scope == "PriorityClass":
                spec["scopeSelector"] = self.selector(scope, "high", "low")
            elif self.chance(0.5):
                spec["scopes"] = [scope]
            else:
                spec["scopeSelector"] = {"matchExpressions": [{"scopeName": scope, "operator": "Exists"}]}
            return {"spec": spec}
        return {"spec": {"hard": self.hard(*self._random.sample(sorted(HARD), self.of(1, 2, 4, 8)))}}

    def selector(self, scope: str, *values: str) -> Object:
        one: Object = {"scopeName": scope, "operator": self.of("In", "NotIn", "Exists", "DoesNotExist")}
        if one["operator"] in ("In", "NotIn"):
            one["values"] = self._random.sample(values, self.of(1, 2))
        return {"matchExpressions": [one]}

    def resources(self, depth: int = 1) -> Object:
        requests, limits = {}, {}
        for name, values in (("cpu", CPU), ("memory", MEMORY), ("ephemeral-storage", MEMORY[:5])):
            if name != "ephemeral-storage" or (depth and self.chance(0.2)):
                if self.chance(0.6):
                    requests[name] = self.of(*values)
                if self.chance(0.3):
                    limits[name] = self.of(*values) if self.chance(0.1) else requests.get(name, values[3])
        if depth and self.chance(0.15):
            requests["example.com/gpu"] = limits["example.com/gpu"] = self.of("1", "2")
        if depth and self.chance(0.1) and {"cpu", "memory"} & requests.keys():
            requests["hugepages-2Mi"] = limits["hugepages-2Mi"] = self.of("2Mi", "4Mi")
        return {name: one for name, one in (("requests", requests), ("limits", limits)) if one}

    def content(self, kind: str) -> Object:
        if kind == "Pod":
            return {"spec": self.pod()}
        if kind == "PersistentVolumeClaim":
            return {"spec": self.claim()}
        if kind == "Service":
            return {"spec": self.service()}
        if kind == "ResourceClaim":
            return {"spec": {"devices": {"requests": [self.device(at) for at in range(self.of(1, 2))]}}}
        template: Object = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        if kind == "Deployment":
            return {"spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template}}
        if kind == "ReplicationController":
            return {"spec": {"selector": {"a": "b"}, "template": template}}
        if kind == "Job":
            return {"spec": {"template": {"spec": {**template["spec"], "restartPolicy": "Never"}}}}
        return {}

    def pod(self) -> Object:
        containers = [{"name": f"c{at}", "image": "i", "resources": self.resources()} for at in range(self.of(1, 1, 2))]
        spec: Object = {"containers": containers}
        if self.chance(0.2):
            spec["initContainers"] = [
                {
                    "name": f"i{at}",
                    "image": "i",
                    "resources": self.resources(),
                    **({"restartPolicy": "Always"} if self.chance(0.4) else {}),
                }
                for at in range(self.of(1, 2))
            ]
        if self.chance(0.15):
            spec["resources"] = self.resources(0)
        if self.chance(0.2):
            spec["activeDeadlineSeconds"] = self.of(1, 600)
        if self.chance(0.3):
            spec["priorityClassName"] = self.of("high", "low")
        if self.chance(0.1):
            spec["runtimeClassName"] = "sandbox"
        if self.chance(0.2):
            term: Object = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}}
            term |= self.of({}, {"namespaces": ["other"]}, {"namespaceSelector": {}})
            side, weighted = self.of("podAffinity", "podAntiAffinity"), {"weight": 1, "podAffinityTerm": term}
            one = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
            other = {"preferredDuringSchedulingIgnoredDuringExecution": [weighted]}
            spec["affinity"] = {side: self.of(one, other)}
        return spec

    def claim(self) -> Object:
        spec: Object = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": self.of(*STORAGE)}}}
        if self.chance(0.6):
            spec["storageClassName"] = self.of("gold", "gold", "none")
        if self.chance(0.3):
            spec["volumeAttributesClassName"] = self.of("fast", "slow")
        return spec

    def service(self) -> Object:
        ports = [{"name": f"p{port}", "port": port} for port in range(80, 80 + self.of(1, 2))]
        spec: Object = {"ports": ports, "type": self.of("ClusterIP", "NodePort", "LoadBalancer")}
        if spec["type"] == "LoadBalancer" and self.chance(0.3):
            spec["allocateLoadBalancerNodePorts"] = False
        return spec

    def device(self, at: int) -> Object:
        one: Object = {"deviceClassName": self.of("gpu", "gpu", "other")}
        one |= self.of({}, {"count": 2}, {"allocationMode": "All"})
        if self.chance(0.3):
            options = [{"name": f"s{place}", **one, "deviceClassName": self.of("gpu", "other")} for place in range(2)]
            return {"name": f"r{at}", "firstAvailable": options}
        return {"name": f"r{at}", "exactly": one}
