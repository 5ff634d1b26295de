"""Scenarios by hand: one for each decision of Helm, and for the conflicts that users report."""

from __future__ import annotations

import copy
from typing import Any

from .draw import DEFINITION, GROUP, WIDGETS

Object = dict[str, Any]


# ---- steps ----------------------------------------------------------------------------------------------------------


def _step(action: str, version: int, objects: tuple[Object, ...], more: Object) -> Object:
    places: Object = {
        name: more.pop(name) for name in ("crds", "definitions", "cluster_wide", "revision") if name in more
    }
    command: Object = {"action": action, "version": version, "flags": more, "definitions": [WIDGETS], **places}
    return {"helm": command if action == "rollback" else {**command, "objects": copy.deepcopy([*objects])}}


def install(*objects: Object, version: int = 4, **more: Any) -> Object:
    """`helm install` of these objects."""
    return _step("install", version, objects, more)


def upgrade(*objects: Object, version: int = 4, **more: Any) -> Object:
    """`helm upgrade` to these objects."""
    return _step("upgrade", version, objects, more)


def rollback(revision: int, version: int = 4, **more: Any) -> Object:
    """`helm rollback` to a revision."""
    return _step("rollback", version, (), {**more, "revision": revision})


def write(verb: str, one: Object, content: Object, manager: str = "operator", **more: Any) -> Object:
    """A write of another manager."""
    of = {"apiVersion": one["apiVersion"], "kind": one["kind"], "name": one["metadata"]["name"]}
    return {"write": verb, "of": of, "object": content, "manager": manager, **more}


def scale(one: Object, replicas: int, manager: str = "hpa") -> Object:
    """A write of an autoscaler."""
    return write("merge", one, {"spec": {"replicas": replicas}}, manager, subresource="scale")


# ---- objects --------------------------------------------------------------------------------------------------------


def deployment(image: str = "nginx:1", *, container: Object | None = None, **spec: Any) -> Object:
    """A Deployment with one container."""
    template = {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "web", "image": image, **(container or {})}]},
    }
    content = {"selector": {"matchLabels": {"app": "web"}}, "template": template, **spec}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": content}


