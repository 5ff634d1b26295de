"""Real clients discover the served resources: Python clients always, kubectl if `KUBEMERGE_REAL_API` has it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from kubemerge.apiserver.http.listening.kubeconfig import kubeconfig
from kubemerge.apiserver.http.listening.running import served
from kubemerge.cluster import open_cluster

from .recorded import RELEASE, definitions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # clients leave connections open
    pytest.mark.usefixtures("connections_collected"),
]

CUSTOM = {
    "apiVersion": "stable.example.com/v1",
    "kind": "CronTab",
    "metadata": {"name": "one", "namespace": "default"},
    "spec": {"cronSpec": "1"},
}
KUBECTL = Path(os.environ.get("KUBEMERGE_REAL_API", "")) / "kubectl"


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The kubeconfig of a served cluster with the recorded definitions."""
    with open_cluster(":memory:", release=RELEASE) as cluster:
        for one in definitions():
            cluster.create(one)
        cluster.create(CUSTOM)
        with served(cluster) as serving:
            file = tmp_path_factory.mktemp("server") / "kubeconfig"
            file.write_text(yaml.safe_dump(kubeconfig(serving.url)), encoding="utf-8")
            yield file


def test_the_dynamic_client_finds_kinds_and_their_subresources(config: Path) -> None:
    from kubernetes import config as of_client
    from kubernetes import dynamic

    client: Any = dynamic.DynamicClient
    api: Any = of_client.new_client_from_config(str(config))  # type: ignore[no-untyped-call]
    found = client(api)
    deployments = found.resources.get(api_version="apps/v1", kind="Deployment")
    assert (deployments.name, deployments.short_names) == ("deployments", ["deploy"])
    assert set(deployments.subresources) == {"scale", "status"}
    tables = found.resources.get(api_version="stable.example.com/v1", kind="CronTab")
    assert set(tables.subresources) == {"scale", "status"}
    assert [one.metadata.name for one in tables.get(namespace="default").items] == ["one"]


def test_kr8s_finds_kinds_by_their_names(config: Path) -> None:
    import kr8s.asyncio

    async def found() -> tuple[Any, Any, Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a release unknown to it
            api: Any = await kr8s.asyncio.api(kubeconfig=str(config))
        listed = [one["metadata"]["name"] async for one in api.get("ct", namespace="default")]
        told = listed, await api.lookup_kind("deploy"), (await api.version())["gitVersion"]
        await api._session.aclose()  # kr8s leaves it open
        return told

    listed, kind, version = asyncio.run(found())
    assert listed == ["one"]
    assert kind == ("deployment.apps/v1", "deployments", True)
    assert version == "v1.37.1"


def test_lightkube_loads_the_definitions(config: Path) -> None:
    import lightkube
    from lightkube.generic_resource import get_generic_resource, load_in_cluster_generic_resources

    client = lightkube.Client(config=lightkube.KubeConfig.from_file(str(config)))
    load_in_cluster_generic_resources(client)
    find: Any = get_generic_resource
    tables = find("stable.example.com/v1", "CronTab")
    assert tables is not None
    assert [one.metadata.name for one in client.list(tables, namespace="default")] == ["one"]


@pytest.fixture
def kubectl(config: Path, tmp_path: Path) -> Callable[..., str]:
    """A function that runs kubectl and returns its output."""
    if not KUBECTL.is_file():
        pytest.skip("no kubectl in $KUBEMERGE_REAL_API")

    def run(*words: str, stdin: str = "") -> str:
        command = [str(KUBECTL), "--kubeconfig", str(config), "--cache-dir", str(tmp_path), *words]
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=60)
        return done.stdout + done.stderr

    return run


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("api-resources", "--api-group=stable.example.com"), ["crontabs   ct", "places"]),
        (("api-versions",), ["apps/v1", "other.example.org/v2", "stable.example.com/v1beta1"]),
        (("explain", "deployment.spec.strategy.type"), ["ENUM:", "RollingUpdate"]),
        (("explain", "ct.spec.cronSpec"), ["FIELD: cronSpec <string>", "When, if ever"]),
        (("explain", "ct", "--api-version=stable.example.com/v1beta1"), ["KIND:       CronTab"]),
        (("explain", "ct.spec", "--output=plaintext-openapiv2"), ["cronSpec	<string> -required-"]),
        (("get", "mine"), ["one "]),
        (("version",), ["Server Version: v1.37.1"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_kubectl_is_told(words: tuple[str, ...], wanted: list[str], kubectl: Callable[..., str]) -> None:
    said = kubectl(*words)
    assert [line for line in wanted if line not in said] == [], said


def test_kubectl_has_an_object_validated(kubectl: Callable[..., str]) -> None:
    spoilt = yaml.safe_dump({**CUSTOM, "spec": {"cronSpec": "1", "unknown": 1}, "metadata": {"name": "two"}})
    assert 'unknown field "spec.unknown"' in kubectl("create", "--validate=strict", "-f", "-", stdin=spoilt)


def test_kubectl_patches_a_custom_resource_and_a_built_in_one(kubectl: Callable[..., str]) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "1"}}
    custom = {**CUSTOM, "metadata": {"name": "three"}}
    for number in "12":
        changed = [{**config, "data": {"a": number}}, {**custom, "spec": {"cronSpec": number}}]
        said = kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(changed))
        word = "created" if number == "1" else "configured"
        assert said == f"configmap/c {word}\ncrontab.stable.example.com/three {word}\n"
    assert "serverside-applied" in kubectl(
        "apply", "--server-side", "--force-conflicts", "-f", "-", stdin=yaml.safe_dump(custom)
    )
