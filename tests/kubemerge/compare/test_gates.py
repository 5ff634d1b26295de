"""Fields that begin or cease to be stored, because a feature gate is on or off by default."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.compare.chain import Side, compare

from ...codegen.sample_specs import kubemerge
from ...conftest import NEWEST

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving
    from kubemerge.compare.model import RuleChange

POD, SET = ("v1", "Pod"), ("apps/v1", "StatefulSet")


def changes(left: str, right: str, kind: tuple[str, str]) -> dict[str, RuleChange]:
    sides = [Side(release, engine.load(release)) for release in (left, right)]
    found = compare(sides, [kind]).changes
    return {one.path: one for one in found if {*one.aspects} & {"stored", "not stored"}}


def test_a_field_begins_to_be_stored() -> None:
    one = changes("1.29", "1.33", POD)["spec.hostUsers"]
    assert (one.aspects, one.severity, one.place) == (("stored",), "notable", "core_v1.PodSpec.hostUsers")
    gate = "the feature gate UserNamespacesSupport is on by default since 1.33"
    assert one.effect == f"the API server now stores the field, because {gate}"
    assert one.before == one.after is not None


def test_a_downgrade_loses_the_field() -> None:
    one = changes("1.37", "1.29", SET)["spec.updateStrategy.rollingUpdate.maxUnavailable"]
    assert (one.aspects, one.severity) == (("not stored",), "breaking")
    assert "the feature gate MaxUnavailableStatefulSet is off by default" in one.effect


@pytest.mark.parametrize(
    ("left", "right", "kind", "path"),
    [
        ("1.25", "1.26", POD, "spec.hostUsers"),  # off in both
        ("1.33", "1.34", POD, "spec.hostUsers"),  # on in both
        ("1.24", "1.25", POD, "spec.hostUsers"),  # new
        ("1.29", "1.33", ("v1", "Service"), "spec.trafficDistribution"),  # new, and on
        ("1.29", "1.33", ("v1", "PodList"), "items.spec.hostUsers"),  # not applied
    ],
)
def test_no_change(left: str, right: str, kind: tuple[str, str], path: str) -> None:
    assert path not in changes(left, right, kind)


def test_a_range_names_the_release(capsys: pytest.CaptureFixture[str]) -> None:
    """A deletion of the StatefulSet deletes its volumes from 1.27 on."""
    assert kubemerge("compare", "1.25..1.29", "--kind", "StatefulSet", "--severity", "notable") == 0
    parts = capsys.readouterr().out.split("1.26 to 1.27:")
    assert "persistentVolumeClaimRetentionPolicy" not in parts[0]
    assert "persistentVolumeClaimRetentionPolicy" in parts[1].split("1.27 to 1.28:")[0]


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("pod.spec.hostUsers", "stores the field since 1.33, when the feature gate UserNamespacesSupport is on"),
        ("deploy.spec.template.spec.containers[].resizePolicy", "since 1.33, when the feature gate InPlacePod"),
        ("pod.spec.schedulingGroup", "drops the field, because the feature gate GenericWorkload is off by default"),
    ],
)
def test_explain_names_the_gate(target: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("explain", target, "--release", "1.37") == 0
    assert said in capsys.readouterr().out


def test_explain_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    facts: Any = {}
    for target in ("pod.spec.hostUsers", "pod.spec.containers"):
        assert kubemerge("explain", target, "--release", "1.37", "-o", "json") == 0
        facts[target] = json.loads(capsys.readouterr().out).get("featureGate")
    assert facts == {
        "pod.spec.hostUsers": {"name": "UserNamespacesSupport", "storedSince": "1.33"},
        "pod.spec.containers": None,
    }


@pytest.fixture
def server(kube_server: Serving) -> tuple[str, ...]:
    """The options that name a served cluster."""
    return ("--kubeconfig", str(kube_server.kubeconfig))


def test_a_server_is_one_side(server: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("compare", "--left", "1.33", *server, "--kind", "Pod", "--severity", "notable") == 0
    said = capsys.readouterr().out
    assert said.startswith(f"1.33 to {server[1]}: ")
    assert "spec.hostnameOverride" not in said  # new, not opened
    assert "DynamicResourceAllocation is on by default since 1.34" in said
    assert kubemerge("compare", *server, NEWEST, "--kind", "Pod", "--severity", "notable") == 0
    assert capsys.readouterr().out == f"{server[1]} to {NEWEST}: nothing merges differently\n"


@pytest.mark.parametrize("sides", [(), ("1.25", "1.37"), ("1.25..1.37",), ("--left", "1.25", "--right", "1.37")])
def test_a_server_needs_one_other_side(
    sides: tuple[str, ...], server: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert kubemerge("compare", *sides, *server) == 2
    assert "the server is one side of the comparison. Pass one other side" in capsys.readouterr().err
