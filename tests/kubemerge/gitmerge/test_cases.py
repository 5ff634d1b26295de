"""Recorded merges, each beside git's own merge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.gitmerge.driver import Options, run

from .cases import conflicts_of_git, load, outcome, texts

if TYPE_CHECKING:
    from pathlib import Path

CASES = load()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_merge(case: dict[str, Any]) -> None:
    recorded = {key: case[key] for key in ("by_line", "conflicts", "changes") if key in case}
    assert outcome(case) == recorded


@pytest.mark.parametrize("case", [case for case in CASES if case["theirs"]], ids=lambda case: case["name"])
def test_the_base_as_one_side_gives_the_other_side(case: dict[str, Any]) -> None:
    """A merge in which only one side changed returns the bytes of that side."""
    base, ours, theirs = texts(case)
    for three, wanted in (((base, base, theirs), theirs), ((base, ours, base), ours), ((base, ours, ours), ours)):
        found = outcome_bytes(*three)
        assert found in (None, wanted)


def outcome_bytes(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    from kubemerge.gitmerge.merge import Style, merge
    from kubemerge.gitmerge.tree import NotEditable

    from .cases import LOOKUP

    try:
        return merge(base, ours, theirs, LOOKUP, Style()).data
    except NotEditable:
        return None


def test_fewer_conflicts_than_git() -> None:
    with_conflicts = [case["name"] for case in CASES if case.get("conflicts") and not case["git"]]
    assert with_conflicts == []
    assert sum(bool(case["git"]) for case in CASES) > 1.5 * sum(bool(case.get("conflicts")) for case in CASES)


@pytest.mark.parametrize("case", [case for case in CASES if "by_line" in case], ids=lambda case: case["name"])
def test_files_that_cannot_be_edited_are_merged_by_git(case: dict[str, Any], tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("base", "ours", "theirs")]
    for name, data in zip(names, texts(case), strict=True):
        name.write_bytes(data)
    said: list[str] = []
    code = run([*map(str, names)], Options("web.yaml"), said.append)
    assert said == [f"web.yaml: merged by line, because {case['by_line']}"]
    merged = names[1].read_bytes()
    assert conflicts_of_git(case, tmp_path) == code == case["git"]
    assert (b"<<<<<<< ours" in merged) == bool(code)
