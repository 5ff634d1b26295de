"""The page of an upgrade in a real browser: it opens quickly, filters, fits a phone, and prints as a summary."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING

import pytest

import engine
from kubemerge.compare.chain import Side
from kubemerge.compare.replay import replay
from kubemerge.compare.upgrade.folded import at_least
from kubemerge.html import replay_page
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.pairs import Inputs

from ..compare.upgrade.corpus import clean, hazards
from .browser import chromium, missing
from .reading import Page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .browser import Browser

IN_A_BROWSER = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]
ROWS = "[...document.querySelectorAll('#upgrade tbody tr')].filter(one => one.checkVisibility()).length"


@cache
def page(touched: int, same: int) -> str:
    """The page of so many objects with hazards, and of so many without."""
    sides = [Side(release, engine.load(release)) for release in ("1.24", "1.28", "1.31", "1.37")]
    objects = [*[one.content for one in hazards()][-touched:], *clean()[:same]]
    found = [replay(Inputs(Manifest("all.yaml", content, at), None, None), sides) for at, content in enumerate(objects)]
    return replay_page([at_least(one, "notable") for one in found])


def test_each_change_has_a_row_with_the_objects_and_unchanged_ones_are_only_named() -> None:
    found = Page(page(100, 31))
    rows = found.all("tr", data_severity=None)
    totals = found.one("dl", id="totals").attributes
    assert int(totals["data-changed"]) + int(totals["data-unchanged"]) == 131
    assert {one.attributes["data-severity"] for one in rows} == {"breaking", "notable"}
    assert len(rows) < int(totals["data-changed"])
    assert int(found.one("details", id="same").attributes["data-same"]) == int(totals["data-unchanged"])
    assert not found.all("table", **{"class": "beside n1"})


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("browser") / "profile") as browser:
        yield browser


class TestInABrowser:
    """Tests that need the browser itself."""

    pytestmark = IN_A_BROWSER

    def test_five_hundred_objects_open_in_a_moment(self, window: Browser, tmp_path: Path) -> None:
        text = page(300, 200)
        assert len(text.encode()) < 1_000_000
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        window.look()
        start = time.perf_counter()
        window.open(file)
        assert time.perf_counter() - start < 5
        assert window.complaints() == []
        window.look(width=380, height=800)
        assert window.run("return document.documentElement.scrollWidth") == 380

    def test_words_and_severities_filter(self, window: Browser, tmp_path: Path) -> None:
        file = tmp_path / "page.html"
        file.write_text(page(100, 31), encoding="utf-8")
        window.look()
        window.open(file)
        before = window.run(f"return {ROWS}")
        window.press("/", *"networkpolicy")
        window.until(f"return {ROWS} < {before}")
        assert 0 < window.run(f"return {ROWS}") < before
        assert "of" in window.run("return document.querySelector('#found').textContent")
        window.click("input[value=breaking]")
        window.until("return !document.querySelector('#upgrade tr.b:not([hidden])')")

    def test_paper_has_the_summary_alone(self, window: Browser, tmp_path: Path) -> None:
        file = tmp_path / "page.html"
        file.write_text(page(100, 31), encoding="utf-8")
        window.look(media="print")
        window.open(file)
        seen = "return [...document.querySelectorAll('{}')].filter(one => one.checkVisibility()).length"
        assert window.run(seen.format("#objects, #same, .bar")) == 0
        assert window.run(seen.format("#upgrade tbody tr")) > 10
        assert window.run(seen.format(".names li")) == 0
        assert window.printed().startswith(b"%PDF-")
