"""Fixtures of the attack tests: a short trial, and a check that an attack finds a fault."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from .trial import Loss, Trial

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


TRIES = 40
"""The number of tries in which an attack has to find the fault."""


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    """A trial that does everything once."""
    return Trial(Random("a test"), tmp_path, times=0.0)


@pytest.fixture
def loses() -> Callable[[str, Callable[[], object]], None]:
    """A function that tries something until it finds the loss with these words."""

    def tried(words: str, attack: Callable[[], object]) -> None:
        with pytest.raises(Loss, match=words):
            [attack() for _ in range(TRIES)]

    return tried
