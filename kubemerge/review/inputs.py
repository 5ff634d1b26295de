"""Inputs of an action step: environment variables, and the runner's event."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir
from typing import Any, NamedTuple


class Inputs(NamedTuple):
    """The inputs of the action, as the user wrote them."""

    paths: tuple[str, ...]
    release: str
    upgrade: str
    """The range of releases of the upgrade report. If it is empty, there is no such report."""
    schemas: tuple[str, ...]
    severity: str
    base: str
    """A revision to compare with. Empty: the event's base."""
    comments: bool
    token: str


def inputs() -> Inputs:
    """The inputs from the environment. Several paths are on separate lines."""
    release, upgrade = _text("RELEASE"), _text("UPGRADE")
    return Inputs(
        tuple(_lines("PATHS")) or (".",),
        release,
        upgrade or (release if ".." in release else ""),
        tuple(_lines("SCHEMAS")),
        _text("SEVERITY"),
        _text("BASE"),
        _text("COMMENT") != "false",
        _text("TOKEN"),
    )


def _text(name: str) -> str:
    return os.environ.get(f"KUBEMERGE_{name}", "").strip()


def _lines(name: str) -> list[str]:
    return [line.strip() for line in _text(name).splitlines() if line.strip()]


def event() -> dict[str, Any]:
    """The event from the runner. Empty if there is none."""
    file = os.environ.get("GITHUB_EVENT_PATH", "")
    try:
        found = json.loads(Path(file).read_bytes()) if file else {}
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def number(of: dict[str, Any]) -> int | None:
    """The number of the pull request that an event is about."""
    found = (of.get("pull_request") or {}).get("number")
    return found if isinstance(found, int) else None


def scratch() -> Path:
    """A private folder for files that the steps share, because they contain Secrets."""
    folder = Path(os.environ.get("RUNNER_TEMP") or gettempdir()) / "kubemerge-review"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def set_output(**values: object) -> None:
    """Set an output for other steps of the job."""
    file = os.environ.get("GITHUB_OUTPUT")
    if file:
        with Path(file).open("a", encoding="utf-8") as stream:
            stream.writelines(f"{name}={value}\n" for name, value in values.items())


def kubemerge(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a kubemerge command in isolated mode. No module is imported from the untrusted folder."""
    command, *options = words
    return subprocess.run(
        [sys.executable, "-I", "-m", "kubemerge", command, "--color=never", *options],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
    )
