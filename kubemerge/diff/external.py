"""Running the program in KUBECTL_EXTERNAL_DIFF over two folders, as kubectl does."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
from contextlib import ExitStack, contextmanager

from codegen.files import scratch_folder
from engine import MergeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

VARIABLE = "KUBECTL_EXTERNAL_DIFF"
_ALLOWED = re.compile(r"[a-zA-Z0-9-=]+\Z")
_LONGEST = 200
"""Maximum length of a file name; file systems allow a few characters more."""

_REFUSED = dict.fromkeys(map(ord, ':*?"<>|'), "-") if os.name == "nt" else {}
"""Characters that the system does not allow in file names; names of roles contain colons."""


class ExternalDiffFailed(MergeError):
    """The program could not be started, or exited with a code above 1."""


def external_command(say: Callable[[str], None]) -> list[str]:
    """The program and its arguments, split as kubectl does; empty if none is set. Other words are ignored."""
    program, *words = os.environ.get(VARIABLE, "").split() or [""]
    for word in words:
        if not _ALLOWED.match(word):
            say(f"{VARIABLE}: the word {word!r} is ignored, as by kubectl (only letters, digits, - and = are allowed)")
    return [program, *filter(_ALLOWED.match, words)] if program else []


class Folders:
    """The folders LIVE and MERGED with a file for each object."""

    def __init__(self, live: Path, merged: Path) -> None:
        self.live, self.merged = live, merged
        self._names: set[str] = set()

    def add(self, name: str, before: str, after: str | None) -> None:
        """Write both sides of an object; a new object has an empty live file, a pruned one only a live file."""
        name = self._name(name)
        for folder, text in ((self.live, before), (self.merged, after)):
            if text is not None:
                (folder / name).write_text(text, encoding="utf-8", newline="\n")

    def _name(self, wanted: str) -> str:
        name = wanted.translate(_REFUSED)
        if len(name.encode()) > _LONGEST:
            name = f"{name[: _LONGEST // 4]}~{hashlib.sha256(name.encode()).hexdigest()}"
        found, number = name, 1
        while found in self._names:
            number += 1
            found = f"{name}~{number}"
        self._names.add(found)
        return found

    def compare(self, command: list[str]) -> bool:
        """Run the program on the folders; returns whether it found a difference."""
        program, *words = command
        try:
            code = subprocess.run([program, str(self.live), str(self.merged), *words], check=False).returncode
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ExternalDiffFailed(f"{VARIABLE}: {program}: {reason}. Name an executable program") from None
        if code == -getattr(signal, "SIGPIPE", 0) != 0:
            raise BrokenPipeError
        if code not in (0, 1):
            how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
            raise ExternalDiffFailed(f"{VARIABLE}: {program} {how}. Only 0 (same) and 1 (different) are valid")
        return code == 1


@contextmanager
def folders() -> Iterator[Folders]:
    """Two new private folders, removed in any case."""
    with ExitStack() as stack:
        stack.enter_context(_cleanup_on_sigterm())
        live, merged = (stack.enter_context(scratch_folder(f"{side}-")) for side in ("LIVE", "MERGED"))
        yield Folders(live, merged)


class _Terminated(BaseException):
    """The process received a signal to end."""


@contextmanager
def _cleanup_on_sigterm() -> Iterator[None]:
    """Let cleanups run first when a signal ends the process."""

    def end(*_: object) -> None:
        raise _Terminated

    try:
        before = signal.signal(signal.SIGTERM, end)
    except ValueError:  # not the main thread, which alone receives signals
        yield
        return
    try:
        yield
    except _Terminated:
        signal.signal(signal.SIGTERM, before)
        signal.raise_signal(signal.SIGTERM)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
