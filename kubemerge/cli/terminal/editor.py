"""Edit a text in the user's editor, without ever losing typed text."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from codegen.files import scratch_file
from engine import MergeError

from .console import console

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLES = ("KUBE_EDITOR", "EDITOR")
USUAL = "notepad" if os.name == "nt" else "vi"


class KeptEdit(MergeError):
    """A rejected edit. The file contains the edited text."""

    def __init__(self, error: object, file: str) -> None:
        self.file = file
        super().__init__(f"{error}. Your edit was saved to {file}")


class NoEditor(MergeError):
    """An editor that cannot be started, or failed."""


@contextmanager
def edited(text: str, suffix: str) -> Iterator[str]:
    """A context with the edited text. If the block fails and the text was changed, the file is kept and reported."""
    with scratch_file("kubemerge-edit-", suffix) as scratch:
        file = Path(scratch.name)
        try:
            scratch.write(text.encode())
            _run_editor(scratch.name)
            yield _read(file)
        except BaseException as error:  # an interrupt is no reason to lose it either
            scratch.is_kept = file.read_bytes().strip() not in (b"", text.encode().strip())
            if scratch.is_kept and isinstance(error, MergeError):
                raise KeptEdit(error, scratch.name) from None
            if scratch.is_kept:
                console().say(f"Your edit was saved to {scratch.name}")
            raise


def words_of(command: str, *, windows: bool = os.name == "nt") -> list[str]:
    """The words of a command. On Windows, a backslash is part of a path."""
    if not windows:
        return shlex.split(command)
    return [word.strip('"') for word in shlex.split(command, posix=False)]


def _run_editor(name: str) -> None:
    command = next((os.environ[variable] for variable in VARIABLES if os.environ.get(variable)), USUAL)
    try:
        with _left_to_the_editor():
            code = subprocess.run([*words_of(command), name], check=False).returncode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise NoEditor(f"the editor {command!r} cannot be started ({reason}). Set KUBE_EDITOR") from None
    if code in (-signal.SIGINT, 128 + signal.SIGINT):
        raise KeyboardInterrupt
    if code:
        raise NoEditor(f'there was a problem with the editor "{command}"')


@contextmanager
def _left_to_the_editor() -> Iterator[None]:
    """A context in which this process ignores Ctrl-C. The editor receives the signal too, and handles it."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: None)  # which the editor does not inherit
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise MergeError("the edited file is not UTF-8 text. Save it as UTF-8") from None
