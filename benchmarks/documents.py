"""The documents of the benchmarks: last applied config, new config, and live object."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any, NamedTuple

from engine.values.go_json import encode

Object = dict[str, Any]
ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"


class Work(NamedTuple):
    """One object to apply, with the time limits of the engine as fractions of the reference's time."""

    name: str
    api_version: str
    kind: str
    last_applied: Object
    config: Object
    live: Object
    most_of_patch: float
    most_of_apply: float
    most_of_server_side: float | None = None


def works() -> list[Work]:
    """All of them, small ones first."""
    return [config_map(), service(), deployment(), pod_template(), long_list(1_000), long_list(10_000)]


def config_map() -> Work:
    """Ten entries: one changed, one removed, one added."""
    last: Object = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "settings", "namespace": "shop", "labels": {"app": "shop"}},
        "data": {f"setting-{number}": f"value {number}" for number in range(10)},
    }
    config = deepcopy(last)
    config["data"].update({"setting-3": "another value", "setting-10": "value 10"})
    del config["data"]["setting-4"]
    return Work("ConfigMap", "v1", "ConfigMap", last, *with_annotations(last, config, deepcopy(last)), 0.8, 0.8)


def service() -> Work:
    """Two ports, whose keys are numbers: one changed, one added."""
    ports: list[Object] = [
        {"name": "http", "port": 80, "targetPort": "http"},
        {"name": "metrics", "port": 9090, "targetPort": 9090},
    ]
    last: Object = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "shop", "namespace": "shop", "labels": {"app": "shop"}},
        "spec": {"type": "ClusterIP", "selector": {"app": "shop"}, "ports": ports},
    }
    config = deepcopy(last)
    config["spec"]["ports"][0]["targetPort"] = 8080
    config["spec"]["ports"].append({"name": "admin", "port": 8081})
    live = deepcopy(last)
    live["spec"] |= {"clusterIP": "10.96.0.17", "clusterIPs": ["10.96.0.17"], "ipFamilies": ["IPv4"]}
    live["spec"] |= {"ipFamilyPolicy": "SingleStack", "internalTrafficPolicy": "Cluster", "sessionAffinity": "None"}
    for port in live["spec"]["ports"]:
        port["protocol"] = "TCP"
    live["status"] = {"loadBalancer": {}}
    return Work("Service", "v1", "Service", last, *with_annotations(last, config, live), 0.8, 0.8)


def deployment() -> Work:
    """Two containers, with all fields that a server stores."""
    return Work("Deployment, 8 KB", "apps/v1", "Deployment", *_deployment(containers=2, variables=6), 0.6, 0.75, 1.0)


def pod_template() -> Work:
    """A large pod template: most of the work is in its lists."""
    return Work(
        "20 containers, 400 env", "apps/v1", "Deployment", *_deployment(containers=20, variables=20), 0.5, 0.75, 1.0
    )


def long_list(count: int) -> Work:
    """A container with many variables: one in twenty changed, one in fifty removed, one added."""
    env = [{"name": f"VARIABLE_{number}", "value": f"value {number}"} for number in range(count)]
    container = {"name": "main", "image": "registry.example/main:1", "env": env}
    last: Object = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "long", "namespace": "shop"},
        "spec": {"containers": [container]},
    }
    config = deepcopy(last)
    changed = config["spec"]["containers"][0]["env"]
    for variable in changed[::20]:
        variable["value"] = "changed"
    del changed[7::50]
    changed.append({"name": "NEW", "value": "new"})
    live = deepcopy(last)
    live["spec"] |= {"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler"}
    live["spec"]["containers"][0]["imagePullPolicy"] = "IfNotPresent"
    return Work(f"list of {count:,}", "v1", "Pod", last, *with_annotations(last, config, live), 0.6, 0.05)


def with_annotations(last: Object, config: Object, live: Object) -> tuple[Object, Object]:
    """The config with its annotation, and the live object with annotation and server fields."""
    for document, said in ((config, encode(config)), (live, encode(last))):
        document["metadata"].setdefault("annotations", {})[ANNOTATION] = said + "\n"
    live["metadata"] |= {
        "uid": "5a5e1f9e-8b0b-4b0e-9d4e-0a3a5e4b7c11",
        "resourceVersion": "123456",
        "creationTimestamp": "2024-01-01T00:00:00Z",
    }
    return config, live