def config_map(name: str = "settings", metadata: Object | None = None, **data: str | None) -> Object:
    """A ConfigMap."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, **(metadata or {})}, "data": data}


def widget(**spec: Any) -> Object:
    """A custom resource."""
    return {"apiVersion": f"{GROUP}/v1", "kind": "Widget", "metadata": {"name": "web"}, "spec": spec}


def service(*ports: Object, **spec: Any) -> Object:
    """A Service."""
    content = {"selector": {"app": "web"}, "ports": [*ports], **spec}
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": content}


def cluster_role(verb: str) -> Object:
    """A ClusterRole, which has no namespace."""
    rules = [{"apiGroups": [""], "resources": ["pods"], "verbs": [verb]}]
    metadata = {"name": "helm-cases"}
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata, "rules": rules}


def hook(name: str, events: str, policy: str = "", weight: str = "", **data: str) -> Object:
    """A hook that is ready at once."""
    annotations = {"helm.sh/hook": events}
    annotations |= {"helm.sh/hook-delete-policy": policy} if policy else {}
    annotations |= {"helm.sh/hook-weight": weight} if weight else {}
    return config_map(name, {"annotations": annotations}, **data)


def definition(group: str, **properties: Any) -> Object:
    """A definition of the kind Widget in another group."""
    found = copy.deepcopy(DEFINITION)
    found["metadata"]["name"], found["spec"]["group"] = f"widgets.{group}", group
    spec = found["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
    spec.update(properties)
    return found


def of_group(group: str, **spec: Any) -> Object:
    """A custom resource of another group."""
    return {**widget(**spec), "apiVersion": f"{group}/v1"}


KEEP = {"annotations": {"helm.sh/resource-policy": "keep"}}
OURS = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "{namespace}"},
}
OWNERS = {"managedFields": [{"manager": "me", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1"}]}
HTTP = {"name": "http", "port": 80}
ENV = {"env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]}
TWICE = {"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}
PORTS = {"ports": [{"containerPort": 80, "name": "a"}, {"containerPort": 80, "name": "b"}]}
PATCH = {"env": [{"name": "A", "$patch": "delete"}]}
SIDE = {"name": "side", "image": "b"}
ROLE = ["rbac.authorization.k8s.io/v1", "ClusterRole", "helm-cases"]
WHOLE = {"spec": {"template": {"spec": {"terminationGracePeriodSeconds": 60}}, "replicas": 4}}


CASES: dict[str, list[Object]] = {
    "an upgrade without other writers": [install(deployment(), config_map(a="1")), upgrade(deployment("nginx:2"))],
    "an upgrade without changes": [install(deployment(replicas=2)), upgrade(deployment(replicas=2))],
    "helm#31790: an autoscaler owns replicas": [
        install(deployment(replicas=2)),
        scale(deployment(), 5),
        upgrade(deployment(replicas=3)),
        upgrade(deployment("nginx:2")),
    ],
    "an autoscaler and the live value": [
        install(deployment(replicas=2)),
        scale(deployment(), 5),
        upgrade(deployment(replicas=5)),
        upgrade(deployment()),
    ],
    "helm#31505: force takes conflicts over": [
        install(deployment(replicas=2)),
        scale(deployment(), 5),
        upgrade(deployment(replicas=3), force_conflicts=True),
    ],
    "ECK#9631: an operator updates the whole object": [
        install(deployment(replicas=2, container=ENV)),
        write("update", deployment(), WHOLE),
        upgrade(deployment("nginx:2", replicas=2, container=ENV)),
    ],
    "ai-gateway#2087: an operator applies the whole object with force": [
        install(config_map(a="1", b="1")),
        write("apply", config_map(), {"data": {"a": "2", "b": "1"}}),
        upgrade(config_map(a="3", b="1")),
        upgrade(config_map(a="2")),
    ],
    "quantities of one value are other values to an apply": [
        install(deployment(container={"resources": {"limits": {"cpu": "1000m"}}})),
        write("update", deployment(), {"spec": {"revisionHistoryLimit": 3}}),
        upgrade(deployment(container={"resources": {"limits": {"cpu": "1"}}}, revisionHistoryLimit=2)),
    ],
    "kubermatic#16138: auto follows the recorded method": [
        install(deployment(replicas=2), version=3),
        upgrade(deployment("nginx:2", replicas=2), version=4),
        upgrade(deployment("nginx:3", replicas=2), version=4, server_side="true"),
        upgrade(deployment("nginx:4", replicas=2), version=4),
    ],
    "kubermatic#16148: force-conflicts is rejected client-side": [
        install(deployment(), version=3),
        upgrade(deployment("nginx:2"), force_conflicts=True),
        upgrade(deployment("nginx:2"), force_conflicts=True, server_side="true"),
    ],
    "helm#31516: fields of the first install as Update": [
        install(deployment(replicas=2), server_side="false"),
        write("merge", deployment(), {"metadata": {"labels": {"tier": "a"}}}, "helm"),
        upgrade(deployment("nginx:2", replicas=3), server_side="true"),
        write("merge", deployment(), {"spec": {"replicas": 9}}, "helm"),
        upgrade(deployment("nginx:3", replicas=4)),
    ],
    "helm#31529: duplicate env client-side": [
        install(deployment(container=TWICE), version=3),
        upgrade(deployment("nginx:2", container=TWICE), version=3),
        upgrade(deployment("nginx:3", container=TWICE), version=4, server_side="true"),
    ],
    "supabase#244: duplicate env server-side": [install(deployment(container=TWICE))],
    "omada#721: duplicate ports": [
        install(deployment(container=PORTS), version=3),
        upgrade(deployment("nginx:2", container=PORTS), server_side="true"),
    ],
    "omada#721: duplicate ports server-side": [install(deployment(container=PORTS))],
    "helm#31771: $patch in a chart": [
        install(deployment(container=ENV), version=3),
        upgrade(deployment(container=PATCH), version=3),
        upgrade(deployment("nginx:2", container=PATCH), version=4, server_side="true"),
    ],
    "redpanda-operator#1648: managedFields in a manifest": [
        install(config_map(a="1")),
        upgrade(config_map("settings", OWNERS, a="2")),
        upgrade(config_map("settings", OWNERS, a="3"), server_side="false"),
    ],
    "uzi#448: a field that the definition lacks": [
        install(widget(size=1, unknown=True), version=3),
        upgrade(widget(size=2, unknown=True), version=4),
        upgrade(widget(size=3, unknown=True), version=4, server_side="true"),
    ],
    "fleet#4879: a rollback does not revert foreign values": [
        install(config_map(a="1"), deployment()),
        upgrade(config_map(a="2"), deployment("nginx:2")),
        write("merge", config_map(), {"data": {"b": "foreign"}}),
        write("merge", deployment(), {"spec": {"paused": True}}),
        rollback(1),
    ],
    "fleet#4879: a rollback meets a conflict": [
        install(config_map(a="1")),
        upgrade(config_map(a="2")),
        write("merge", config_map(), {"data": {"a": "foreign"}}),
        rollback(1),
        rollback(1, force_conflicts=True),
    ],
    "pawtograder#878: values reverted, owners not": [
        install(config_map(a="1", b="1")),
        write("merge", config_map(), {"data": {"a": "2"}}),
        write("merge", config_map(), {"data": {"a": "1"}}),
        upgrade(config_map(a="1", b="2")),
        upgrade(config_map(a="3", b="2")),
    ],
    "a rollback client-side": [
        install(deployment(replicas=2, container=ENV), widget(size=1, tags=["x"]), version=3),
        upgrade(deployment("nginx:2", replicas=3), widget(size=2), version=3),
        write("merge", widget(), {"spec": {"size": 9}}),
        write("merge", deployment(), {"spec": {"replicas": 9, "paused": True}}),
        rollback(1, version=3),
    ],
    "a rollback of Helm 4 to a release of Helm 3": [
        install(deployment(replicas=2), version=3),
        upgrade(deployment("nginx:2", replicas=3), server_side="true"),
        rollback(1),
        rollback(2),
    ],
    "a rollback restores a deleted object": [
        install(deployment(), config_map(a="1"), version=3),
        upgrade(deployment(), version=3),
        rollback(1, version=3),
    ],
    "a rollback meets an object that was kept": [
        install(deployment(), config_map("settings", KEEP, a="1"), version=3),
        upgrade(deployment(), version=3),
        write("merge", config_map(), {"data": {"b": "2"}}),
        rollback(1, version=3),
    ],
    "a custom resource is compared with the former manifest only": [
        install(widget(size=1, tags=["x"], items=[{"name": "a", "size": 1}]), version=3),
        write("merge", widget(), {"spec": {"size": 5, "options": {"a": "1"}}}),
        upgrade(widget(size=1, tags=["x", "y"], items=[{"name": "a", "size": 1}]), version=3),
        upgrade(widget(size=2), version=3),
    ],
    "lists of a custom resource server-side": [
        install(widget(tags=["x"], zones=["a"], items=[{"name": "a", "size": 1}], parts=[{"name": "a"}])),
        write("apply", widget(), {"spec": {"items": [{"name": "b", "size": 1}], "zones": ["b"]}}),
        upgrade(widget(tags=["y"], zones=["c"], items=[{"name": "c", "size": 1}], parts=[{"name": "b"}])),
        write("apply", widget(), {"spec": {"tags": ["z"]}}),
        upgrade(widget(tags=["y", "z"])),
    ],
    "an object that is gone from the manifest": [
        install(deployment(), config_map(a="1"), version=3),
        upgrade(deployment(), version=3),
    ],
    "the keep policy": [
        install(deployment(), config_map("settings", KEEP, a="1")),
        upgrade(deployment()),
        upgrade(deployment(), config_map(a="2")),
    ],
    "the keep policy in live only": [
        install(deployment(), config_map(a="1")),
        write("merge", config_map(), {"metadata": KEEP}),
        upgrade(deployment()),
    ],
    "a deleted object with a finalizer": [
        install(deployment(), config_map(a="1")),
        write("merge", config_map(), {"metadata": {"finalizers": ["example.com/wait"]}}),
        upgrade(deployment()),
    ],
    "an object that somebody deleted": [
        install(deployment(), config_map(a="1")),
        write("delete", config_map(), {}),
        upgrade(deployment(), config_map(a="2")),
    ],
    "an existing object of nobody": [
        write("create", config_map(), config_map(a="0")),
        install(config_map(a="1"), deployment()),
        install(config_map(a="1"), deployment(), take_ownership=True),
    ],
    "an existing object of another release": [
        write("create", config_map(), config_map("settings", {**OURS, "labels": {}}, a="0")),
        install(config_map(a="1"), version=3),
        install(config_map(a="1"), version=3, take_ownership=True),
    ],
    "an existing object with Helm's metadata": [
        write("create", config_map(), config_map("settings", OURS, a="0", b="0"), "helm"),
        install(config_map(a="1"), deployment()),
    ],
    "an existing object with Helm's metadata and Helm 3": [
        write("create", config_map(), config_map("settings", OURS, a="0", b="0"), "helm"),
        install(config_map(a="1"), deployment(), version=3),
    ],
    "an adopted custom resource": [
        write("create", widget(), {**widget(size=9, tags=["x"])}),
        install(widget(size=1), version=3, take_ownership=True),
    ],
    "an upgrade adopts an object": [
        install(deployment()),
        write("create", config_map(), config_map(a="0")),
        upgrade(deployment(), config_map(a="1")),
        upgrade(deployment(), config_map(a="1"), take_ownership=True, force_conflicts=True),
    ],
    "replacement": [
        install(service(HTTP), config_map(a="1"), version=3),
        write("merge", config_map(), {"data": {"b": "2"}, "metadata": {"labels": {"tier": "a"}}}),
        upgrade(service({**HTTP, "targetPort": 8080}), config_map(a="2"), version=3, force=True),
        upgrade(service({**HTTP, "targetPort": 8081}), config_map(a="3"), version=4, force=True),
        upgrade(service({**HTTP, "targetPort": 8082}), config_map(a="3"), force=True, server_side="true"),
    ],
    "an immutable field": [
        install(deployment(), config_map(a="1")),
        upgrade({**deployment(), "spec": {**deployment()["spec"], "selector": {"matchLabels": {"app": "b"}}}}),
        upgrade(deployment("nginx:3")),
        rollback(1),
    ],
    "a failed upgrade and the next one client-side": [
        install(deployment(container=ENV), config_map(a="1", b="1"), version=3),
        upgrade(deployment(container=ENV, replicas=-1), config_map(a="2"), version=3),
        upgrade(deployment(), config_map(a="3"), version=3),
        rollback(2, version=3),
    ],
    "a failed creation stops an upgrade": [
        install(config_map(a="1"), config_map("gone", a="1")),
        upgrade(config_map(a="2"), config_map("bad name"), deployment(), server_side="false"),
    ],
    "a failed creation does not stop an install": [
        install(config_map("bad name"), config_map(a="1"), deployment()),
    ],
    "a value of a wrong type": [
        install(deployment(replicas="two")),
        install(deployment(replicas="2"), version=3),
    ],
    "null in a manifest": [
        install(config_map(a="1", b="2"), deployment(replicas=2), version=3),
        upgrade(config_map(a=None, b="2"), deployment(replicas=None), version=3),
        upgrade(config_map(a=None, b="3"), deployment("nginx:2", replicas=None), server_side="true"),
    ],
    "hooks": [
        install(
            *(deployment(), hook("before", "pre-install,pre-upgrade", a="1"), hook("after", "post-install", a="1")),
            hook("late", "post-upgrade", "hook-succeeded", a="1"),
        ),
        write("merge", config_map("before"), {"data": {"b": "2"}}),
        upgrade(
            *(deployment("nginx:2"), hook("before", "pre-install,pre-upgrade", a="2")),
            hook("late", "post-upgrade", "hook-succeeded", a="1"),
        ),
    ],
    "a hook that stays": [
        install(deployment(), hook("before", "pre-install,pre-upgrade", "hook-failed", a="1")),
        write("merge", config_map("before"), {"data": {"a": "2"}}),
        upgrade(deployment("nginx:2"), hook("before", "pre-install,pre-upgrade", "hook-failed", a="3")),
    ],
    "a hook that stays and exists": [
        install(deployment(), hook("before", "pre-install,pre-upgrade", "hook-failed", a="1"), version=3),
        upgrade(deployment("nginx:2"), hook("before", "pre-install,pre-upgrade", "hook-failed", a="3"), version=3),
    ],
    "hooks of a rollback, by weight": [
        install(
            *(deployment(), hook("two", "pre-rollback", "", "2", a="1"), hook("one", "pre-rollback", "", "-5", a="1")),
            hook("last", "post-rollback", "hook-succeeded", a="1"),
        ),
        upgrade(deployment("nginx:2")),
        rollback(1),
    ],
    "an unknown hook": [install(deployment(), hook("odd", "crd-install", a="1"))],
    "a hook of tests": [install(deployment(), hook("check", "test", a="1"))],
    "definitions in crds/": [
        install(
            *(of_group("one.helm.example.com", size=1),),
            crds=[definition("one.helm.example.com")],
            definitions=["widgets.one.helm.example.com"],
        ),
        upgrade(
            *(of_group("one.helm.example.com", size=2),),
            crds=[definition("one.helm.example.com", more={"type": "string"})],
            definitions=["widgets.one.helm.example.com"],
        ),
    ],
    "definitions in crds/ that exist": [
        install(
            *(of_group("one.helm.example.com", size=1),),
            crds=[definition("one.helm.example.com", more={"type": "string"})],
            definitions=["widgets.one.helm.example.com"],
            version=3,
        ),
    ],
    "definitions in crds/ that exist, server-side": [
        install(
            *(of_group("one.helm.example.com", size=1),),
            crds=[definition("one.helm.example.com", more={"type": "string"})],
            definitions=["widgets.one.helm.example.com"],
        ),
    ],
    "a definition among the templates": [
        install(
            definition("two.helm.example.com"),
            of_group("two.helm.example.com", size=1),
            definitions=["widgets.two.helm.example.com"],
        ),
        install(definition("two.helm.example.com"), definitions=["widgets.two.helm.example.com"]),
        upgrade(
            definition("two.helm.example.com", more={"type": "string"}),
            of_group("two.helm.example.com", size=1),
            definitions=["widgets.two.helm.example.com"],
        ),
    ],
    "an object without a namespace": [
        install(cluster_role("get"), version=4, cluster_wide=[ROLE]),
        upgrade(cluster_role("list"), cluster_wide=[ROLE]),
    ],
    "another version of a kind": [
        install(
            {
                "apiVersion": "autoscaling/v1",
                "kind": "HorizontalPodAutoscaler",
                "metadata": {"name": "web"},
                "spec": {
                    "maxReplicas": 3,
                    "targetCPUUtilizationPercentage": 50,
                    "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                },
            },
            version=3,
        ),
        upgrade(
            {
                "apiVersion": "autoscaling/v2",
                "kind": "HorizontalPodAutoscaler",
                "metadata": {"name": "web"},
                "spec": {
                    "maxReplicas": 4,
                    "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                },
            },
            version=3,
        ),
    ],
    "k8s#131147: a port with another number and its name": [
        install(service(HTTP, {"name": "more", "port": 81})),
        write("apply", service(), {"spec": {"ports": [{"name": "more", "port": 81, "targetPort": 9000}]}}),
        upgrade(service(HTTP, {"name": "more", "port": 82})),
        upgrade(service(HTTP, {"name": "more", "port": 82}), server_side="false"),
    ],
    "an object without managedFields": [
        install(config_map(a="1")),
        write("merge", config_map(), {"metadata": {"managedFields": [{}]}}),
        upgrade(config_map(a="2")),
    ],
    "a label of the release that others change": [
        install(config_map(a="1"), version=3),
        write("merge", config_map(), {"metadata": {"labels": {"app.kubernetes.io/managed-by": "me"}}}),
        upgrade(config_map(a="2"), version=3),
        upgrade(config_map(a="3"), version=4, server_side="true"),
    ],
    "a strategic patch keeps what others add": [
        install(deployment(container=ENV), version=3),
        write(
            "strategic",
            deployment(),
            {"spec": {"template": {"spec": {"containers": [SIDE]}}}},
        ),
        upgrade(deployment("nginx:2", container={"env": [ENV["env"][1]]}), version=3),
        upgrade(deployment("nginx:3"), version=4, server_side="true"),
    ],
}
"""The steps of each scenario by its name."""
