"""Lint findings are correct: every case also runs through the exact merge."""

from __future__ import annotations

import copy
import json
import pickle
import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import codegen
import engine
from codegen.documents.yaml_text import documents
from engine.directives import ANNOTATION
from engine.linter import RULES, LintRule
from engine.linter.rules import MODULES
from engine.linter.unions import CHOSEN_BY, ONE_OF
from engine.values.quantities import amount
from tests.conformance.draw import Draw
from tests.conformance.generate import triple
from tests.conformance.schemas import engine_schema
from tests.conftest import ROOT, python, snapshot

from .cases import CASES, EXAMPLES, RELEASE, WRITTEN, applied, findings, schema_of, tables, whole
from .messages import FILE, messages

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

PATH = f'metadata.annotations["{ANNOTATION}"]'
NAMES = [case["name"] for case in WRITTEN]


def without_annotation(merged: dict[str, Any]) -> dict[str, Any]:
    metadata = dict(merged["metadata"])
    others = {key: value for key, value in metadata.pop("annotations", {}).items() if key != ANNOTATION}
    return {**merged, "metadata": {**metadata, **({"annotations": others} if others else {})}}


@pytest.mark.parametrize(
    "number", ["#39188", "#58477", "#65106", "#103544", "#105610", "#108148", "#136340", "kustomize#4752"]
)
def test_known_issue_is_found_and_lost_by_the_exact_merge(number: str) -> None:
    case = next(case for case in WRITTEN if f"{number} " in case["name"])
    assert applied(case).merged["spec"] != case["config"]["spec"]
    assert {"KM001", "KM002", "KM003"} & {one.code for one in findings(case)}


@pytest.mark.parametrize("case", WRITTEN, ids=NAMES)
def test_lint_finds_exactly_this(case: dict[str, Any]) -> None:
    found = findings(case)
    assert [f"{one.code} {one.path}".replace(PATH, "ANNOTATION") for one in found] == sorted(
        case["finds"], key=lambda text: (text.split(" ", 1)[1].replace("ANNOTATION", PATH), text)
    )
    said = {one.code: one.message for one in found}
    assert {code: one for code in case.get("severities", {}) for one in [_severity(found, code)]} == case.get(
        "severities", {}
    )
    for code, text in case.get("says", {}).items():
        assert any(text in one.message for one in found if one.code == code), said
    for code, advice in case.get("advice", {}).items():
        assert [one.advice for one in found if one.code == code] == [advice]


def _severity(found: list[engine.Finding], code: str) -> str:
    return next(one.severity for one in found if one.code == code)


@pytest.mark.parametrize("case", [case for case in CASES if "result" in case], ids=lambda case: case["name"])
def test_exact_merge_has_the_result_of_the_case(case: dict[str, Any]) -> None:
    merged = without_annotation(applied(case).merged)
    assert {key: merged[key] for key in case["result"]} == case["result"]


@pytest.mark.parametrize("case", [case for case in CASES if "again" in case], ids=lambda case: case["name"])
def test_repeated_apply_is_unchanged_or_not(case: dict[str, Any]) -> None:
    outcome = applied(case)
    for _ in range(3):
        outcome = engine.apply(whole(case, "config"), outcome.merged, schema_of(case))
    assert bool(outcome.patch) == case["again"]


@pytest.mark.parametrize("case", [case for case in CASES if "fails" in case], ids=lambda case: case["name"])
def test_the_apply_or_the_next_one_fails(case: dict[str, Any]) -> None:
    with pytest.raises(engine.MergeError, match=case["fails"]) as caught:
        engine.apply(whole(case, "config"), applied(case).merged, schema_of(case))
    failure = next(one for one in findings(case) if one.code == "KM021")
    assert (failure.steps, caught.value.message in failure.message) == (caught.value.steps, True)


@pytest.mark.parametrize("case", [case for case in CASES if "refused" in case], ids=lambda case: case["name"])
def test_server_or_tool_rejects_it(case: dict[str, Any]) -> None:
    schema = schema_of({**case, "release": case["tool"]} if "tool" in case else case)
    with pytest.raises(engine.MergeError, match=case["refused"]):
        engine.server_side_apply(whole(case, "config"), whole(case, "live"), schema, manager=case["manager"])


