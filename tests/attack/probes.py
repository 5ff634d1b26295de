"""Probes for the values of Secrets in everything that commands print or write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import secrets
from .trial import insist

if TYPE_CHECKING:
    from .trial import Trial, Tried

PROBES = 2_000
"""In a full attack."""


def attack(trial: Trial) -> Tried:
    """Make the probes of `secrets`."""
    often = trial.often(PROBES)
    leaks = secrets.probe(often, trial.random.randrange(10**6), trial.new_folder())
    insist(not leaks, f"the value of a Secret is shown: {leaks[:1]}", leaks[0].inputs if leaks else {})
    yield "probes for the values of Secrets", often
