"""The page of a comparison: its counts equal the comparison's, and it contains every change."""

from __future__ import annotations

import time
from functools import cache

import pytest

import engine
from kubemerge.compare.chain import Side, compare
from kubemerge.compare.model import SEVERITIES, Comparison, Step
from kubemerge.compare.reports.facts import by_severity
from kubemerge.html import compare_page
from kubemerge.html.bundles import bundled
from kubemerge.html.shared import GROUP, shared

from .reading import Page, counts
from .samples import DEPLOYMENT, OLD, POD, TEXT, change, comparison


@cache
def real(first: int, last: int) -> Comparison:
    return compare([Side(f"1.{minor}", engine.load(f"1.{minor}")) for minor in range(first, last + 1)])


def pods() -> Comparison:
    sides = [Side(f"1.{minor}", engine.load(f"1.{minor}")) for minor in range(24, 28)]
    return compare(sides, [("v1", "Pod"), ("apps/v1", "Deployment")])


@pytest.mark.parametrize("made", [comparison, pods, lambda: real(15, 16)], ids=["by hand", "pods", "all kinds"])
def test_the_counts_are_those_of_the_comparison(made: object) -> None:
    found: Comparison = shared(made())  # type: ignore[operator]
    page = Page(compare_page(found))
    assert counts(page.one("dl", id="totals")) == by_severity(found.changes)
    for step, column, part in zip(
        found.steps, page.all("td", data_step=None), page.all("details", data_to=None), strict=True
    ):
        assert (part.attributes["data-from"], part.attributes["data-to"]) == (step.left, step.right)
        assert counts(column) == counts(part) == by_severity(step.changes)
    kinds = {f"{key[0]} {key[1]}": key for key in {change.key for change in found.changes}}
    lines = page.all("article")
    assert {line.attributes["data-line"] for line in lines} == set(kinds)
    for line in lines:
        key = kinds[line.attributes["data-line"]]
        assert counts(line) == by_severity(change for change in found.changes if change.key == key)


def test_each_cell_counts_one_kind_in_one_step() -> None:
    found = comparison()
    page = Page(compare_page(found))
    rows: dict[str, list[dict[str, int]]] = {}
    current = ""
    for one in page.elements:
        current = one.attributes.get("data-kind", current) if one.tag == "tr" else current
        if one.tag == "tfoot":
            break
        if one.tag == "td" and current:
            rows.setdefault(current, []).append(counts(one))
    for key in (DEPLOYMENT, POD, OLD):
        wanted = [by_severity(change for change in step.changes if change.key == key) for step in found.steps]
        assert rows[f"{key[0]} {key[1]}"] == wanted


def test_the_sign_the_number_and_the_colour_of_a_cell() -> None:
    page = Page(compare_page(comparison()))
    cells = [one for one in page.all("td") if "data-step" not in one.attributes and one.attributes.get("class")]
    assert [one.attributes["class"] for one in cells] == ["n1", "b3", "b1", "i1", "b1"]
    assert "!26" in page.text
    assert "!gone" in page.text
    assert "~2" in page.text


def test_a_row_shows_where_the_kind_is_served() -> None:
    found = comparison()
    served = {**found.served, POD: frozenset({"1.14", "1.15"})}
    page = Page(compare_page(Comparison(found.sides, found.steps, served)))
    strips = [one.attributes["d"] for one in page.all("path") if "id" not in one.attributes]
    assert strips == ["M30 0H54", "M2 0H54", "M2 0H40"]


def test_every_change_stands_in_the_list_with_its_rules() -> None:
    page = Page(compare_page(comparison()))
    for step in comparison().steps:
        for one in step.changes:
            assert (one.path or "the kind itself") in page.text
            assert one.effect in page.text
    assert "elements merge by containerPort" in page.text
    assert "elements are identified by containerPort + protocol" in page.text
    assert "fields missing in config are dropped (retainKeys)" in page.text


def test_changes_that_kinds_share_are_reported_once() -> None:
    first, second = bundled(comparison().steps[0].changes)[0], bundled(comparison().steps[0].changes)[-1]
    assert [one.change.path for one in first.rows] == ["spec.strategy", "spec.template.spec.containers.ports"]
    assert second.kinds == (DEPLOYMENT, POD, OLD)
    assert [one.change.path for one in second.rows] == ["metadata.generation"]
    assert compare_page(comparison()).count("<code>metadata.generation</code>") == 1


def test_the_worst_stands_first() -> None:
    for step in comparison().steps:
        worst = [SEVERITIES.index(bundle.rows[0].change.severity) for bundle in bundled(step.changes)]
        assert worst == sorted(worst)


def test_two_sides_that_are_no_releases() -> None:
    step = Step("spec.json", "cluster.json", (change(POD, "spec.hostname", "field added", "info", None, TEXT),))
    page = Page(compare_page(Comparison(("spec.json", "cluster.json"), (step,))))
    assert page.one("h1").text == "spec.json to cluster.json"
    assert page.one("table", id="grid").attributes["class"] == "wide"


def test_releases_are_called_so_unless_a_title_is_given() -> None:
    assert Page(compare_page(comparison())).one("h1").text == "Kubernetes 1.12 to 1.15"
    assert Page(compare_page(comparison(), title="Upgrade 7")).one("h1").text == "Upgrade 7"


def test_where_nothing_differs_the_page_says_so() -> None:
    page = Page(compare_page(Comparison(("1.12", "1.13"), (Step("1.12", "1.13", ()),), {POD: frozenset({"1.12"})})))
    assert "No differences" in page.text
    assert counts(page.one("dl", id="totals")) == {"breaking": 0, "notable": 0, "info": 0}


@pytest.mark.slow
def test_every_kind_of_every_release_on_one_page() -> None:
    found = real(8, 37)
    started = time.perf_counter()
    text = compare_page(found)
    taken = time.perf_counter() - started
    assert taken < 3
    assert len(text.encode()) < 3_000_000
    page = Page(text)
    assert sum(sum(counts(line).values()) for line in page.all("article")) == len(shared(found).changes)
    assert counts(page.one("dl", id="totals")) == by_severity(shared(found).changes)


def test_lists_of_objects_are_left_out_and_a_change_of_a_shared_type_is_one() -> None:
    whole, found = real(24, 25), shared(real(24, 25))
    gone = [one for one in whole.changes if one.place.endswith("ObjectMeta.clusterName") and one.severity == "breaking"]
    assert len(gone) > 40
    (one,) = [one for one in found.changes if one.path == "clusterName"]
    assert (one.api_version, one.kind, one.severity) == (f"{GROUP}/v1", "ObjectMeta", "breaking")
    assert not [one for one in found.changes if one.kind == "PodList"]
    assert [one for one in whole.changes if one.kind == "PodList"]
    page = Page(compare_page(whole))
    assert [
        one.attributes["data-kind"] for one in page.all("tr", data_kind=None) if "List" in one.attributes["data-kind"]
    ] == []
    assert "in the row of the type" in page.text
    figures = {one.text: other.text for one, other in zip(page.all("dt"), page.all("dd"), strict=True)}
    assert int(figures["kinds changed"]) < int(figures["kinds compared"])
    assert shared(found) == found
