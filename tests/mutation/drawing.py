"""Which of all sites of the engine are tried, and which need not be."""

from __future__ import annotations

from pathlib import Path
from random import Random

import yaml

from ..conftest import ROOT
from .sites import Site, is_python, sites

ENGINE = ROOT / "engine"
EQUIVALENT = Path(__file__).with_name("equivalent.yaml")


def drawn(only: list[str], count: int, seed: int) -> list[Site]:
    """Random sites: first a line, then one of the changes that can be made there."""
    random = Random(seed)
    by_line: dict[tuple[str, int], list[Site]] = {}
    sources = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in ENGINE.rglob("*.py")}
    for name in sorted(sources):
        if not only or name.startswith(tuple(only)):
            for site in sites(name, sources[name]):
                by_line.setdefault((name, site.lines[1]), []).append(site)
    chosen = sorted(random.sample(sorted(by_line), min(count, len(by_line))))
    shuffled = (random.sample(by_line[line], len(by_line[line])) for line in chosen)
    fitting = (next((one for one in some if is_python(one.applied(sources[one.file]))), None) for some in shuffled)
    return [site for site in fitting if site]


def known_equivalents() -> dict[tuple[str, str, str], str]:
    """Changes that change nothing, with the reason."""
    rows = yaml.safe_load(EQUIVALENT.read_text(encoding="utf-8")) or []
    return {(row["function"], row["line"], row["change"]): row["reason"] for row in rows}
