"""One apply under several rules: equal results, the first difference, and its rule."""

from __future__ import annotations

import json
from typing import Any

import pytest

import codegen
import engine
from engine.clientside.apply import READ
from engine.tables.served import moved
from kubemerge.compare.chain import Side
from kubemerge.compare.model import Difference, Replay
from kubemerge.compare.replay import replay
from kubemerge.compare.reports.facts import replay_facts
from kubemerge.compare.reports.markdown import replay_markdown
from kubemerge.compare.reports.text import replay_text
from kubemerge.compare.results import differences
from kubemerge.html import replay_page
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs

from .sides import OBJECT, thing
from .sides import secret as secrets

KEYED: dict[str, Any] = {
    "type": "array",
    "items": {"type": "object", "properties": {"name": {"type": "string"}, "value": {"type": "integer"}}},
    "x-kubernetes-patch-strategy": "merge",
    "x-kubernetes-patch-merge-key": "name",
}
WHOLE = {**KEYED, "x-kubernetes-patch-strategy": "replace"}
THING = {"apiVersion": "test/v1", "kind": "Thing", "metadata": {"name": "one"}}


def sides(*releases: str) -> list[Side]:
    return [Side(release, engine.load(release)) for release in releases or engine.releases()[1:]]


def inputs(config: dict[str, Any], live: dict[str, Any] | None, given: Any = READ) -> Inputs:
    return Inputs(Manifest("config.yaml", config), Manifest("live.yaml", live) if live else None, None, given)


def deployment(strategy: dict[str, Any], api_version: str = "apps/v1") -> dict[str, Any]:
    return {
        "apiVersion": api_version,
        "kind": "Deployment",
        "metadata": {"name": "one"},
        "spec": {"strategy": strategy},
    }


ROLLING = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}


def test_recreate_over_a_defaulted_rolling_update_splits_at_1_13() -> None:
    found = replay(inputs(deployment({"type": "Recreate"}), deployment(ROLLING)), sides())
    assert [(group.releases[0], group.releases[-1], bool(group.problem)) for group in found.groups] == [
        ("1.8", "1.8", True),
        ("1.9", "1.12", False),
        ("1.13", engine.releases()[-1], False),
    ]
    (split,) = found.splits
    assert (split.previous, split.at) == ("1.12", "1.13")
    assert [(one.path, one.before, one.after) for one in split.differences] == [
        ("spec.strategy.rollingUpdate", {"maxSurge": 1}, None)
    ]
    assert [(rule.path, rule.aspects, rule.key) for rule in split.rules] == [
        ("spec.strategy", ("strategy",), ("apps/v1", "Deployment"))
    ]
    assert found.title == "deployment.apps/one"
    assert found.source == "config.yaml"


def test_only_rules_near_a_difference_are_its_cause() -> None:
    """Between these two releases, metadata has lost fields, and containers have gained some."""
    found = replay(inputs(deployment({"type": "Recreate"}), deployment(ROLLING)), sides("1.9", "1.37"))
    assert [[rule.path for rule in split.rules] for split in found.splits] == [["spec.strategy"]]


def test_fields_that_have_come_below_are_no_cause() -> None:
    more = {
        **KEYED,
        "items": {**KEYED["items"], "properties": {**KEYED["items"]["properties"], "more": {"type": "string"}}},
    }
    config, live = {**THING, "field": [{"name": "y"}]}, {**THING, "field": [{"name": "x"}, {"name": "y"}]}
    (split,) = replay(inputs(config, live), [thing("a", WHOLE), thing("b", more)]).splits
    assert [rule.path for rule in split.rules] == ["field"]


def test_a_release_without_the_kind_is_not_part_of_a_split() -> None:
    config = deployment({"type": "Recreate"}, "extensions/v1beta1")
    found = replay(inputs(config, deployment(ROLLING, "extensions/v1beta1")), sides("1.15", "1.16"))
    assert [(group.releases, group.problem) for group in found.groups] == [
        (("1.15",), ""),
        (("1.16",), "extensions/v1beta1 Deployment was removed in 1.16 (use apps/v1 Deployment)"),
    ]
    assert found.splits == ()


def test_a_release_from_before_the_kind_gets_no_advice() -> None:
    found = replay(inputs({**THING, "apiVersion": "apps/v1", "kind": "Deployment"}, None), sides("1.8", "1.9"))
    assert [group.problem for group in found.groups] == ["apps/v1 Deployment is not served", ""]
    assert found.differs


def test_a_kind_of_kubernetes_that_no_side_has_gives_no_result() -> None:
    found = replay(inputs({**deployment(ROLLING), "apiVersion": "apps/v2"}, None), sides("1.8", "1.37"))
    assert [(group.outcome, group.problem) for group in found.groups] == [
        (None, "apps/v2 Deployment is not served. Served as apps/v1beta2 since 1.8"),
        (None, "apps/v2 Deployment is not served. Served as apps/v1 since 1.9"),
    ]


