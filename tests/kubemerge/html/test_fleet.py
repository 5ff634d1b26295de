"""The page of a fleet: its counts and contents, the queries on it, its size, and its use in a browser."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.fleet.rows import Row
from kubemerge.fleet.summary import GAPS
from kubemerge.html import RunInfo, fleet_page

from ...conftest import require_package
from ..fleet.findings import overview_of, rows
from .browser import chromium, missing
from .reading import Page
from .samples import HOSTILE, fleet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .browser import Browser

DASH = chr(0x2013)
IN_A_BROWSER = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]
MADE = RunInfo("lint", [("dumps", "dumps/")], "out")


LARGE = [
    *rows(20_000, 260, 50),
    *(Row(f"prod-{at:03}", kind="Pod", what=f"manager-{at}", severity="info") for at in range(150)),
]
"""More clusters, kinds and things that were found than a page shows."""


@cache
def large() -> str:
    return fleet_page(overview_of(LARGE), MADE)


def shown(text: str) -> dict[str, list[dict[str, int]]]:
    """For each cluster of the page, the counts of its cells, by the number of the finding."""
    found: dict[str, list[dict[str, int]]] = {}
    for line in re.findall(r"<tr data-k=.*?<b>(.*?)</b>.*?</th>(.*?)</tr>", text, re.DOTALL):
        cells = re.findall(r'<td[^>]*data-c="([^"]*)"', line[1])
        found[line[0]] = [
            {at: int(number) for at, number in (one.split(":") for one in cell.split())} for cell in cells
        ]
    return found


def test_cells_count_every_row() -> None:
    cells = shown(fleet())
    assert [*cells] == ["east", "west", "north", "calm"]
    assert sum(number for line in cells.values() for cell in line for number in cell.values()) == 25
    assert cells["calm"] == []


def test_what_is_not_shown_is_counted_in_one_more_row_and_column() -> None:
    cells = shown(large())
    assert [*cells][-1] == "60 more"
    assert len(cells) == 201
    wanted = Counter(row.cluster for row in LARGE)
    found = {name: sum(sum(cell.values()) for cell in line) for name, line in cells.items()}
    assert found.pop("60 more") + sum(found.values()) == len(LARGE)
    assert found == {name: wanted[name] for name in found}
    page = Page(large())
    assert [one.text for one in page.all("span") if one.text.endswith(" more")] == ["21 more"]
    listed = [one for one in page.all("tr", data_s=None) if one.attributes.get("id", "").startswith("w")]
    assert len(listed) == 101
    assert len(page.all("tr", data_at=None)) == 3000


def test_a_page_is_small_whatever_stands_in_the_results() -> None:
    assert len(large().encode()) < 2_000_000
    long = "x" * 5000
    found = [
        Row(f"{at % 9}{long}", long, f"{at % 7}{long}", f"{at}{long}", long, "a", "info", *[long] * 4)
        for at in range(4000)
    ]
    assert len(fleet_page(overview_of(found), MADE).encode()) < 5_000_000


def test_what_went_wrong_stands_above_all_else() -> None:
    text = fleet()
    main = text.index('id="matrix"')
    for said in (
        "Part of dumps/south.jsonl is missing from these figures:",
        "1 object unreadable",
        "the compressed file is truncated",
    ):
        assert text.index(said) < main
    many = fleet_page(overview_of([]), MADE._replace(failed=[("a.jsonl", "why")] * 23))
    assert many.count("<b>Part of a.jsonl is missing from these figures:</b> why") == 20
    assert "<b>3 parts more</b> are missing from these figures." in many


def gapped(**more: Any) -> str:
    """The page of a cluster that is well, one without Jobs, and one of which not all could be read."""
    found = overview_of(
        [Row("a", kind="Pod", what="KM1", severity="error"), Row("b", kind="Job", what="KM1", severity="info")]
    )
    looked = {"a": {"Job": 3, "Pod": 2}, "b": {"Job": 1}, "c": {"": 1, "Pod": 1}, "d": {}}
    summary = found.summary._replace(looked=looked, gaps={"incomplete": {"c": ""}, "lacking": {"b": "Pod, Secret"}})
    return fleet_page(found._replace(summary=summary._replace(**more)), MADE)


def test_an_empty_cell_tells_whether_anything_is_known() -> None:
    lines = re.findall(r"<tr data-k=.*?<b>(.*?)</b>(.*?)</th>(.*?)</tr>", gapped(), re.DOTALL)
    cells = {name: re.findall(r'<td(?: class="(\w+)")?[^>]*>([^<]*)', rest) for name, _, rest in lines}
    assert cells == {
        "a": [("b", ""), ("b1", ""), ("", "")],
        "b": [("i", ""), ("none", DASH), ("i1", "")],
        "c": [("unknown", "?")] * 3,
        "d": [("none", DASH)] * 3,
    }
    assert [name for name, tags, _ in lines if "incomplete" in tags] == ["c"]


def test_a_cluster_that_has_no_config_is_not_shown_as_well() -> None:
    text = gapped(gaps={"unconfigured": {"d": ""}})
    assert "Dump, but no config, so not checked: 1 cluster." in text
    [line] = re.findall(r"<tr data-k=[^\n]*?<b>d</b>.*?</tr>", text, re.DOTALL)
    assert '<span class="tag b">no config</span>' in line
    assert line.count('<td class="unknown">?') == 3
    assert "or the cluster has no config." in text


def test_gaps_stand_above_all_else_with_the_clusters() -> None:
    parts = re.findall(r'<div class="(warning[ b]*)">(.*?)</div>', gapped(), re.DOTALL)
    assert [(style, " ".join(re.sub("<.*?>", "", part).split())) for style, part in parts] == [
        ("warning b", "Partly unreadable, so findings may be missing: 1 cluster. c"),
        ("warning", f"T{GAPS['lacking'][1:]}: 1 cluster. b Pod, Secret"),
    ]
    assert gapped().index("Partly unreadable") < gapped().index('id="matrix"')
    many = gapped(gaps={"undumped": {f"prod-{at:03}": "" for at in range(230)}}, gaps_unknown=True)
    assert many.count('<span class="named">') == 200
    for said in ("<summary>and 210 more</summary>", "and 30 more (-o json lists them)", "<b>Empty and missing dumps"):
        assert said in many
    assert "Missing data" not in fleet_page(overview_of([]), MADE)


def test_where_nothing_was_found_it_is_told_of_what() -> None:
    found = overview_of([])
    summary = found.summary._replace(looked={"a": {"Pod": 2}, "b": {}}, gaps={"undumped": {"c": ""}})
    text = fleet_page(found._replace(summary=summary), MADE)
    for said in ("No findings.", "Config, but no dump: 1 cluster.", "<td>1 of 2</td><td>b</td>"):
        assert said in text


def test_how_it_was_made_is_told() -> None:
    text = fleet_page(overview_of([]), MADE)
    assert "<dt>dumps</dt><dd>dumps/</dd>" in text
    assert "No findings." in text
    assert "pyarrow.parquet.read_table(&#39;out&#39;)" in text


def test_its_queries_find_the_rows(tmp_path: Path) -> None:
    duckdb: Any = require_package("duckdb")
    found = [Row(text, text, text, text, text, text, "error") for text in (*HOSTILE, "", "a'b", "a\nb")]
    folder = str(tmp_path / "it's")
    page = Page(fleet_page(overview_of(found, folder=folder), MADE._replace(folder=folder)))
    every, *queries = sorted((one.text for one in page.all("code") if one.text.startswith("SELECT ")), key=len)
    assert len(duckdb.sql(every).fetchall()) == len(found) == len(queries)
    conditions = [one.attributes["data-where"] for one in page.all(data_where=None)]
    assert len(conditions) == 3 * len(found)
    for query in (*queries, *(f"{every[:-1]} WHERE {one};" for one in conditions)):
        assert len(duckdb.sql(query).fetchall()) == 1, query


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("browser") / "profile") as browser:
        yield browser


ACTIVE = "return document.activeElement.getAttribute('aria-label')"
FOUND = "return document.querySelector('#found').textContent"
VISIBLE = "return [...document.querySelectorAll('{}')].filter(one => one.checkVisibility()).length"
PANEL = "return document.querySelector('#panel').open && document.querySelector('#panel').innerText"


class TestInABrowser:
    """Tests that need the browser itself."""

    pytestmark = IN_A_BROWSER

    @pytest.fixture
    def browser(self, window: Browser, tmp_path: Path) -> Browser:
        window.look()
        self.show(window, fleet(), tmp_path)
        return window

    def show(self, browser: Browser, text: str, folder: Path) -> None:
        file = folder / "page.html"
        file.write_text(text, encoding="utf-8")
        browser.open(file)

    def test_words_and_severities_filter(self, browser: Browser) -> None:
        assert browser.run(FOUND) == "25 rows"
        browser.press("/", *"west deploy")
        browser.until(
            "return document.querySelector('#found').textContent === '4 of 25 rows, 4 of the 25 on this page'"
        )
        assert browser.run(VISIBLE.format("#grid tr[data-k]")) == 1
        cell = "#grid tr:not([hidden]) td:nth-child(5)"
        assert browser.run(f"return document.querySelector('{cell}').textContent") == "~4"
        assert browser.run(VISIBLE.format("#grid thead .kind")) == 1
        browser.run("document.querySelector('.pills input[value=warning]').focus()")
        browser.press("Tab", "Right")
        assert browser.run(ACTIVE) == "west, Deployment: 4 warning"
        browser.click("input[value=warning]")
        browser.until("return document.querySelector('#found').textContent.startsWith('0 of 25')")
        browser.run(
            "const box = document.querySelector('#filter'); box.value = ''; box.dispatchEvent(new Event('input'))"
        )
        browser.until("return document.querySelector('#found').textContent.startsWith('13 of 25')")
        assert browser.run(VISIBLE.format("#whats tbody tr")) == 2
        browser.click("input[value=warning]")
        browser.until("return document.querySelector('#found').textContent === '25 rows'")
        assert browser.run(VISIBLE.format("#grid tr[data-k]")) == 4

    def test_keys_open_what_is_behind_a_cell_a_cluster_and_a_kind(self, browser: Browser) -> None:
        browser.run("document.querySelector('.pills input[value=warning]').focus()")
        browser.press("Tab", "Right")
        assert browser.run(ACTIVE) == "east, Secret: 8 error"
        browser.press("Enter")
        panel = browser.run(PANEL)
        assert "east · Secret" in panel
        assert "SELECT * FROM 'out/part-*.parquet' WHERE cluster = 'east' AND kind = 'Secret';" in panel
        assert "shop/web-1" in panel
        assert "shop/web-9" not in panel
        assert browser.run(VISIBLE.format("#panel .rows tbody tr")) == 8
        browser.press("Escape", "Left", "Left", "Enter")
        assert "WHERE cluster = 'east';" in browser.run(PANEL)
        assert browser.run(VISIBLE.format("#panel .rows tbody tr")) == 16
        browser.press("Escape", *["Right"] * 4, "Up", "Enter")
        assert "WHERE kind = 'Deployment';" in browser.run(PANEL)
        assert browser.run(VISIBLE.format("#panel .rows tbody tr")) == 12
        browser.press("Escape")
        assert not browser.run(PANEL)

    def test_what_is_not_known_of_a_cell_is_said_and_fits(self, window: Browser, tmp_path: Path) -> None:
        text = gapped(gaps={"incomplete": {f"c{at or ''}": "" for at in range(90)}})
        for width, scheme in ((380, "dark"), (1400, "light")):
            window.look(width=width, scheme=scheme)
            self.show(window, text, tmp_path)
            assert window.run("return document.documentElement.scrollWidth") == width
            assert window.run(VISIBLE.format("#gaps .named")) == 20
            window.click("#gaps summary")
            assert window.run(VISIBLE.format("#gaps .named")) == 90
        for place, said in {
            "td.none": "b, Pod: none in the dump",
            "td.unknown": "c, all kinds: no findings, but incomplete data",
        }.items():
            window.run(f"document.querySelector('#grid {place}').focus()")
            assert window.run(ACTIVE).startswith(said)
        window.press("/", *"job")
        window.until("return document.querySelector('#found').textContent.startsWith('1 of 2')")
        assert window.complaints() == []

    def test_without_scripts_everything_is_there(self, browser: Browser, tmp_path: Path) -> None:
        browser.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.show(browser, fleet(), tmp_path)
            assert browser.run(VISIBLE.format(".needs-js")) == 0
            assert browser.run("return getComputedStyle(document.documentElement).scrollBehavior") == "auto"
            browser.click("#grid tbody td:nth-child(3) a")
            browser.click("#whats tbody a[href='#f0']")
            assert browser.run(VISIBLE.format("details.step")) == 3
        finally:
            browser.command("Emulation.setScriptExecutionDisabled", value=False)

    def test_paper_has_the_matrix_and_what_was_found_but_no_rows(self, browser: Browser) -> None:
        browser.look(media="print")
        assert browser.run(VISIBLE.format(".bar, #findings, button")) == 0
        assert browser.run(VISIBLE.format("#grid tbody tr")) == 4
        assert browser.run(VISIBLE.format("#whats tbody tr")) == 3
        assert browser.run(VISIBLE.format(".problem .rows tbody tr")) == 1
        assert browser.printed().startswith(b"%PDF-")

    @pytest.mark.parametrize("width", [380, 800, 1400])
    def test_a_large_page_opens_in_a_moment_and_fits(self, window: Browser, width: int, tmp_path: Path) -> None:
        window.look(width=width, height=900, scheme="dark")
        self.show(window, large(), tmp_path)
        assert window.run(FOUND) == "20150 rows"
        assert window.run("return document.documentElement.scrollWidth") == width
        assert window.run("return performance.getEntriesByType('navigation')[0].domComplete") < 10_000
        window.run("document.querySelector('.matrix').scrollTo(400, 2000)")
        tops = "const box = document.querySelector('.matrix'); return box.getBoundingClientRect()"
        for corner in ("#grid thead th.kind", "#grid tbody tr:nth-child(60) th"):
            place = window.run(f"return document.querySelector('{corner}').getBoundingClientRect()")
            edge = window.run(tops)
            side = "top" if "thead" in corner else "left"
            assert abs(place[side] - edge[side]) < 3
        assert window.complaints() == []