@pytest.mark.parametrize("code", RULES)
def test_the_example_of_a_rule_has_its_finding(code: str) -> None:
    assert code in {one.code for one in findings(EXAMPLES[code])}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_rule_of_a_module_is_in_the_list(module: ModuleType) -> None:
    written = [rule for rule in vars(module).values() if isinstance(rule, LintRule)]
    assert [rule for rule in written if RULES.get(rule.code) is not rule] == []
    assert all(rule.check or rule.check_place for rule in written)


def test_codes_and_slugs_are_unique() -> None:
    every = [rule for module in MODULES for rule in module.RULES]
    assert [len({rule.code for rule in every}), len({rule.slug for rule in every})] == [len(every)] * 2
    assert list(RULES) == sorted(rule.code for rule in every)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rule_texts_are_sentences(rule: LintRule) -> None:
    assert re.fullmatch(r"KM\d{3}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.slug)
    assert rule.severity in ("error", "warning", "info")
    for text in (rule.meaning, rule.advice, rule.explanation):
        assert re.fullmatch(r"[A-Z`].*\.", text, re.DOTALL), text


def test_rule_is_immutable() -> None:
    rule = RULES["KM001"]
    with pytest.raises(AttributeError, match="is immutable"):
        rule.code = "KM002"
    with pytest.raises(AttributeError, match="is immutable"):
        del rule.slug
    assert repr(rule) == "<LintRule KM001 duplicate-merge-key>"


HOW_CONFIRMED = {"result", "again", "fails", "refused"}


def test_every_code_is_confirmed_by_the_exact_merge_in_some_case() -> None:
    confirmed = {one.code for case in CASES if HOW_CONFIRMED & case.keys() for one in findings(case)}
    # KM010 and KM011 have separate tests. The API server causes KM015, not a merge.
    assert confirmed | {"KM010", "KM011"} == set(RULES)


CLEAN = [file for file in sorted((ROOT / "examples").rglob("*.yaml")) if file.parent.name != "dns"]


@pytest.mark.parametrize("file", CLEAN, ids=lambda file: file.name)
def test_examples_are_clean_before_and_after_they_are_applied(file: Path) -> None:
    for config in documents(file.read_text(encoding="utf-8")):
        schema = tables(None).schema(config["apiVersion"], config["kind"])
        assert engine.lint(config, schema) == []
        live = engine.apply(config, None, schema).merged
        assert engine.lint(config, schema, live=live) == []
        assert engine.lint(config, None, live=live) == []


def test_last_applied_is_read_from_live_or_given_as_a_document_or_text() -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "1"}}
    schema = tables(None).schema("v1", "ConfigMap")
    live = engine.apply(config, None, schema).merged
    plain = {**config, "data": {"a": "1"}}
    assert engine.lint(config, schema, live=live) == []
    assert [one.code for one in engine.lint(config, schema, live=plain)] == ["KM007"]
    assert [one.code for one in engine.lint(config, schema, live=live, last_applied=None)] == ["KM007"]
    assert engine.lint(config, schema, live=plain, last_applied=config) == []
    assert engine.lint(config, schema, live=plain, last_applied=json.dumps(config)) == []


def test_an_annotation_that_cannot_be_read_is_a_finding() -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}
    live = {**config, "metadata": {"name": "x", "annotations": {ANNOTATION: "{"}}}
    schema = tables(None).schema("v1", "ConfigMap")
    assert [one.code for one in engine.lint(config, schema, live=live)] == ["KM021"]
    with pytest.raises(engine.BadAnnotation):
        engine.apply(config, live, schema)


