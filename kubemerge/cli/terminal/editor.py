"""Editing a text in the user's editor, without ever losing what was typed."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engine import MergeError

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLES = ("KUBE_EDITOR", "EDITOR")
USUAL = "notepad" if os.name == "nt" else "vi"


class KeptEdit(MergeError):
    """An edit that could not be used; the file has what was typed."""

    def __init__(self, error: object, file: str) -> None:
        self.file = file
        super().__init__(f"{error}; what you typed is kept in {file}")


class NoEditor(MergeError):
    """An editor that cannot be run, or failed."""


@contextmanager
def edited(text: str, suffix: str) -> Iterator[str]:
    """A context with the edited text. If the block fails, the file is kept and the error names it."""
    handle, name = tempfile.mkstemp(prefix="kubemerge-edit-", suffix=suffix)
    file = Path(name)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    try:
        _run_editor(name)
        yield _read(file)
    except MergeError as error:
        if file.read_bytes().strip() in (b"", text.encode().strip()):
            file.unlink()
            raise
        raise KeptEdit(error, name) from None
    file.unlink()


def words_of(command: str, *, windows: bool = os.name == "nt") -> list[str]:
    """The words of a command; on Windows, a backslash in it is a part of a path."""
    if not windows:
        return shlex.split(command)
    return [word.strip('"') for word in shlex.split(command, posix=False)]


def _run_editor(name: str) -> None:
    command = next((os.environ[variable] for variable in VARIABLES if os.environ.get(variable)), USUAL)
    try:
        code = subprocess.run([*words_of(command), name], check=False).returncode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise NoEditor(f"the editor {command!r} cannot be run ({reason}); set KUBE_EDITOR") from None
    if code:
        raise NoEditor(f'there was a problem with the editor "{command}"')


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise MergeError("the edited file is not UTF-8 text; save it as UTF-8") from None
