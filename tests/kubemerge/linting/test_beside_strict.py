"""Objects rejected by `kubectl apply --dry-run=server --validate=strict` have an error in lint, and others no finding.

The messages of kubectl 1.37 and a real server of 1.37 are recorded in strict.json, by `record_strict.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ...codegen.sample_specs import kubemerge
from .test_beside_kubeconform import write

if TYPE_CHECKING:
    import pytest

REFUSED: dict[str, str] = json.loads(Path(__file__).with_name("strict.json").read_text(encoding="utf-8"))
"""The rejected files, each with the beginning of kubectl's message."""


def test_lint_is_as_strict_as_kubectl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "objects"
    folder.mkdir()
    count, stored = write(folder)
    kubemerge(
        "lint",
        str(folder),
        "--no-config",
        "--select",
        "server,KM015,KM027",
        "--ignore",
        "KM112",
        "--release",
        "1.37",
        "-o",
        "json",
    )  # a real server does not warn of a field that it drops
    said = capsys.readouterr()
    severities: dict[str, Counter[str]] = {}
    for one in json.loads(said.out):
        severities.setdefault(Path(one["file"]).name, Counter())[one["severity"]] += 1
    unread = {Path(line.split(": ")[1]).name.partition(":")[0] for line in said.err.splitlines() if ": " in line}
    errors = {name for name, found in severities.items() if found["error"]} | unread
    assert sorted(set(REFUSED) - errors) == []
    assert sorted((severities.keys() | unread) - set(REFUSED)) == []
    assert not stored & set(REFUSED)
    assert (count, len(REFUSED)) == (1352, 1177)