@pytest.mark.parametrize(
    ("length", "severity"), [(200_000, []), (215_000, ["warning"]), (261_900, ["warning"]), (263_000, ["error"])]
)
def test_annotations_near_the_limit_and_above(length: int, severity: list[str]) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "é" * (length // 2)}}
    schema = tables(None).schema("v1", "ConfigMap")
    assert [one.severity for one in engine.lint(config, schema)] == severity
    annotations = engine.apply(config, None, schema).merged["metadata"]["annotations"]
    size = sum(len((key + value).encode()) for key, value in annotations.items())
    assert {(): size < 209_715, ("warning",): 209_715 <= size <= 262_144, ("error",): size > 262_144}[tuple(severity)]


@pytest.mark.parametrize(
    ("size", "severity"), [(209_714, []), (209_715, ["warning"]), (262_144, ["warning"]), (262_145, ["error"])]
)
def test_annotations_of_exactly_the_limit(size: int, severity: list[str]) -> None:
    schema = tables(None).schema("v1", "ConfigMap")
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": ""}}
    (least,) = engine.apply(config, None, schema).merged["metadata"]["annotations"].values()
    config["data"] = {"a": "x" * (size - len(ANNOTATION) - len(least))}
    assert [one.severity for one in engine.lint(config, schema)] == severity


SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x"}, "stringData": {"a": "b"}}


@pytest.mark.parametrize(
    ("config", "schema", "found"),
    [
        (SECRET, None, ["KM011"]),
        ({**SECRET, "apiVersion": "e.example/v1"}, None, []),
        ({**SECRET, "status": {"a": "b"}}, None, ["KM011"]),
    ],
)
def test_secret_is_recognized_by_schema_or_kind(config: Any, schema: Any, found: list[str]) -> None:
    assert [one.code for one in engine.lint(config, schema)] == found


def test_status_of_a_type_that_is_not_a_kind_is_an_ordinary_field() -> None:
    condition = tables(RELEASE).definition("io.k8s.api.core.v1.PodCondition")
    found = engine.lint({"status": "True"}, condition, live={"status": "False"}, last_applied={"status": "True"})
    assert [one.code for one in found] == ["KM021", "KM008"]


def test_list_may_merge_client_side_and_be_atomic_server_side() -> None:
    job = tables(RELEASE).definition("io.k8s.api.batch.v1.JobStatus")
    mine, others = {"type": "Complete"}, {"type": "Other"}
    found = engine.lint({"conditions": [mine]}, job, live={"conditions": [mine, others]}, last_applied={})
    assert [one.code for one in found if one.steps[0] == "conditions"] == ["KM013", "KM006"]


@pytest.mark.parametrize("config", [{"kind": "Pood"}, {"apiVersion": "v1"}, {"apiVersion": "v1", "kind": 1}])
def test_document_without_kind_is_not_looked_up(config: dict[str, Any]) -> None:
    assert engine.lint(config, None, tables=tables(RELEASE)) == []


def test_the_secret_is_in_the_annotation() -> None:
    case = EXAMPLES["KM011"]
    outcome = applied(case)
    assert "hunter2" in outcome.merged["metadata"]["annotations"][ANNOTATION]


def test_unions_include_all_marked_ones() -> None:
    known = {name: {*fields} for name, fields in ONE_OF.items()}
    known.update((name, {choice.by, *choice.members.values()}) for name, choice in CHOSEN_BY.items())
    for release in engine.releases():
        for definition, node in snapshot(release)["definitions"].items():
            for union in node.get("x-kubernetes-unions", ()):
                group, version, name = definition.rsplit(".", 3)[1:]
                members = {*union["fields-to-discriminateBy"], *filter(None, [union.get("discriminator")])}
                if len(members) > 1 and version:
                    assert members <= known[f"{group}.{name}"], (release, definition)


def test_every_type_in_the_list_of_unions_exists_with_its_fields() -> None:
    fields: dict[str, set[str]] = {}
    for release in engine.releases():
        for definition, node in snapshot(release)["definitions"].items():
            name = ".".join([*definition.rsplit(".", 3)[1:2], definition.rpartition(".")[2]])
            fields.setdefault(name, set()).update(node.get("properties", {}))
    for name, members in ONE_OF.items():
        assert set(members) - fields[name] <= _ELSEWHERE, name
    for name, choice in CHOSEN_BY.items():
        assert {choice.by, *choice.members.values()} <= fields[name], name


def test_discriminator_values_match_field_names() -> None:
    others = {("Localhost", "localhostProfile"), ("Utilization", "averageUtilization"), ("Queue", "queuing")}
    for name, choice in CHOSEN_BY.items():
        for word, member in choice.members.items():
            assert word == member[0].upper() + member[1:] or (word, member) in others, name


_ELSEWHERE = {"configMap", "downwardAPI", "emptyDir", "ephemeral", "gitRepo", "image", "persistentVolumeClaim"} | {
    *("projected", "secret", "local", "sleep", "grpc")
}
"""Members that belong to only one of the types with the same list."""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1000m", "1"),
        (1, "1"),
        ("1Gi", "1024Mi"),
        ("1e3", "1k"),
        ("0.5", "500m"),
        ("1E", "1e18"),
        (0.1, "100m"),
        (".5", "500m"),
    ],
)
def test_equal_quantities(one: Any, other: Any) -> None:
    assert amount(one) == amount(other) is not None


