"""A patch that changes protected fields is rejected, and the error names each of them."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.values.preconditions import require_unchanged


@pytest.mark.parametrize(
    ("patch", "changed"),
    [
        ({}, []),
        ({"kind": "B"}, ["kind"]),
        ({"kind": None}, ["kind"]),
        ({"metadata": {"name": "x"}}, ["metadata.name"]),
        ({"metadata": {"name": None}, "kind": "B"}, ["kind", "metadata.name"]),
        ({"metadata": {"labels": {"name": "x"}}}, []),
        ({"metadata": None}, []),
        ({"metadata": "name"}, []),
        ({"name": "x"}, []),
        ({"spec": {"kind": "B"}}, []),
    ],
)
def test_changed_protected_fields(patch: Any, changed: list[str]) -> None:
    if not changed:
        assert require_unchanged(patch, ("kind", "metadata.name")) is patch
        return
    with pytest.raises(engine.PreconditionFailed) as caught:
        require_unchanged(patch, ("kind", "metadata.name"))
    assert (caught.value.changed, caught.value.patch) == (tuple(changed), patch)
