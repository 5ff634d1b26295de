"""The packages in which sites are drawn, with their tests, and the sites that need not be tried."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

from ..conftest import ROOT, read_yaml
from .sites import Site, is_python, sites

EQUIVALENT = Path(__file__).with_name("equivalent.yaml")


class Subject(NamedTuple):
    """A package, its tests, the number of sites to draw, and the share that the tests have to find."""

    folder: str
    tests: tuple[str, ...]
    sites: int
    wanted: float

    def sources(self, only: list[str]) -> dict[str, str]:
        """The modules, or those whose path begins in one of several ways."""
        names = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / self.folder).rglob("*.py"))
        chosen = [name for name in names if not only or name.startswith(tuple(only))]
        return {name: (ROOT / name).read_text(encoding="utf-8") for name in chosen}


SUBJECTS = (
    Subject("engine", ("tests/engine", "tests/conformance/algorithms"), 100, 0.95),
    Subject(
        "kubemerge/apiserver",
        (
            "tests/kubemerge/apiserver",
            "tests/kubemerge/kinds",
            "tests/apiserver",
            "tests/conformance",
            "tests/kubemerge/printers",
            "tests/mutation/recorded_answers.py",
        ),
        200,
        0.90,
    ),
)


def drawn(sources: dict[str, str], count: int, seed: int) -> list[Site]:
    """Random sites: first a line, then one of the changes that can be made there."""
    random = Random(seed)
    by_line: dict[tuple[str, int], list[Site]] = {}
    for name, source in sources.items():
        for site in sites(name, source):
            by_line.setdefault((name, site.lines[1]), []).append(site)
    chosen = sorted(random.sample(sorted(by_line), min(count, len(by_line))))
    shuffled = (random.sample(by_line[line], len(by_line[line])) for line in chosen)
    fitting = (next((one for one in some if is_python(one.applied(sources[one.file]))), None) for some in shuffled)
    return [site for site in fitting if site]


def known_equivalents() -> dict[tuple[str, str, str], str]:
    """Changes that change nothing, with the reason."""
    rows = read_yaml(EQUIVALENT) or []
    return {(row["function"], row["line"], row["change"]): row["reason"] for row in rows}
