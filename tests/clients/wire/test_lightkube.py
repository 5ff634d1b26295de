"""lightkube talks to a served cluster, with and without asyncio."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from ..test_client_objects import module
from .objects import GROUP, PLURAL, VERSION, config_map, definition, deployment, shop

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving


def kinds(*names: str) -> list[Any]:
    """Kinds of lightkube, as `apps_v1.Deployment`."""
    parted = [name.partition(".") for name in names]
    return [getattr(module(f"lightkube.resources.{where}"), name) for where, _, name in parted]


def client_of(kube_server: Serving, kind: str = "Client") -> Any:
    """A client of lightkube."""
    config = module("lightkube").KubeConfig.from_file(str(kube_server.kubeconfig))
    return getattr(module("lightkube"), kind)(config=config, field_manager="me")


def test_objects_are_created_read_changed_and_deleted(kube_server: Serving) -> None:
    (deployments,) = kinds("apps_v1.Deployment")
    patches, error = module("lightkube.types").PatchType, module("lightkube").ApiError
    with client_of(kube_server) as client:
        made = client.create(deployments.from_dict(deployment("web")))
        assert made.spec.strategy.type == "RollingUpdate"  # a default value
        with pytest.raises(error) as refused:
            client.create(deployments.from_dict(deployment("web")))
        assert (refused.value.status.code, refused.value.status.reason) == (409, "AlreadyExists")
        containers = {"containers": [{"name": "log", "image": "log:1"}]}
        client.patch(deployments, "web", {"spec": {"template": {"spec": containers}}})
        client.patch(deployments, "web", {"spec": {"replicas": 7}}, patch_type=patches.MERGE)
        found = client.get(deployments, "web")
        assert (len(found.spec.template.spec.containers), found.spec.replicas) == (2, 7)
        made.spec.replicas = 1
        with pytest.raises(error, match="please apply your changes to the latest version"):
            client.replace(made)
        scale = client.get(deployments.Scale, "web")
        scale.spec.replicas = 3
        assert client.replace(scale, "web").spec.replicas == 3
        assert [one.metadata.name for one in client.list(deployments, labels={"app": "web"}, chunk_size=1)] == ["web"]
        client.delete(deployments, "web")
        assert list(client.list(deployments)) == []


def test_applying_takes_what_others_own_only_by_force(kube_server: Serving) -> None:
    (maps,) = kinds("core_v1.ConfigMap")
    with client_of(kube_server) as client:
        client.apply(maps.from_dict(config_map("a", x="1")))
        client.apply(maps.from_dict(config_map("a", y="2")), field_manager="other")
        with pytest.raises(module("lightkube").ApiError, match=r'conflict with "me": \.data\.x') as refused:
            client.apply(maps.from_dict(config_map("a", x="3")), field_manager="other")
        assert refused.value.status.code == 409
        client.apply(maps.from_dict(config_map("a", x="3")), field_manager="other", force=True)
        assert client.apply(maps.from_dict(config_map("a"))).data == {"x": "3"}


def test_a_watch_and_a_wait(kube_server: Serving) -> None:
    maps, definitions = kinds("core_v1.ConfigMap", "apiextensions_v1.CustomResourceDefinition")
    with client_of(kube_server) as client:
        client.create(definitions.from_dict(definition()))
        client.wait(definitions, f"{PLURAL}.{GROUP}", for_conditions=["Established"])
        kind = module("lightkube.generic_resource").create_namespaced_resource(GROUP, VERSION, "Shop", PLURAL)
        assert client.create(kind.from_dict(shop("toys"))).spec == {"image": "shop:1", "replicas": 1}
        client.patch(
            kind.Status, "toys", {"status": {"replicas": 1}}, patch_type=module("lightkube.types").PatchType.MERGE
        )
        assert client.get(kind, "toys").status == {"replicas": 1}
        start = client.create(maps.from_dict(config_map("a"))).metadata.resourceVersion
        change = threading.Timer(0.2, client.patch, (maps, "a", {"data": {"x": "1"}}))
        change.start()
        event, found = next(iter(client.watch(maps, resource_version=start)))
        change.join()
        assert (event, found.data) == ("MODIFIED", {"x": "1"})


def test_by_asyncio(kube_server: Serving) -> None:
    (maps,) = kinds("core_v1.ConfigMap")

    async def talk() -> list[tuple[str, str]]:
        client = client_of(kube_server, "AsyncClient")
        told: list[tuple[str, str]] = []

        async def watching() -> None:
            async for event, found in client.watch(maps):
                told.append((event, found.metadata.name))
                if event == "DELETED":
                    return

        task = asyncio.create_task(watching())
        await client.create(maps.from_dict(config_map("a")))
        await client.apply(maps.from_dict(config_map("b", x="1")))
        names = [one.metadata.name async for one in client.list(maps)]
        assert names == ["a", "b"]
        await client.delete(maps, "b")
        await asyncio.wait_for(task, 20)
        await client.close()
        return told

    told = asyncio.run(talk())
    assert set(told) == {("ADDED", "a"), ("ADDED", "b"), ("DELETED", "b")}
