"""Recorded writes to a real API server, without the server."""

from __future__ import annotations

import pytest

from tests.conformance.ownership.compare import places
from tests.conformance.ownership.real import judge
from tests.conformance.ownership.real.kinds import kinds
from tests.conformance.ownership.real.record import RECORDED
from tests.conformance.ownership.recorded import recorded

WRITES = recorded(RECORDED)


@pytest.mark.parametrize("kind", [kind.kind for kind in kinds()])
def test_managers_and_conflicts_equal_those_of_a_real_server(kind: str) -> None:
    writes = [write for write in WRITES if write["kind"] == kind]
    assert writes
    for write in writes:
        ours, theirs = judge.ours(write), judge.theirs(write)
        assert ours == theirs, (write, *places(ours, theirs))
