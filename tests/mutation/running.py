"""Run tests on a copy of the repository: as it is, and with one site changed.

A change inside of a function is made in a fork of a process that has collected the tests already. The function gets
other code, so each change takes no longer than the tests that run it. Code that runs when a module is imported needs a
fresh process and a changed file.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import shutil
import sys
from collections import deque
from functools import partial
from typing import TYPE_CHECKING

import pytest

# Unchanged packages that tests need are imported once; each run is a fork that has them already.
import hypothesis  # isort: skip
import jinja2  # noqa: F401
import jsonschema  # noqa: F401
import yaml  # noqa: F401

from .baseline import Baseline, Measured
from .in_place import Unfit, change
from .limits import limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from .sites import Site

COPIED = ("codegen", "docs", "engine", "examples", "generated", "kubemerge", "openapi", "tests", "pyproject.toml")
OURS = ("codegen", "engine", "generated", "kubemerge", "tests")
LOG = "pytest.log"
COLLECTING = 300
"""Seconds of processor time that pytest may take until the first test begins."""
MEMORY = 4 << 30
TERMINAL = os.fdopen(os.dup(1), "w", encoding="utf-8")
FORKING = multiprocessing.get_context("fork")
ALIVE, KILLED, UNFIT = 0, 1, 77
"""Exit codes of a fork with a changed function. An unfit one has no result."""
FAILED, NOTHING_RUN = 1, 5
"""Exit codes of pytest."""


class _Chosen:
    """Makes pytest run some tests in a given order, and ends the process where one takes far longer than it did.

    Tests that the baseline does not contain are run first.
    """

    def __init__(self, tests: Sequence[str], seconds: Mapping[str, float]) -> None:
        self.place = {test: at for at, test in enumerate(tests)}
        self.seconds = seconds

    def of(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        found = [item for item in items if item.nodeid in self.place or item.nodeid not in self.seconds]
        return sorted(found, key=lambda item: self.place.get(item.nodeid, -1))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = self.of(items)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        limit(10 + 5 * self.seconds.get(nodeid, 5.0))


class _InPlace:
    """Runs no test itself, but forks for every site, changes a function there, and runs the tests of the site."""

    def __init__(self, tests: Mapping[Site, Sequence[str]], seconds: Mapping[str, float], workers: int) -> None:
        self.sites, self.tests = list(tests), tests
        self.todo = deque(enumerate(self.sites))
        self.seconds, self.workers = seconds, workers
        self.alive: list[int] = []
        self.unfit: list[int] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        limit(0)
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
            chosen = _Chosen(self.tests[site], self.seconds)
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


def copies_of_the_repository(root: Path, to: Path, count: int) -> list[Path]:
    """Folders with the files that the tests need."""
    copies = [to / str(number) for number in range(count)]
    for copy in copies:
        copy.mkdir()
        for name in COPIED:
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(root / name, copy / name)
    return copies


def measured(copy: Path, folder: str, tests: Sequence[str]) -> Baseline:
    """The baseline of the tests, as to the lines of a folder. Tests that fail are reported and left out."""
    notes = copy / "baseline"

    def work() -> int:
        plugin = Measured(copy, folder)
        plugin.cover.start()
        code = _pytest(tests, plugin)
        plugin.cover.stop()
        plugin.result().write(notes)
        return code

    if _in_a_fork(copy, work) not in (0, FAILED):
        raise SystemExit((copy / LOG).read_text(encoding="utf-8") + "\nthe tests cannot be run")
    baseline = Baseline.read(notes)
    for test in baseline.failed:
        print(f"fails where nothing is changed: {test}", file=TERMINAL, flush=True)
    return baseline


def survivors(copies: Sequence[Path], tests: Mapping[Site, Sequence[str]], baseline: Baseline) -> list[Site]:
    """The sites whose change is not noticed by any of their tests. A test that does not end notices it."""
    seconds = {**dict.fromkeys(baseline.failed, 0.0), **baseline.seconds}  # known, so not run as new tests
    inside = {site: chosen for site, chosen in tests.items() if not baseline.is_at_import(site)}

    def work() -> int:
        plugin = _InPlace(inside, seconds, len(copies))
        _pytest(_files(inside.values()), plugin, "-x")
        _write(copies[0], plugin.alive, plugin.unfit)
        return 0

    _in_a_fork(copies[0], work)
    alive, unfit = _read(copies[0], list(inside))
    rest = [site for site in tests if site not in inside or site in unfit]
    shares = [rest[number :: len(copies)] for number in range(len(copies))]
    processes = [
        FORKING.Process(target=_try_afresh, args=(copy, share, tests, seconds))
        for copy, share in zip(copies, shares, strict=True)
    ]
    for process in processes:
        process.start()
    for copy, share, process in zip(copies, shares, processes, strict=True):
        process.join()
        alive += _read(copy, share)[0]
    return alive


def tell(site: Site) -> None:
    """Two lines for a survivor, wherever pytest's own go."""
    print(f"survived {site.file}:{site.lines[1]} {site.function}: {site.change}", file=TERMINAL)
    print(f"    {site.line}", file=TERMINAL, flush=True)


def _try_afresh(
    copy: Path, sites: Sequence[Site], tests: Mapping[Site, Sequence[str]], seconds: Mapping[str, float]
) -> None:
    """The same for some sites, in fresh processes."""
    alive = []
    for number, site in enumerate(sites):
        source = (copy / site.file).read_text(encoding="utf-8")
        (copy / site.file).write_text(site.applied(source), encoding="utf-8")
        work = partial(_pytest, _files([tests[site]]), _Chosen(tests[site], seconds), "-x")
        if _in_a_fork(copy, work) in (0, NOTHING_RUN):
            alive.append(number)
            tell(site)
        (copy / site.file).write_text(source, encoding="utf-8")
    _write(copy, alive, [])


def _write(copy: Path, alive: Sequence[int], unfit: Sequence[int]) -> None:
    (copy / "alive.json").write_text(json.dumps([alive, unfit]), encoding="utf-8")


def _read(copy: Path, sites: Sequence[Site]) -> tuple[list[Site], list[Site]]:
    """The sites that a process has written down by their numbers: those that are alive, and those that are unfit."""
    alive, unfit = json.loads((copy / "alive.json").read_text(encoding="utf-8"))
    return [sites[number] for number in alive], [sites[number] for number in unfit]


def _files(tests: Iterable[Iterable[str]]) -> list[str]:
    """The files that tests are in."""
    return sorted({test.partition("::")[0] for chosen in tests for test in chosen})


def _pytest(tests: Sequence[str], plugin: object, *more: str) -> int:
    settled = [
        "-q",
        "-m",
        "not slow or left_out",
        "-p",
        "no:cacheprovider",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
    ]
    results_only = "--ignore-glob=*/test_growth.py"  # these measure time: they take most of it, and see few faults
    arguments = [*settled, results_only, "--hypothesis-profile", "mutation", *more, *tests]
    return int(pytest.main(arguments, plugins=[plugin]))


def _in_a_fork(copy: Path, work: Callable[[], int]) -> int:
    """The exit code of a separate process that imports our packages from the copy."""

    def child() -> None:
        limit(COLLECTING)
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
