"""Every rule of the gate finds its example, and reports the place, the problem and the fix."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import engine
from codegen.documents.yaml_text import documents
from kubemerge.linting.gate.gate import Gate
from kubemerge.linting.gate.releases import BadRange, releases_of
from kubemerge.linting.gate.rules import ALL, GATE_RULES
from kubemerge.linting.gate.server import Live

if TYPE_CHECKING:
    from engine import Finding

OWN = [one.rule for one in GATE_RULES if one.rule.code != "KM015"]


def example(text: str) -> tuple[str | None, list[dict[str, Any]]]:
    """The release of an example, and its objects."""
    release = re.search(r"^# release: (\S+)", text, re.MULTILINE)
    kind = re.search(r"^# kind: (\S+) (\S+)", text, re.MULTILINE)
    assert kind is not None
    whole = [
        {"apiVersion": kind[1], "kind": kind[2], **one, "metadata": {"name": "a", **one.get("metadata", {})}}
        for one in documents(text)
    ]
    return (release[1] if release else None), whole


def found(content: dict[str, Any], release: str | None = None, *others: dict[str, Any]) -> list[Finding]:
    """The findings about an object. The others are admission policies, or the live object."""
    policies = [one for one in others if "AdmissionPolicy" in one["kind"]]
    live = next((Live(one) for one in others if one not in policies), None)
    return [one.finding for one in Gate(releases_of(release), (), policies).findings(content, None, live=live)]


@pytest.mark.parametrize("rule", OWN, ids=lambda rule: rule.slug)
def test_the_example_of_a_rule_has_what_the_rule_finds(rule: Any) -> None:
    release, objects = example(rule.example)
    said = found(objects[0], release, *objects[1:])
    assert [one.code for one in said] == [rule.code]
    assert said[0].message.endswith((".", "!", "?"))
    assert said[0].advice


def test_codes_and_names_are_told_apart() -> None:
    assert len({rule.slug for rule in ALL.values()}) == len(ALL)
    assert [code for code, rule in ALL.items() if rule.code != code] == []


POD: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}
WRONG: dict[str, tuple[dict[str, Any], list[tuple[str, str, str | None]]]] = {
    "a ConfigMap's number": (
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": 1, "b.c": True}},
        [("KM101", "data.a", '"1"'), ("KM101", 'data["b.c"]', '"true"')],
    ),
    "a list for a text": (
        {**POD, "spec": {"containers": [{"name": "a", "image": ["x"]}]}},
        [("KM101", "spec.containers[0].image", None)],
    ),
    "no containers": ({**POD, "spec": {}}, [("KM102", "spec.containers", None)]),
    "a kind of Service": (
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": {"type": "LoadBalncer"}},
        [("KM102", "spec.ports", None), ("KM103", "spec.type", "LoadBalancer")],
    ),
    "a field in capitals": (
        {**POD, "spec": {"containers": [{"name": "a", "Image": "x"}]}},
        [("KM015", "spec.containers[0].Image", "image"), ("KM102", "spec.containers[0].image", None)],
    ),
    "a namespace for all": (
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "labels": {"a": "b c"}}},
        [("KM107", "metadata.labels", None)],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_server_refuses_is_found_with_its_place_and_the_fix(name: str) -> None:
    content, wanted = WRONG[name]
    said = Gate(releases_of(None)).findings(content, None)
    assert {(one.finding.code, one.finding.path, one.fix.text if one.fix else None) for one in said} == set(wanted)


ANY_RESOURCE = "Use cpu, ephemeral-storage, memory, or a name with a domain, such as example.com/gpu."
LIMITS: dict[str, tuple[dict[str, Any], list[tuple[str, str, str | None]]]] = {
    "a misspelt one": ({"limits": {"memroy": "1Gi"}}, [("limits.memroy", "Use 'memory'.", "memory")]),
    "asked for besides": (
        {"limits": {"memroy": "1Gi"}, "requests": {"memroy": "1Gi"}},
        [("limits.memroy", "Use 'memory'.", "memory"), ("requests.memroy", "Use 'memory'.", "memory")],
    ),
    "beside the right one": (
        {"limits": {"memroy": "1Gi", "memory": "1Gi"}},
        [
            (
                "limits.memroy",
                ANY_RESOURCE,
                None,
            )
        ],
    ),
    "another one": (
        {"requests": {"gpu": 1}},
        [
            (
                "requests.gpu",
                ANY_RESOURCE,
                None,
            )
        ],
    ),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_resource_that_is_none_is_told_once_with_what_was_meant(name: str) -> None:
    resources, wanted = LIMITS[name]
    content = {**POD, "spec": {"containers": [{"name": "a", "image": "x", "resources": resources}]}}
    said = [
        one for one in Gate(releases_of("1.37")).findings(content, None) if "must be a standard" in one.finding.message
    ]
    assert [
        (one.finding.path.partition("resources.")[2], one.finding.advice, one.fix.text if one.fix else None)
        for one in said
    ] == wanted
    both = "must be a standard resource type or fully qualified; must be a standard resource for containers."
    assert all(one.finding.message.endswith(both) for one in said)


def test_every_finding_names_elements_as_the_engine_does() -> None:
    ports = [{"containerPort": 80}, {"containerPort": 80}, {"containerPort": 99999}, {"name": "none"}]
    twice = [{"name": "A", "value": 1}, {"name": "A", "value": 2}]
    content = {**POD, "spec": {"containers": [{"name": "a", "image": "x", "ports": ports, "env": twice, "args": [1]}]}}
    schema = engine.load("1.37").schema("v1", "Pod")
    at = "spec.containers[name=a]."
    assert [one.finding.path.removeprefix(at) for one in Gate(releases_of("1.37")).findings(content, schema)] == [
        "env[0].value",
        "env[1].value",
        "args[0]",
        "ports[3].containerPort",
        "ports[containerPort=99999].containerPort",
    ]


BY_HAND = {
    "another shape": (
        {"apiVersion": "networking.k8s.io/v1beta1", "kind": "Ingress", "spec": {"backend": {"serviceName": "a"}}},
        "Write apiVersion: networking.k8s.io/v1, and edit the other fields manually, "
        "because networking.k8s.io/v1 has no spec.backend.",
    ),
    "something that is required now": (
        {"apiVersion": "extensions/v1beta1", "kind": "Deployment", "spec": {"template": {"spec": {"containers": []}}}},
        "Write apiVersion: apps/v1, and edit the other fields manually, "
        "because apps/v1 rejects it: spec.selector: Required value.",
    ),
    "nothing": (
        {
            "apiVersion": "policy/v1beta1",
            "kind": "PodDisruptionBudget",
            "spec": {"selector": {"matchLabels": {"a": "b"}}},
        },
        "Write apiVersion: policy/v1.",
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_the_way_out_of_a_version_says_what_else_has_to_change(name: str) -> None:
    content, advice = BY_HAND[name]
    content = {**content, "metadata": {"name": "a"}}
    gate = Gate(releases_of("1.30"))
    (of_engine,) = [one for one in engine.lint(content, None, tables=engine.load("1.30")) if one.code == "KM027"]
    told = gate.fixable(content, of_engine)
    assert told.finding.advice == advice
    assert (told.fix is not None) == (name == "nothing")


UNSERVED = {
    "one version in every release": (
        ("1.19..1.23", "policy/v1 PodDisruptionBudget"),
        "is not served in 1.19 to 1.20. Every release of the range serves policy/v1beta1.",
        "Write apiVersion: policy/v1beta1.",
    ),
    "served later": (
        ("1.26..1.37", "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy"),
        "is not served in 1.26 to 1.29.",
        "No apiVersion of the kind is served in every release of the range. Apply the object only from 1.30 on.",
    ),
    "a version that never existed": (
        ("1.21..1.25", "batch/v2 CronJob"),
        "is not served in 1.21 to 1.25. Every release of the range serves batch/v1.",
        "Write apiVersion: batch/v1, and edit the other fields manually, because no known release serves batch/v2, "
        "so its defaults are unknown.",
    ),
    "a version that is newer than the first release": (
        ("1.20..1.25", "batch/v2 CronJob"),
        "is not served in 1.20 to 1.25.",
        "No apiVersion of the kind is served in every release of the range. Write apiVersion: batch/v1, and apply the "
        "object only from 1.21 on.",
    ),
    "served in the middle of the range": (
        ("1.21..1.37", "flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema"),
        "is not served in 1.21 to 1.22 and 1.29 to 1.37.",
        "No apiVersion of the kind is served in every release of the range. "
        "Write apiVersion: flowcontrol.apiserver.k8s.io/v1, and apply the object only from 1.29 on.",
    ),
    "nothing replaces it": (
        ("1.25..1.30", "policy/v1beta1 PodSecurityPolicy"),
        "is not served in 1.25 to 1.30. It is served only in 1.10 to 1.24.",
        "Label the namespaces for Pod Security Admission (pod-security.kubernetes.io/enforce).",
    ),
    "a typo": (
        ("1.29..1.30", "apps/v1 Deploymnt"),
        "is not served in 1.29 to 1.30. Did you mean Deployment of apps/v1 or DaemonSet of apps/v1?",
        "Use an apiVersion and a kind that the release serves.",
    ),
}


@pytest.mark.parametrize("name", UNSERVED)
def test_an_unserved_version_names_the_releases_of_the_range(name: str) -> None:
    (releases, named), message, advice = UNSERVED[name]
    api_version, kind = named.split()
    content = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}}
    first = engine.load(releases_of(releases)[0])
    (of_engine,) = [one for one in engine.lint(content, None, tables=first) if one.code == "KM027"]
    told = Gate(releases_of(releases)).fixable(content, of_engine).finding
    assert (told.message, told.advice) == (f"The kind {named} {message}", advice)


def test_a_version_in_the_middle_of_a_range_has_one_finding_about_its_releases() -> None:
    """KM027 names all releases without the version, so KM201 and KM202 have nothing to add."""
    flow = {"apiVersion": "flowcontrol.apiserver.k8s.io/v1beta2", "kind": "FlowSchema", "metadata": {"name": "a"}}
    assert not {"KM201", "KM202"} & {one.code for one in found(flow, "1.21..1.37")}


@pytest.mark.parametrize(
    ("releases", "named", "advice"),
    [
        ("1.21..1.25", "policy/v1beta1 PodDisruptionBudget", "Write apiVersion: policy/v1."),
        (
            "1.27..1.37",
            "resource.k8s.io/v1alpha2 ResourceClaim",
            "No apiVersion of the kind is served in every release of the range. "
            "Write apiVersion: resource.k8s.io/v1 when no cluster is older than 1.34.",
        ),
        (
            "1.20..1.25",
            "policy/v1beta1 PodDisruptionBudget",
            "No apiVersion of the kind is served in every release of the range. "
            "Write apiVersion: policy/v1 when no cluster is older than 1.21.",
        ),
    ],
)
def test_a_removed_version_has_advice_for_the_whole_range(releases: str, named: str, advice: str) -> None:
    api_version, kind = named.split()
    content = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}}
    assert [one.advice for one in found(content, releases) if one.code == "KM202"] == [advice]


def test_a_required_part_of_a_field_is_not_the_field() -> None:
    probe = {"name": "a", "image": "b", "livenessProbe": {"periodSeconds": 5}}
    (one,) = found({**POD, "spec": {"containers": [probe]}}, "1.37")
    assert one.message == "The API server rejects this: Required value: must specify a handler type."
    assert one.advice == "Add the missing part of spec.containers[0].livenessProbe."


def test_the_end_of_a_warning_is_the_end_of_its_advice() -> None:
    source = {"hostPath": {"path": "/a"}, "persistentVolumeReclaimPolicy": "Recycle"}
    spec = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], **source}
    volume = {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "a"}, "spec": spec}
    assert "Use dynamic provisioning." in {one.advice for one in found(volume, "1.37")}


def test_the_values_of_a_secret_are_not_told() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}}
    said = found({**secret, "data": {"a": 12345}}) + found(
        {**secret, "type": "kubernetes.io/tls", "data": {"a": "!x9"}}
    )
    assert said
    assert not [one for one in said if "12345" in one.message + one.advice or "!x9" in one.message]


CRON: dict[str, Any] = {
    "apiVersion": "batch/v1beta1",
    "kind": "CronJob",
    "metadata": {"name": "a"},
    "spec": {
        "schedule": "* * * * *",
        "jobTemplate": {
            "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "a"}]}}}
        },
    },
}


@pytest.mark.parametrize(
    ("release", "codes"),
    [("1.20", []), ("1.21", ["KM201"]), ("1.20..1.24", ["KM201"]), ("1.24..1.27", ["KM202"]), ("1.27", [])],
)
def test_versions_are_judged_by_each_release_of_a_range(release: str, codes: list[str]) -> None:
    assert [one.code for one in found(CRON, release)] == codes


def test_a_version_that_servers_leave_out_is_gone_though_the_specification_lists_it() -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": template}
    old = {"apiVersion": "apps/v1beta2", "kind": "Deployment", "metadata": {"name": "a"}, "spec": spec}
    assert [one.code for one in found(old, "1.16")] == ["KM202"]
    assert [one.code for one in found(old, "1.15")] == ["KM201"]
    assert [one.code for one in found(old, "1.15..1.17")] == ["KM202"]


def test_a_finding_of_some_releases_says_of_which() -> None:
    pod = {**POD, "spec": {"resourceClaims": [{"name": "a", "source": {"resourceClaimName": "b"}}]}}
    pod["spec"]["containers"] = [{"name": "a", "image": "a"}]
    said = [one for one in found(pod, "1.29..1.32") if one.code == "KM015"]
    assert [one.message.partition(" (")[2] for one in said] == ["in 1.31 to 1.32)."]


@pytest.mark.parametrize("text", ["1.24.foo", "1.31..1.24", "1.24..", "..1.24", "1.24..1.99", "x"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Exception, match=r"1\.|x") as caught:
        releases_of(text)
    assert type(caught.value).__module__.startswith(("kubemerge", "engine")), caught.value
    assert issubclass(BadRange, Exception)


def test_a_range_has_all_releases_between() -> None:
    assert releases_of("1.24..1.26") == ("1.24", "1.25", "1.26")
    assert releases_of("v1.31.4") == ("1.31",)


def test_a_large_value_does_not_bury_the_reason() -> None:
    selector = {"matchLabels": {f"key-{number}": "a" * 50 for number in range(9)}}
    spec = {"selector": selector, "template": {"metadata": {"labels": {"a": "b"}}, "spec": POD_SPEC}}
    (said,) = found({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": spec})
    assert "Invalid value" in said.message
    assert len(said.message) < 200


POD_SPEC = {"containers": [{"name": "c", "image": "i"}]}


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ({"kind": "Secret", "data": {"a": "!"}}, "must be base64, not plain text"),
        (
            {"kind": "Node", "spec": {"taints": [{"timeAdded": "x"}]}},
            "must be a time, such as 2024-01-31T12:00:00Z, not 'x'",
        ),
        (
            {"kind": "ResourceQuota", "spec": {"hard": {"memory": "1GB"}}},
            "must be a quantity, such as 100m or 2Gi, not '1GB'",
        ),
        ({"kind": "ResourceQuota", "spec": {"hard": {"memory": True}}}, "such as 100m or 2Gi, not a boolean"),
        ({"kind": "Service", "spec": {"ports": [{"port": 1 << 31}]}}, "from -2147483648 to 2147483647, not 2147483648"),
    ],
)
def test_a_value_that_no_server_can_read(content: dict[str, Any], wanted: str) -> None:
    said = found({"apiVersion": "v1", "metadata": {"name": "a"}, **content})
    assert any(one.code == "KM101" and wanted in one.message for one in said)


def test_a_value_that_is_not_base64_has_advice() -> None:
    said = found({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"a": "!"}})
    assert [one.advice for one in said if one.code == "KM101"] == [
        "Encode the value in base64. In a Secret, stringData takes plain text."
    ]


def test_a_problem_that_live_already_has_is_no_change() -> None:
    _, (config, live) = example(ALL["KM111"].example)
    assert found(config, None, config) == []
    broken = {**live, "metadata": {"name": "a", "labels": {"-": "-"}}}
    assert [(one.code, one.path) for one in found(config, None, broken)] == [("KM111", "spec.selector")]
    assert found(config, None, {**live, "kind": "ConfigMap", "apiVersion": "v1"}) == []
