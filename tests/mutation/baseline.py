"""The tests where nothing is changed: the time of each, and the lines that it runs. They choose the tests of a site."""

from __future__ import annotations

import pickle
import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from .limits import limit, spent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import pytest

    from .sites import Site

SLOW = 1.0
"""Seconds of processor time from which on a test is run last."""
NEARER = 4
"""The share of the time for the tests of the file, if a line is run at import."""
WAITING = 2
"""The part of its duration that a test counts for at least, as all tests wait for their turn on a busy machine."""
IMPORT = ""
"""Name for the lines that run when modules are imported, and when pytest collects the tests."""


@dataclass
class Baseline:
    """The results of the tests on unchanged code."""

    seconds: dict[str, float] = field(default_factory=dict)
    """The cost of each test: its processor time, or half of its duration if that is more, because it waits."""
    lines: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each file the lines that each test runs: bit n of the number represents line n."""
    failed: list[str] = field(default_factory=list)
    """Tests that fail on unchanged code. They are left out."""
    sources: dict[str, str] = field(default_factory=dict)
    """The files that were measured."""

    def is_at_import(self, site: Site) -> bool:
        """Whether the line is run before the first test, or another function makes a function around it then.

        A change of the function comes too late.
        """
        made = sum(1 << line for line in site.inside[1:])
        return not site.inside or bool(self.lines.get(site.file, {}).get(IMPORT, 0) & (_bits(site) | made))

    def chosen(self, site: Site, budget: float) -> list[str]:
        """The tests to run for a site, likely killers first, as many as fit into a number of seconds."""
        found: dict[str, None] = {}
        for tests in self._groups(site):
            found.update(dict.fromkeys(self._in_turns(tests)))
        fitting: list[str] = []
        left = budget
        for test in self._of_a_table(site) if self.is_at_import(site) else found:
            if self.seconds[test] <= left or not fitting:
                fitting.append(test)
                left -= self.seconds[test]
        return fitting

    def _in_turns(self, tests: Iterable[str]) -> list[str]:
        """Tests of every file in turns, so that a file with many slow tests does not use up all of the time."""
        return [test for _, test in self._turns(tests)]

    def _turns(self, tests: Iterable[str]) -> list[tuple[float, str]]:
        """The same, each with the seconds that the tests of its file take up to its end."""
        spent: dict[str, float] = defaultdict(float)
        found = []
        for test in sorted(set(tests) & self.seconds.keys(), key=self._order):
            file = test.partition("::")[0]
            spent[file] += self.seconds[test]
            found.append((spent[file], test))
        return sorted(found, key=lambda one: (one[0], self._order(one[1])))

    def _of_a_table(self, site: Site) -> list[str]:
        """All tests for a line that is run at import. It may be a row of a table that other modules read, so tests that
        run no function of the file are among the likely killers.
        """
        *near, every = self._groups(site)
        times = {test: time for time, test in self._turns(every)}
        times |= {test: time / NEARER for time, test in self._turns({test for tests in near for test in tests})}
        return sorted(times, key=lambda test: (times[test], self._order(test)))

    def _groups(self, site: Site) -> Iterator[Iterable[str]]:
        """The tests of a site, in order. First come tests that run the line, or the nearest one above that a test runs.
        Then come tests that use the name, as values are cached. The last groups are tests that run any line of the
        file, and all tests.
        """
        own = self.lines.get(site.file, {})
        if site.inside:
            wanted = _bits(site)
            if not any(lines & wanted for lines in own.values()):
                above = (1 << site.lines[0]) - 1
                wanted = 1 << max((lines & above).bit_length() - 1 for lines in [0, *own.values()]) if own else 0
            yield [test for test, lines in own.items() if lines & wanted]
        yield self._users(self._name(site))
        yield own
        yield self.seconds

    def _name(self, site: Site) -> str:
        """The name that is defined at a site: the function's, or else the one with which the statement begins."""
        if site.inside:
            return site.function.rpartition(".")[2]
        first = self.sources[site.file].split("\n")[site.lines[0] - 1] if site.file in self.sources else ""
        return next((word for word in re.findall(r"\w+", first) if word not in ("class", "def", "async")), "")

    def _users(self, name: str) -> Iterator[str]:
        """The tests that run a line with a name."""
        word = re.compile(rf"\b{name}\b")
        for file, source in self.sources.items():
            if name and name in source:
                wanted = sum(1 << at for at, line in enumerate(source.split("\n"), 1) if word.search(line))
                yield from (test for test, lines in self.lines.get(file, {}).items() if lines & wanted)

    def _order(self, test: str) -> tuple[bool, int, str]:
        """Tests that run few modules come first, because these modules are their subject."""
        return self.seconds[test] > SLOW, self._modules[test], test

    @cached_property
    def _modules(self) -> Counter[str]:
        return Counter(test for tests in self.lines.values() for test in tests)

    def write(self, file: Path) -> None:
        """Keep the baseline, for as long as the code stays the same."""
        file.write_bytes(pickle.dumps((self.seconds, self.lines, self.failed, self.sources)))

    @classmethod
    def read(cls, file: Path) -> Baseline:
        """A stored baseline."""
        return cls(*pickle.loads(file.read_bytes()))


def _bits(site: Site) -> int:
    return sum(1 << line for line in range(site.lines[0], site.lines[1] + 1))


class Measured:
    """A plugin of pytest that notes of each test how long it takes, and which lines of some folders it runs."""

    def __init__(self, root: Path, *folders: str) -> None:
        self.baseline = Baseline()
        import coverage  # only the tool needs it, and not its tests

        self.cover = coverage.Coverage(
            data_file=None, config_file=False, source=[str(root / folder) for folder in folders]
        )
        self.root = root
        self.begun = 0.0, 0.0

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        limit(0)
        self.cover.switch_context(nodeid)
        self.begun = spent(), time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        work, clock = self.begun
        self.baseline.seconds[nodeid] = max(spent() - work, (time.monotonic() - clock) / WAITING)
        self.cover.switch_context(IMPORT)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.baseline.failed.append(report.nodeid)

    def result(self) -> Baseline:
        """The baseline, once the tests have run."""
        data = self.cover.get_data()
        for path in data.measured_files():
            lines: dict[str, int] = defaultdict(int)
            for line, tests in data.contexts_by_lineno(path).items():
                for test in tests:
                    lines[test] |= 1 << line
            name = str(path).removeprefix(f"{self.root}/")
            self.baseline.lines[name] = dict(lines)
            self.baseline.sources[name] = (self.root / name).read_text(encoding="utf-8")
        for test in self.baseline.failed:
            self.baseline.seconds.pop(test, None)
        return self.baseline
