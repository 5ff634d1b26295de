"""kr8s' own tests pass on a served cluster where they pass on a real API server without a kubelet."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from kubemerge.apiserver.http.listening.certificates import self_signed

from ...conftest import read_yaml
from ..control_plane import program, serving

HERE = Path(__file__).parent
LISTED: dict[str, Any] = read_yaml(HERE / "kr8s.yaml")
"""The tests that do not have to pass, with the reasons, and those that need a token."""
PACKAGES = (
    *("pytest", "pytest-asyncio", "pytest-timeout", "trio", "lightkube", "kubernetes", "kubernetes-asyncio"),
    *("pykube-ng", "kubernetes-validate"),
)
SECONDS = 60
"""After so many a test has failed."""


def kr8s_version() -> str | None:
    try:
        return version("kr8s")
    except PackageNotFoundError:
        return None


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(kr8s_version() is None, reason="there is no kr8s here, whose version names that of the tests"),
    pytest.mark.skipif(program("kubectl") is None, reason="KUBEMERGE_REAL_API names no folder with kubectl"),
]


def fetched(folder: Path) -> tuple[Path, Path]:
    """The sources of kr8s, and a Python with the packages for its tests. Skips the test if they cannot be fetched."""
    pinned = f"kr8s=={kr8s_version()}"
    python = folder / "venv" / "bin" / "python"
    steps = [
        [sys.executable, "-m", "venv", str(folder / "venv")],
        [str(python), "-m", "pip", "install", "-q", pinned, *PACKAGES],
        [str(python), "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "kr8s", "-d", str(folder), pinned],
    ]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"the tests of kr8s cannot be fetched: {done.stderr.strip()[-300:]}")
    (archive,) = folder.glob("kr8s-*.tar.gz")
    with tarfile.open(archive) as content:
        content.extractall(folder, filter="data")
    sources = folder / archive.name.removesuffix(".tar.gz")
    shutil.copy(HERE / "kr8s_conftest.py", sources / "conftest.py")
    return sources, python


def with_certificate(kubeconfig: Path) -> None:
    """Give the user a client certificate, which tests read and the server does not require."""
    content = read_yaml(kubeconfig)
    certificate, key = (base64.b64encode(one).decode() for one in self_signed("client"))
    content["users"][0]["user"] |= {"client-certificate-data": certificate, "client-key-data": key}
    kubeconfig.write_text(yaml.safe_dump(content), encoding="utf-8")


def run(sources: Path, python: Path, kubeconfig: Path, *selected: str) -> dict[str, str]:
    """The failure of each of the selected tests, or an empty string for a passed test."""
    report = sources / "report.xml"
    words = ["-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "asyncio_mode=auto"]
    words += [f"--timeout={SECONDS}", f"--junitxml={report}"]
    environment = {**os.environ, "KUBECONFIG": str(kubeconfig), "HOME": str(sources)}
    environment["PATH"] = f"{Path(str(program('kubectl'))).parent}{os.pathsep}{os.environ['PATH']}"
    command = [str(python), *words, *selected]
    done = subprocess.run(command, cwd=sources, env=environment, capture_output=True, text=True, check=False)
    assert report.exists(), done.stdout[-3000:] + done.stderr[-3000:]
    found: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').rpartition('.')[2]}.py::{case.get('name')}"
        bad = [part for part in case if part.tag in ("failure", "error")]
        found[name] = "\n".join(str(part.text) for part in bad)
    return found


@pytest.fixture(scope="module")
def kr8s(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return fetched(tmp_path_factory.mktemp("kr8s"))


def test_kr8s(kr8s: tuple[Path, Path], tmp_path: Path) -> None:
    passed_over = [*LISTED["real"], *LISTED["token"], *LISTED["races"]]
    with serving(tmp_path, "--tls") as plane:
        with_certificate(plane.kubeconfig)
        found = run(*kr8s, plane.kubeconfig, *(f"--deselect=kr8s/tests/{one}" for one in passed_over), "kr8s")
    assert {name: why[-1500:] for name, why in found.items() if why} == {}
    assert len(found) >= LISTED["passes"]


def test_kr8s_with_a_token(kr8s: tuple[Path, Path], tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("sesame", encoding="utf-8")
    with serving(tmp_path, "--tls", "--token-file", str(token)) as plane:
        found = run(*kr8s, plane.kubeconfig, *(f"kr8s/tests/{one}" for one in LISTED["token"]))
    assert {name: why[-1500:] for name, why in found.items()} == dict.fromkeys(LISTED["token"], "")
