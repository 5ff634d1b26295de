"""The project's addresses are the same everywhere, as `pyproject.toml` defines them."""

from __future__ import annotations

import re
import sys

import pytest

from kubemerge.linting.gate.rules import ALL as RULES
from kubemerge.output.addresses import SITE, lint_page
from tests.conftest import ROOT

from .pages import PAGES, REPOSITORY, text_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

URLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
OURS = re.compile(r"https://(?:github\.com/kubemerge|kubemerge\.github\.io)[^\s)\"'`>]*")


def test_the_site_and_the_repository_are_those_of_the_package() -> None:
    assert URLS["Homepage"] == URLS["Documentation"] == SITE
    assert URLS["Repository"] + "/" == REPOSITORY
    assert all(url.startswith((SITE, REPOSITORY.rstrip("/"))) for url in URLS.values())


@pytest.mark.parametrize("page", PAGES)
def test_pages_begin_their_addresses_like_the_package(page: str) -> None:
    for address in OURS.findall(text_of(page)):
        assert address.startswith((SITE, REPOSITORY)) or address + "/" == REPOSITORY


@pytest.mark.parametrize("code", RULES)
def test_each_code_has_an_address(code: str) -> None:
    assert lint_page(code) == f"{SITE}lint/{code}.html"
