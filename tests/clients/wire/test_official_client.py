"""The package `kubernetes` talks to a served cluster."""

from __future__ import annotations

import threading
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

import pytest

from ..test_client_objects import module
from .objects import GROUP, PLURAL, VERSION, config_map, definition, deployment, shop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.apiserver.http.listening.running import Serving


@pytest.fixture
def client(kube_server: Serving) -> Iterator[Any]:
    """The package, as its users have it after `load_kube_config`."""
    module("kubernetes.config").load_kube_config(str(kube_server.kubeconfig))
    client = module("kubernetes.client")
    before = client.Configuration.get_default_copy()
    yield client
    client.Configuration.set_default(before)


def test_typed_objects_are_created_read_changed_and_deleted(client: Any) -> None:
    with client.ApiClient() as api:
        apps = client.AppsV1Api(api)
        made = apps.create_namespaced_deployment("default", deployment("web"))
        assert made.spec.strategy.type == "RollingUpdate"  # a default value
        assert made.metadata.creation_timestamp <= datetime.now(timezone.utc)
        sidecar = {"spec": {"template": {"spec": {"containers": [{"name": "log", "image": "log:1"}]}}}}
        patched = apps.patch_namespaced_deployment("web", "default", sidecar)
        assert {one.name for one in patched.spec.template.spec.containers} == {"web", "log"}
        replicas = [{"op": "replace", "path": "/spec/replicas", "value": 5}]
        assert apps.patch_namespaced_deployment("web", "default", replicas).spec.replicas == 5
        scale = apps.read_namespaced_deployment_scale("web", "default")
        assert (scale.spec.replicas, scale.status.selector) == (5, "app=web")
        scale.spec.replicas = 3
        assert apps.replace_namespaced_deployment_scale("web", "default", scale).spec.replicas == 3
        status = {"status": {"replicas": 3, "readyReplicas": 2}}
        assert apps.patch_namespaced_deployment_status("web", "default", status).status.ready_replicas == 2
        apps.delete_namespaced_deployment("web", "default")
        with pytest.raises(client.ApiException) as refused:
            apps.read_namespaced_deployment("web", "default")
        assert (refused.value.status, refused.value.reason) == (404, "Not Found")


def test_whoever_read_too_early_is_refused(client: Any) -> None:
    with client.ApiClient() as api:
        core = client.CoreV1Api(api)
        mine = core.create_namespaced_config_map("default", config_map("a", x="1"))
        core.patch_namespaced_config_map("a", "default", {"data": {"y": "2"}})
        mine.data["x"] = "3"
        with pytest.raises(client.ApiException, match="please apply your changes to the latest version") as refused:
            core.replace_namespaced_config_map("a", "default", mine)
        assert refused.value.status == 409


def test_lists_are_selected_and_come_in_pages(client: Any) -> None:
    with client.ApiClient() as api:
        core = client.CoreV1Api(api)
        for number in range(7):
            one = config_map(f"c{number}")
            one["metadata"]["labels"] = {"odd": str(number % 2)}
            core.create_namespaced_config_map("default", one)
        names: list[str] = []
        token = None
        while token != "":
            page = core.list_namespaced_config_map("default", limit=3, label_selector="odd", _continue=token)
            names += [one.metadata.name for one in page.items]
            token = page.metadata._continue or ""
        assert names == [f"c{number}" for number in range(7)]
        odd = core.list_config_map_for_all_namespaces(label_selector="odd=1", field_selector="metadata.name!=c1")
        assert [one.metadata.name for one in odd.items] == ["c3", "c5"]
        core.delete_collection_namespaced_config_map("default", label_selector="odd=1")
        assert len(core.list_namespaced_config_map("default", label_selector="odd").items) == 4


def test_a_watch_tells_what_happens_after_a_list(client: Any) -> None:
    with client.ApiClient() as api:
        core = client.CoreV1Api(api)
        core.create_namespaced_config_map("default", config_map("before"))
        start = core.list_namespaced_config_map("default").metadata.resource_version

        def change() -> None:
            with client.ApiClient() as other:
                core = client.CoreV1Api(other)
                core.create_namespaced_config_map("default", config_map("a", x="1"))
                core.patch_namespaced_config_map("a", "default", {"data": {"x": "2"}})
                core.delete_namespaced_config_map("a", "default")

        watch = module("kubernetes.watch").Watch()
        told: list[tuple[str, str, Any]] = []
        thread = threading.Thread(target=change)
        thread.start()
        for event in watch.stream(
            core.list_namespaced_config_map, "default", resource_version=start, timeout_seconds=20
        ):
            told.append((event["type"], event["object"].metadata.name, event["object"].data))
            if event["type"] == "DELETED":
                watch.stop()
        thread.join()
    assert told == [("ADDED", "a", {"x": "1"}), ("MODIFIED", "a", {"x": "2"}), ("DELETED", "a", {"x": "2"})]


