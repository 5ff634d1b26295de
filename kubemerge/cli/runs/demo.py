"""Run `kubemerge demo`: its commands, in order, in a folder with its files."""

from __future__ import annotations

import errno
import os
import shlex
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from codegen.files import scratch_folder

from ...demo.story import CHAPTERS, write_files
from ...output.addresses import SITE
from ..main import ENDED_FROM_OUTSIDE, run_words
from ..terminal.colours import styled
from ..terminal.console import console, echo_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...demo.story import Chapter

CLUSTER = "KUBEMERGE_CLUSTER"
COLOURS = {"always": ("NO_COLOR", "FORCE_COLOR"), "never": ("FORCE_COLOR", "NO_COLOR")}
"""For each value of --color: the variable to remove from the environment, and the one to set."""


NEXT_COMMANDS = {
    "kubemerge lint -R FOLDER": "report manifests that a server rejects or an apply breaks",
    "kubemerge diff -R -f FOLDER --live LIVE": "show changes (LIVE: output of `kubectl get -o yaml`)",
    "kubemerge compare 1.31..1.37 -R -f FOLDER": "check an upgrade",
    "kubemerge --help": "list all commands",
}


def run(folder: Path | None) -> int:
    """Print the demo on standard output and return its exit code."""
    with _at(folder):
        echo_text("What does kubectl apply do, and why? Four examples, without a cluster.\n")
        for number, chapter in enumerate(CHAPTERS, 1):
            if not _play(number, chapter):
                return 2
    _end(folder)
    return 0


@contextmanager
def _at(folder: Path | None) -> Iterator[None]:
    """A context in a folder with the files, a separate cluster and the requested colours. Restore everything
    afterwards.
    """
    here, variables = Path.cwd(), dict(os.environ)
    with scratch_folder("kubemerge-demo-") as temporary:
        try:
            os.environ.pop(CLUSTER, None)
            if console().color in COLOURS:
                gone, there = COLOURS[console().color]
                os.environ.pop(gone, None)
                os.environ[there] = "1"
            os.chdir(_filled(folder or temporary))
            yield
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(variables)


def _filled(folder: Path) -> Path:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(errno.EEXIST, "the folder is not empty. Name a new folder", str(folder))
    write_files(folder)
    return folder


def _play(number: int, chapter: Chapter) -> bool:
    """Print a chapter. Return whether its commands exited with the expected codes."""
    echo_text(f"{number}. {chapter.question}")
    for command, ends in chapter.commands:
        echo_text(_as_typed(f"$ {command}"))
        sys.stdout.flush()
        code = run_words(shlex.split(command)[1:])
        if code in ENDED_FROM_OUTSIDE:
            raise ENDED_FROM_OUTSIDE[code]
        if code != ends:
            console().complain(f"the command exited with {code} instead of {ends}")
            return False
    echo_text(f"\n{chapter.answer}\n")
    return True


def _as_typed(line: str) -> str:
    return f"\n{styled(line, bold=True)}"


def _end(folder: Path | None) -> None:
    left = f"The files of this demo are in {folder}." if folder else "`kubemerge demo FOLDER` keeps its files."
    commands = "\n".join(f"  {command:41}   {purpose}" for command, purpose in NEXT_COMMANDS.items())
    echo_text(f"Next, try your own files:\n\n{commands}\n\n{left} Documentation: {SITE}")
