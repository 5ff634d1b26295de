"""The page of replays: releases with equal results, the releases where the result changes, and the rules behind it."""

from __future__ import annotations

from functools import cache

import pytest

import engine
from kubemerge.compare.chain import Side
from kubemerge.compare.model import Replay
from kubemerge.compare.replay import replay
from kubemerge.html import replay_page
from kubemerge.html.releases import ranges, span
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs

from .reading import Page
from .samples import VALUES, changed_secret, deployment, with_last_applied


@cache
def recreated() -> Replay:
    """A changed strategy. retainKeys was added to this field in 1.13."""
    last = deployment("web:1")
    live = with_last_applied(deployment("web:1", strategy={"type": "RollingUpdate", "rollingUpdate": {}}), last)
    config = Manifest("config.yaml", deployment("web:1", strategy={"type": "Recreate"}))
    sides = [Side(f"1.{minor}", engine.load(f"1.{minor}")) for minor in range(8, 17)]
    return replay(Inputs(config, Manifest("live.yaml", live), None), sides)


def test_releases_are_in_order_each_with_its_group() -> None:
    found = Page(replay_page([recreated()])).all("li", data_release=None)
    groups = {one.attributes["data-release"]: one.attributes["data-group"] for one in found}
    assert list(groups) == [f"1.{minor}" for minor in range(8, 17)]
    assert "".join(groups.values()) == "ABBBBCCCC"
    assert [one.attributes["data-release"] for one in found if "split" in one.attributes["class"]] == ["1.13"]


def test_the_split_is_reported_with_the_field_and_the_rule() -> None:
    page = Page(replay_page([recreated()]))
    assert "From 1.12 to 1.13" in page.text
    assert "spec.strategy.rollingUpdate" in page.text
    assert "Because these rules changed" in page.text
    assert "merged field by field, and fields missing in config are dropped (retainKeys)" in page.text
    assert page.one(data_splits="1").attributes["data-groups"] == "3"


def test_where_there_is_no_result_the_problem_is_reported() -> None:
    assert "1.8: no result: apps/v1 Deployment is not served" in Page(replay_page([recreated()])).text


def test_results_stand_side_by_side_and_what_differs_is_marked() -> None:
    page = Page(replay_page([recreated()]))
    assert [one.text.strip() for one in page.all("th", scope="col")][10:12] == ["B", "C"]
    assert len(page.all("tr", **{"class": "r"})) == 1  # rollingUpdate, which the other result has not


def test_objects_that_differ_come_first() -> None:
    whole = recreated()
    alike = Replay("pod/a", "a.yaml", whole.config, None, None, whole.groups[1:2], ())
    page = Page(replay_page([alike, whole]))
    assert [one.attributes["data-object"] for one in page.all(data_object=None)] == [whole.name, "pod/a"]
    totals = page.one("dl", id="totals").attributes
    assert (totals["data-changed"], totals["data-unchanged"]) == ("1", "1")


def test_no_value_of_a_secret_is_shown() -> None:
    one = changed_secret()
    made = replay(one.inputs, [Side("1.13", engine.load("1.13"))])
    text = replay_page([made])
    assert not [value for value in VALUES if value in text]
    assert "password: '***'" in Page(text).text


@pytest.mark.parametrize(
    ("releases", "text"),
    [
        (("1.8", "1.9", "1.10"), "1.8 to 1.10"),
        (("1.12", "1.8", "1.9"), "1.8 to 1.9, 1.12"),
        (("spec.json", "1.9"), "1.9, spec.json"),
        (("1.9",), "1.9"),
    ],
)
def test_releases_in_few_words(releases: tuple[str, ...], text: str) -> None:
    assert ranges(releases) == text


def test_only_releases_are_called_kubernetes() -> None:
    assert span(("1.8", "1.9", "1.10")) == "Kubernetes 1.8 to 1.10"
    assert span(("spec.json", "1.10")) == "spec.json to 1.10"
