"""kubectl's shell tests, from the Go module of Kubernetes. They are fetched, and not stored in the repository."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

MODULE, VERSION = "k8s.io/kubernetes", "v1.37.1"
COPIED = (
    "hack/lib",
    "hack/testdata",
    "test/cmd",
    "test/fixtures",
    "test/e2e/testing-manifests",
    "third_party/forked/shell2junit",
)
"""Folders that a case uses. They are copied because the scripts find each other from their real paths."""
_CASE = re.compile(r"^\s*record_command (run_\w+)$", re.MULTILINE)


def fetched() -> Path:
    """The folder of the module in Go's cache."""
    words = ["go", "mod", "download", "-json", f"{MODULE}@{VERSION}"]
    found = json.loads(subprocess.run(words, cwd="/", capture_output=True, text=True, check=True).stdout)
    return Path(found["Dir"])


def copied(module: Path, target: Path) -> Path:
    """A folder with the scripts, in which they may write."""
    for name in COPIED:
        shutil.copytree(module / name, target / name, copy_function=shutil.copy)
    for path in (target, *target.rglob("*")):  # a module has no programs and nothing to write to
        program = path.is_dir() or path.read_bytes()[:2] == b"#!"
        path.chmod(0o755 if program else 0o644)
    return target


def cases(module: Path) -> list[str]:
    """The names of all cases, in the order in which Kubernetes runs them."""
    return list(dict.fromkeys(_CASE.findall((module / "test/cmd/legacy-script.sh").read_text(encoding="utf-8"))))
