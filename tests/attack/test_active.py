"""Every command with foreign text, once. `python -m tests.attack --only active` runs each many times."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from kubemerge.cli.group import COMMANDS

from . import active, hostile
from .commands import Said
from .trial import Loss, Trial

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", [1, 2])
def test_no_command_prints_what_a_terminal_or_a_ci_job_obeys(tmp_path: Path, seed: int) -> None:
    tried = {words.partition(" ")[0] for words, _ in active.tries(Trial(Random(seed), tmp_path, times=0.0), 1)}
    assert tried >= set(COMMANDS)


@pytest.mark.parametrize("document", [{}, [], 3, {"a": 1}, [1]])
def test_something_is_wrong_in_every_document(document: object) -> None:
    for seed in range(100):
        hostile.changed_anywhere(document, Random(seed))


@pytest.mark.parametrize("words", [("lint", "-o", "github"), ("review",)])
def test_our_own_annotations_are_no_commands_of_others(words: tuple[str, ...]) -> None:
    ours = "::error file=odd/a%3A%3Ax.yaml,line=1::odd/a::stop-commands::x.yaml:1:1: the indentation is inconsistent\n"
    active.judge(words, Said(0, ours, ""))
    with pytest.raises(Loss, match="prints on out"):
        active.judge(words, Said(0, f"{ours}::error::x::\n", ""))
    with pytest.raises(Loss, match="prints on out"):
        active.judge(("lint",), Said(0, ours, ""))


@pytest.mark.parametrize("piece", [piece for piece in active.PIECES if active.acts(piece)], ids=ascii)
def test_what_acts_is_recognised(piece: str) -> None:
    assert active.acts(f"a\n{piece}\n[x]::")
