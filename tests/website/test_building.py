"""The pages of the site that are made, and the site as a whole."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import engine
from kubemerge.linting.gate.rules import ALL as RULES
from kubemerge.output.addresses import SITE
from tests.codegen.sample_specs import kubemerge
from tests.conftest import NEWEST, ROOT
from website import kind_pages, lint_pages, release_pages
from website.staging import stage

if TYPE_CHECKING:
    from pathlib import Path


def test_each_code_has_a_page() -> None:
    pages = lint_pages.pages()
    assert set(pages) == {"lint.md", *(f"lint/{code}.md" for code in RULES)}
    assert "| [KM022 element-lost](#km022-element-lost) | error |" in pages["lint.md"]
    assert "KM022 error spec.ports[port=53]" in pages["lint/KM022.md"]


def test_each_kind_has_a_page_with_its_rules_through_the_releases() -> None:
    pages = kind_pages.pages()
    assert {"Pod.md", "Deployment.apps.md", "Deployment.extensions.md", "index.md"} <= set(pages)
    assert not [name for name in pages if "List" in name]
    rows = pages["Deployment.apps.md"]
    assert "| `apps/v1beta1` | 1.7 to 1.17 |" in rows
    assert "| `spec.strategy` | merged field by field | each field has its own owner | 1.9 to 1.12 |" in rows
    assert f"config are dropped (retainKeys) | each field has its own owner | 1.13 to {NEWEST} |" in rows
    assert "- [Deployment](Deployment.extensions.md), until 1.1" in pages["index.md"]


def test_each_release_since_1_17_has_a_page_with_what_it_changed() -> None:
    pages = {name: (text, report) for name, text, report in release_pages.pages()}
    releases = engine.releases()
    assert set(pages) == {"index", *releases[releases.index("1.17") :]}
    text, report = pages["1.25"]
    assert "# What changes for your manifests in 1.25\n\nBetween Kubernetes 1.24 and 1.25: 81 breaking" in text
    assert "policy/v1beta1: PodDisruptionBudget (use policy/v1), PodSecurityPolicy" in text
    assert report.startswith("<!doctype html>")


def test_what_the_page_of_a_kind_shows_works(capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in kind_pages.pages().items():
        for words in re.findall(r"run `kubemerge (explain \S+(?: --release \S+)?)`", text):
            assert kubemerge(*words.split()) == 0, f"{name}: {words}: {capsys.readouterr().err}"
        assert "run `kubemerge" in text or name == "index.md"


def test_what_the_page_of_a_release_shows_works(capsys: pytest.CaptureFixture[str]) -> None:
    for name, text, _ in release_pages.pages():
        for words in re.findall(r"^kubemerge (compare .*) -R -f FOLDER$", text, flags=re.MULTILINE):
            assert kubemerge(*words.split(), "-R", "-f", ROOT / "examples") == 0, f"{name}: {capsys.readouterr().err}"
        assert "kubemerge compare " in text


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_nothing_is_wrong_with_it(tmp_path: Path) -> None:
    if importlib.util.find_spec("sphinx") is None:
        pytest.skip("what makes the site, of the extra site, is not installed")
    playground = tmp_path / "playground"
    playground.mkdir()
    (playground / "index.html").write_text("<!doctype html><title>p</title>")
    for words in (["website", "site", "--playground", "playground"], ["website.check", "site"]):
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "site" / "playground" / "index.html").is_file()
    assert 'href="playground.html"' in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert 'href="playground/index.html"' in (tmp_path / "site" / "playground.html").read_text(encoding="utf-8")


def test_links_hold_where_the_pages_are(tmp_path: Path) -> None:
    stage(tmp_path / "source", playground=False)
    text = (tmp_path / "source" / "tutorial.md").read_text(encoding="utf-8")
    assert "[lint rules](lint.md)" in text
    walk = (tmp_path / "source" / "walkthrough.md").read_text(encoding="utf-8")
    assert "(https://github.com/kubemerge/kubemerge/blob/main/README.md)" in walk
    assert "](KM0" not in text
    assert "](lint/KM001.md)" in (tmp_path / "source" / "lint.md").read_text(encoding="utf-8")


def test_the_first_page_leads_to_the_playground_if_there_is_one(tmp_path: Path) -> None:
    """By the whole address, because it is not a Sphinx page."""
    firsts = []
    for playground in (True, False):
        stage(tmp_path / str(playground), playground=playground)
        firsts.append((tmp_path / str(playground) / "index.md").read_text(encoding="utf-8"))
    assert f"You can also [try it in the browser]({SITE}playground/index.html)." in firsts[0]
    assert [first.count(SITE) for first in firsts] == [1, 0]
    assert "uvx kubemerge demo" in firsts[1]
