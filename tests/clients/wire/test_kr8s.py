"""kr8s talks to a served cluster, with and without asyncio."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from ..test_client_objects import module
from .objects import config_map, definition, deployment, shop

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving

pytestmark = [
    pytest.mark.filterwarnings("ignore:Kubernetes version:UserWarning"),  # for releases that it does not support yet
    pytest.mark.usefixtures("connections_collected"),
]


def test_objects_are_created_read_changed_and_deleted(kube_server: Serving) -> None:
    kr8s, objects = module("kr8s"), module("kr8s.objects")
    api = kr8s.api(kubeconfig=str(kube_server.kubeconfig))
    assert f"{api.version()['major']}.{api.version()['minor']}" == kube_server.cluster.release
    web = objects.Deployment(deployment("web"), api=api)
    web.create()
    assert web.spec.strategy.type == "RollingUpdate"  # a default value
    web.scale(5)
    assert web.replicas == 5
    web.label(tier="front")
    web.annotate({"note": "seen"})
    web.patch({"spec": {"minReadySeconds": 3}})
    web.patch([{"op": "replace", "path": "/spec/paused", "value": True}], type="json")
    found = objects.Deployment.get("web", namespace="default", api=api)
    assert (found.labels["tier"], found.annotations["note"], found.spec.minReadySeconds) == ("front", "seen", 3)
    assert found.spec.paused
    assert [one.name for one in api.get("deployments", namespace="default", label_selector={"tier": "front"})] == [
        "web"
    ]
    web.patch({"status": {"replicas": 5, "readyReplicas": 5}}, subresource="status")
    web.wait("jsonpath='{.status.readyReplicas}'=5", timeout=20)
    web.delete()
    assert not web.exists()
    with pytest.raises(kr8s.NotFoundError):
        objects.Deployment.get("web", namespace="default", api=api)


def test_more_than_a_page_is_listed_and_a_watch_tells_the_rest(kube_server: Serving) -> None:
    kr8s, objects = module("kr8s"), module("kr8s.objects")
    for number in range(230):
        kube_server.cluster.create(config_map(f"c{number:03}"))
    api = kr8s.api(kubeconfig=str(kube_server.kubeconfig))
    assert len(list(api.get("configmaps", namespace="default"))) == 230
    one = objects.ConfigMap(config_map("a", x="1"), api=api)
    one.create()
    told = []
    thread = threading.Timer(0.3, one.delete)
    thread.start()
    for event, found in one.watch():
        told.append((event, found.name))
        if event == "DELETED":
            break
    thread.join()
    assert told[-1] == ("DELETED", "a")


def test_custom_resources_by_asyncio(kube_server: Serving) -> None:
    kr8s, objects = module("kr8s"), module("kr8s.asyncio.objects")

    async def talk() -> dict[str, Any]:
        api = await kr8s.asyncio.api(kubeconfig=str(kube_server.kubeconfig))
        crd = await objects.CustomResourceDefinition(definition(), api=api)
        await crd.create()
        await crd.wait("condition=Established", timeout=20)
        kind = objects.new_class("Shop", "example.com/v1", plural="shops", scalable=True)
        toys = await kind(shop("toys"), api=api)
        await toys.create()
        await toys.scale(4)
        await toys.patch({"metadata": {"finalizers": ["example.com/keep"]}})
        await toys.delete()
        await toys.refresh()
        assert toys.metadata.deletionTimestamp  # a finalizer holds it
        names = [one.name async for one in api.get("shops.example.com", namespace="default")]
        assert names == ["toys"]
        spec: dict[str, Any] = toys.raw["spec"].to_dict()
        await toys.patch({"metadata": {"finalizers": None}})
        await toys.wait("delete", timeout=20)
        await api._session.aclose()  # kr8s keeps it, and leaves it open
        return spec

    assert asyncio.run(talk()) == {"image": "shop:1", "replicas": 4}
