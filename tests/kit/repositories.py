"""A repository that uses the kit, and programs that are run in it as a CI machine runs them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from ..conftest import ROOT, read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

GOOD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\ndata: {a: b}\n"
BAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad}\ndata: {a: 1}\n"
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
"""
CRON_JOB = """\
apiVersion: batch/v1beta1
kind: CronJob
metadata: {name: nightly, namespace: shop}
spec:
  schedule: "0 1 * * *"
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: job, image: "job:1"}]}
"""
SECRET = """\
apiVersion: v1
kind: Secret
metadata: {name: login, namespace: shop}
stringData: {password: PASSWORD}
"""


def load(name: str) -> Any:
    """A file of the kit."""
    return read_yaml(ROOT / name)


def programs(folder: Path) -> Path:
    """A folder for PATH with `kubemerge` and `python`, which are the ones under test."""
    folder.mkdir(exist_ok=True)
    for name, words in {"kubemerge": ("-m", "kubemerge"), "python": (), "python3": ()}.items():
        file = folder / name
        command = " ".join(map(shlex.quote, (sys.executable, *words)))
        file.write_text(f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {command} "$@"\n')
        file.chmod(0o755)
    return folder


def environment(folder: Path, **more: str) -> dict[str, str]:
    """A plain environment: from the user who runs the tests, it only has PATH."""
    path = f"{programs(folder / 'bin')}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8", "KUBEMERGE_NO_CACHE": "1", **more}


def run(*words: str, cwd: Path, env: Mapping[str, str], code: int | None = 0) -> subprocess.CompletedProcess[str]:
    """A program, which has to end with this code."""
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert code is None or done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def write_files(folder: Path, files: Mapping[str, str | None]) -> None:
    """Write files below a folder. None deletes one."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_bytes(text.encode())


class Repository:
    """A git repository in a folder."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.env = folder, env
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str) -> str:
        """The output of git."""
        as_somebody = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
        return run("git", *as_somebody, *words, cwd=self.folder, env=self.env).stdout.strip()

    def commit(self, files: Mapping[str, str | None]) -> str:
        """Write these files (None: remove), commit them, and return the commit."""
        write_files(self.folder, files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a change")
        return self.git("rev-parse", "HEAD")
