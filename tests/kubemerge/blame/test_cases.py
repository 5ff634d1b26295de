"""The facts about fields of real repositories and of live objects that several managers wrote."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import engine

from .repository import Repository

if TYPE_CHECKING:
    from ..shell import Shell

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git")

CASES = yaml.load(Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["cases"]


def edited(folder: Path, edit: list[str]) -> dict[str, str]:
    """A file after a replacement, which has to match."""
    name, old, new = edit
    text = (folder / name).read_bytes().decode()
    assert old in text
    return {name: text.replace(old, new)}


def prepare(case: dict[str, Any], shell: Shell) -> None:
    """Make the repository and the cluster of a case."""
    repository = Repository(shell.folder)
    repository.write({".gitignore": ".kubemerge\n"})
    for commit in case.get("commits", []):
        files = commit["files"] if "files" in commit else edited(shell.folder, commit["edit"])
        repository.commit(commit["by"], files)
    repository.write(case.get("files", {}))
    for line in case.get("cluster", []):
        assert shell.run(*shlex.split(line)) == 0, shell.err
    if "disk" in case:
        repository.write(edited(shell.folder, case["disk"]))


def owner(one: dict[str, Any]) -> str:
    return " ".join(filter(None, (one["kind"], one["manager"], one["operation"], one["subresource"])))


def facts_of(row: dict[str, Any]) -> dict[str, Any]:
    """The facts that cases name."""
    config = row["config"] or {}
    commit = config.get("commit") or {}
    return {
        **{key: row[key] for key in ("action", "reason", "before", "setBy")},
        **{key: config.get(key) for key in ("value", "line", "lastLine", "state")},
        "alias": config.get("aliasLine"),
        "in_config": row["config"] is not None,
        "by": commit.get("author"),
        "date": commit.get("date"),
        "was": commit.get("file"),
        "owners": [owner(one) for one in row["owners"]],
        "conflicts": [owner(one) for one in row["conflicts"]],
        "default": (row["default"] or {}).get("release", "").replace(engine.releases()[-1], "newest") or None,
        "since": (row["default"] or {}).get("since"),
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_blame(case: dict[str, Any], shell: Shell) -> None:
    prepare(case, shell)
    words = case.get("words", ["web.yaml"])
    assert shell.run("blame", *words, "-o", "json") == 0, shell.err
    rows = json.loads(shell.out)
    found = {row["path"]: facts_of(row) for row in rows}
    found |= {f"{row['object']} {row['path']}": facts_of(row) for row in rows}
    for path, wanted in case["found"].items():
        assert {key: found[path][key] for key in wanted} == wanted, path
    assert [path for path in case.get("absent", []) if path in found] == []
    for text in case.get("says", []):
        assert text in shell.err
    assert shell.run("blame", *words) == 0
    assert all(row["path"] in shell.out for row in rows)
