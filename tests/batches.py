"""Batches for pytest-xdist: a worker gets up to 32 tests of a module at once, and sends one report for all that pass.

To send a test and its three reports costs more than most tests take. Each test still runs separately, with its own
fixtures, and a failed test is reported by its name. Options that print each test (`-vv`, `--durations`, `--junitxml`)
turn batches off.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE = 32
ALONE = ("slow", "filterwarnings")
"""Marks of tests that run outside of batches: slow tests, and those with their own warning filters."""


class Batch(pytest.Item):
    """Tests of a module that run one after the other in one worker."""

    tests: list[pytest.Item]

    def runtest(self) -> None:
        raise NotImplementedError("`Worker` runs the tests of a batch")


def register(config: pytest.Config) -> None:
    """Send tests in batches, if pytest-xdist distributes them and no option prints each one."""
    option = config.option
    if option.verbose > 0 or option.durations is not None or option.xmlpath:
        return
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Worker())
    elif getattr(option, "dist", "no") != "no":
        config.pluginmanager.register(Controller(config))


def batched(tests: list[pytest.Item]) -> Iterator[pytest.Item]:
    """The tests in batches, in order."""

    def key(test: pytest.Item) -> tuple[pytest.Module | None, bool]:
        return test.getparent(pytest.Module), any(map(test.get_closest_marker, ALONE))

    for (module, alone), group in groupby(tests, key):
        rest = list(group)
        if alone or module is None:
            yield from rest
            continue
        for first in range(0, len(rest), SIZE):
            batch: Batch = Batch.from_parent(module, name=f"{rest[first].name} and others")
            batch.tests = rest[first : first + SIZE]
            yield batch


class Worker:
    """Run batches, in a worker of pytest-xdist."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Iterator[None]:
        yield  # other plugins select tests by name first
        items[:] = batched(items)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        if not isinstance(item, Batch):
            return None
        passed: list[pytest.TestReport] = []
        for test, following in zip(item.tests, [*item.tests[1:], nextitem], strict=True):
            reports = runtestprotocol(test, log=False, nextitem=following)
            if all(report.passed and not hasattr(report, "wasxfail") for report in reports):
                passed.append(reports[1])
            else:
                self._send(item, reports)
            if item.session.shouldfail or item.session.shouldstop:
                break
        if passed:
            self._send(item, passed[-1:], passed_tests=len(passed))
        return True

    def _send(self, batch: Batch, reports: list[pytest.TestReport], **more: Any) -> None:
        """Send reports under the name of the batch, because pytest-xdist ignores other names."""
        for report in reports:
            vars(report).update(test=report.nodeid, **more)
            report.nodeid = batch.nodeid
            batch.ihook.pytest_runtest_logreport(report=report)


class Controller:
    """Receive the reports of batches, in the process of pytest-xdist that distributes the tests."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.named: set[str] = set()
        """Names of the tests in batches that had their own reports."""

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.session = session

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal and (passed := getattr(report, "passed_tests", 0)):
            terminal.stats.setdefault("passed", []).extend([report] * (passed - 1))
        elif name := getattr(report, "test", ""):
            report.nodeid = name
            self.session.testscollected += name not in self.named  # for the percentage
            self.named.add(name)
