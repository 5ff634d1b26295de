"""Known hazards are found in objects of any shape: a server would reject some of them, but files contain them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kubemerge.kinds.hazards import HAZARDS, hazards_of

from ...conftest import read_yaml
from ..compare.upgrade.corpus import hazards

EXAMPLES: list[dict[str, Any]] = read_yaml(Path(__file__).with_name("hazards.yaml"))

ODD: tuple[Any, ...] = (
    *(None, 5, "x", [5], [[]], [{"key": ["x"]}]),
    *({"apiGroups": ["policy"], "resources": 5}, {"apiGroups": ["extensions"], "resources": [{}]}),
    {"apiVersion": [], "kind": {}},
)


@pytest.mark.parametrize("value", ODD, ids=str)
def test_a_value_of_another_type_is_no_trouble(value: Any) -> None:
    for hazard in HAZARDS:
        hazard.holds(value, {"metadata": {}})


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: f"{one['since']} {one['object']['kind']} {one['path']}")
def test_an_example_has_its_hazard(example: dict[str, Any]) -> None:
    found = [(one.since, place) for one, place in hazards_of(example["object"])]
    assert (example["since"], example["path"]) in found


def test_each_row_has_an_example_and_names_its_source() -> None:
    objects = [*[one["object"] for one in EXAMPLES], *[one.content for one in hazards()]]
    shown = {id(one) for content in objects for one, _ in hazards_of(content)}
    assert [one for one in HAZARDS if id(one) not in shown] == []
    for one in HAZARDS:
        assert one.since in one.source or "gone" in one.source or "by default" in one.source, one
        assert one.advice[-1:] not in ("", "."), one


PROGRAMS = {
    "another program": ["cluster-autoscaler", "--cloud-provider=aws"],
    "another value": ["kube-controller-manager", "--cloud-provider=external"],
    "another plugin": ["kube-apiserver", "--enable-admission-plugins=PodSecurity"],
    "no flag": ["kube-apiserver", "PodSecurityPolicy"],
}


@pytest.mark.parametrize("command", PROGRAMS.values(), ids=PROGRAMS)
def test_flags_of_other_programs_and_other_values_pass(command: list[str]) -> None:
    assert [*hazards_of({"kind": "Pod", "spec": {"containers": [{"command": command}]}})] == []


def test_images_with_pull_secrets_pass() -> None:
    spec = {"containers": [{"image": "team.azurecr.io/a:1"}], "imagePullSecrets": [{"name": "a"}]}
    assert [*hazards_of({"kind": "Pod", "spec": spec})] == []


def test_an_ordinary_secret_passes() -> None:
    volumes = [{"secret": {"secretName": name}} for name in ("app-token-store", "app-token-abcde1", "tokens")]
    assert [*hazards_of({"kind": "Pod", "spec": {"volumes": volumes}})] == []
