"""Runs the tests of the engine on a copy of the repository: as it is, and with one site changed.

A change inside of a function is made in a fork of a process that has collected the tests already, by giving the
function other code: so each takes no longer than the tests that run it. Whatever is run when a module is imported needs
a fresh process and a changed file.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import shutil
import signal
import sys
from collections import defaultdict, deque
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

from .in_place import Unfit, change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .sites import Site

COPIED = ("codegen", "docs", "engine", "examples", "generated", "kubemerge", "openapi", "tests", "pyproject.toml")
OURS = ("codegen", "engine", "generated", "kubemerge", "tests")
LOG = "pytest.log"
COLLECTING = 120
"""Seconds that pytest may take until the first test begins."""
SLOW = 1.0
"""Seconds from which on a test is run last."""
MEMORY = 4 << 30
TERMINAL = os.fdopen(os.dup(1), "w", encoding="utf-8")
FORKING = multiprocessing.get_context("fork")
ALIVE, KILLED, UNFIT = 0, 1, 77
"""How a fork ends in which a function was changed; of one that is unfit, nothing is known."""


@dataclass
class Baseline:
    """What the tests do where nothing is changed: how long each takes, and which run a line."""

    seconds: dict[str, float] = field(default_factory=dict)
    tests_of: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    most: int = 1_000_000
    """How many tests to run for one site at most."""

    def near(self, site: Site) -> list[str]:
        """The tests that run the line of the site, the quick ones first; none if it is run at import.

        Of a line that nothing runs, those that run the one above: they come closest.
        """
        lines = self.tests_of.get(site.file, {})
        own = {line for line in range(site.lines[0], site.lines[1] + 1) if line in lines}
        if not own:
            own = {max((line for line in lines if line < site.lines[0]), default=0)}
        return self._ordered(set().union(*(lines.get(line, set()) for line in own)), site)

    def chosen(self, site: Site) -> list[str]:
        """The tests to run for a site: those near it, or else all but the slow ones of other rooms."""
        room = _room(site)
        return self.near(site) or self._ordered(
            (test for test, seconds in self.seconds.items() if seconds <= SLOW or test.startswith(room)), site
        )

    def _ordered(self, tests: Iterable[str], site: Site) -> list[str]:
        room = _room(site)
        quick = sorted(tests, key=lambda test: (self.seconds.get(test, 0.0) > SLOW, not test.startswith(room), test))
        return quick[: self.most]

    def write(self, file: Path) -> None:
        """Keeps the baseline, for as long as the engine stays what it is."""
        lines = {name: {line: sorted(tests) for line, tests in of.items()} for name, of in self.tests_of.items()}
        file.write_text(json.dumps([self.seconds, lines]), encoding="utf-8")

    @classmethod
    def read(cls, file: Path) -> Baseline:
        """A baseline that was kept."""
        seconds, lines = json.loads(file.read_text(encoding="utf-8"))
        return cls(seconds, {name: {int(line): set(tests) for line, tests in of.items()} for name, of in lines.items()})


def _room(site: Site) -> str:
    """The folder that holds the tests of the room that a site is in."""
    return "tests/" + "/".join(Path(site.file).parts[:2]).removesuffix(".py") + "/"


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
    """Has pytest run some tests in an order of ours, and ends the process where one takes far longer than it did.

    Tests that the baseline does not know are run first.
    """

    def __init__(self, baseline: Baseline, tests: Sequence[str]) -> None:
        self.place = {test: at for at, test in enumerate(tests)}
        self.seconds = baseline.seconds

    def of(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        found = [item for item in items if item.nodeid in self.place or item.nodeid not in self.seconds]
        return sorted(found, key=lambda item: self.place.get(item.nodeid, -1))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = self.of(items)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        signal.alarm(10 + round(5 * self.seconds.get(nodeid, 5.0)))


class _InPlace:
    """Runs no test itself, but forks for every site, changes a function there, and runs the tests near it."""

    def __init__(self, sites: Sequence[Site], baseline: Baseline, workers: int) -> None:
        self.sites = sites
        self.todo = deque(enumerate(sites))
        self.baseline, self.workers = baseline, workers
        self.alive: list[int] = []
        self.unfit: list[int] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        signal.alarm(0)
        running: dict[int, int] = {}
        while self.todo or running:
            if self.todo and len(running) < self.workers:
                number, site = self.todo.popleft()
                running[os.fork() or self._in_the_fork(session, site)] = number
            else:
                process, status = os.wait()
                number = running.pop(process)
                code = os.waitstatus_to_exitcode(status)
                self.unfit += [number] if code == UNFIT else []
                if code == ALIVE:
                    self.alive.append(number)
                    tell(self.sites[number])
        return True

    def _in_the_fork(self, session: pytest.Session, site: Site) -> int:
        code = KILLED
        try:
            chosen = _Chosen(self.baseline, self.baseline.near(site))
            session.config.pluginmanager.register(chosen)
            change(site)
            items = chosen.of(session.items)
            for item, following in zip(items, [*items[1:], None], strict=True):
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    break
            code = KILLED if session.testsfailed else ALIVE
        except Unfit:
            code = UNFIT
        finally:
            os._exit(code)


def copy_of_the_repository(root: Path, to: Path) -> Path:
    """What the tests need, in a folder of its own."""
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


def survivors(copy: Path, sites: Sequence[Site], baseline: Baseline, tests: Sequence[str], workers: int) -> list[Site]:
    """The sites whose change no test notices. A test that comes to no end notices it."""
    notes = copy / "alive.json"
    inside = [site for site in sites if baseline.near(site)]

    def work() -> int:
        plugin = _InPlace(inside, baseline, workers)
        _pytest(tests, plugin)
        notes.write_text(json.dumps([plugin.alive, plugin.unfit]), encoding="utf-8")
        return 0

    _in_a_fork(copy, work)
    alive, unfit = json.loads(notes.read_text(encoding="utf-8"))
    found = [inside[number] for number in alive]
    for site in [*(site for site in sites if site not in inside), *(inside[number] for number in unfit)]:
        if not _is_killed(copy, site, baseline, tests):
            found.append(site)
            tell(site)
    return found


def tell(site: Site) -> None:
    """Two lines for a survivor, wherever pytest's own go."""
    print(f"survived {site.file}:{site.lines[1]} {site.function}: {site.change}", file=TERMINAL)
    print(f"    {site.line}", file=TERMINAL, flush=True)


def _is_killed(copy: Path, site: Site, baseline: Baseline, tests: Sequence[str]) -> bool:
    """The same for one site, in a fresh process."""
    file = copy / site.file
    source = file.read_text(encoding="utf-8")
    file.write_text(site.applied(source), encoding="utf-8")
    try:
        return _in_a_fork(copy, lambda: _pytest(tests, _Chosen(baseline, baseline.chosen(site)))) != 0
    finally:
        file.write_text(source, encoding="utf-8")


def _pytest(tests: Sequence[str], plugin: object) -> int:
    settled = ["-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    results_only = "--ignore-glob=*/test_growth.py"  # these measure time: they take most of it, and see few faults
    arguments = [*settled, results_only, "--hypothesis-profile", "mutation", *tests]
    return int(pytest.main(arguments, plugins=[plugin]))


def _in_a_fork(copy: Path, work: Callable[[], int]) -> int:
    """The exit code of a process of its own, in which our packages are those of the copy."""

    def child() -> None:
        signal.alarm(COLLECTING)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.dont_write_bytecode = True  # a changed file may be as long and as old as it was
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
