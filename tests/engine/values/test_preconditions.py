"""A patch that touches what must stay is refused, and the error names each such field."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.values.preconditions import checked


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
def test_what_a_patch_touches(patch: Any, changed: list[str]) -> None:
    if not changed:
        assert checked(patch, ("kind", "metadata.name")) is patch
        return
    with pytest.raises(engine.PreconditionFailed) as caught:
        checked(patch, ("kind", "metadata.name"))
    assert (caught.value.changed, caught.value.patch) == (tuple(changed), patch)
