"""The program that tries the compiled build fails if anything that it runs fails."""

from __future__ import annotations

import sys

import pytest

from tests import compiled


@pytest.mark.parametrize(("codes", "wanted"), [((0, 0), 0), ((-11, 0), 1), ((0, 2), 1)])
def test_it_fails_if_one_of_its_commands_does(
    codes: tuple[int, ...], wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [*codes]
    monkeypatch.setattr(sys, "argv", ["compiled", "pytest tests/engine", "benchmarks.vs_reference"])
    for name in ("copy_files", "built"):
        monkeypatch.setattr(compiled, name, lambda *_: None)
    monkeypatch.setattr(compiled, "put_in_place", lambda *_: ["engine/merge.py"])
    monkeypatch.setattr(compiled, "run", lambda *_, check: left.pop(0))
    assert compiled.main() == wanted
    assert not left
