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
OWNERSHIP = ("ownership.go", "ownership_times.go", "ownership_types.go")
REFLECT = "github.com/modern-go/reflect2 v1.0.2"
"""The versions that old modules require do not work with a new Go."""


def strategic(version: str) -> Path:
    """The program for strategic merge patches by k8s.io/apimachinery of this version, such as 0.25.16."""
    sources = {name: SOURCES / name for name in (*SHARED, *STRATEGIC)}
    sources["operations.go"] = HERE / "strategic.go"
    texts = {target: source.read_text(encoding="utf-8") for target, source in sources.items()}
    return _built(f"strategic-{version}", texts, [f"k8s.io/apimachinery v{version}"])


def ownership(version: str) -> Path:
    """The program for field managers by k8s.io/apimachinery (until 1.26, k8s.io/apiserver) of this version."""
    minor = int(version.split(".")[1])
    sources = {name: SOURCES / name for name in (*SHARED, *OWNERSHIP)}
    sources["operations.go"] = HERE / "ownership.go"
    sources["ownership_api.go"] = HERE / "ownership_until_126.go" if minor <= 26 else SOURCES / "ownership_api.go"
    if minor <= 24:
        sources["ownership_times.go"] = HERE / "ownership_times_until_124.go"
    texts = {target: source.read_text(encoding="utf-8") for target, source in sources.items()}
    names = ("apimachinery", "apiserver") if minor <= 26 else ("apimachinery",)
    modules = [f"k8s.io/{name} v{version}" for name in names]
    return _built(f"ownership-{version}", {name: _of_release(text, minor) for name, text in texts.items()}, modules)


def _of_release(text: str, minor: int) -> str:
    """A source with the names of an older release."""
    if minor <= 33:
        text = text.replace("structured-merge-diff/v6/", "structured-merge-diff/v4/")
    if minor <= 31:
        text = text.replace("fieldpath.NewExcludeSetFilter(set)", "set").replace("fieldpath.Filter", "*fieldpath.Set")
    if minor <= 24:
        text = text.replace("google/gnostic/", "googleapis/gnostic/")
    if minor <= 30:  # unstructured objects were compared with the times in their managedFields
        text = text.replace("return true\n}\n", "return !kind.Custom\n}\n") if "func keepsTimes" in text else text
        text = text.replace("func keepsTimes(*ownedKind)", "func keepsTimes(kind *ownedKind)")
    return text


def _built(name: str, texts: dict[str, str], modules: list[str]) -> Path:
    lines = "".join(f"require {module}\n" for module in [*modules, REFLECT])
    texts = {**texts, "go.mod": f"module kubemerge.test/oracle\n\ngo 1.26.0\n\n{lines}"}
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