NOW = [
    ("batch/v1beta1", "CronJob", "1.25", "Served as batch/v1 since 1.21"),
    ("extensions/v1beta1", "Ingress", "1.22", "Served as networking.k8s.io/v1 since 1.19"),
    ("autoscaling/v2beta1", "HorizontalPodAutoscaler", "1.25", "Served as autoscaling/v2 since 1.23"),
    ("autoscaling/v2alpha1", "HorizontalPodAutoscaler", "1.8", "Served as autoscaling/v1"),
    ("policy/v1beta1", "PodSecurityPolicy", "1.25", ""),
    ("serving.knative.dev/v1alpha1", "Service", "1.25", ""),
]


@pytest.mark.parametrize(("api_version", "kind", "release", "said"), NOW, ids=[" ".join(row[:3]) for row in NOW])
def test_where_a_kind_is_now(api_version: str, kind: str, release: str, said: str) -> None:
    assert moved((api_version, kind), engine.load(release)) == said


def test_a_custom_resource_has_moved_within_its_group_only() -> None:
    tables = thing("a", KEYED).tables
    assert moved(("test/v1beta1", "Thing"), tables) == "Served as test/v1"
    assert moved(("tests.example/v1", "Thing"), tables) == ""


def test_equal_results_are_one_group_though_others_stand_between() -> None:
    chain = [thing("a", KEYED), thing("b", WHOLE), thing("c", KEYED)]
    config = {**THING, "field": [{"name": "x", "value": 2}]}
    live = {**THING, "field": [{"name": "x", "value": 1}, {"name": "y", "value": 1}]}
    found = replay(inputs(config, live), chain)
    assert [group.releases for group in found.groups] == [("a", "c"), ("b",)]
    assert [(split.previous, split.at) for split in found.splits] == [("a", "b"), ("b", "c")]
    assert [[(one.path, one.before, one.after) for one in split.differences] for split in found.splits] == [
        [("field[name=y]", {"name": "y", "value": 1}, None)],
        [("field[name=y]", None, {"name": "y", "value": 1})],
    ]
    assert [[rule.path for rule in split.rules] for split in found.splits] == [["field"], ["field"]]


def test_a_side_that_makes_an_apply_fail_says_why() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one"}}
    config, live = (
        {**pod, "spec": {"ephemeralContainers": [{"name": "debug", "ports": [port]}]}}
        for port in ({"hostPort": 80}, {"containerPort": 80})
    )
    found = replay(inputs(config, live), sides("1.22", "1.23"))
    assert [(group.releases, "has no 'containerPort'" in group.problem) for group in found.groups] == [
        (("1.22",), False),
        (("1.23",), True),
    ]
    facts = replay_facts(found)["groups"]
    assert [(group["result"], group["merged"] is None, group["problem"] is None) for group in facts] == [
        ("configured", False, True),
        (None, True, False),
    ]


def test_a_kind_that_nobody_knows_is_patched_as_a_custom_resource() -> None:
    custom = {**THING, "apiVersion": "test.example/v1"}
    found = replay(inputs({**custom, "field": [1]}, {**custom, "field": [2]}), sides("1.12", "1.13"))
    (group,) = found.groups
    assert group.outcome is not None
    assert (group.releases, group.outcome.patch_type, found.splits) == (("1.12", "1.13"), "merge", ())


def test_what_was_applied_last_may_be_given() -> None:
    given = {**THING, "field": [{"name": "y"}]}
    found = replay(inputs(THING, {**THING, "field": [{"name": "y"}]}, given), [thing("a", KEYED)])
    assert found.last_applied == given
    assert found.groups[0].outcome is not None
    assert "field" not in found.groups[0].outcome.merged


def secret(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "test/v1", "kind": "Secret", "metadata": {"name": "one"}, **fields}


def told(found: Replay) -> str:
    """The complete output and content of a replay."""
    return "\n".join(
        (json.dumps(replay_facts(found)), replay_text(found), replay_markdown(found), replay_page([found]), repr(found))
    )


def test_a_replay_holds_no_value_of_a_secret() -> None:
    live = secret(data={"a": "HIDE-1", "b": "HIDE-2", "e": "HIDE-6"}, stringData={"c": "HIDE-3"})
    last = {"data": {"b": "HIDE-2", "d": "HIDE-4"}}  # its kind may be missing
    found = replay(
        inputs(secret(data={"a": "HIDE-5"}), live, last),
        [secrets("a", {}), secrets("b", {"x-kubernetes-patch-strategy": "replace"})],
    )
    assert [[one.path for one in split.differences] for split in found.splits] == [["data.e"]]
    assert "HIDE" not in told(found)
    assert found.last_applied == {"data": {"b": "***", "d": "***"}}


