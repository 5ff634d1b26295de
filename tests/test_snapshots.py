"""The contents of snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("file", sorted((ROOT / "openapi").glob("*.json")), ids=lambda file: file.name)
def test_a_snapshot_holds_facts_only(file: Path) -> None:
    text = file.read_text(encoding="ascii")
    assert '"description"' not in text.replace('"description":{', "").replace('"description"]', "")
    assert '"summary"' not in text
    assert text.endswith("}}\n")
    assert max(map(len, text.splitlines())) < 20_000


def test_sources_lists_every_snapshot() -> None:
    lines = (ROOT / "openapi" / "SOURCES").read_text(encoding="ascii").splitlines()
    listed = [f"{line.split()[0]}.json" for line in lines if not line.startswith("#")]
    assert sorted(listed) == sorted(file.name for file in (ROOT / "openapi").glob("*.json"))
    assert all(line.split()[3].startswith(("pypi:", "npm:")) for line in lines if not line.startswith("#"))
