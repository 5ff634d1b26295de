"""An open cluster takes no more memory after many writes than after few."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

WRITES = """
import resource, sys
from kubemerge.cluster import Reference, open_cluster

few, many = map(int, sys.argv[2:])
with open_cluster(sys.argv[1], release="1.37") as cluster:
    for number in range(many):
        name = f"map-{number % 50}"
        content = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"n": str(number)}}
        if number < 50:
            cluster.create(content)
        else:
            where = Reference.of({**content, "metadata": {"name": name, "namespace": "default"}})
            cluster.patch(where, {"data": {"n": str(number)}}, "merge")
        if number == few:
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
def test_writes_leave_nothing_behind(tmp_path: Path) -> None:
    arguments = [sys.executable, "-c", WRITES, str(tmp_path / "cluster.db"), "1000", "20000"]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True)
    little, much = map(int, done.stdout.split())
    assert much - little < 4 * 1024
