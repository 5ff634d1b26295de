"""Fixtures and helpers of all tests, and the choice of the tests that run by default."""

from __future__ import annotations

import atexit
import compileall
import gc
import importlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import HealthCheck, settings

import engine

from . import batches

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).parent.parent
NEWEST = engine.releases()[-1]
"""The newest supported release. Recordings of one release use that release instead."""

SLOW = (
    "tests/apiserver/test_remote.py",
    "tests/attack/",
    "tests/clients/",
    "tests/codegen/test_killed.py",
    "tests/conformance/test_oracle.py",
    "tests/conformance/wordings/",
    "tests/docs/test_programs.py",
    "tests/engine/linter/test_growth.py",
    "tests/kit/",
    "tests/kubemerge/apiserver/http/documents/test_clients.py",
    "tests/kubemerge/apiserver/storage/test_abandoned.py",
    "tests/kubemerge/apiserver/test_processes.py",
    "tests/kubemerge/cli/commands/test_apply_killed.py",
    "tests/kubemerge/cli/commands/test_apply_many.py",
    "tests/kubemerge/cli/commands/test_apply_together.py",
    "tests/kubemerge/fleet/",
    "tests/kubemerge/html/test_fleet.py",
    "tests/mutation/",
    "tests/playground/",
    "tests/website/",
)
"""Folders and modules whose tests are all slow: they build, kill, compile, trace or start many processes."""
needs_posix = pytest.mark.skipif(os.name != "posix", reason="permissions, links, pipes, signals or names of POSIX")
clock = time.process_time if os.name == "posix" else time.perf_counter
"""The clock of tests that compare times: the processor's, which Windows counts in steps of 16 ms."""
LEFT_OUT = json.loads((Path(__file__).parent / "left_out.json").read_text(encoding="utf-8"))
"""Recorded cases that run no line which other cases do not run, by test: `python -m tests.left_out` chooses them."""
NEEDS = {
    "tests/kubemerge/apiserver/http/documents/test_clients.py": "kubernetes",
    "tests/kubemerge/fleet/": "pyarrow",
    "tests/kubemerge/html/test_fleet.py": "pyarrow",
    "tests/kubemerge/mcpserver/test_handshake.py": "mcp",
    "tests/kubemerge/mcpserver/test_server.py": "mcp",
}
"""Folders and modules that are only collected where a package of the extra `test-all` is installed."""
NOT_INSTALLED = "{}, of the extra test-all, is not installed"

TEMPORARY = "PYTEST_DEBUG_TEMPROOT"
"""Pytest's variable for the folder of all temporary folders. Its workers and other processes inherit it."""
ROOM = 4 << 30
"""Bytes that have to be free in memory for the folders to be there."""

# A shell's `&` begins programs so; commands that are interrupted by tests would inherit it, and not hear.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _use_new_folders() -> None:
    """Put the folders of this run into a new one. Pytest reuses names, and lint's cache knows files by their path."""
    root = tempfile.mkdtemp(prefix="kt-", dir=_folder_in_memory())
    os.environ[TEMPORARY] = root
    atexit.register(_remove_if_empty, Path(root), os.getpid())


def _folder_in_memory() -> str | None:
    """Linux's folder in memory, if it has room and programs in it can be run: a test makes many small files."""
    folder = "/dev/shm"
    if not Path(folder).is_dir() or not os.access(folder, os.W_OK):
        return None
    is_usable = shutil.disk_usage(folder).free > ROOM and not os.statvfs(folder).f_flag & os.ST_NOEXEC
    return folder if is_usable else None


def _remove_if_empty(root: Path, process: int) -> None:
    """Remove the folder of a run without failures, in the process that made it, not in its forks."""
    if os.getpid() == process and not any(one.is_dir() and not one.is_symlink() for one in root.glob("*/*")):
        shutil.rmtree(root, ignore_errors=True)


if TEMPORARY not in os.environ:
    _use_new_folders()
