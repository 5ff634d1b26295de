"""Random scenarios: charts that change, and other managers that write in between."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Object = dict[str, Any]

GROUP = "helm.example.com"
WIDGETS = f"widgets.{GROUP}"
_TEXT = {"type": "string"}
_ITEM = {"type": "object", "required": ["name"], "properties": {"name": _TEXT, "size": {"type": "integer"}}}
DEFINITION: Object = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": WIDGETS},
    "spec": {
        "group": GROUP,
        "scope": "Namespaced",
        "names": {"kind": "Widget", "listKind": "WidgetList", "plural": "widgets", "singular": "widget"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "properties": {
                                    "size": {"type": "integer", "minimum": 0},
                                    "mode": {**_TEXT, "default": "auto"},
                                    "tags": {"type": "array", "items": _TEXT},
                                    "zones": {"type": "array", "x-kubernetes-list-type": "set", "items": _TEXT},
                                    "items": {
                                        "type": "array",
                                        "x-kubernetes-list-type": "map",
                                        "x-kubernetes-list-map-keys": ["name"],
                                        "items": _ITEM,
                                    },
                                    "parts": {"type": "array", "items": _ITEM},
                                    "options": {"type": "object", "additionalProperties": _TEXT},
                                },
                            },
                            "status": {"type": "object", "properties": {"ready": {"type": "boolean"}}},
                        },
                    }
                },
            }
        ],
    },
}
"""The custom resource of all scenarios. Its definition is in the cluster before."""


def _meta(name: str, **more: Any) -> Object:
    return {"name": name, **more}


def _pod(draw: Random) -> Object:
    container: Object = {"name": "web", "image": f"nginx:{draw.randint(1, 3)}"}
    if draw.random() < 0.6:
        container["env"] = [{"name": name, "value": str(draw.randint(1, 3))} for name in draw.sample("ABCD", 2)]
    if draw.random() < 0.5:
        container["ports"] = [{"name": "http", "containerPort": draw.choice([80, 8080])}]
    if draw.random() < 0.4:
        container["resources"] = {"limits": {"cpu": draw.choice(["1", "1000m", "500m"])}}
    if draw.random() < 0.3:
        container["args"] = [f"--level={draw.randint(1, 3)}", "--fast"]
    containers = [container]
    if draw.random() < 0.3:
        containers.insert(draw.randint(0, 1), {"name": "side", "image": "busybox:1"})
    spec: Object = {"containers": containers}
    if draw.random() < 0.3:
        spec["volumes"] = [{"name": "data", "emptyDir": {}}]
        container["volumeMounts"] = [{"name": "data", "mountPath": "/data"}]
    if draw.random() < 0.2:
        spec["nodeSelector"] = {"disk": draw.choice(["ssd", "hdd"])}
    if draw.random() < 0.2:
        spec["tolerations"] = [{"key": "a", "operator": "Exists"}]
    return {"metadata": {"labels": {"app": "web"}}, "spec": spec}


def _workload(draw: Random, kind: str, name: str) -> Object:
    spec: Object = {"selector": {"matchLabels": {"app": "web"}}, "template": _pod(draw)}
    if kind != "DaemonSet" and draw.random() < 0.8:
        spec["replicas"] = draw.randint(1, 4)
    if kind == "StatefulSet":
        spec["serviceName"] = "web"
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": _meta(name), "spec": spec}


def _object(draw: Random, kind: str, name: str) -> Object:
    """A valid object of a kind."""
    if kind in ("Deployment", "StatefulSet", "DaemonSet"):
        return _workload(draw, kind, name)
    if kind == "ConfigMap":
        data = {key: str(draw.randint(1, 3)) for key in draw.sample("abcd", draw.randint(1, 3))}
        return {"apiVersion": "v1", "kind": kind, "metadata": _meta(name), "data": data}
    if kind == "Secret":
        data = {key: draw.choice(["b25l", "dHdv"]) for key in draw.sample("abc", 2)}
        return {"apiVersion": "v1", "kind": kind, "metadata": _meta(name), "type": "Opaque", "data": data}
    if kind == "Service":
        ports = [{"name": "http", "port": 80, "targetPort": draw.choice([80, 8080, "http"])}]
        ports += [{"name": "more", "port": draw.choice([81, 82])}] if draw.random() < 0.4 else []
        spec: Object = {"selector": {"app": "web"}, "ports": ports}
        return {"apiVersion": "v1", "kind": kind, "metadata": _meta(name), "spec": spec}
    if kind == "ServiceAccount":
        return {"apiVersion": "v1", "kind": kind, "metadata": _meta(name)}
    if kind == "Widget":
        return {"apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": _meta(name), "spec": _widget(draw)}
    if kind == "HorizontalPodAutoscaler":
        spec = {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "maxReplicas": draw.randint(3, 6),
        }
        return {"apiVersion": "autoscaling/v2", "kind": kind, "metadata": _meta(name), "spec": spec}
    if kind == "NetworkPolicy":
        spec = {"podSelector": {"matchLabels": {"app": draw.choice("ab")}}, "policyTypes": ["Ingress"]}
        return {"apiVersion": "networking.k8s.io/v1", "kind": kind, "metadata": _meta(name), "spec": spec}
    if kind == "Role":
        rules = [{"apiGroups": [""], "resources": ["pods"], "verbs": draw.sample(["get", "list", "watch"], 2)}]
        return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": _meta(name), "rules": rules}
    if kind == "PodDisruptionBudget":
        spec = {"minAvailable": draw.randint(1, 2), "selector": {"matchLabels": {"app": "web"}}}
        return {"apiVersion": "policy/v1", "kind": kind, "metadata": _meta(name), "spec": spec}
    if kind == "Ingress":
        backend = {"service": {"name": "web", "port": {"number": draw.choice([80, 81])}}}
        spec = {"rules": [{"host": "a.example", "http": {"paths": [_path("/", backend)]}}]}
        return {"apiVersion": "networking.k8s.io/v1", "kind": kind, "metadata": _meta(name), "spec": spec}
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "web", "image": "nginx:1"}]}}
    spec = {"schedule": "0 * * * *", "jobTemplate": {"spec": {"template": template}}}
    spec["suspend"] = draw.random() < 0.5
    return {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": _meta(name), "spec": spec}


def _path(path: str, backend: Object) -> Object:
    return {"path": path, "pathType": "Prefix", "backend": backend}


def _widget(draw: Random) -> Object:
    spec: Object = {"size": draw.randint(1, 3)}
    if draw.random() < 0.6:
        spec["tags"] = draw.sample(["x", "y", "z"], 2)
    if draw.random() < 0.5:
        spec["zones"] = draw.sample(["x", "y", "z"], 2)
    if draw.random() < 0.6:
        spec["items"] = [{"name": name, "size": draw.randint(1, 3)} for name in draw.sample("abc", 2)]
    if draw.random() < 0.4:
        spec["parts"] = [{"name": name, "size": draw.randint(1, 3)} for name in draw.sample("abc", 2)]
    if draw.random() < 0.5:
        spec["options"] = {key: str(draw.randint(1, 3)) for key in draw.sample("abc", 2)}
    if draw.random() < 0.2:
        spec["mode"] = draw.choice(["auto", "manual"])
    return spec


KINDS = (
    *("ConfigMap", "Deployment", "Deployment", "Deployment", "Service", "Widget", "Widget", "Secret", "StatefulSet"),
    *("ServiceAccount", "HorizontalPodAutoscaler", "NetworkPolicy", "Role", "PodDisruptionBudget", "Ingress"),
    *("DaemonSet", "CronJob"),
)


def _chart(draw: Random) -> list[Object]:
    kinds = dict.fromkeys(draw.choice(KINDS) for _ in range(draw.randint(2, 4)))
    objects = [_object(draw, kind, "web") for kind in kinds]
    if draw.random() < 0.3:
        objects.append(_hook(draw, "hook"))
    return objects


def _hook(draw: Random, name: str) -> Object:
    found = _object(draw, draw.choice(["ConfigMap", "ServiceAccount", "Secret"]), name)
    annotations = {"helm.sh/hook": draw.choice(["pre-install,pre-upgrade", "post-upgrade", "pre-upgrade,pre-rollback"])}
    policy = draw.choice(["", "before-hook-creation", "hook-succeeded", "before-hook-creation,hook-succeeded"])
    if policy:
        annotations["helm.sh/hook-delete-policy"] = policy
    found["metadata"]["annotations"] = annotations
    return found


def _changed_chart(draw: Random, chart: list[Object]) -> list[Object]:
    """The next version of a chart."""
    found = copy.deepcopy(chart)
    for at, one in enumerate(found):
        if draw.random() < 0.5 and "helm.sh/hook" not in one["metadata"].get("annotations", {}):
            fresh = _object(draw, one["kind"], one["metadata"]["name"])
            found[at] = {**fresh, "metadata": one["metadata"]}
    if draw.random() < 0.25 and len(found) > 1:
        found.pop(draw.randrange(len(found)))
    if draw.random() < 0.3:
        kind = draw.choice(KINDS)
        if all(one["kind"] != kind for one in found):
            found.append(_object(draw, kind, "web"))
    _oddity(draw, draw.choice(found))
    return found


def _oddity(draw: Random, one: Object) -> None:
    """A change that matters to Helm, or one that a server may reject."""
    kind, metadata = one["kind"], one["metadata"]
    change = draw.random()
    if change < 0.12:
        metadata.setdefault("annotations", {})["helm.sh/resource-policy"] = "keep"
    elif change < 0.25:
        metadata.setdefault("labels", {})["tier"] = draw.choice(["a", "b"])
    elif change < 0.3:
        metadata.setdefault("annotations", {})["note"] = draw.choice(["a", "b"])
    elif "template" in one.get("spec", {}):
        _odd_workload(draw, one["spec"], change)
    elif kind == "ConfigMap" and change > 0.9:
        one["data"]["a"] = None
    elif kind == "Widget" and change > 0.9:
        one["spec"]["unknown"] = 1
    elif kind == "Widget" and change > 0.85:
        one["spec"]["size"] = -1
    elif kind == "Service" and change > 0.92:
        one["spec"]["ports"] = [{"name": "a", "port": 80}, {"name": "b", "port": 80}]


def _odd_workload(draw: Random, spec: Object, change: float) -> None:
    container = spec["template"]["spec"]["containers"][0]
    if change > 0.95:
        container.setdefault("env", []).append({"name": "A", "value": "twice"})
        container["env"].append({"name": "A", "value": "again"})
    elif change > 0.9:
        container["ports"] = [{"containerPort": 80}, {"containerPort": 80, "name": "again"}]
    elif change > 0.86:
        container["env"] = [{"name": "B", "$patch": "delete"}]
    elif change > 0.82:
        spec["selector"] = {"matchLabels": {"app": "other"}}
    elif change > 0.78:
        spec["unknown"] = True
    elif change > 0.74:
        container["image"] = None
    elif change > 0.7 and "replicas" in spec:
        spec["replicas"] = None
    elif change > 0.66:
        container["name"] = draw.choice(["renamed", "web"])


# ---- foreign writes -------------------------------------------------------------------------------------------------

MANAGERS = ("operator", "argocd-controller", "kustomize-controller", "kubectl-edit", "helm")


def _foreign(draw: Random, chart: list[Object]) -> Object:
    """One write of another manager to an object of the chart."""
    one = draw.choice(chart)
    of = {"apiVersion": one["apiVersion"], "kind": one["kind"], "name": one["metadata"]["name"]}
    fresh = _object(draw, one["kind"], of["name"])
    content = {key: value for key, value in fresh.items() if key not in ("apiVersion", "kind", "metadata", "type")}
    step: Object = {"of": of, "manager": draw.choice(MANAGERS), "object": content}
    chance = draw.random()
    if "replicas" in one.get("spec", {}) and chance < 0.25:
        scale = {"spec": {"replicas": draw.randint(1, 6)}}
        return {**step, "write": "merge", "subresource": "scale", "manager": "hpa", "object": scale}
    if chance < 0.45:
        return {**step, "write": "update"}
    if chance < 0.65:
        _without_some(draw, content)
        return {**step, "write": "apply"}
    if chance < 0.75 and one["kind"] != "Widget":
        return {**step, "write": "strategic"}
    if chance < 0.85:
        return {**step, "write": "merge"}
    if chance < 0.9:
        return {**step, "write": "delete"}
    if chance < 0.93:
        return {**step, "write": "merge", "object": {"metadata": {"finalizers": ["example.com/wait"]}}}
    if chance < 0.95:
        return {**step, "write": "merge", "object": {"metadata": {"managedFields": [{}]}}}
    if chance < 0.97:
        keep = {"annotations": {"helm.sh/resource-policy": "keep"}}
        return {**step, "write": "merge", "object": {"metadata": keep}}
    labels = {"tier": draw.choice(["a", "c"]), "app.kubernetes.io/managed-by": draw.choice(["Helm", "other"])}
    return {**step, "write": "merge", "object": {"metadata": {"labels": labels, "annotations": {"note": "c"}}}}


def _without_some(draw: Random, content: Object) -> None:
    """Leave out some fields of what an apply owns. Required keys stay."""
    spec = content.get("spec", {})
    for key in [*spec]:
        if draw.random() < 0.3 and key not in ("selector", "template", "scaleTargetRef", "maxReplicas", "jobTemplate"):
            del spec[key]


def _existing(draw: Random, chart: list[Object]) -> Object:
    """An object of the chart that exists before."""
    one = copy.deepcopy(draw.choice(chart))
    of = {"apiVersion": one["apiVersion"], "kind": one["kind"], "name": one["metadata"]["name"]}
    fresh = _object(draw, one["kind"], of["name"])
    if draw.random() < 0.6:
        fresh["metadata"]["labels"] = {"app.kubernetes.io/managed-by": "Helm"}
        fresh["metadata"]["annotations"] = {
            "meta.helm.sh/release-name": "web",
            "meta.helm.sh/release-namespace": "{namespace}",
        }
    return {"of": of, "write": "create", "object": fresh, "manager": draw.choice(MANAGERS)}


def scenario(draw: Random) -> list[Object]:
    """The steps of one scenario: an install, and upgrades and rollbacks with other writes in between."""
    version = draw.choice([3, 4, 4])
    chart = _chart(draw)
    steps: list[Object] = [_existing(draw, chart)] if draw.random() < 0.25 else []
    steps.append(_command("install", version, _flags(draw, "install", version), chart))
    for _ in range(draw.randint(1, 3)):
        steps += [_foreign(draw, chart) for _ in range(draw.randint(0, 2))]
        if version == 3 and draw.random() < 0.35:
            version = 4
        revision = sum("helm" in one for one in steps)
        if draw.random() < 0.25 and revision > 1:
            steps.append(
                _command("rollback", version, _flags(draw, "rollback", version), [], draw.randint(1, revision))
            )
        else:
            chart = _changed_chart(draw, chart)
            steps.append(_command("upgrade", version, _flags(draw, "upgrade", version), chart))
    return steps


def _command(action: str, version: int, flags: Object, chart: list[Object], revision: int = 0) -> Object:
    command: Object = {"action": action, "version": version, "flags": flags, "definitions": [WIDGETS]}
    if action == "rollback":
        command["revision"] = revision
    else:
        command["objects"] = copy.deepcopy(chart)
    return {"helm": command}


def _flags(draw: Random, action: str, version: int) -> Object:
    flags: Object = {}
    if version == 4:
        choices = ["true", "true", "false"] if action == "install" else ["auto", "auto", "true", "false"]
        flags["server_side"] = draw.choice(choices)
        if draw.random() < 0.2:
            flags["force_conflicts"] = True
    if draw.random() < 0.08 and not flags.get("force_conflicts"):
        flags["force"] = True
    if action != "rollback" and draw.random() < 0.2:
        flags["take_ownership"] = True
    return flags
