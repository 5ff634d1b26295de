"""The API server's rejections, in its words.

`data/validation.json` contains objects, their old versions, and the problems of the strategies of k8s.io/kubernetes.
Where `values_hidden` is set, messages contain a value in the server's internal form, with internal fields.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from kubemerge.apiserver import problems as refusals
from kubemerge.apiserver.defaulting import fill as defaults
from kubemerge.apiserver.validation import selectors, validation
from kubemerge.apiserver.validation.pod_spec import internal_form

from ..defaulting.test_fill import applied, json_values, page, places

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "validation.json").read_text(encoding="utf-8"))
RELEASE = ".".join(RECORDED["version"].split(".")[:2])
SHOWN = re.compile(r"((?:Invalid|Unsupported|Duplicate) value: )(?:\{\.\.\.\}|\[\.\.\.\]|(?=[\[{]))")


DIFFERENCES = re.compile(r"\n@@.*?\n(?=, |\]|$)", re.DOTALL)
"""The lines of a difference. They were not recorded."""


def hidden(text: str) -> str:
    """A message without the maps and lists in it."""
    found = SHOWN.search(text)
    if found is None:
        return text
    rest = text[found.end() :]
    if rest.startswith(("{", "[")):
        rest = rest[json.JSONDecoder().raw_decode(rest)[1] :]
    return text[: found.start()] + found[1] + "{...}" + hidden(rest)


def said_of(content: dict[str, Any], before: dict[str, Any] | None) -> str:
    live = defaults.fill(before, None, RELEASE) if before is not None else None
    filled = defaults.fill(content, live, RELEASE)
    found = validation.problems(filled, live)
    return str(validation.rejection(filled, found)) if found else ""


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: str(case["name"]))
def test_kubernetes_says_the_same(case: dict[str, Any]) -> None:
    before = deepcopy(case)
    said = said_of(case["object"], case["before"])
    said = DIFFERENCES.sub("", said)
    assert (hidden(said) if case.get("values_hidden") else said) == case["refused"]
    assert case == before


RECREATE = {"type": "Recreate"}
FORBIDDEN = "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"


@pytest.mark.parametrize(
    ("release", "api", "refused"),
    [
        ("1.7", "extensions/v1beta1", [FORBIDDEN]),
        ("1.7", "apps/v1beta1", [FORBIDDEN]),
        ("1.8", "apps/v1beta2", [FORBIDDEN]),
        ("1.9", "apps/v1", [FORBIDDEN]),
        ("1.12", "apps/v1", [FORBIDDEN]),
        ("1.13", "apps/v1", []),
        (engine.releases()[-1], "apps/v1", []),
    ],
)
def test_the_pages_example_fails_until_retain_keys_drops_what_was_filled_in(
    release: str, api: str, refused: list[str]
) -> None:
    live = applied(page(api), None, release)
    merged = applied(page(api, strategy=RECREATE), live, release)
    assert [*map(str, validation.problems(merged, live))] == refused
    assert ("rollingUpdate" in merged["spec"]["strategy"]) == bool(refused)


@pytest.mark.parametrize("release", ["1.7", "1.12"])
def test_the_pages_example_succeeds_where_the_config_clears_the_default(release: str) -> None:
    live = applied(page("apps/v1beta1"), None, release)
    merged = applied(page("apps/v1beta1", strategy={**RECREATE, "rollingUpdate": None}), live, release)
    assert merged["spec"]["strategy"] == RECREATE
    assert validation.problems(merged, live) == []


@pytest.mark.parametrize(
    ("api", "found"),
    [("apps/v1", 1), ("apps/v1beta2", 1), ("apps/v1beta1", 0), ("extensions/v1beta1", 0)],
)
def test_selectors_are_immutable_since_apps_v1beta2(api: str, found: int) -> None:
    live = defaults.fill(page(api), None, "1.9")
    changed = deepcopy(live)
    changed["spec"]["selector"]["matchLabels"]["app"] = "other"
    changed["spec"]["template"]["metadata"]["labels"]["app"] = "other"
    assert len(validation.problems(changed, live)) == found


def test_an_update_does_not_judge_the_name_again() -> None:
    live = defaults.fill({**page(), "metadata": {"name": "Old_Name"}}, None, RELEASE)
    assert validation.problems(live, live) == []
    assert len(validation.problems(live, None)) == 1


def test_a_name_may_be_left_to_the_server() -> None:
    assert validation.problems({"apiVersion": "v1", "kind": "X", "metadata": {"generateName": "a-"}}, None) == []


def test_of_other_kinds_only_the_metadata_is_judged() -> None:
    content = {"apiVersion": "example.com/v1", "kind": "Service", "metadata": {"name": "a.b", "labels": {"a b": "c"}}}
    (problem,) = validation.problems(content, None)
    assert str(problem).startswith('metadata.labels: Invalid value: "a b": name part must consist of')


@pytest.mark.parametrize(
    ("api", "found", "text"),
    [
        ("apps/v1", [refusals.required("a")], 'Deployment.apps "n" is invalid: a: Required value'),
        (
            "v1",
            [refusals.required("a"), refusals.forbidden("b", "x")],
            'Deployment "n" is invalid: [a: Required value, b: Forbidden: x]',
        ),
    ],
)
def test_a_refusal_is_one_sentence(api: str, found: list[refusals.Problem], text: str) -> None:
    content = {"apiVersion": api, "kind": "Deployment", "metadata": {"name": "n"}}
    assert str(validation.rejection(content, found)) == text


def test_a_value_is_shown_as_go_shows_it() -> None:
    assert (
        str(refusals.immutable("a", {"b": "c" * 300})) == f'a: Invalid value: {{"b":"{"c" * 300}"}}: field is immutable'
    )
    assert str(refusals.invalid("a", "<é\x01>", "w")) == 'a: Invalid value: "<é\\x01>": w'
    assert str(refusals.invalid("a", ["<"], "")) == 'a: Invalid value: ["\\u003c"]'
    assert str(refusals.unsupported("a", "<", ["b"])) == 'a: Unsupported value: "\\u003c": supported values: "b"'
    selector = {"matchExpressions": [{"key": "k", "operator": "In", "values": ["v"]}], "matchLabels": {"a": "b"}}
    assert '{"matchLabels":{"a":"b"},"matchExpressions":[{"key"' in str(refusals.immutable("a", selector))


def test_what_is_no_quantity_is_shown_as_it_is() -> None:
    assert internal_form.difference("q", "1Gi", ["x"]) == '@@ -1 +1,3 @@\n-"1Gi"\n+[\n+ "x"\n+]\n'


@pytest.mark.parametrize("value", [{"a": 1}, True, 5, "None"])
def test_addresses_of_a_service_may_be_of_any_shape(value: Any) -> None:
    case = next(case for case in RECORDED["cases"] if case["name"] == "service clusterIP changed")
    for field in ("clusterIPs", "ipFamilies", "externalIPs"):
        content = {**case["object"], "spec": {**case["object"]["spec"], field: value}}
        assert all(": " in str(problem) for problem in validation.problems(content, case["before"]))
        assert all(": " in str(problem) for problem in validation.problems(case["before"], content))


@pytest.mark.parametrize("operator", [[], {}, 5, None])
def test_an_operator_of_another_type_is_unknown(operator: Any) -> None:
    found = [problem.path for problem in selectors.requirement("at", {"key": "a", "operator": operator})]
    assert found == ["at.operator"]


@given(st.sampled_from(RECORDED["cases"]), json_values, st.data())
def test_any_shape_is_judged(case: dict[str, Any], value: Any, data: st.DataObject) -> None:
    content = defaults.fill(case["object"], None, RELEASE)
    path = data.draw(st.sampled_from([place for place in places(content) if place not in {(), ("kind",)}]))
    owner = content
    for part in path[:-1]:
        owner = owner[part]
    owner[path[-1]] = value
    before = deepcopy(content)
    found = validation.problems(content, case["before"])
    assert all(": " in str(problem) for problem in found)
    assert str(validation.rejection(content, found))
    assert content == before


@pytest.mark.parametrize(
    ("content", "path"),
    [
        (
            {"kind": "Node", "spec": {"taints": [{"effect": "False", "key": "a"}]}},
            "metadata.taints[0].effect",
        ),
        (
            {
                "kind": "Service",
                "spec": {"type": "LoadBalancer", "loadBalancerSourceRanges": ["a"], "ports": [{"port": 80}]},
            },
            "spec.LoadBalancerSourceRanges[0]",
        ),
    ],
)
@pytest.mark.parametrize("release", [engine.releases()[-1], engine.releases()[-2], "1.33"])
def test_a_path_that_names_no_field_is_a_problem_in_each_release(
    content: dict[str, Any], path: str, release: str
) -> None:
    filled = defaults.fill({"apiVersion": "v1", "metadata": {"name": "a"}, **content}, None, release)
    assert [one for one in validation.problems(filled, None, release=release) if one.path == path]


def test_an_invalid_object_is_validated_once_if_it_has_its_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    validated = validation._problems

    def counted(content: Any, *rest: Any) -> Any:
        seen.append(content)
        return validated(content, *rest)

    monkeypatch.setattr(validation, "_problems", counted)
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "UPPER", "namespace": "default"}}
    assert len(validation.problems(config, None, release="1.30")) == 1
    assert len(seen) == 1
