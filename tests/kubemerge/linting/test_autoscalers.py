"""Autoscalers in the input and in live files: the objects that they scale get a finding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.linting.autoscalers import are_in

from ...conftest import native
from ..objects import deployment

if TYPE_CHECKING:
    from ..shell import Shell

CODE = "KM032"


def autoscaler(target: str = "web", kind: str = "Deployment", **metadata: Any) -> dict[str, Any]:
    reference = {"apiVersion": "apps/v1", "kind": kind, "name": target}
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "hpa", **metadata},
        "spec": {"minReplicas": 3, "maxReplicas": 9, "scaleTargetRef": reference},
    }


def web(**spec: Any) -> dict[str, Any]:
    content = deployment("web")
    content["spec"] = {**content["spec"], **spec}
    return content


def found(shell: Shell, *words: object) -> list[dict[str, Any]]:
    shell.run("lint", *map(str, words), "-o", "json")
    told: list[dict[str, Any]] = json.loads(shell.out)
    return [one for one in told if one["code"] == CODE]


def test_an_autoscaler_in_the_same_file(shell: Shell) -> None:
    file = shell.write("a.yaml", web(replicas=2), autoscaler())
    for _ in range(2):  # the second report comes from the cache
        (one,) = found(shell, file)
        assert (one["object"], one["path"]) == ("deployment.apps/web", "spec.replicas")
        assert one["message"].startswith(f"HorizontalPodAutoscaler hpa ({file}:")


def test_an_autoscaler_in_the_same_folder(shell: Shell) -> None:
    for name in ("app", "other"):
        (shell.folder / name).mkdir()
    shell.write("app/a.yaml", web(replicas=2))
    shell.write("app/b.yaml", autoscaler())
    shell.write("other/b.yaml", autoscaler())
    (one,) = found(shell, "-R", ".")
    assert native("app/b.yaml") in one["message"]


@pytest.mark.parametrize(
    "written",
    [
        "HorizontalPodAutoscaler",
        "Horizontal\\u0050odAutoscaler",
        "Horizontal\\x50odAutoscaler",
        "Horizontal\\U00000050odAutoscaler",
        "Horizontal\\\n  PodAutoscaler",
        "Horizontal\\\r\n  PodAutoscaler",
        "Horizontal\\\u0085  PodAutoscaler",
        "Horizontal\\\u2028  PodAutoscaler",
    ],
)
def test_an_autoscaler_is_found_however_its_kind_is_written(shell: Shell, written: str) -> None:
    shell.write("web.yaml", web(replicas=2))
    text = json.dumps(autoscaler()).replace("HorizontalPodAutoscaler", written)
    (shell.folder / "hpa.yaml").write_bytes(text.encode())
    (one,) = found(shell, ".")
    assert one["path"] == "spec.replicas"
    assert are_in([("hpa.yaml", text.encode("utf-16"))])


def test_files_without_autoscalers_are_recognized() -> None:
    assert not are_in([("web.yaml", json.dumps(web(replicas=2)).encode()), ("text.yaml", rb'a: "\n\t\""')])


@pytest.mark.parametrize(
    "autoscaling",
    [autoscaler("another"), autoscaler(kind="StatefulSet"), autoscaler(namespace="other"), {**autoscaler(), "spec": 5}],
    ids=["another name", "another kind", "another namespace", "damaged"],
)
def test_an_autoscaler_of_another_object(shell: Shell, autoscaling: dict[str, Any]) -> None:
    assert found(shell, shell.write("a.yaml", web(replicas=2), autoscaling)) == []


def test_replicas_that_are_left_to_the_autoscaler(shell: Shell) -> None:
    content = web()
    content["spec"].pop("replicas", None)
    assert found(shell, shell.write("a.yaml", content, autoscaler())) == []


def test_a_scaled_object_of_keda_scales_a_deployment_by_default(shell: Shell) -> None:
    scaled = {
        "apiVersion": "keda.sh/v1alpha1",
        "kind": "ScaledObject",
        "metadata": {"name": "queue"},
        "spec": {"scaleTargetRef": {"name": "web"}},
    }
    (one,) = found(shell, shell.write("a.yaml", web(replicas=2), scaled))
    assert one["message"].startswith("ScaledObject queue (")


def test_an_autoscaler_in_live(shell: Shell) -> None:
    live = shell.write("live.yaml", autoscaler())
    (one,) = found(shell, shell.write("a.yaml", web(replicas=2)), "--live", live)
    assert one["message"].startswith("HorizontalPodAutoscaler hpa scales this object")


def test_the_advice_for_a_server_side_apply(shell: Shell) -> None:
    (one,) = found(shell, shell.write("a.yaml", web(replicas=2), autoscaler()), "--server-side")
    assert "Do not use --force-conflicts" in one["advice"]


def test_the_finding_can_be_ignored_in_the_file(shell: Shell) -> None:
    content = web(replicas=2)
    content["metadata"]["annotations"] = {"kubemerge/ignore": CODE}
    assert found(shell, shell.write("a.yaml", content, autoscaler())) == []


def test_a_port_that_is_renumbered_under_its_name_while_another_owner_keeps_it(shell: Shell) -> None:
    """kubernetes#131147: the owner's element stays, so that two elements have the name."""
    metadata = {"name": "web", "namespace": "default"}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"selector": {"a": "b"}}}
    config = {**service, "spec": {"ports": [{"name": "http", "port": 81, "protocol": "TCP"}]}}
    owned: dict[str, Any] = {'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:name": {}, "f:port": {}, "f:protocol": {}}}
    entry = {"manager": "helm", "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1"}
    live = {
        **service,
        "metadata": {**metadata, "managedFields": [{**entry, "fieldsV1": {"f:spec": {"f:ports": owned}}}]},
        "spec": {
            "selector": {"a": "b"},
            "clusterIP": "10.0.0.1",
            "clusterIPs": ["10.0.0.1"],
            "type": "ClusterIP",
            "sessionAffinity": "None",
            "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": 80}],
        },
    }
    words = ("lint", shell.write("a.yaml", config), "--server-side", "--live", shell.write("live.yaml", live))
    assert shell.run(*words, "-o", "json") == 1
    (one,) = json.loads(shell.out)
    assert (one["code"], one["path"]) == ("KM106", "spec.ports[1].name")
    assert "another manager owns it" in one["advice"]
