"""A Service keeps its allocated fields, until its type does not need them."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.defaulting.fill import fill
from kubemerge.apiserver.validation import validation

ADDRESS = {"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"]}
HTTP = {"name": "http", "port": 80, "protocol": "TCP", "targetPort": 80}
DNS = {"name": "dns", "port": 53, "protocol": "UDP", "targetPort": 53}


def service(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": spec}


def updated(config: dict[str, Any], live: dict[str, Any], release: str = "1.31") -> dict[str, Any]:
    spec: dict[str, Any] = fill(config, fill(live, None, release), release)["spec"]
    return spec


def test_an_address_that_is_left_out_is_kept() -> None:
    spec = updated(service(ports=[HTTP]), service(ports=[HTTP], **ADDRESS))
    assert {field: spec[field] for field in ADDRESS} == ADDRESS


def test_before_1_20_it_was_not() -> None:
    assert "clusterIP" not in updated(service(ports=[HTTP]), service(ports=[HTTP], **ADDRESS), "1.19")


def test_an_address_that_is_given_is_not_replaced() -> None:
    spec = updated(service(ports=[HTTP], clusterIP="10.0.0.9"), service(ports=[HTTP], **ADDRESS))
    assert spec["clusterIP"] == "10.0.0.9"


def test_nothing_is_given_to_a_service_that_never_had_it() -> None:
    assert "clusterIP" not in updated(service(ports=[HTTP]), service(ports=[HTTP]))


@pytest.mark.parametrize(
    ("ports", "kept"),
    [
        ([HTTP, DNS], [30080, 30053]),
        ([DNS, HTTP], [30053, 30080]),
        ([{**HTTP, "port": 81}], [30080]),
        ([{**HTTP, "nodePort": 31000}], [31000]),
        ([{**HTTP, "nodePort": 30053}, DNS], [30053, None]),
        ([{**HTTP, "name": "web"}], [None]),
    ],
    ids=["all", "another order", "another number", "given", "taken by another port", "another name"],
)
def test_node_ports_are_kept_by_name(ports: list[dict[str, Any]], kept: list[int | None]) -> None:
    live = service(type="NodePort", ports=[{**HTTP, "nodePort": 30080}, {**DNS, "nodePort": 30053}])
    spec = updated(service(type="NodePort", ports=ports), live)
    assert [port.get("nodePort") for port in spec["ports"]] == kept


BALANCED = service(
    type="LoadBalancer",
    ports=[{**HTTP, "nodePort": 30080}],
    loadBalancerClass="a",
    healthCheckNodePort=30001,
    **ADDRESS,
)


def retyped(type_: str, **spec: Any) -> dict[str, Any]:
    """The spec after a change of the type and of the given fields."""
    live = fill(BALANCED, None, "1.31")
    changed = {**live, "spec": {**live["spec"], "type": type_, **spec}}
    filled: dict[str, Any] = fill(changed, live, "1.31")["spec"]
    filled.pop("healthCheckNodePort", None)  # it is released where it is allocated
    return filled


def test_a_change_of_the_type_drops_what_the_new_one_has_no_use_for() -> None:
    spec = retyped("ClusterIP")
    assert spec == {
        "type": "ClusterIP",
        "ports": [HTTP],
        "sessionAffinity": "None",
        "internalTrafficPolicy": "Cluster",
        **ADDRESS,
    }


def test_an_external_name_has_no_address() -> None:
    assert not retyped("ExternalName", externalName="a.example").keys() & ADDRESS.keys()


def test_an_external_name_has_no_traffic_to_steer() -> None:
    assert retyped("ExternalName", externalName="a.example") == {
        "type": "ExternalName",
        "externalName": "a.example",
        "ports": [HTTP],
        "sessionAffinity": "None",
    }
    made = fill(service(type="ExternalName", externalName="a", internalTrafficPolicy="Local"), None, "1.37")
    assert "internalTrafficPolicy" not in made["spec"]


def test_a_policy_for_external_addresses_goes_with_them() -> None:
    live = service(type="ClusterIP", ports=[HTTP], externalIPs=["192.0.2.1"], externalTrafficPolicy="Cluster")
    named = {**live["spec"], "type": "ExternalName", "externalName": "a.example"}
    assert "externalTrafficPolicy" not in updated(service(**named), live)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "NodePort": (
        {"clusterIP": "None"},
        "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort",
    ),
    "LoadBalancer": ({"clusterIPs": ["None"]}, "may not be set to 'None' for LoadBalancer services"),
    "ClusterIP": (
        {"loadBalancerSourceRanges": ["10.0.0.0/8"]},
        "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
    ),
}


@pytest.mark.parametrize("type_", REFUSED)
def test_what_does_not_go_with_a_type(type_: str) -> None:
    fields, said = REFUSED[type_]
    content = fill(service(type=type_, ports=[HTTP], **fields), None, "1.37")
    assert said in "; ".join(map(str, validation.problems(content, None)))


def test_what_was_changed_with_the_type_stays_for_validation_to_refuse() -> None:
    spec = retyped("ClusterIP", loadBalancerClass="b", ports=[{**HTTP, "nodePort": 30081}])
    assert (spec["loadBalancerClass"], spec["ports"][0]["nodePort"]) == ("b", 30081)


def test_other_kinds_of_the_name_are_left_alone() -> None:
    live = {**service(**ADDRESS), "apiVersion": "serving.example.com/v1"}
    config = {**service(), "apiVersion": "serving.example.com/v1"}
    assert fill(config, live, "1.31") == config


@pytest.mark.parametrize(("asked", "kept"), [({}, 30081), ({"allocateLoadBalancerNodePorts": False}, None)])
def test_a_load_balancer_that_does_without_node_ports_gets_none_back(asked: dict[str, Any], kept: int | None) -> None:
    live = service(type="LoadBalancer", ports=[{**HTTP, "nodePort": 30081}])
    spec = updated(service(type="LoadBalancer", ports=[HTTP], **asked), live, "1.37")
    assert spec["ports"][0].get("nodePort") == kept
