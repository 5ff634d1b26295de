"""Many objects: applying them takes little time, and no more memory than applying few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ....conftest import python
from ...objects import config_map, deployment, write

if TYPE_CHECKING:
    from pathlib import Path


APPLY = """
import time
from kubemerge.cli.main import main
from tests.memory import peak
try:
    main(["apply", "-f", {name!r}, "--cluster", "{name}.db"])
finally:
    print(time.process_time(), peak(), sep="\\n")
"""


def applied(folder: Path, name: str) -> tuple[list[str], float, int]:
    """The results of an apply, the seconds that it worked, and its memory in bytes."""
    *lines, seconds, memory = python(APPLY.format(name=name), cwd=folder).splitlines()
    return [line.split()[1] for line in lines], float(seconds), int(memory)


def test_a_thousand_objects(tmp_path: Path) -> None:
    for name, files in (("few", 1), ("many", 20)):
        (tmp_path / name).mkdir()
        for number in range(files):
            webs = [deployment(f"web-{number}-{index}", replicas=2) for index in range(25)]
            maps = [config_map(f"map-{number}-{index}", {"text": "x" * 1000}) for index in range(25)]
            write(tmp_path, f"{name}/{number}.yaml", *webs, *maps)
    _, _, little = applied(tmp_path, "few")
    created, seconds, memory = applied(tmp_path, "many")
    assert created == ["created"] * 1000
    assert seconds < 15
    unchanged, seconds, _ = applied(tmp_path, "many")
    assert unchanged == ["unchanged"] * 1000
    assert seconds < 10
    assert memory - little < 8 * 2**20


@pytest.mark.slow
def test_four_thousand_objects_take_no_more_memory_than_a_thousand(tmp_path: Path) -> None:
    for name, files in (("many", 20), ("more", 80)):
        (tmp_path / name).mkdir()
        for number in range(files):
            objects = [deployment(f"web-{number}-{index}", replicas=2) for index in range(50)]
            write(tmp_path, f"{name}/{number}.yaml", *objects)
    _, _, memory = applied(tmp_path, "many")
    created, _, more = applied(tmp_path, "more")
    assert created == ["created"] * 4000
    assert more - memory < 8 * 2**20
