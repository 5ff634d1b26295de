"""Every link of the documentation leads somewhere, and every page can be found."""

from __future__ import annotations

import os
import re

import pytest

from tests.conftest import ROOT

from .pages import PAGES, anchors, links, target, text_of


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_and_headings(page: str) -> None:
    for link in links(page):
        found = target(page, link)
        if found is None:
            continue
        file, anchor = found
        assert file.exists(), f"{page}: {link} leads to no file"
        assert os.path.normpath(file).startswith(str(ROOT)), f"{page}: {link} leads out of the repository"
        if anchor:
            assert anchor in anchors(file), f"{page}: {link} leads to no heading"


@pytest.mark.parametrize("page", ["README.md", "SECURITY.md"])
def test_links_work_away_from_the_repository(page: str) -> None:
    """The package index shows one page, and code hosts show the other at their addresses."""
    assert [link for link in links(page) if not link.startswith("https://")] == []


def test_every_page_can_be_found_from_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {os.path.normpath(index.parent / link.partition("#")[0]) for link in links("docs/README.md")}
    pages = {str(ROOT / page) for page in PAGES if page.startswith("docs/") and page != "docs/README.md"}
    assert pages <= linked


def test_all_decisions_are_in_the_index_of_decisions() -> None:
    index = ROOT / "docs" / "decisions.md"
    linked = {os.path.normpath(index.parent / link) for link in links("docs/decisions.md")}
    assert {str(ROOT / page) for page in PAGES if page.endswith("DECISIONS.md")} == linked


_MODULE = re.compile(r"`((?:codegen|engine|kubemerge|tests|benchmarks)/[\w/.-]+\.\w+)`")


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_are_there(page: str) -> None:
    for name in _MODULE.findall(text_of(page)):
        assert (ROOT / name).is_file(), f"{page} names {name}"