@pytest.mark.parametrize("value", ["", "x", "1x", "1 m", None, True, [], "1Kib", "--1", "1.2.3"])
def test_invalid_quantities(value: Any) -> None:
    assert amount(value) is None


def test_finding_is_immutable_and_picklable() -> None:
    finding = findings(EXAMPLES["KM002"])[0]
    with pytest.raises(AttributeError, match="is immutable"):
        finding.code = "KM001"
    with pytest.raises(AttributeError, match="is immutable"):
        del finding.message
    assert pickle.loads(pickle.dumps(finding)) == finding
    assert {finding, copy.copy(finding)} == {finding}
    assert (finding.name, finding.steps) == ("narrow-merge-key", ("spec", "ports", (("port", 53),)))
    assert "KM002 warning at spec.ports[port=53]" in repr(finding)


def test_an_element_without_its_keys_needs_them() -> None:
    definition = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"]}
    item = {"type": "object", "properties": {"id": {"type": "string"}, "a": {"type": "string"}}}
    schema = schema_of_list({**definition, "items": item})
    config = {"apiVersion": "example.com/v1", "kind": "Thing", "spec": [{"a": "b"}]}
    (found,) = [one for one in engine.lint(config, schema, manager="me") if one.code == "KM029"]
    assert "omits all key fields" in found.message
    assert found.advice == "Set every key of the list in each element, and make their combination unique."


def schema_of_list(spec: dict[str, Any]) -> engine.Schema:
    """The schema of a custom kind whose spec is a list."""
    names = {"kind": "Thing", "plural": "things"}
    top = {"type": "object", "properties": {"spec": spec}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": top}}
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {"group": "example.com", "names": names, "scope": "Namespaced", "versions": [version]},
    }
    return codegen.read(crd).schema("example.com/v1", "Thing")


def test_messages_are_as_recorded() -> None:
    """`messages.py` writes the current messages, for review in the diff."""
    assert {*FILE.read_text(encoding="utf-8").splitlines()} - messages() == set()


def test_findings_are_sentences() -> None:
    for case in CASES:
        for one in findings(case):
            assert re.fullmatch(r"[A-Z$].*[.?]", one.message, re.DOTALL), one
            assert re.fullmatch(r"[A-Z].*[.]", one.advice, re.DOTALL), one


@pytest.mark.parametrize("config", [None, [], "x", 1, {"a": {1, 2}}, {1: 2}, {"a": float("nan")}])
def test_non_object_is_an_error(config: Any) -> None:
    with pytest.raises(engine.MergeError):
        engine.lint(config, None)


def test_document_of_maximum_depth() -> None:
    config: Any = "x"
    for _ in range(295):
        config = {"a": config}
    schema = tables(None).schema("v1", "ConfigMap")
    deep = {"apiVersion": "v1", "kind": "ConfigMap", "data": config}
    assert {one.code for one in engine.lint(deep, schema, live=deep)} <= set(RULES)
    assert engine.lint(config, None) == []