def _deployment(containers: int, variables: int) -> tuple[Object, Object, Object]:
    labels = {"app.kubernetes.io/name": "shop", "app.kubernetes.io/part-of": "market", "team": "carts"}
    last: Object = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "shop", "namespace": "shop", "labels": labels, "annotations": {"owner": "carts@shop"}},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"app.kubernetes.io/name": "shop"}},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
            "template": {
                "metadata": {"labels": dict(labels)},
                "spec": {
                    "serviceAccountName": "shop",
                    "containers": [_container(number, variables) for number in range(containers)],
                    "volumes": [
                        {"name": "settings", "configMap": {"name": "settings"}},
                        {"name": "keys", "secret": {"secretName": "keys"}},
                    ],
                    "imagePullSecrets": [{"name": "registry"}],
                    "tolerations": [{"key": "spot", "operator": "Exists", "effect": "NoSchedule"}],
                },
            },
        },
    }
    config = deepcopy(last)
    first, second = config["spec"]["template"]["spec"]["containers"][:2]
    first["image"] = "registry.example/shop-0:2.0"
    first["env"][2]["value"] = "changed"
    first["env"].append({"name": "NEW", "value": "new"})
    del second["env"][3]
    config["spec"]["replicas"] = 5
    return last, *with_annotations(last, config, _with_server_fields(deepcopy(last)))


def _container(number: int, variables: int) -> Object:
    env: list[Object] = [
        {"name": f"SETTING_{number}_{which}", "value": f"value {which}"} for which in range(variables - 1)
    ]
    env.append({"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}})
    return {
        "name": f"shop-{number}",
        "image": f"registry.example/shop-{number}:1.{number}",
        "args": ["--listen=:8080", "--verbose"],
        "env": env,
        "ports": [
            {"containerPort": 8080 + number, "name": "http"},
            {"containerPort": 9090 + number, "name": "metrics"},
        ],
        "resources": {
            "limits": {"cpu": "500m", "memory": "1Gi"},
            "requests": {"cpu": "100m", "memory": "128Mi"},
        },
        "volumeMounts": [
            {"mountPath": "/etc/settings", "name": "settings"},
            {"mountPath": "/etc/keys", "name": "keys", "readOnly": True},
        ],
        "livenessProbe": {"httpGet": {"path": "/healthz", "port": "http"}, "initialDelaySeconds": 10},
        "readinessProbe": {"httpGet": {"path": "/ready", "port": "http"}, "periodSeconds": 5},
    }


def _managed_fields(manager: str, document: Object) -> Object:
    """The managedFields of the object, as a server stores them."""
    return {
        "apiVersion": "apps/v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": _fields(document),
        "manager": manager,
        "operation": "Update",
        "time": "2024-01-01T00:00:00Z",
    }


def _fields(value: Any) -> Object:
    if isinstance(value, dict):
        return {f"f:{key}": _fields(inner) for key, inner in value.items()}
    if isinstance(value, list) and all(isinstance(item, dict) and "name" in item for item in value):
        return {f'k:{{"name":{json.dumps(item["name"])}}}': {".": {}, **_fields(item)} for item in value}
    return {}


def _with_server_fields(live: Object) -> Object:
    """A Deployment with the additions of a server and its controllers."""
    spec = live["spec"]
    spec |= {"progressDeadlineSeconds": 600, "revisionHistoryLimit": 10}
    pod = spec["template"]["spec"]
    pod |= {"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler"}
    pod |= {"securityContext": {}, "serviceAccount": "shop", "terminationGracePeriodSeconds": 30}
    for container in pod["containers"]:
        container |= {"imagePullPolicy": "IfNotPresent", "terminationMessagePolicy": "File"}
        container["terminationMessagePath"] = "/dev/termination-log"
        container["env"][-1]["valueFrom"]["fieldRef"]["apiVersion"] = "v1"
        for port in container["ports"]:
            port["protocol"] = "TCP"
        for probe in ("livenessProbe", "readinessProbe"):
            defaults = {"failureThreshold": 3, "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 1}
            container[probe] = {**defaults, **container[probe]}
            container[probe]["httpGet"]["scheme"] = "HTTP"
    for volume in pod["volumes"]:
        for source in ("configMap", "secret"):
            if source in volume:
                volume[source]["defaultMode"] = 420
    live["metadata"]["managedFields"] = [
        _managed_fields("kubectl-client-side-apply", {"metadata": live["metadata"], "spec": {"replicas": 3}}),
        _managed_fields("kube-controller-manager", {"status": {"conditions": {}, "replicas": 3, "updatedReplicas": 3}}),
    ]
    seen = {"lastTransitionTime": "2024-01-01T00:00:10Z", "lastUpdateTime": "2024-01-01T00:00:10Z", "status": "True"}
    live["status"] = {
        "availableReplicas": 3,
        "conditions": [
            {"type": "Available", "reason": "MinimumReplicasAvailable", **seen},
            {"type": "Progressing", "reason": "NewReplicaSetAvailable", **seen},
        ],
        "observedGeneration": 1,
        "readyReplicas": 3,
        "replicas": 3,
        "updatedReplicas": 3,
    }
    return live
