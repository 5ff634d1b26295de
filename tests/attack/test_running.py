"""The runner prints the tries, ends with 1 at the first loss, and keeps the files that reproduce it."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from .running import ATTACKS, run
from .trial import Loss, Skipped, Trial, insist

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from .trial import Tried


def planted(monkeypatch: pytest.MonkeyPatch, name: str, attack: object) -> None:
    module = ModuleType(name)
    module.attack = attack  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, f"tests.attack.{name}", module)
    monkeypatch.setitem(ATTACKS, name, name)


def good(trial: Trial) -> Tried:
    yield "tries", trial.often(100)


def bad(trial: Trial) -> Tried:
    insist(trial.new_folder().is_dir(), "a folder")
    yield "tries before the loss", 3
    raise Loss("something is gone", {"input.yaml": "a: \ud800", "c.db": b"\0"})


def broken(_: Trial) -> Tried:
    yield "tries", 1
    raise KeyError("x")


def skipped(_: Trial) -> Tried:
    yield from ()
    raise Skipped("there is none here")


def test_it_goes_on_while_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(monkeypatch, "good", good)
    planted(monkeypatch, "skipped", skipped)
    assert run(["skipped", "good"], 1, 0.5, tmp_path) == 0
    said = capsys.readouterr().out
    assert "SKIPPED: there is none here" in said
    assert "    50  tries\n" in said


def test_it_ends_at_the_first_loss(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(monkeypatch, "bad", bad)
    planted(monkeypatch, "good", good)
    assert run(["bad", "good"], 7, 0.5, tmp_path) == 1
    said = capsys.readouterr().out
    assert "     3  tries before the loss" in said
    assert "something is gone" in said
    assert "--only bad --seed 7 --times 0.5" in said
    assert "good" not in said
    assert (tmp_path / "bad-7" / "input.yaml").read_bytes() == b"a: \xed\xa0\x80"
    assert (tmp_path / "bad-7" / "c.db").read_bytes() == b"\0"


def test_an_error_of_an_attack_is_a_loss(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted(monkeypatch, "broken", broken)
    assert run(["broken"], 1, 1.0, tmp_path) == 1
    assert "KeyError" in capsys.readouterr().out
