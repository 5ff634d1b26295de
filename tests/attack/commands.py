"""Commands in processes that are forked from this one: they start at once, can be killed, and have a planted fault.

Such a process behaves as `kubemerge` does that a shell has started, from its entry point to its exit code.
"""

from __future__ import annotations

import codecs
import importlib
import os
import pkgutil
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import engine
import kubemerge
from kubemerge import __main__ as entry

from .trial import Loss, insist

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from .trial import Inputs

PATIENCE = 300.0
"""Seconds after which a process counts as hanging."""
PROCESSOR = 60
"""Seconds of processor time after which a process counts as hanging, however busy the machine is."""
MEMORY = 2 << 30
"""The memory limit of a process, in bytes."""
QUIET_ENVIRONMENT = {"KUBEMERGE_CLUSTER": "", "KUBECTL_EXTERNAL_DIFF": "", "FORCE_COLOR": "", "NO_PROXY": "*"}

for _module in pkgutil.walk_packages(kubemerge.__path__, "kubemerge."):  # so that no process need import anything
    if not _module.name.endswith(("__main__", "pytest_plugin")):
        importlib.import_module(_module.name)
engine.load().schema("apps/v1", "Deployment").rule("spec.template.spec.containers.image")
codecs.lookup("utf-8-sig")


class Said(NamedTuple):
    """The result of a command. A negative code is the signal that ended it."""

    code: int
    out: str
    err: str


@dataclass
class Process:
    """A command that runs in a folder."""

    pid: int
    folder: Path
    out: int
    err: int
    code: int | None = None

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code

    def signal(self, number: int = signal.SIGKILL) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def lines(self) -> int:
        """The number of lines printed so far."""
        return os.pread(self.out, os.fstat(self.out).st_size, 0).count(b"\n")

    def ended(self, patience: float = PATIENCE) -> Said:
        """Wait for the end of the command, and return its result. Raise a Loss if it does not end."""
        until = time.monotonic() + patience
        while self.poll() is None:
            if time.monotonic() > until:
                self.signal()
                raise Loss(f"a command still runs after {patience:.0f} seconds")
            time.sleep(0.001)
        insist(self.code != -signal.SIGXCPU, f"a command takes more than {PROCESSOR} seconds of processor time")
        out, err = self._read(self.out), self._read(self.err)
        os.close(self.out)
        os.close(self.err)
        return Said(self.code or 0, out, err)

    def _read(self, stream: int) -> str:
        return os.pread(stream, os.fstat(stream).st_size, 0).decode("utf-8", "surrogateescape")


def started(
    folder: Path,
    *words: object,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    prepare: Callable[[], None] = lambda: None,
) -> Process:
    """A command that runs in a folder; `prepare` changes its process before the command begins."""
    out, err, given = (_scratch() for _ in range(3))
    os.write(given, stdin)
    os.lseek(given, 0, os.SEEK_SET)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until the command has begun
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads of a test run wait, and hold no locks
        pid = os.fork()
    if not pid:
        _become(
            folder,
            [str(word) for word in words],
            (given, out, err),
            {**QUIET_ENVIRONMENT, **(environment or {})},
            prepare,
        )
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.close(given)
    return Process(pid, folder, out, err)


def _scratch() -> int:
    """A file without a name, which any number of lines fit into."""
    handle, name = tempfile.mkstemp(prefix="attack-")
    os.unlink(name)  # noqa: PTH108
    return handle


def _become(
    folder: Path,
    words: list[str],
    streams: tuple[int, int, int],
    environment: Mapping[str, str],
    prepare: Callable[[], None],
) -> None:
    """Run a command in this process, as its entry point does, and end it."""
    code: object = 1
    begun = False
    try:
        for at, stream in enumerate(streams):
            os.dup2(stream, at)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(at, mode, encoding="utf-8", errors=errors, closefd=False)
            for at, mode, errors in ((0, "r", "strict"), (1, "w", "strict"), (2, "w", "backslashreplace"))
        )
        os.chdir(folder)
        os.environ.update(environment)
        for name in [name for name, value in environment.items() if not value]:
            del os.environ[name]
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.argv = ["kubemerge", *words]
        prepare()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        begun = True
        entry.main()
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        code = 1 if begun else 130
        if begun or not isinstance(error, KeyboardInterrupt):
            traceback.print_exc()
    finally:
        try:
            sys.stderr.flush()
        finally:
            os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def ended(folder: Path, *words: object, patience: float = PATIENCE, stdin: bytes = b"") -> Said:
    """Run a command, and return its result."""
    return started(folder, *words, stdin=stdin).ended(patience)


BUGS = ("Traceback", "this is a bug", "most recent call", "RuntimeError", "sqlite3.")


BEGINNINGS = ("kubemerge: ", "error: ", "Error from server", "The ")
"""Beginnings of error messages."""


def one_sentence(said: Said, codes: tuple[int, ...] = (0, 1, 2), inputs: Inputs | None = None) -> None:
    """Insist that a command has ended as documented: with such a code, and without a trace."""
    insist(said.code in codes, f"the exit code is {said.code}: {said.err[-2000:]}", inputs)
    insist(not any(bug in said.err for bug in BUGS), f"a bug shows: {said.err[-2000:]}", inputs)


def fails_well(said: Said, codes: tuple[int, ...] = (1, 2), inputs: Inputs | None = None) -> None:
    """Insist that a command has failed and printed the reason in one line, worded by us or by kubectl."""
    one_sentence(said, codes, inputs)
    lines = [line for line in said.err.splitlines() if line.startswith(BEGINNINGS)]
    insist(lines, f"a failure without a word: {said}", inputs)
    insist(max(map(len, lines)) < 2000, f"a sentence that nobody reads: {said.err[:3000]}", inputs)
