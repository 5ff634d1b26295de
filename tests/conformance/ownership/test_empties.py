"""The table of empty objects equals the output of the Go types."""

from __future__ import annotations

import pytest

from engine.serverside.typed.schema import DEDUCED
from engine.serverside.typed.zero_value_tables import EMPTY
from engine.serverside.typed.zero_values import empty_object

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
        assert empty_object(version, kind, DEDUCED) == {"apiVersion": version, "kind": kind, **fields}
    main()
    assert capsys.readouterr().out.strip() == EMPTY.strip()


def test_kind_without_output_has_a_minimal_empty_object() -> None:
    assert empty_object("v1", "ConfigMap", DEDUCED) == {"apiVersion": "v1", "kind": "ConfigMap"}
