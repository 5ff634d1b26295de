"""With lists="schema" custom resources merge like built-in kinds, and servers accept the patch."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import codegen
import engine
from codegen.documents.yaml_text import documents
from engine.clientside.last_applied import as_sent, with_last_applied
from engine.custom.lists import merging_lists
from engine.directives import ANNOTATION
from tests.conformance.draw import Draw
from tests.conformance.generate import triple
from tests.conformance.safety import Judge, leaks, same, without_nulls
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PROMETHEUS = ("monitoring.example.com/v1", "Prometheus")
ROLLOUT = ("rollout.example.com/v1alpha1", "Rollout")
ROUTE = ("gateway.example.com/v1", "HTTPRoute")
KINDS = (
    PROMETHEUS,
    ROLLOUT,
    ROUTE,
    ("gateway.example.com/v1beta1", "HTTPRoute"),
    ("gateway.example.com/v1", "Gateway"),
    ("certs.example.com/v1", "Certificate"),
    ("serving.example.com/v1", "Service"),
)
CASES = list(documents((Path(__file__).parent / "lists.yaml").read_text(encoding="utf-8")))


@cache
def tables(release: str | None = None) -> engine.Tables:
    return engine.load(release).overlay(codegen.read(str(ROOT / "tests" / "data" / "crds")))


def schema(kind: tuple[str, str], release: str | None = None) -> engine.Schema:
    return tables(release).schema(*kind)


def whole(kind: tuple[str, str], spec: Any) -> dict[str, Any]:
    return {"apiVersion": kind[0], "kind": kind[1], "metadata": {"name": "x"}, "spec": spec}


def living(kind: tuple[str, str], last: Any, live: Any) -> dict[str, Any]:
    """A live object with the last applied config in its annotation."""
    text = engine.last_applied_text(whole(kind, last))
    return {**whole(kind, live), "metadata": {"name": "x", "annotations": {ANNOTATION: text}, "uid": "1"}}


def applied(kind: tuple[str, str], last: Any, config: Any, live: Any, lists: engine.Lists = "schema") -> engine.Outcome:
    return engine.apply(whole(kind, config), living(kind, last, live), schema(kind), lists=lists)


def lists_of(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """Every list that is not inside another one."""
    if isinstance(value, list):
        yield at, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from lists_of(item, (*at, key))


def at_place(value: Any, place: tuple[str, ...]) -> Any:
    for key in place:
        value = value[key]
    return value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    kind = tuple(case["kind"])
    rules = schema(kind, case.get("release"))
    config, live = whole(kind, case["config"]), living(kind, case["last"], case["live"])
    before = copy.deepcopy((config, live))
    outcome = engine.apply(config, live, rules, lists="schema")
    assert outcome.merged["spec"] == case["result"]
    assert engine.json_apply_patch(live, outcome.patch) == outcome.merged
    assert outcome.patch_type == ("merge" if outcome.patch else "none")
    for place, sent in lists_of(outcome.patch):
        assert sent == at_place(outcome.merged, place), "a list of the patch is the merged one, whole"
    if "patch" in case:
        assert outcome.patch["spec"] == case["patch"]
    assert (config, live) == before, "an input was changed"
    again = engine.apply(config, outcome.merged, rules, lists="schema")
    assert (again.result, again.patch, again.patch_type) == ("unchanged", {}, "none")
    assert again.merged == outcome.merged


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_default_equals_kubectl(case: dict[str, Any]) -> None:
    kind = tuple(case["kind"])
    config, live = whole(kind, case["config"]), living(kind, case["last"], case["live"])
    outcome = engine.apply(config, live, schema(kind, case.get("release")))
    assert outcome.merged["spec"] == case.get("kubectl", case["result"])
    assert outcome.patch == engine.apply(config, live, None).patch, "the schema is not looked at"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_lists_are_replaced_without_a_schema(case: dict[str, Any]) -> None:
    kind = tuple(case["kind"])
    config, live = whole(kind, case["config"]), living(kind, case["last"], case["live"])
    asked, plain = engine.apply(config, live, None, lists="schema"), engine.apply(config, live, None)
    assert (asked.patch, asked.patch_type, asked.merged) == (plain.patch, plain.patch_type, plain.merged)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_created_object_is_the_config(case: dict[str, Any]) -> None:
    kind = tuple(case["kind"])
    config = whole(kind, case["config"])
    outcome = engine.apply(config, None, schema(kind, case.get("release")), lists="schema")
    assert outcome.patch_type == "create"
    assert outcome.merged == engine.apply(config, None, None).merged
    assert engine.apply(config, outcome.merged, schema(kind), lists="schema").patch == {}


def test_built_in_kind_merges_as_before() -> None:
    config = whole(("v1", "Pod"), {"containers": [{"name": "a"}]})
    live = whole(("v1", "Pod"), {"containers": [{"name": "b"}]})
    pod = tables().schema("v1", "Pod")
    asked, plain = engine.apply(config, live, pod, lists="schema"), engine.apply(config, live, pod)
    assert (asked.patch, asked.patch_type) == (plain.patch, "strategic")


def test_there_are_two_ways_to_merge_lists() -> None:
    with pytest.raises(engine.MergeError, match="'kubectl' or 'schema', not 'kubctl'"):
        engine.apply(whole(ROUTE, {}), None, schema(ROUTE), lists="kubctl")  # type: ignore[arg-type]


DUPLICATES = {
    "elements of a map list": (
        PROMETHEUS,
        {"volumes": [{"name": "a"}, {"name": "b"}, {"name": "a"}]},
        ("spec.volumes[name=a]", (0, 2)),
    ),
    "elements that differ in a default": (
        ROUTE,
        {"parentRefs": [{"name": "a"}, {"kind": "Gateway", "name": "a", "port": 80}]},
        ("spec.parentRefs[kind=Gateway,name=a,port=80]", (0, 1)),
    ),
    "values of a set": (
        ("certs.example.com/v1", "Certificate"),
        {"dnsNames": ["a", "b", "b"]},
        ('spec.dnsNames[="b"]', (1, 2)),
    ),
    "containers of a template": (
        ROLLOUT,
        {"template": {"spec": {"containers": [{"name": "a"}, {"name": "a"}]}}},
        ("spec.template.spec.containers[name=a]", (0, 1)),
    ),
    "below a key that is data": (
        PROMETHEUS,
        {"tenants": {"t": {"users": ["a", "a"]}}},
        ('spec.tenants.t.users[="a"]', (0, 1)),
    ),
}


@pytest.mark.parametrize("live", [None, {}, "the same"], ids=["created", "new", "there"])
@pytest.mark.parametrize(("kind", "spec", "where"), DUPLICATES.values(), ids=list(DUPLICATES))
def test_duplicates_are_rejected_with_both_positions(kind: Any, spec: Any, where: Any, live: Any) -> None:
    if live is not None:
        live = living(kind, {}, {} if live == {} else json.loads(json.dumps(spec)))
    with pytest.raises(engine.RepeatedElement) as caught:
        engine.apply(whole(kind, spec), live, schema(kind), lists="schema")
    path, positions = where
    assert caught.value.positions == positions
    assert caught.value.path == path.replace('="a"', "=a").replace('="b"', "=b")
    assert engine.apply(whole(kind, spec), live, schema(kind)).merged["spec"] == spec, "kubectl sends them"


def test_directive_in_a_config_is_rejected() -> None:
    spec = {"containers": [{"name": "a", "$patch": "delete"}]}
    with pytest.raises(engine.DirectiveInConfig, match=r"containers\[name=a\]"):
        engine.apply(
            whole(PROMETHEUS, spec), living(PROMETHEUS, {}, {"containers": []}), schema(PROMETHEUS), lists="schema"
        )


@pytest.mark.parametrize("port", [80, 80.0])
def test_last_applied_can_be_passed_as_a_document(port: float) -> None:
    kind = ("certs.example.com/v1", "Certificate")
    last, config, live = (whole(kind, {"ports": ports}) for ports in ([port], ["http"], [80, 443]))
    outcome = engine.apply(config, live, schema(kind), last_applied=last, lists="schema")
    assert outcome.merged["spec"] == {"ports": ["http", 443]}


def test_identity_must_not_change() -> None:
    other = {**living(ROUTE, {}, {}), "apiVersion": "gateway.example.com/v1beta1"}
    with pytest.raises(engine.PreconditionFailed, match="apiVersion"):
        engine.apply(whole(ROUTE, {}), other, schema(ROUTE), lists="schema")


def test_reasons_identify_elements_by_all_keys() -> None:
    last = {"containers": [{"name": "a", "ports": [{"containerPort": 53}, {"containerPort": 54}]}], "secrets": ["old"]}
    ports = [{"containerPort": 53, "name": "tcp"}, {"containerPort": 53, "protocol": "UDP"}]
    config = {"containers": [{"name": "a", "ports": ports}], "secrets": ["new"]}
    live = {
        "containers": [
            {"name": "a", "ports": [{"containerPort": 53, "protocol": "TCP"}, {"containerPort": 54}]},
            {"name": "b"},
        ],
        "secrets": ["old"],
        "retention": "1d",
    }
    told = {change.path: (change.action, change.reason) for change in applied(PROMETHEUS, last, config, live).changes}
    below = "spec.containers[name=a].ports"
    assert {path: said for path, said in told.items() if path.startswith("spec")} == {
        "spec.containers[name=a]": ("matched", "element matched by name=a"),
        "spec.containers[name=a].name": ("unchanged", "unchanged: config and live agree"),
        f"{below}[containerPort=53,protocol=TCP]": ("matched", "element matched by containerPort=53,protocol=TCP"),
        f"{below}[containerPort=53,protocol=TCP].containerPort": ("unchanged", "unchanged: config and live agree"),
        f"{below}[containerPort=53,protocol=TCP].name": ("added", "added: in config, not in live"),
        f"{below}[containerPort=53,protocol=TCP].protocol": ("kept", "kept: only in live, set by another writer"),
        f"{below}[containerPort=53,protocol=UDP]": ("added", "added: in config, not in live"),
        f"{below}[containerPort=54,protocol=TCP]": ("cleared", "cleared: in last-applied, not in config"),
        "spec.containers[name=b]": ("kept", "kept: only in live, set by another writer"),
        "spec.retention": ("kept", "kept: only in live, set by another writer"),
        "spec.secrets[=new]": ("added", "added: in config, not in live"),
        "spec.secrets[=old]": ("cleared", "cleared: in last-applied, not in config"),
    }
    told = {
        change.path: (change.action, change.reason)
        for change in applied(PROMETHEUS, last, config, live, "kubectl").changes
    }
    assert told["spec.containers"] == ("changed", "list replaced: a JSON merge patch replaces lists")


class JudgeOfValues(Judge):
    """Compares plain JSON: keys may be data, and lists that cannot be merged are replaced."""

    def rule(self, rule: engine.Rule | None, key: str) -> engine.Rule | None:
        if rule is None or rule.kind == "any":
            return rule
        if rule.free_keys:
            return self.schema.inside(rule)[0]
        struct = self.schema.struct(rule)
        return struct.fields.get(key) if struct else None

    def elements(self, config: Any, last: Any, live: Any, merged: Any, rule: engine.Rule) -> Iterator[str]:
        known = [item for items in (config, last, live) if isinstance(items, list) for item in items]
        if not all(self.is_named(item, rule) for item in known):
            if not same(without_nulls(config), merged):
                yield "elements without a key, and not as config says"
        else:
            yield from super().elements(config, last, live, merged, rule)

    def sends_zero(self, rule: engine.Rule) -> bool:
        return not str(rule.of).startswith(("core_v1.", "meta_v1."))

    def is_named(self, item: Any, rule: engine.Rule) -> bool:
        if not rule.merge_key or not isinstance(item, dict):
            return not rule.merge_key and not isinstance(item, (dict, list))
        return json.loads(self.name(item, engine.Rule("list", rule.of, "merge", rule.merge_key)))[0] is not None


def named(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "metadata": {**document.get("metadata", {}), "name": "x"}}


def triples(count: int, seed: int) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    """Random triples of all kinds. A live object has no directives and no nulls: no server keeps them."""
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        drawn = triple(Draw(merging_lists(schema(kind)), Random(f"{seed} {number}"), 3))
        metadata = [document.get("metadata", {}) for document in drawn.values() if isinstance(document, dict)]
        if len(metadata) == 3 and all(isinstance(one, dict) for one in metadata) and not leaks(drawn["live"]):
            triple_ = {name: named(document) for name, document in drawn.items()}
            yield kind, {**triple_, "live": without_nulls(triple_["live"])}


def faults(kind: tuple[str, str], last: Any, config: Any, live: Any) -> list[str] | None:
    """Every broken promise for a triple; None if the documents are rejected."""
    config, live, rules = {**config, "apiVersion": kind[0], "kind": kind[1]}, as_sent(live), schema(kind)
    live = {**live, "apiVersion": kind[0], "kind": kind[1]}
    last = json.loads(json.dumps(as_sent(last)))
    try:
        outcome = engine.apply(config, live, rules, last_applied=last, lists="schema")
    except engine.MergeError:
        return None
    merged = engine.json_apply_patch(live, outcome.patch)
    judge = JudgeOfValues(merging_lists(rules))
    found = list(judge.maps(as_sent(with_last_applied(config)), last, live, merged, judge.schema.type.rule))
    if not same(merged, outcome.merged):
        found.append("the patch does not come to what is said")
    if same(merged, live) and outcome.patch:
        found.append(f"the patch changes nothing, and is not empty: {outcome.patch}")
    if leaks(merged):
        found.append("a directive is in the result")
    again = engine.apply(config, merged, rules, lists="schema")
    if again.patch:
        found.append(f"applied again, it still finds something to do: {again.patch}")
    return found


def judged(count: int, seed: int) -> int:
    """The number of random triples that were compared, and not rejected."""
    judged = 0
    for kind, drawn in triples(count, seed):
        found = faults(kind, drawn["last_applied"], drawn["config"], drawn["live"])
        assert not found, f"{found}\n{kind} {json.dumps(drawn)}"
        judged += found is not None
    return judged


def test_the_promises_of_safe_merging_hold_for_custom_resources() -> None:
    assert judged(700, 1) > 300


@pytest.mark.slow
@pytest.mark.left_out
def test_the_promises_of_safe_merging_hold_for_very_many_custom_resources() -> None:
    assert judged(20_000, 2) > 8_000


def template_triples(count: int) -> Iterator[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Random pod templates with the fields of a Rollout."""
    inner = merging_lists(schema(ROLLOUT))
    spec = inner.types[inner.type.fields["spec"].of or ""]
    template = inner.types[spec.fields["template"].of or ""]
    rules = engine.Schema(inner.types, template, None, None, None, None)
    for number in range(count):
        drawn = triple(Draw(rules, Random(f"template {number}"), 3))
        if all(isinstance(document, dict) for document in drawn.values()) and not leaks(list(drawn.values())):
            yield as_sent(drawn["last_applied"]), as_sent(drawn["config"]), as_sent(without_nulls(drawn["live"]))


@pytest.mark.parametrize("release", ["1.37", "1.18"])
def test_an_embedded_template_merges_as_a_pod_template_of_the_release(release: str) -> None:
    """Safe merging has the same result for a PodTemplateSpec and for the template of a Rollout."""
    rules = tables(release).definition("io.k8s.api.core.v1.PodTemplateSpec")
    compared = 0
    for last, config, live in template_triples(400):
        try:
            patch = engine.three_way_patch(last, config, live, rules, safe=True)
            expected = engine.apply_patch(live, patch, rules)
        except engine.MergeError:
            continue
        found = engine.apply(
            whole(ROLLOUT, {"template": config}),
            whole(ROLLOUT, {"template": live}),
            schema(ROLLOUT, release),
            last_applied=whole(ROLLOUT, {"template": last}),
            lists="schema",
        ).merged["spec"]["template"]
        assert same(found, expected), json.dumps([last, config, live])
        compared += 1
    assert compared > 150
