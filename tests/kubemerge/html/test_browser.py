"""The pages in a real browser: mouse and keys, paper and phones, and scripts that must never run."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import pytest

import engine
from kubemerge.compare.chain import Side, compare
from kubemerge.compare.model import SEVERITIES
from kubemerge.compare.reports.facts import by_severity
from kubemerge.html import compare_page

from .browser import chromium, missing
from .samples import comparison
from .test_rendering import PAGES, text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .browser import Browser

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

ACTIVE = "const one = document.activeElement; return one.getAttribute('aria-label') || one.id || one.tagName"
FOUND = "return document.querySelector('#found').textContent"
VISIBLE = "return [...document.querySelectorAll('{}')].filter(one => one.checkVisibility()).length"
OPEN = "return document.querySelector('#panel').open"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("browser") / "profile") as browser:
        yield browser


@pytest.fixture
def browser(window: Browser) -> Browser:
    window.look()
    window.complaints()
    return window


@pytest.fixture
def compared(browser: Browser, tmp_path: Path) -> Browser:
    """The page of the comparison, just opened."""
    return show(browser, compare_page(comparison()), tmp_path)


def show(browser: Browser, page: str, folder: Path) -> Browser:
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    browser.open(file)
    return browser


@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs_nothing_of_others_loads_nothing_and_fits_a_phone(
    browser: Browser, name: str, tmp_path: Path
) -> None:
    browser.look(width=380, height=800)
    show(browser, text(name), tmp_path)
    assert browser.run("return document.documentElement.classList.contains('js')")
    assert browser.run("return window.broken ?? null") is None
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
    assert browser.run("return document.querySelectorAll('script').length") == 1
    assert browser.run("return document.documentElement.scrollWidth") == 380
    assert browser.complaints() == []


def test_the_policy_stops_what_is_put_into_a_page(browser: Browser, tmp_path: Path) -> None:
    put = "<script>window.broken = 1</script><img src=x onerror='window.broken = 2'>"
    show(browser, compare_page(comparison()).replace("<footer>", f"{put}<footer>"), tmp_path)
    assert browser.run("return window.broken ?? null") is None
    assert browser.complaints()


def test_the_browser_counts_what_the_comparison_counts(compared: Browser) -> None:
    cells = "return [...document.querySelectorAll('#grid tbody td')].map(one => ({...one.dataset}))"
    found = compared.run(cells)
    wanted = by_severity(comparison().changes)
    assert {name: sum(int(cell.get(name, 0)) for cell in found) for name in SEVERITIES} == wanted
    assert compared.run(FOUND) == f"{sum(wanted.values())} changes"


def test_the_filter_counts_again(compared: Browser) -> None:
    compared.press("/", *"pod")
    compared.until("return document.querySelector('#found').textContent.includes('28 of 33')")
    assert compared.run(VISIBLE.format("#grid tr[data-k]")) == 1
    assert compared.run(VISIBLE.format("#lines article")) == 1
    compared.press(*" field01")
    compared.until("return document.querySelector('#found').textContent === '1 of 33 changes'")
    assert compared.run("return document.querySelector('#grid tr:not([hidden]) td.i1').textContent") == "+1"
    assert compared.run(VISIBLE.format("#changes tbody tr:not(.of)")) == 1


def test_a_severity_can_be_left_out(compared: Browser) -> None:
    compared.click("input[value=info]")
    compared.until("return document.querySelector('#found').textContent === '5 of 33 changes'")
    assert compared.run(VISIBLE.format("#changes tr.i")) == 0
    compared.click("input[value=breaking]")
    compared.until("return document.querySelector('#found').textContent === '2 of 33 changes'")


def test_the_matrix_begins_at_the_newest_release(browser: Browser, tmp_path: Path) -> None:
    sides = [Side(release, engine.load(release)) for release in engine.releases()]
    show(browser, compare_page(compare(sides, [("v1", "Pod"), ("apps/v1", "Deployment")])), tmp_path)
    edges = "const [one, other] = [box, at].map(part => part.getBoundingClientRect()); return other.{0} - one.{0}"
    find = "const box = document.querySelector('.matrix'), at = box.querySelector('thead th:last-child'); "
    assert browser.run(f"{find} return box.scrollWidth - box.clientWidth") > 0
    assert abs(browser.run(find + edges.format("right"))) < 3
    assert browser.run("return window.scrollY") == 0
    browser.look(width=3000, height=1000)
    show(browser, compare_page(compare(sides[-3:], [("v1", "Pod")])), tmp_path)
    assert browser.run(f"{find} return box.scrollLeft") == 0


def test_keys_move_in_the_matrix_open_a_cell_and_close_it(compared: Browser) -> None:
    compared.run("document.querySelector('.pills input[value=info]').focus()")
    compared.press("Tab")
    assert compared.run(ACTIVE) == "v1 Pod, 1.12 → 1.13: 1 notable, 1 info"
    compared.press("Right")
    assert compared.run(ACTIVE) == "v1 Pod, 1.13 → 1.14: no change"
    compared.press("Enter")
    assert compared.run(OPEN) is False
    compared.press("Down", "Left")
    assert compared.run(ACTIVE) == "apps/v1 Deployment, 1.12 → 1.13: 1 breaking, 1 notable, 1 info"
    compared.press("Enter")
    assert compared.run(OPEN) is True
    panel = compared.run("return document.querySelector('#panel').innerText")
    assert "Deployment" in panel
    assert "spec.strategy" in panel
    assert "merged field by field, and fields missing in config are dropped (retainKeys)" in panel
    assert "spec.containers.ports" not in panel.replace("spec.template.spec.containers.ports", "")
    compared.press("Escape")
    assert compared.run(OPEN) is False
    assert compared.run(ACTIVE).startswith("apps/v1 Deployment, 1.12")
    compared.press("Space")
    assert compared.run(OPEN) is True


def test_the_matrix_is_one_stop_of_the_tab_key(compared: Browser) -> None:
    compared.run("document.querySelector('.pills input[value=info]').focus()")
    compared.press("Tab", "Tab")
    assert compared.run("return document.activeElement.closest('#grid')") is None


def test_what_has_the_focus_can_be_seen(compared: Browser) -> None:
    compared.run("document.querySelector('.pills input[value=info]').focus()")
    compared.press("Tab")
    assert compared.run("return getComputedStyle(document.activeElement).outlineWidth") == "3px"


def test_a_kind_opens_its_time_line(compared: Browser) -> None:
    compared.click("#grid tr[data-k='0'] th a")
    panel = compared.run("return document.querySelector('#panel').innerText")
    assert "1.12 → 1.13" in panel
    assert "1.14 → 1.15" in panel
    assert "spec.hostname" in panel
    assert compared.run(VISIBLE.format("#panel svg.strip")) == 1


def test_a_link_unfolds_what_it_leads_to(browser: Browser, tmp_path: Path) -> None:
    folded = compare_page(comparison()).replace(" open><summary><h3>1.14", "><summary><h3>1.14")
    show(browser, folded, tmp_path)
    assert browser.run("return document.querySelector('#s2').open") is False
    browser.click("#grid thead a[href='#s2']")
    browser.until("return document.querySelector('#s2').open")


def test_without_scripts_everything_is_there(browser: Browser, tmp_path: Path) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        show(browser, compare_page(comparison()), tmp_path)
        assert browser.run("return document.documentElement.classList.contains('js')") is False
        assert browser.run(VISIBLE.format(".needs-js")) == 0
        assert browser.run(VISIBLE.format("#grid tbody td a")) == 5
        assert browser.run(VISIBLE.format("#changes tbody tr:not(.of)")) == 31
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)


def test_paper_shows_what_is_folded_and_no_controls(browser: Browser, tmp_path: Path) -> None:
    page = compare_page(comparison()).replace(" open><summary>", "><summary>")
    show(browser, page, tmp_path)
    assert browser.run(VISIBLE.format("#changes tbody tr:not(.of)")) == 0
    browser.look(media="print")
    assert browser.run(VISIBLE.format("#changes tbody tr:not(.of)")) == 31
    assert browser.run(VISIBLE.format(".bar, #panel, button")) == 0
    assert browser.run("return getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.run("return getComputedStyle(document.querySelector('#grid thead th')).position") == "static"
    assert browser.printed().startswith(b"%PDF-")


@pytest.mark.parametrize("name", ["merge", "diff"])
def test_reasons_are_filtered(browser: Browser, name: str, tmp_path: Path) -> None:
    show(browser, text(name), tmp_path)
    rows = VISIBLE.format("tr[data-action]")
    before = browser.run(rows)
    browser.press("/", *"cleared: minready")
    browser.until("return document.querySelector('#found').textContent === '1 field'")
    assert before > browser.run(rows) == 1
    assert browser.run(VISIBLE.format("[data-object]")) == 1


def test_lines_that_the_apply_leaves_alone_can_be_hidden(browser: Browser, tmp_path: Path) -> None:
    show(browser, text("merge"), tmp_path)
    equal, different, changed = ("#o0 .beside tr.e", "#o0 .beside tr.d", "#o0 .beside tr.r")
    assert browser.run(VISIBLE.format(equal))
    browser.click("#o0 input[value=differ]")
    assert browser.run(VISIBLE.format(equal)) == 0
    assert browser.run(VISIBLE.format(different))
    browser.click("#o0 input[value=result]")
    assert browser.run(VISIBLE.format(different)) == 0
    assert browser.run(VISIBLE.format(changed))


def pixel(picture: bytes) -> tuple[int, ...]:
    """The colour in the upper left corner of a PNG."""
    assert picture.startswith(b"\x89PNG")
    data, at = b"", 8
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        if picture[at + 4 : at + 8] == b"IDAT":
            data += picture[at + 8 : at + 8 + length]
        at += length + 12
    return tuple(zlib.decompress(data)[1:4])


@pytest.mark.parametrize("name", ["compare", "replay", "merge", "diff"])
def test_a_page_is_light_or_dark_as_its_reader_likes(browser: Browser, name: str, tmp_path: Path) -> None:
    show(browser, text(name), tmp_path)
    assert min(pixel(browser.picture())) > 240
    browser.look(scheme="dark")
    assert max(pixel(browser.picture())) < 40
