"""The embedded cluster writes the recorded audit events of a real API server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .replay import ours, recorded, scenario

if TYPE_CHECKING:
    from pathlib import Path

LEAST = 80


@pytest.mark.usefixtures("short_watches")
def test_events_are_those_of_a_server(tmp_path: Path) -> None:
    real = recorded()
    mine = ours(tmp_path / "audit.log", scenario())
    for place, (one, other) in enumerate(zip(mine, real, strict=False)):
        assert (place, one) == (place, other)
    assert len(mine) == len(real)


def test_there_are_as_many_events_as_before() -> None:
    assert len(recorded()) >= LEAST
    assert {one["level"] for one in recorded()} == {"Metadata", "Request", "RequestResponse"}
    assert {one["stage"] for one in recorded()} == {"RequestReceived", "ResponseStarted", "ResponseComplete"}
