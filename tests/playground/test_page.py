"""The page in Chromium: the same bytes as the command line, links, keys, widths, and no word to another host."""

from __future__ import annotations

import base64
import json
import os
import shutil
import time
import zlib
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from playground import bridge
from playground.build import build, checked, package_of_pyodide
from tests.kubemerge.html.browser import Browser, Served, chromium, missing, served
from website.browser_checks import CONTRAST

from .cases import REFUSED, merged

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = os.environ.get("KUBEMERGE_PYODIDE", "")
"""The package of Pyodide, where npm cannot bring it."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=missing() or "-"),
    pytest.mark.skipif(not PACKAGE and shutil.which("npm") is None, reason="there is no npm to bring Pyodide"),
]

MERGED = merged()
FIRST = "A field that was dropped, and a sidecar"
READY, MERGE = 8000, 50
"""Milliseconds until the page is ready, and for a merge, at most."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The playground, served."""
    folder = tmp_path_factory.mktemp("playground")
    build(folder / "site", checked(Path(PACKAGE) if PACKAGE else package_of_pyodide(folder)))
    with served(folder / "site") as found:
        yield found


@pytest.fixture(scope="module")
def page(site: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The page, with the result of its first example."""
    with chromium(tmp_path_factory.mktemp("browser") / "profile") as browser:
        browser.open(f"{site.address}/")
        _answered(browser)
        yield browser


def _answered(browser: Browser) -> None:
    for _ in range(1800):
        if browser.run("return document.body?.dataset.done"):
            return
        time.sleep(0.1)
    raise AssertionError(browser.run("return document.body.innerText"))


def fragment(case: dict[str, Any]) -> str:
    """The case as links carry it."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(case).encode()) + packer.flush()
    return "#c=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def shown(browser: Browser, case: dict[str, Any]) -> dict[str, Any]:
    """The page's result for a case that came as a link."""
    target = fragment(case)
    browser.run(f"delete document.body.dataset.done; location.hash = ''; location.hash = {json.dumps(target)}")
    _answered(browser)
    found: dict[str, Any] = browser.run("return {...document.body.dataset}")
    return found


def test_a_merge_gives_the_bytes_of_the_command_line(
    page: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    times, different = [], {}
    for name, case in MERGED.items():
        found = shown(page, case)
        expected = json.loads(bridge.answer("patch", json.dumps({"release": "1.37", "manager": "kubectl", **case})))
        if (found["patch"], found["error"]) != (expected["out"], expected["err"] if expected["code"] else ""):
            different[name] = found, expected
        times.append(float(found["merge"]))
    with capsys.disabled():
        print(f"\n{len(times)} merges in the browser: {median(times):.1f} ms in the median, {max(times):.1f} at most")
    assert not different
    assert min(times) < MERGE


def test_what_is_refused_is_refused_in_the_same_words(
    page: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in REFUSED.items():
        found = shown(page, {"config": text})
        expected = json.loads(bridge.answer("patch", json.dumps({"config": text, "release": "1.37"})))
        assert found["error"] == expected["err"], name
        assert "cannot be applied" in page.run("return document.getElementById('status').textContent")


def test_it_is_ready_soon(site: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for number in range(3):
        (tmp_path / str(number)).mkdir()
        with chromium(tmp_path / str(number) / "profile") as browser:
            browser.open(f"{site.address}/")
            _answered(browser)
            found.append(int(browser.run("return document.documentElement.dataset.ready")))
    with capsys.disabled():
        print(f"\nthe page is ready after {', '.join(map(str, found))} ms")
    share = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # what a machine that has other work has for this
    assert min(found) < READY * share


def test_nobody_else_is_asked(site: Served, page: Browser) -> None:
    shown(page, MERGED[FIRST])
    names = page.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert names
    assert {name.startswith((f"{site.address}/", "blob:", "data:")) for name in names} == {True}
    before = len(site.asked)
    shown(page, MERGED["Two ports with one number"])
    assert len(site.asked) == before, "a merge asks nobody, not even the site"
    assert page.complaints() == []


def test_a_link_carries_the_case(page: Browser) -> None:
    shown(page, {**MERGED[FIRST], "release": "1.20", "server": True, "force": True, "manager": "me"})
    page.run("history.replaceState(null, '', location.pathname)")
    page.click("#share")
    link = page.until("return location.hash.startsWith('#c=') && location.hash")
    packed = base64.urlsafe_b64decode(link[3:] + "=" * (-len(link[3:]) % 4))
    case = json.loads(zlib.decompress(packed, wbits=-15))
    assert case == {
        **{name: MERGED[FIRST][name] for name in ("config", "live")},
        "release": "1.20",
        "server": True,
        "force": True,
        "manager": "me",
    }


def test_definitions_are_shown_and_are_the_rules(page: Browser) -> None:
    case = MERGED["A custom resource, by its definition"]
    shown(page, case)
    assert page.run("return document.getElementById('custom').open")
    assert page.run("return document.getElementById('definitions').value") == case["definitions"]
    assert "no schema" not in page.run("return document.getElementById('status').textContent")
    assert "--schema definitions.yaml" in page.run("return document.getElementById('words').textContent")
    shown(page, MERGED[FIRST])
    assert not page.run("return document.getElementById('custom').open")


@pytest.mark.parametrize("damaged", ["#c=%%%", "#c=AAAA", fragment({"config": "x" * (2 << 20)})])
def test_a_damaged_link_is_said_to_be_damaged(page: Browser, damaged: str) -> None:
    page.run(f"location.hash = ''; location.hash = {json.dumps(damaged)}")
    assert page.until("return document.getElementById('notice').textContent.includes('damaged')")
    assert page.run("return document.getElementById('notice').getAttribute('role')") == "alert"
    shown(page, MERGED[FIRST])
    assert page.run("return document.getElementById('notice').hidden")


def test_text_never_becomes_markup(page: Browser) -> None:
    evil = "<img src=x onerror=document.title='evil'>"
    text = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": evil}})
    shown(page, {"config": text})
    assert page.run("return document.querySelectorAll('#answer img').length") == 0
    assert evil in page.run("return document.getElementById('result').textContent")
    assert "evil" not in page.run("return document.title")


def test_keys_move_between_the_parts_and_the_releases(page: Browser) -> None:
    shown(page, MERGED["Another strategy for a Deployment"])
    page.run("document.getElementById('tab-result').focus()")
    page.press("Right")
    assert page.run("return document.activeElement.id") == "tab-patch"
    assert page.run("return [...document.querySelectorAll('[role=tabpanel]')].filter((one) => !one.hidden).length") == 1
    page.run("document.getElementById('release').focus(); delete document.body.dataset.done")
    page.press(*["Left"] * 26)
    _answered(page)
    assert page.run("return document.getElementById('chosen').value") == "1.11"
    assert "retainKeys" not in page.run("return document.body.dataset.patch")
    assert "1.9 to 1.12; 1.13 to" in page.run("return document.getElementById('where').textContent")


def test_every_control_has_a_name_and_a_size_for_fingers(page: Browser) -> None:
    shown(page, {**MERGED[FIRST], "server": True})
    page.look(width=390, height=844)
    controls = page.run("""
        const found = document.querySelectorAll('select, button, textarea, input:not([type=radio], [type=checkbox])');
        return [...found].map((one) => [one.id, one.labels?.length || one.textContent.trim().length,
                                        one.getBoundingClientRect().height])""")
    assert [name for name, named, _ in controls if not named] == []
    assert [name for name, _, height in controls if 0 < height < 38] == []


@pytest.mark.parametrize("width", [360, 800, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_the_window_and_can_be_read(page: Browser, width: int, scheme: str) -> None:
    shown(page, MERGED[FIRST])
    page.look(width=width, height=900, scheme=scheme)
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    assert page.run(CONTRAST) == []


def test_the_slider_is_at_hand_wherever_the_answer_is_read(page: Browser) -> None:
    shown(page, MERGED[FIRST])
    for width, height in ((390, 844), (1400, 900)):
        page.look(width=width, height=height)
        for part in ("#answer", "#answer [role=tabpanel]:not([hidden])"):
            page.run(f"document.querySelector('{part}').scrollIntoView({{block: 'end'}})")
            top, bottom = page.run(
                "const box = document.getElementById('release').getBoundingClientRect(); return [box.top, box.bottom]"
            )
            assert 0 <= top < bottom <= height, (width, part)