def test_custom_resources_are_served_when_their_definition_is_there(client: Any) -> None:
    with client.ApiClient() as api:
        client.ApiextensionsV1Api(api).create_custom_resource_definition(definition())
        shops = client.CustomObjectsApi(api)
        place = (GROUP, VERSION, "default", PLURAL)
        made = shops.create_namespaced_custom_object(*place, shop("toys"))
        assert made["spec"] == {"image": "shop:1", "replicas": 1}
        shops.patch_namespaced_custom_object(*place, "toys", {"spec": {"replicas": 4}})
        shops.patch_namespaced_custom_object_status(*place, "toys", {"status": {"replicas": 2}})
        assert shops.get_namespaced_custom_object_scale(*place, "toys")["status"] == {"replicas": 2}
        with pytest.raises(client.ApiException, match="should be greater than or equal to 0") as refused:
            shops.patch_namespaced_custom_object(*place, "toys", {"spec": {"replicas": -4}})
        assert refused.value.status == 422


def test_the_dynamic_client_finds_kinds_and_applies(client: Any) -> None:
    dynamic = module("kubernetes.dynamic")
    with client.ApiClient() as api:
        found = dynamic.DynamicClient(api)
        kinds = found.resources.get(api_version="apiextensions.k8s.io/v1", kind="CustomResourceDefinition")
        kinds.create(body=definition())
        found.resources.invalidate_cache()
        shops = found.resources.get(api_version=f"{GROUP}/{VERSION}", kind="Shop")
        assert (shops.name, shops.namespaced, sorted(shops.subresources)) == (PLURAL, True, ["scale", "status"])
        applied = shops.server_side_apply(body=shop("toys"), namespace="default", field_manager="me")
        assert applied.spec.to_dict() == {"image": "shop:1", "replicas": 1}
        other = shop("toys", "shop:2")
        with pytest.raises(dynamic.exceptions.ConflictError):
            shops.server_side_apply(body=other, namespace="default", field_manager="other")
        deployments = found.resources.get(api_version="apps/v1", kind="Deployment")
        deployments.create(body=deployment("web"), namespace="default")
        deployments.patch(
            body={"spec": {"template": {"spec": {"containers": [{"name": "log", "image": "log:1"}]}}}},
            name="web",
            namespace="default",
            content_type="application/strategic-merge-patch+json",
        )
        live = deployments.get(name="web", namespace="default")
        assert len(live.spec.template.spec.containers) == 2
        assert [one.metadata.name for one in shops.get(namespace="default").items] == ["toys"]


def test_a_leader_is_elected_by_a_lease(client: Any) -> None:
    election = module("kubernetes.leaderelection.leaderelection")
    config = module("kubernetes.leaderelection.electionconfig")
    locks = pytest.importorskip("kubernetes.leaderelection.resourcelock.leaselock", reason="there are no LeaseLocks")
    leading, follows = threading.Event(), threading.Event()

    def candidate(name: str, led: threading.Event) -> Any:
        lock = locks.LeaseLock("leader", "default", name)
        times = {"lease_duration": 3, "renew_deadline": 2, "retry_period": 1}
        return election.LeaderElection(
            config.Config(lock, onstarted_leading=led.set, onstopped_leading=lambda: None, **times)
        )

    first, second = candidate("first", leading), candidate("second", follows)
    threading.Thread(target=first.run, daemon=True).start()
    assert leading.wait(20)
    assert not second.try_acquire_or_renew()
    lease = client.CoordinationV1Api().read_namespaced_lease("leader", "default")
    assert lease.spec.holder_identity == "first"
    first.try_acquire_or_renew = lambda: False  # it has lost its connection
    second.acquire()
    lease = client.CoordinationV1Api().read_namespaced_lease("leader", "default")
    assert lease.spec.holder_identity == "second"
