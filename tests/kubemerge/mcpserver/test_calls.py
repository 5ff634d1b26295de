"""Calls of tools: recorded results and errors. Every result matches the output schema of its tool."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from kubemerge.mcpserver.calls import call
from kubemerge.mcpserver.results import LARGEST_RESULT
from kubemerge.mcpserver.tools import TOOLS
from kubemerge.mcpserver.workspace import Settings
from kubemerge.plan import PLANNERS

from .recorded import CALLS, differences, filled, texts_of

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = texts_of(CALLS)
CASES = {one["title"]: one for one in CALLS["cases"]}


@pytest.mark.parametrize("title", CASES)
def test_a_call_has_its_result_or_its_error(title: str, tmp_path: Path) -> None:
    case = CASES[title]
    answer = call(Settings(str(tmp_path)), case["tool"], filled(case["arguments"], TEXTS))
    if "error" in case:
        assert case["error"] in answer.error
        assert re.search(r"[ (]--?[a-z]", re.sub("`[^`]*`", "", answer.error)) is None
        assert json.loads(answer.text) == {"error": answer.error}
        return
    assert answer.error == ""
    assert differences(case["result"], answer.result) == []
    validator = jsonschema.Draft202012Validator(TOOLS[case["tool"]].output)
    assert [*validator.iter_errors(answer.result)] == []
    assert [text for text in case.get("absent", ()) if text in answer.text] == []
    assert len(answer.text) < 2 * LARGEST_RESULT


def test_every_tool_has_a_recorded_result() -> None:
    assert {one["tool"] for one in CALLS["cases"] if "result" in one} == {*TOOLS}


@pytest.mark.parametrize("name", TOOLS)
def test_the_schemas_of_a_tool_are_valid_and_closed(name: str) -> None:
    tool = TOOLS[name]
    for schema in (tool.input_schema, tool.output):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False


def test_arguments_that_the_input_schema_rejects_are_rejected() -> None:
    wrong: list[dict[str, Any]] = [
        {"limit": 0}, {"limit": True}, {"limit": "3"}, {"limit": 10**9}, {"config_files": "a"}, {"config_files": [1]},
        {"namespace": "a" * 2000}, {"force_conflicts": "yes"}, {"method": "other"}, {"config_files": ["a"] * 51},
    ]  # fmt: skip
    validator = jsonschema.Draft202012Validator(TOOLS["predict_apply"].input_schema)
    for arguments in wrong:
        assert [*validator.iter_errors(arguments)], arguments
        assert "the argument" in call(Settings("."), "predict_apply", arguments).error, arguments


def test_lists_have_a_limit_and_the_number_of_the_others() -> None:
    every = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"a{number}"}} for number in range(40)]
    many = "\n---\n".join(map(json.dumps, every))
    found = call(Settings("."), "predict_apply", {"config": many, "limit": 3}).result
    assert found is not None
    assert (len(found["objects"]), found["more_objects"]) == (3, 37)


@pytest.mark.parametrize("path", ["--live", "a -n", "--release-name/a.yaml"])
def test_a_path_that_looks_like_an_option_stays(path: str, tmp_path: Path) -> None:
    found = call(Settings(str(tmp_path)), "lint", {"config_files": [path]}).error
    assert found == f"{path}: No such file or directory. Pass a readable file"


def test_the_tool_plan_has_all_planners() -> None:
    tools = next(one for one in TOOLS["plan"].arguments if one.name == "tool")
    assert tools.choices == tuple(PLANNERS)


def test_the_namespace_selects_a_stored_helm_release() -> None:
    stored = [
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "type": "helm.sh/release.v1",
            "metadata": {"name": "sh.helm.release.v1.web.v1", "namespace": namespace},
            "data": {"release": f"not-{namespace}"},
        }
        for namespace in ("blue", "green")
    ]
    arguments = {"tool": "helm", "config": TEXTS["rendered"], "live": "\n---\n".join(map(json.dumps, stored))}
    several = call(Settings("."), "plan", arguments).error
    assert several == "several Helm releases are stored: blue/web, green/web. Pass release_name and namespace"
    chosen = call(Settings("."), "plan", {**arguments, "release_name": "web", "namespace": "green"}).error
    assert chosen == "Secret 'sh.helm.release.v1.web.v1': data.release is not base64. Pass the Secret unchanged"


MANY = "\n---\n".join([f"{{apiVersion: v1, kind: ConfigMap, metadata: {{name: a{number}}}}}" for number in range(1001)])


@pytest.mark.parametrize(("tool", "arguments"), [("predict_apply", {}), ("lint", {}), ("plan", {"tool": "kubectl"})])
def test_the_objects_of_all_arguments_have_a_limit(tool: str, arguments: dict[str, str]) -> None:
    found = call(Settings("."), tool, {**arguments, "config": MANY, "live": MANY})
    assert found.error == "the inputs have more than 2000 objects. Pass fewer objects"


def test_a_large_result_is_cut_further() -> None:
    many = "\n---\n".join(
        json.dumps(
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": f"a{number}"},
                "data": {f"k{key}": "v" * 300 for key in range(30)},
            }
        )
        for number in range(30)
    )
    live = many.replace("vvv", "www")
    answer = call(Settings("."), "predict_apply", {"config": many, "live": live})
    assert answer.result is not None
    assert len(answer.text) <= LARGEST_RESULT
    assert answer.result["objects"]
    assert len(answer.result["objects"]) + answer.result["more_objects"] == 30
