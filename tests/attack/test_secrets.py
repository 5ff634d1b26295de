"""A few probes for values of Secrets. `python -m tests.attack --only secrets` makes thousands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .secrets import probe

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", [1, 2])
def test_no_command_prints_the_value_of_a_secret(tmp_path: Path, seed: int) -> None:
    assert probe(40, seed, tmp_path) == []
