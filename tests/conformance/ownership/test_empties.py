"""The table of empty objects is what the Go types print."""

from __future__ import annotations

import pytest

from engine.serverside.typed.empty import EMPTY
from engine.serverside.typed.nulls import empty
from engine.serverside.typed.shapes import DEDUCED

from ..oracle import Oracle, OracleUnavailable
from .empties import empties, main


@pytest.mark.slow
def test_every_empty_object_is_as_in_go(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        with Oracle() as oracle:
            found = empties(oracle)
    except OracleUnavailable as error:
        pytest.skip(str(error))
    assert len(found) > 140
    for name, fields in found.items():
        version, kind = name.split()
        assert empty(version, kind, DEDUCED) == {"apiVersion": version, "kind": kind, **fields}
    main()
    assert capsys.readouterr().out.strip() == EMPTY.strip()


def test_a_kind_that_prints_nothing_is_bare() -> None:
    assert empty("v1", "ConfigMap", DEDUCED) == {"apiVersion": "v1", "kind": "ConfigMap"}
