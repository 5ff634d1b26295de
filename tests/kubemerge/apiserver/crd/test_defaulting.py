"""Custom resources get the defaults of their structural schema.

`data/crd_defaults.json` contains schemas, objects, and the results of k8s.io/apiextensions-apiserver.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from kubemerge.apiserver.crd import defaulting
from kubemerge.apiserver.defaulting.fill import fill
from kubemerge.apiserver.schemas.schemas import Schema

from ..conftest import crontab, crontabs

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "crd_defaults.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: str(case["name"]))
def test_kubernetes_fills_in_the_same(case: dict[str, Any]) -> None:
    before = deepcopy(case)
    assert defaulting.apply_defaults(case["object"], Schema(case["schema"])) == case["filled"]
    assert case == before


def with_default(value: str, names: tuple[str, ...] = ("v1",)) -> dict[str, Any]:
    definition = crontabs(names=names)
    for version in definition["spec"]["versions"]:
        schema = deepcopy(version["schema"])
        schema["openAPIV3Schema"]["properties"]["spec"]["properties"]["cron"]["default"] = f"{value} {version['name']}"
        version["schema"] = schema
    return definition


def test_the_schema_is_that_of_the_objects_version() -> None:
    definition = with_default("daily", ("v1", "v1beta1"))
    for version in ("v1", "v1beta1"):
        content = crontab(version=version, image="a")
        assert fill(content, None, "1.31", definition)["spec"] == {"image": "a", "cron": f"daily {version}"}


def test_before_1_16_there_were_none() -> None:
    assert fill(crontab(image="a"), None, "1.15", with_default("daily"))["spec"] == {"image": "a"}
    assert fill(crontab(image="a"), None, "1.16", with_default("daily"))["spec"] == {"image": "a", "cron": "daily v1"}


def test_the_old_definitions_have_one_schema_for_all_versions() -> None:
    definition = with_default("daily")
    (version,) = definition["spec"]["versions"]
    definition["spec"]["validation"] = version.pop("schema")
    assert fill(crontab(), None, "1.16", definition)["spec"] == {"cron": "daily v1"}


@pytest.mark.parametrize(
    "broken",
    [{}, {"spec": None}, {"spec": {"versions": "v1"}}, {"spec": {"versions": [{"name": "v1", "schema": "x"}]}}],
    ids=str,
)
def test_a_definition_without_a_schema_has_no_defaults(broken: dict[str, Any]) -> None:
    assert fill(crontab(cron="x"), None, "1.31", broken) == crontab(cron="x")


def test_a_default_that_was_cleared_is_filled_in_again() -> None:
    live = fill(crontab(cron="hourly"), None, "1.31", with_default("daily"))
    cleared = {**live, "spec": {"cron": None}}
    assert fill(cleared, live, "1.31", with_default("daily"))["spec"] == {"cron": "daily v1"}
