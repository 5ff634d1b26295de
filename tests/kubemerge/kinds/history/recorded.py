"""The recorded plugins and keys: by sort and name, the minor releases whose source code has them."""

from __future__ import annotations

from pathlib import Path

FILE = Path(__file__).with_name("recorded.txt")
Recorded = dict[str, dict[str, set[int]]]


def read() -> Recorded:
    """The recorded items. A line has the sort, the ranges of releases and the name."""
    found: Recorded = {}
    for line in FILE.read_text("utf-8").splitlines() if FILE.exists() else ():
        sort, spans, item = line.split("\t")
        found.setdefault(sort, {})[item] = {minor for span in spans.split(",") for minor in _minors(span)}
    return found


def _minors(span: str) -> range:
    first, _, last = span.partition("-")
    return range(int(first), int(last or first) + 1)


def write(items: Recorded) -> None:
    """Replace the recorded items."""
    lines = [
        f"{sort}\t{_spans(releases)}\t{item}\n"
        for sort in sorted(items)
        for item, releases in sorted(items[sort].items())
        if releases
    ]
    FILE.write_text("".join(lines), encoding="utf-8")


def _spans(releases: set[int]) -> str:
    runs: list[list[int]] = []
    for minor in sorted(releases):
        if runs and runs[-1][1] == minor - 1:
            runs[-1][1] = minor
        else:
            runs.append([minor, minor])
    return ",".join(f"{first}-{last}" if first != last else str(first) for first, last in runs)


def vanished(sort: str) -> dict[str, str]:
    """The items that the newest release lacks, each with the first release without it."""
    known = read()
    newest = max(known["release"]["kubernetes"])
    return {item: f"1.{max(minors) + 1}" for item, minors in known[sort].items() if max(minors) < newest}
