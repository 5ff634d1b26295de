"""Runs the tests of the engine on a copy of the repository, as it is and with one site changed."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import shutil
import signal
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import coverage
import pytest

# What tests need and nobody changes here is imported once; each run is a fork that has it already.
import hypothesis  # isort: skip
import jinja2  # noqa: F401
import jsonschema  # noqa: F401
import yaml  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .sites import Site

COPIED = ("codegen", "docs", "engine", "examples", "generated", "kubemerge", "openapi", "tests", "pyproject.toml")
OURS = ("codegen", "engine", "generated", "kubemerge", "tests")
LOG = "pytest.log"
COLLECTING = 120
"""Seconds that pytest may take until the first test begins."""
MEMORY = 4 << 30
FORKING = multiprocessing.get_context("fork")


@dataclass
class Baseline:
    """What the tests do where nothing is changed: how long each takes, and which run a line."""

    seconds: dict[str, float] = field(default_factory=dict)
    tests_of: dict[str, dict[int, set[str]]] = field(default_factory=dict)

    def chosen(self, site: Site) -> list[str]:
        """The tests that run the line of the site, the quick ones first; all of them where it is run at import."""
        lines = self.tests_of.get(site.file, {})
        near: set[str] = set()
        for line in range(site.lines[0], site.lines[1] + 1):
            near |= lines.get(line, set())
        room = "/".join(Path(site.file).parts[1:-1])
        return sorted(
            near or self.seconds, key=lambda test: (f"tests/engine/{room}/" not in test, self.seconds.get(test, 0.0))
        )

    def write(self, file: Path) -> None:
        """Keeps the baseline, for as long as the engine stays what it is."""
        lines = {name: {line: sorted(tests) for line, tests in of.items()} for name, of in self.tests_of.items()}
        file.write_text(json.dumps([self.seconds, lines]), encoding="utf-8")

    @classmethod
    def read(cls, file: Path) -> Baseline:
        """A baseline that was kept."""
        seconds, lines = json.loads(file.read_text(encoding="utf-8"))
        return cls(seconds, {name: {int(line): set(tests) for line, tests in of.items()} for name, of in lines.items()})


class _Measured:
    """Notes for each test how long it takes and which lines of the engine it runs."""

    def __init__(self, engine: Path) -> None:
        self.baseline = Baseline()
        self.cover = coverage.Coverage(data_file=None, config_file=False, source=[str(engine)])
        self.root = engine.parent

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.alarm(0)
        self.cover.switch_context(nodeid)

    def pytest_runtest_logfinish(self) -> None:
        self.cover.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        spent = self.baseline.seconds.get(report.nodeid, 0.0)
        self.baseline.seconds[report.nodeid] = spent + report.duration

    def result(self) -> Baseline:
        data = self.cover.get_data()
        for file in data.measured_files():
            lines: dict[int, set[str]] = defaultdict(set)
            for line, contexts in data.contexts_by_lineno(file).items():
                lines[line] = {context for context in contexts if context}
            self.baseline.tests_of[Path(file).relative_to(self.root).as_posix()] = dict(lines)
        return self.baseline


class _Chosen:
    """Has pytest run some tests in an order of ours, and ends the process where one takes far longer than it did."""

    def __init__(self, tests: Sequence[str], baseline: Baseline) -> None:
        self.place = {test: at for at, test in enumerate(tests)}
        self.seconds = baseline.seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.place or item.nodeid not in self.seconds]
        items.sort(key=lambda item: self.place.get(item.nodeid, -1))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.alarm(10 + round(5 * self.seconds.get(nodeid, 5.0)))


def copy_of_the_repository(root: Path, to: Path) -> Path:
    """What the tests need, in a folder of its own. Nothing is compiled for the engine, for it will change."""
    for name in COPIED:
        if (root / name).is_dir():
            shutil.copytree(root / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(root / name, to / name)
    return to


def measured(copy: Path, tests: Sequence[str]) -> Baseline:
    """The baseline; an error where the tests fail as they are."""
    notes = copy / "baseline.json"

    def work() -> int:
        plugin = _Measured(copy / "engine")
        plugin.cover.start()
        code = _pytest(tests, plugin)
        plugin.cover.stop()
        plugin.result().write(notes)
        return code

    if _in_a_fork(copy, work) != 0:
        raise SystemExit((copy / LOG).read_text(encoding="utf-8") + "\nthe tests fail where nothing is changed")
    return Baseline.read(notes)


def is_killed(copy: Path, site: Site, baseline: Baseline, tests: Sequence[str]) -> bool:
    """Whether some test fails, or does not come to an end, once the site is changed."""
    file = copy / site.file
    source = file.read_text(encoding="utf-8")
    file.write_text(site.applied(source), encoding="utf-8")
    try:
        return _in_a_fork(copy, lambda: _pytest(tests, _Chosen(baseline.chosen(site), baseline))) != 0
    finally:
        file.write_text(source, encoding="utf-8")


def _pytest(tests: Sequence[str], plugin: object) -> int:
    settled = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    arguments = [*settled, "--hypothesis-profile", "mutation", *tests]
    return int(pytest.main(arguments, plugins=[plugin]))


def _in_a_fork(copy: Path, work: Callable[[], int]) -> int:
    """The exit code of a process of its own, in which our packages are those of the copy."""

    def child() -> None:
        signal.alarm(COLLECTING)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.chdir(copy)
        os.environ["PYTHONPATH"] = str(copy)
        sys.path.insert(0, str(copy))
        for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
            del sys.modules[name]
        with (copy / LOG).open("w") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        hypothesis.settings.register_profile(
            "mutation", derandomize=True, max_examples=30, deadline=None, database=None
        )
        os._exit(work())

    process = FORKING.Process(target=child)
    process.start()
    process.join()
    return int(process.exitcode or 0)