def test_what_a_patch_clears_in_a_secret_is_not_a_value() -> None:
    live = secret(data={"a": "HIDE-1", "b": "HIDE-2"})
    found = replay(inputs(secret(data={"a": "HIDE-3"}), live, live), [secrets("a", {})])
    assert found.groups[0].outcome is not None
    assert found.groups[0].outcome.patch["data"] == {"a": "***", "b": None}
    assert '"b":null' in replay_text(found)


def test_a_difference_of_secrets_tells_values_apart_and_shows_none() -> None:
    before = secret(data={"a": "HIDE-1", "b": "HIDE-2"}, type="one")
    after = secret(data={"a": "HIDE-3"}, type="two")
    assert differences(before, after, None) == (
        Difference("data.a", "*** (before)", "*** (after)"),
        Difference("data.b", "***", None),
        Difference("type", "one", "two"),
    )


def test_results_differ_by_json_type() -> None:
    assert [one.path for one in differences({"a": 1, "b": True}, {"a": 1.0, "b": True}, None)] == ["a"]


LISTS: dict[str, tuple[list[Any], list[Any], list[str]]] = {
    "an element's field": ([{"name": "x", "value": 1}], [{"name": "x", "value": 2}], ["field[name=x].value"]),
    "an element that is gone": ([{"name": "x"}, {"name": "y"}], [{"name": "y"}], ["field[name=x]"]),
    "another order": ([{"name": "x"}, {"name": "y"}], [{"name": "y"}, {"name": "x"}], ["field"]),
    "an element that repeats": ([{"name": "x"}], [{"name": "x"}, {"name": "x"}], ["field"]),
    "an element without a key": ([{"name": "x"}], [{"name": "x"}, {"value": 1}], ["field"]),
    "no element": ([], [{"name": "x"}], ["field"]),
    "no maps": ([1], [2], ["field"]),
}


@pytest.mark.parametrize("case", LISTS.values(), ids=LISTS)
def test_elements_go_by_their_merge_key_where_it_tells_them_apart(case: tuple[list[Any], list[Any], list[str]]) -> None:
    before, after, paths = case
    schema = thing("a", KEYED).tables.schema("test/v1", "Thing")
    assert [one.path for one in differences({"field": before}, {"field": after}, schema)] == paths


def widgets(*releases: str) -> list[Side]:
    """The releases with a custom kind, Widget of example.com/v1, that has no schema."""
    spec = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    custom = {
        "type": "object",
        "properties": {
            **OBJECT,
            "metadata": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            "spec": spec,
        },
    }
    group = [{"group": "example.com", "version": "v1", "kind": "Widget"}]
    document = {"definitions": {"example.v1.Widget": {**custom, "x-kubernetes-group-version-kind": group}}}
    return [Side(one, engine.load(one).overlay(codegen.read(document))) for one in releases]


def test_nulls_that_a_server_drops_are_no_change() -> None:
    """Until 1.30, kubectl sends the nulls of a new object. A server removes them from metadata."""
    template = {"metadata": {"creationTimestamp": None, "name": "x"}}
    metadata = {"name": "a", "creationTimestamp": None, "labels": None}
    config = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": {"template": template}}
    found = replay(inputs(config, None), widgets("1.30", "1.31"))
    assert (len(found.groups), found.splits, found.findings) == (1, (), ())
    kept = {**config, "spec": {"template": {"image": None}}}
    found = replay(inputs(kept, None), widgets("1.30", "1.31"))
    assert [(one.severity, one.path) for one in found.findings] == [("info", "spec.template.image")]
    assert found.splits == ()


def test_an_object_with_a_generated_name_is_created() -> None:
    """`kubectl apply` rejects it, but `kubectl create` does not."""
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "run-"}, "data": {"a": "b"}}
    found = replay(inputs(config, None), sides("1.30", "1.31"))
    (group,) = found.groups
    assert group.outcome is not None
    assert (group.outcome.result, group.outcome.patch_type, group.outcome.merged) == ("created", "create", config)
    assert (found.title, found.findings) == ("configmap/run-", ())


def test_a_warning_about_the_whole_object_has_no_field() -> None:
    """`tls:` is the Go package of the message."""
    data = {"tls.crt": "eA==", "tls.key": "eA=="}
    config = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "type": "kubernetes.io/tls"}
    (one,) = replay(inputs({**config, "data": data}, None), sides("1.26", "1.27")).findings
    assert (one.sort, one.path) == ("warned", "")
    assert one.text == "the API server now warns: tls: failed to find any PEM data in certificate input"


def test_a_value_of_the_config_that_a_server_replaces_is_no_default() -> None:
    spec = {"terminationGracePeriodSeconds": -5, "containers": [{"name": "a", "image": "b"}]}
    config = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec}
    (one,) = [one for one in replay(inputs(config, None), sides("1.26", "1.27")).findings if one.severity == "breaking"]
    assert (one.path, one.before, one.after) == ("spec.terminationGracePeriodSeconds", -5, 1)
    assert (one.text, one.advice) == ("the API server replaces the value of the config", "")
