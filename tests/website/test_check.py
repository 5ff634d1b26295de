"""The site's checks find every fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.linting.gate.rules import ALL as RULES
from tests.kubemerge.html.browser import chromium, missing, served
from website import check
from website.browser_checks import faults
from website.page_parser import Page, read

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """<!doctype html><html lang="en"><head><title>{0}</title><link rel="stylesheet" href="a.css"></head><body>
<h1 id="top">{0}</h1><h2>b</h2><p>Text</p><a href="b.html#top">b</a><a href="https://example.com/">away</a>
<img src="a.css" alt="a picture"><label for="c">c</label><input id="c"><a href="#top"><img src="a.css" alt="up"></a>
</body></html>"""
FAULTS = {
    ' lang="en"': ("", "it does not say its language"),
    "<title>a</title>": ("", "it has no title"),
    "<h2>b</h2>": ("<h3>b</h3>", "a heading of level 3 follows one of level 1"),
    '<h1 id="top">a</h1>': ("", "it has 0 headings of the first level"),
    ' alt="a picture"': ("", "the picture a.css has no text in its place"),
    ' alt="up"': (' alt=""', "the link to #top has no text"),
    '<label for="c">c</label>': ("", "the control c has no name"),
    "<p>Text</p>": ('<p id="top">Text</p>', "the anchor top is there twice"),
}
"""Text removed from a good page, its replacement, and the resulting fault."""


def pages(folder: Path, **changed: str) -> dict[str, Page]:
    (folder / "a.css").write_text("")
    for name in ("a", "b"):
        (folder / f"{name}.html").write_text(changed.get(name, GOOD.format(name)))
    return {f"{name}.html": read(folder / f"{name}.html") for name in ("a", "b")}


def test_good_pages_are_good(tmp_path: Path) -> None:
    found = pages(tmp_path)
    assert check.broken_links(tmp_path, found) == check.foreign(found) == check.unreadable(found) == []
    assert check.too_large(tmp_path) == []


@pytest.mark.parametrize("part", FAULTS)
def test_what_somebody_misses_is_told(part: str) -> None:
    instead, told = FAULTS[part]
    assert part in GOOD.format("a")
    assert told in list(Page(GOOD.format("a").replace(part, instead)).faults())


@pytest.mark.parametrize("link", ["c.html", "b.html#bottom", "../b.html", "a.txt"])
def test_a_broken_link_is_told(tmp_path: Path, link: str) -> None:
    found = pages(tmp_path, a=GOOD.format("a").replace("b.html#top", link))
    assert check.broken_links(tmp_path, found) == [f"a.html: {link} leads nowhere"]


def test_what_is_loaded_from_elsewhere_is_told(tmp_path: Path) -> None:
    found = pages(tmp_path, a=GOOD.format("a").replace('href="a.css"', 'href="https://example.com/a.css"'))
    assert check.foreign(found) == ["a.html loads https://example.com/a.css"]


def test_two_pages_of_one_name_and_a_large_one_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check.unreadable(pages(tmp_path, b=GOOD.format("a"))) == ["b.html is called 'a', as a.html is"]
    monkeypatch.setitem(check.LARGEST, "page", 100)
    assert check.too_large(tmp_path) == [
        f"{name}.html has {(tmp_path / f'{name}.html').stat().st_size} bytes" for name in "ab"
    ]


def test_a_promised_page_that_is_missing_is_told(tmp_path: Path) -> None:
    told = check.promised(pages(tmp_path))
    assert len(told) > len(RULES)
    assert "https://kubemerge.github.io/kubemerge/lint/KM001.html is promised, and not there" in told


@pytest.mark.slow
def test_what_is_only_seen_in_a_browser_is_told(tmp_path: Path) -> None:
    if missing():
        pytest.skip(missing())
    pages(tmp_path)
    bad = GOOD.format("b").replace("<p>", '<p style="color:#999;background:#fff;width:2000px">')
    (tmp_path / "b.html").write_text(bad.replace("</body>", "<script>nothing.there()</script></body>"))
    (tmp_path / "favicon.ico").write_bytes(b"")
    with served(tmp_path) as site, chromium(tmp_path / "profile") as browser:
        assert faults(browser, f"{site.address}/a.html", tmp_path / "a") == []
        told = "\n".join(faults(browser, f"{site.address}/b.html", tmp_path / "b"))
    assert "b.html (light, 1400 wide): p. has a contrast of 2.8" in told
    assert "b.html (dark, 390 wide) is 1" in told
    assert "nothing is not defined" in told
