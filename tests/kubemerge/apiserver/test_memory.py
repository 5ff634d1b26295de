"""An open cluster uses no more memory after many writes than after few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ...conftest import python

if TYPE_CHECKING:
    from pathlib import Path

WRITES = """
from kubemerge.cluster import Reference, open_cluster
from tests.memory import peak

with open_cluster("cluster.db", release="1.37") as cluster:
    for number in range(20_000):
        name = f"map-{number % 50}"
        content = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"n": str(number)}}
        if number < 50:
            cluster.create(content)
        else:
            where = Reference.of({**content, "metadata": {"name": name, "namespace": "default"}})
            cluster.patch(where, {"data": {"n": str(number)}}, "merge")
        if number == 1000:
            print(peak())
print(peak())
"""


@pytest.mark.slow
@pytest.mark.left_out
def test_writes_leave_nothing_behind(tmp_path: Path) -> None:
    little, much = map(int, python(WRITES, cwd=tmp_path).split())
    assert much - little < 4 * 2**20
