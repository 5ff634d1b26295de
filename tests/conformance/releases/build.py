"""Builds oracles of older releases: the sources of the oracle, with old modules and a file of each release's API.

The binaries are in the cache directory, by version and by the content of the sources.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from ..build import SOURCES, OracleUnavailable

HERE = Path(__file__).parent / "oracle"
SHARED = ("main.go", "request.go", "call.go")
STRATEGIC = ("strategic.go", "mergeitem.go")
REFLECT = "github.com/modern-go/reflect2 v1.0.2"
"""The versions that old modules require do not work with a new Go."""


def strategic(version: str) -> Path:
    """The program for strategic merge patches by k8s.io/apimachinery of this version, such as 0.25.16."""
    sources = {name: SOURCES / name for name in (*SHARED, *STRATEGIC)}
    sources["operations.go"] = HERE / "strategic.go"
    return _built(f"strategic-{version}", sources, [f"k8s.io/apimachinery v{version}"])


def _built(name: str, sources: dict[str, Path], modules: list[str]) -> Path:
    texts = {target: source.read_text(encoding="utf-8") for target, source in sources.items()}
    lines = "".join(f"require {module}\n" for module in [*modules, REFLECT])
    texts["go.mod"] = f"module kubemerge.test/oracle\n\ngo 1.26.0\n\n{lines}"
    digest = hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest()[:16]
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    target = base / "kubemerge" / "oracle" / f"{name}-{digest}"
    if not target.exists():
        _build(target, texts)
    return target


def _build(target: Path, texts: dict[str, str]) -> None:
    go = shutil.which("go")
    if go is None:
        raise OracleUnavailable("the oracles of older releases need Go, and there is no `go` command")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        built = Path(folder) / "oracle"
        done = subprocess.run(
            [go, "build", "-trimpath", "-o", str(built), "."],
            cwd=folder,
            env={**os.environ, "CGO_ENABLED": "0", "GOWORK": "off", "GOFLAGS": "-mod=mod"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise OracleUnavailable(f"`go build` failed for {target.name}:\n{done.stderr.strip()}")
        shutil.move(built, target)