ODD: tuple[Any, ...] = (
    "",
    "x",
    "é\ud800",
    0,
    1,
    -1,
    1.5,
    1 << 70,
    True,
    False,
    None,
    [],
    {},
    [None],
    [[]],
    {"": None},
    {"name": {}},
    [{"name": []}],
)
ODD_KEYS = (
    "name",
    "$patch",
    "$retainKeys",
    "$setElementOrder/ports",
    "$deleteFromPrimitiveList/x",
    "port",
    "",
    "status",
)


def mutated(random: Random, value: Any) -> Any:
    """The value with some of its parts replaced by unexpected ones."""
    if random.random() < 0.03:
        return copy.deepcopy(random.choice(ODD))
    if isinstance(value, dict):
        result = {key: mutated(random, item) for key, item in value.items() if random.random() > 0.02}
        if random.random() < 0.04:
            result[random.choice(ODD_KEYS)] = copy.deepcopy(random.choice(ODD))
        return result
    if isinstance(value, list):
        result_list = [mutated(random, item) for item in value]
        if result_list and random.random() < 0.1:
            result_list.append(copy.deepcopy(random.choice(result_list)))
        if random.random() < 0.03:
            result_list.insert(0, copy.deepcopy(random.choice(ODD)))
        return result_list
    return value


def check_mutated(seeds: range) -> None:
    for case in CASES:
        schema = schema_of(case)
        for seed in seeds:
            random = Random(f"{case['name']} {seed}")
            given = [mutated(random, whole(case, name)) for name in ("config", "live", "last")]
            before = copy.deepcopy(given)
            config, live, last = given
            for rules in (schema, None):
                try:
                    found = engine.lint(config, rules, live=live, last_applied=last)
                except engine.MergeError:
                    continue
                assert all(one.code in RULES and one.path for one in found)
                assert found == engine.lint(config, rules, live=live, last_applied=last)
            assert repr(given) == repr(before)


@pytest.mark.parametrize(
    ("documents", "named"),
    [({"config": []}, "config"), ({"live": []}, "live"), ({"last_applied": []}, "last applied config")],
)
def test_error_names_the_non_object_document(documents: dict[str, Any], named: str) -> None:
    with pytest.raises(engine.NotAnObject, match=f"^the {named} is "):
        engine.lint(schema=tables(None).schema("v1", "Pod"), **{"config": {}, **documents})


def test_odd_documents_cause_no_errors_and_stay_unchanged() -> None:
    check_mutated(range(1))


@pytest.mark.slow
@pytest.mark.left_out
def test_many_odd_documents() -> None:
    check_mutated(range(1, 100))


DRAWN = ("v1 Service", "v1 Pod", "apps/v1 Deployment", "v1 ConfigMap", "policy/v1 PodDisruptionBudget", "v1 Pod 1.7")


def check_drawn(name: str, seeds: range) -> None:
    """Lint findings about a whole apply come true for any documents."""
    schema = engine_schema(name)
    for seed in seeds:
        drawn = triple(Draw(schema, Random(seed), 1 + seed % 3))
        config, live, last = drawn["config"], drawn["live"], drawn["last_applied"]
        found = engine.lint(config, schema, live=live, last_applied=last)
        fails = [one for one in found if one.code == "KM021"]
        try:
            outcome = engine.apply(config, live, schema, last_applied=last)
        except engine.MergeError:
            assert [one.message.startswith("This apply fails") for one in fails] == [True]
            continue
        assert not any(one.message.startswith("This apply") for one in fails)
        if fails or any("$retainKeys" in one.message for one in found if one.code == "KM014"):
            continue
        for _ in range(2):
            outcome = engine.apply(config, outcome.merged, schema)
        assert bool(outcome.patch) == any(one.code == "KM014" for one in found)


@pytest.mark.parametrize("name", DRAWN)
def test_predictions_for_random_documents_are_correct(name: str) -> None:
    check_drawn(name, range(40))


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_predictions_for_many_random_documents_are_correct(name: str) -> None:
    check_drawn(name, range(40, 1000))


def test_lint_is_imported_on_first_use() -> None:
    there = "print('engine.linter' in sys.modules)"
    program = f"import sys, engine; {there}; engine.lint; {there}"
    assert python(program, cwd=ROOT).split() == ["False", "True"]
