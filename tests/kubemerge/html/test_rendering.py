"""Requirements for every page: it needs nothing else, runs nothing else, and can be read."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from kubemerge.compare.model import Group, Replay
from kubemerge.html import compare_page, diff_page, merge_page, replay_page
from kubemerge.html.rendering import breakable, visible

from ...conftest import ROOT
from .reading import Page
from .samples import (
    HOSTILE,
    changed_secret,
    comparison,
    configured,
    created,
    empty_fleet,
    fleet,
    hostile_comparison,
    hostile_fleet,
    hostile_merged,
    result,
    unchanged,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def replays() -> list[Replay]:
    one = configured()
    groups = (Group(("1.12",), None, "there is none"), Group(("1.13", "1.14"), result(one)))
    return [Replay(one.inputs.title, "config.yaml", one.inputs.config, one.before, None, groups, ())]


def hostile_replays() -> list[Replay]:
    return [
        Replay(
            one.inputs.title,
            one.inputs.manifest.source,
            one.inputs.config,
            one.before,
            None,
            (Group((HOSTILE[0],), None, HOSTILE[1]), Group((HOSTILE[2],), result(one))),
            (),
        )
        for one in hostile_merged()
    ]


PAGES: dict[str, Callable[[], str]] = {
    "compare": lambda: compare_page(comparison()),
    "replay": lambda: replay_page(replays()),
    "merge": lambda: merge_page([configured(), created(), unchanged(), changed_secret()]),
    "diff": lambda: diff_page([configured(), created(), unchanged(), changed_secret()]),
    "hostile compare": lambda: compare_page(hostile_comparison(), title=HOSTILE[0]),
    "hostile replay": lambda: replay_page(hostile_replays()),
    "hostile merge": lambda: merge_page(hostile_merged()),
    "hostile diff": lambda: diff_page(hostile_merged()),
    "fleet": fleet,
    "hostile fleet": hostile_fleet,
    "empty fleet": empty_fleet,
    "nothing merged": lambda: merge_page([]),
    "nothing to differ": lambda: diff_page([]),
    "nothing replayed": lambda: replay_page([]),
}


@cache
def text(name: str) -> str:
    return PAGES[name]()


@cache
def read(name: str) -> Page:
    return Page(text(name))


NEEDS_ARROW = pytest.mark.skipif(
    find_spec("pyarrow") is None, reason="pyarrow, of the extra test-all, is not installed"
)
pages = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[NEEDS_ARROW] if "fleet" in name else []) for name in PAGES]
)


@pages
def test_a_page_is_well_formed(name: str) -> None:
    assert read(name).open == []


@pages
def test_a_page_needs_nothing_from_anywhere(name: str) -> None:
    page = read(name)
    assert not page.all(src=None)
    assert not [one for one in page.elements if one.tag in ("link", "iframe", "object", "embed", "base", "form", "img")]
    assert all(one.attributes["href"].startswith("#") for one in page.all(href=None))
    assert "url(" not in page.one("style").text
    assert "@import" not in page.one("style").text


@pages
def test_a_page_runs_its_own_script_and_no_other(name: str) -> None:
    page = read(name)
    policy = page.one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.one(tag).text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not [attribute for one in page.elements for attribute in one.attributes if attribute.startswith("on")]
    assert not page.all(style=None)


@pages
def test_a_page_can_be_written_as_utf_8_and_is_the_same_each_time(name: str) -> None:
    assert PAGES[name]().encode() == text(name).encode()


@pages
def test_whatever_is_linked_or_labelled_is_there_once(name: str) -> None:
    page = read(name)
    names = [one.attributes["id"] for one in page.all(id=None)]
    assert len(names) == len(set(names))
    asked = {one.attributes["href"][1:] for one in page.all(href=None)}
    for attribute in ("aria-labelledby", "for"):
        asked |= {one.attributes[attribute] for one in page.elements if attribute in one.attributes}
    assert asked <= set(names)


@pages
def test_a_page_has_a_language_a_title_and_one_heading(name: str) -> None:
    page = read(name)
    assert page.one("html").attributes["lang"] == "en"
    assert page.one("meta", name="color-scheme").attributes["content"] == "light dark"
    assert "width=device-width" in page.one("meta", name="viewport").attributes["content"]
    assert page.one("title").text
    assert page.one("h1").text


@pytest.mark.parametrize("name", [one for one in pages.args[1] if one.values[0].startswith("hostile")])
def test_what_others_wrote_is_text_only(name: str) -> None:
    page = read(name)
    assert len(page.all("script")) == 1
    assert HOSTILE[0] in page.text
    assert "{{ 7 * 191 }}{% raw %}" in page.text
    assert "\\u202egnitirw\\u2066" in page.text
    assert not re.search("[\u202a-\u202e\u2028\u2029\ud800-\udfff\x00]", text(name))


def test_what_cannot_be_seen_is_spelled_out() -> None:
    assert visible("a\u202eb\x00\ud800\ufeff") == "a\\u202eb\\u0000\\ud800\\ufeff"
    assert visible("Grüße, 世界 👩\u200d💻\tend\nnext") == "Grüße, 世界 👩\u200d💻\tend\nnext"
    assert visible(7) == 7


def test_only_long_paths_may_break() -> None:
    assert breakable("spec.a") == "spec.a"
    assert breakable("spec.<b>." + "x" * 40).startswith("spec.<wbr>&lt;b&gt;.<wbr>x")


def colours(scheme: str) -> dict[str, str]:
    """The colours of the style by their names, in the light or in the dark."""
    style = (ROOT / "kubemerge" / "html" / "templates" / "style.css").read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[:2]
    found = dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]{6})\b", light))
    return found if scheme == "light" else {**found, **dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]{6})\b", dark))}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


PAIRS = [
    *((ink, ground) for ink in ("ink", "soft", "link") for ground in ("page", "card", "faint", "gap")),
    *((kind, f"{kind}{level}") for kind in "bni" for level in (1, 2, 3)),
    *((kind, f"{kind}1") for kind in "gpt"),
    *((kind, "card") for kind in "bni"),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_stands_out_from_its_ground(scheme: str, ink: str, ground: str) -> None:
    found = colours(scheme)
    bright, dim = sorted((luminance(found[ink]), luminance(found[ground])), reverse=True)
    assert (bright + 0.05) / (dim + 0.05) >= 4.5
