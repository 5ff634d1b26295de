"""The workflows of the code host only run existing tox environments, modules and files."""

from __future__ import annotations

import configparser
import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from engine.version import __version__
from kubemerge.output.addresses import SITE
from tests.conftest import ROOT, read_yaml

from .pages import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
GIVEN = {"py"}
"""Environments that tox defines."""


def tox_environments() -> set[str]:
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(ROOT / "tox.ini")
    return {name.removeprefix("testenv:") for name in settings.sections()} | GIVEN


def jobs(file: Any) -> dict[str, Any]:
    found: dict[str, Any] = read_yaml(file)["jobs"]
    return found


def lines(job: dict[str, Any]) -> Iterator[str]:
    """The command lines of a job, once for each environment of its matrix."""
    of_matrix = job.get("strategy", {}).get("matrix", {}).get("environment", [""])
    for step in job["steps"]:
        for name in of_matrix:
            yield from step.get("run", "").replace("${{ matrix.environment }}", name).splitlines()


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_what_they_run_is_there(file: Any) -> None:
    found = [line for job in jobs(file).values() for line in lines(job)]
    assert found
    for line in found:
        for name in re.findall(r"tox -e (\S+)", line):
            assert name in tox_environments(), line
        for name in re.findall(r"python -m (tests[\w.]*|website[\w.]*)", line):
            path = ROOT.joinpath(*name.split("."))
            assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), line
        for name in re.findall(r"(?:-r|bash) (\S+)", line):
            assert (ROOT / name).is_file(), line


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_they_may_do_no_more_than_they_must(file: Any) -> None:
    """By default they only read, no job runs for hours, and no checkout keeps its credentials."""
    text = file.read_text(encoding="utf-8")
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")
    for name, job in jobs(file).items():
        assert job.get("timeout-minutes", 10) <= 120, name
    assert "secrets." not in text


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.name)
def test_the_forms_lead_to_our_addresses(file: Any) -> None:
    form = read_yaml(file)
    for link in form.get("contact_links", []):
        assert link["url"].startswith((SITE, REPOSITORY))
    for field in form.get("body", []):
        assert field["type"] in ("textarea", "input")
        assert {"id", "attributes"} <= field.keys()


PINNED = re.compile(r"(?:kubemerge/kubemerge@|github\.com/kubemerge/kubemerge\n +rev: )(\S+)")


def test_what_others_pin_is_the_tag_of_this_version() -> None:
    how_to = ROOT / "docs" / "how-to"
    found = {file.name: PINNED.findall(file.read_text(encoding="utf-8")) for file in sorted(how_to.glob("*.md"))}
    tags = {f"v{__version__}"}
    assert {name: set(pins) for name, pins in found.items() if pins} == {
        "github-action.md": tags,
        "gitlab-component.md": tags,
        "pre-commit.md": tags,
    }
