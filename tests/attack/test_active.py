"""Every command with text of others, once; `python -m tests.attack --only active` runs each many times."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from kubemerge.cli.group import COMMANDS

from . import active
from .trial import Trial

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", [1, 2])
def test_no_command_prints_what_a_terminal_or_a_ci_job_obeys(tmp_path: Path, seed: int) -> None:
    tried = {words.partition(" ")[0] for words, _ in active.tries(Trial(Random(seed), tmp_path, times=0.0), 1)}
    assert tried >= set(COMMANDS)


@pytest.mark.parametrize("piece", [piece for piece in active.PIECES if active.acts(piece)], ids=ascii)
def test_what_acts_is_recognised(piece: str) -> None:
    assert active.acts(f"a\n{piece}\n[x]::")
