"""Builds the oracle's binary once for each state of its sources, into the user's cache directory."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

SOURCES = Path(__file__).parent / "oracle"


class OracleUnavailable(Exception):
    """The reference cannot be asked here; the text says why."""


def binary(sources: Path = SOURCES) -> Path:
    """The path of the built program; builds it when these sources were never built."""
    target = cache_directory(sources) / ("oracle.exe" if os.name == "nt" else "oracle")
    if not target.exists():
        build(target, sources)
    return target


def cache_directory(sources: Path = SOURCES) -> Path:
    """`$XDG_CACHE_HOME/kubemerge/oracle/<hash>`, outside of the tree."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "kubemerge" / "oracle" / sources_hash(sources)


def sources_hash(sources: Path = SOURCES) -> str:
    """Names and contents of everything the build reads; the pinned modules are part of it through go.sum."""
    digest = hashlib.sha256()
    for path in sorted([*sources.glob("*.go"), sources / "go.mod", sources / "go.sum"]):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def build(target: Path, sources: Path = SOURCES) -> None:
    """Compiles beside the target and renames, so that two builds at once cannot hurt each other."""
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