settings.register_profile("busy machine", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("busy machine")


def _missing(path: Path) -> str:
    """The package without which a file cannot be collected; empty if there is none."""
    place = f"{path.relative_to(ROOT).as_posix()}/"
    needed = (name for start, name in NEEDS.items() if place.startswith(start))
    return next((name for name in needed if importlib.util.find_spec(name) is None), "")


def _is_deselected(path: Path, config: pytest.Config) -> bool:
    """Whether all tests of a module are slow, and only fast ones of all folders are wanted: it need not be imported."""
    if config.option.markexpr != "not slow" or any("::" in word or word.endswith(".py") for word in config.args):
        return False
    return path.suffix == ".py" and path.relative_to(ROOT).as_posix().startswith(SLOW)


def _compile_packages(config: pytest.Config) -> None:
    """Compile the packages of a new clone before the workers start: each of them would compile every module."""
    has_workers = getattr(config.option, "dist", "no") != "no" and not hasattr(config, "workerinput")
    if has_workers and not sys.dont_write_bytecode:
        for package in ("engine", "codegen", "kubemerge", "generated"):
            compileall.compile_dir(ROOT / package, quiet=2, workers=0)


def pytest_configure(config: pytest.Config) -> None:
    _compile_packages(config)
    batches.register(config)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if not collection_path.is_relative_to(ROOT):
        return None
    return True if _missing(collection_path) or _is_deselected(collection_path, config) else None


def _import_a_share(config: pytest.Config) -> None:
    """Import some test modules first in each worker: the others then find them compiled.

    Pytest compiles each module with its own assertions. In a new clone, all workers would compile the same modules.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None or config.args != config.getini("testpaths"):
        return
    files = [file for file in sorted((ROOT / "tests").rglob("test_*.py")) if not pytest_ignore_collect(file, config)]
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):  # the collection reports it
            importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect without garbage collection, and keep the collected tests out of later ones: they never become garbage."""
    gc.disable()
    try:
        _import_a_share(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        test, _, case = item.nodeid.rstrip("]").partition("[")
        if item.nodeid.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        elif case and case in LEFT_OUT.get(test, ()):
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for place in NEEDS:
        if missing := _missing(ROOT / place):
            terminalreporter.write_line(f"SKIPPED [1] {place}: {NOT_INSTALLED.format(missing)}")


@pytest.fixture
def short_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watches end after a tenth of their timeoutSeconds. Existing events are sent before the end."""
    from kubemerge.apiserver.http.watch import streams  # most tests have no server

    options_of = streams._options_of

    def shorter(*asked: Any) -> streams.WatchOptions:
        found = options_of(*asked)
        return replace(found, seconds=found.seconds / 10)

    monkeypatch.setattr(streams, "_options_of", shorter)


def require_package(name: str) -> Any:
    """The package, which is in the extra `test-all`. Without it, the test is skipped."""
    return pytest.importorskip(name, reason=NOT_INSTALLED.format(name))


@pytest.fixture(autouse=True, scope="session")
def _as_on_a_fresh_machine() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in list(os.environ):
            if name.lower().endswith("_proxy") or name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NETRC"):
                monkeypatch.delenv(name)
        monkeypatch.setenv("NO_PROXY", "*")
        for name in ("KUBEMERGE_CLUSTER", "KUBECTL_EXTERNAL_DIFF", "KUBE_EDITOR", "EDITOR", "NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        # The clusters of tests need not survive a power failure. Waiting for the disk would take most of their time.
        monkeypatch.setattr("kubemerge.apiserver.storage.opening.SYNCHRONOUS", "OFF")
        yield


@pytest.fixture
def connections_collected() -> Iterator[None]:
    """Clients leave connections open: they are collected here, and not within a later test, which would fail."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def spread(releases: Sequence[str]) -> list[Any]:
    """Releases as parameters of a test. The oldest, the newest and every fifth run by default; others are slow."""
    default = {releases[0], *releases[::-5]}
    return [pytest.param(one, marks=() if one in default else pytest.mark.slow) for one in releases]


def native(path: str) -> str:
    """A path as this system prints it."""
    return path.replace("/", os.sep)


@cache
def snapshot(release: str) -> dict[str, Any]:
    """The snapshot of a release, parsed. It is shared, so tests must not change it."""
    found: dict[str, Any] = json.loads((ROOT / "openapi" / f"{release}.json").read_text(encoding="utf-8"))
    return found


def read_yaml(file: Path) -> Any:
    """The document in a YAML file, by libyaml if that is installed, which is ten times as fast."""
    return yaml.load(file.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def python(program: str, *, cwd: Path, env: Mapping[str, str] | None = None) -> str:
    """The output of a program in a separate process, which can import the repository's packages."""
    whole = {**os.environ, "PYTHONPATH": f"{cwd}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=cwd, env=whole, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with its bytes."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }
