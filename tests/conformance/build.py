"""Builds the oracle's binary once for each state of its sources, in the user's cache directory."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCES = Path(__file__).parent / "oracle"


class OracleUnavailable(Exception):
    """The reference cannot run here; the text has the reason."""


def binary(sources: Path = SOURCES) -> Path:
    """The path of the program; builds it if these sources were never built."""
    target = cache_directory(sources) / ("oracle.exe" if os.name == "nt" else "oracle")
    if not target.exists():
        build(target, sources)
    return target


def cache_directory(sources: Path = SOURCES) -> Path:
    """`$XDG_CACHE_HOME/kubemerge/oracle/<hash>`, outside the repository."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "kubemerge" / "oracle" / sources_hash(sources)


def sources_hash(sources: Path = SOURCES) -> str:
    """A hash of all build inputs: names and contents; go.sum pins the modules."""
    digest = hashlib.sha256()
    for path in sorted([*sources.glob("*.go"), sources / "go.mod", sources / "go.sum"]):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def build(target: Path, sources: Path = SOURCES) -> None:
    """Compile to a temporary name and rename, so that concurrent builds do not interfere."""
    go = shutil.which("go")
    if go is None:
        raise OracleUnavailable("the conformance oracle needs Go (https://go.dev/dl/) and found no `go` command")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        built = Path(folder) / target.name
        done = subprocess.run(
            [go, "build", "-trimpath", "-o", str(built), "."],
            cwd=sources,
            env={**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise OracleUnavailable(f"`go build` failed for the conformance oracle:\n{done.stderr.strip()}")
        built.replace(target)
