"""Repairs of drift on a real API server: the recorded ones, and random ones."""

from __future__ import annotations

import os

import pytest

from .__main__ import main
from .replay import differences, recorded


@pytest.mark.parametrize("case", recorded(), ids=lambda case: f"{case['kind']}-{case['seed']}")
def test_a_recorded_repair(case: dict[str, object]) -> None:
    assert differences(case) == []


@pytest.mark.slow
@pytest.mark.skipif("KUBECONFIG" not in os.environ, reason="needs a server that may be filled, and kubectl")
def test_random_repairs_on_a_real_server() -> None:
    assert main(["--count", "50", "--seed", "7"]) == 0
