"""A git repository with several authors, without the settings of the machine."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from tests.kit.repositories import write_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ISOLATED = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


class Repository:
    """A repository in a folder. Each commit is a day younger than the one before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._day = 0
        self.git("init", "-q", "-b", "main")

    def git(self, *words: str, **variables: str) -> str:
        """The output of git."""
        done = subprocess.run(
            ["git", *words],
            cwd=self.folder,
            env={**os.environ, **ISOLATED, **variables},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def write(self, files: Mapping[str, str | None]) -> None:
        """Write files. None deletes one."""
        write_files(self.folder, files)

    def commit(self, author: str, files: Mapping[str, str | None] | None = None, summary: str = "Change it") -> str:
        """Commit these files, and return the commit."""
        self.write(files or {})
        self._day += 1
        date = f"2026-10-{self._day:02}T12:00:00+0200"
        who = {
            f"GIT_{role}_{fact}": value
            for role in ("AUTHOR", "COMMITTER")
            for fact, value in {"NAME": author, "EMAIL": "a@example.com", "DATE": date}.items()
        }
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", summary, **who)
        return self.git("rev-parse", "HEAD").strip()
