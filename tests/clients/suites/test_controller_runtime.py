"""controller-runtime's tests of its client, cache, builder and webhooks pass on a served cluster. They need one without
controllers.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ..control_plane import serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.left_out,  # compiling takes a minute
    pytest.mark.skipif(shutil.which("go") is None, reason="there is no Go here to build the tests with"),
]
MODULE = "sigs.k8s.io/controller-runtime"
PINNED = Path(__file__).parent.parent / "go"
"""The module that names the version."""
_FAILED = re.compile(r"^\s*\[FAIL\] (.+)$", re.MULTILINE)
_RAN = re.compile(r"^Ran (\d+) of \d+ Specs", re.MULTILINE)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the module; Go may write into it."""
    words = ["go", "list", "-m", "-json", MODULE]
    done = subprocess.run(words, cwd=PINNED, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout).get("Dir") if done.returncode == 0 else None
    if not found:
        fetch = ["go", "mod", "download", "-json", MODULE]
        done = subprocess.run(fetch, cwd=PINNED, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"{MODULE} cannot be fetched: {done.stderr.strip()[-300:]}")
        found = json.loads(done.stdout)["Dir"]
    target = tmp_path_factory.mktemp("controller-runtime") / "sources"
    shutil.copytree(found, target, copy_function=shutil.copy)
    for path in (target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return target


@pytest.mark.parametrize(
    ("package", "specs"),
    [
        ("pkg/client", 311),
        pytest.param("pkg/cache", 276, marks=pytest.mark.left_out),
        ("pkg/webhook", 8),
        ("pkg/builder", 72),
        ("pkg/envtest", 28),
    ],
)
def test_package(package: str, specs: int, sources: Path, tmp_path: Path) -> None:
    program = tmp_path / "tests"
    build = ["go", "test", "-c", "-o", str(program), f"./{package}"]
    built = subprocess.run(build, cwd=sources, capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.skip(f"the tests cannot be built: {built.stderr.strip()[-300:]}")
    with serving(tmp_path, "--controllers", "-*") as plane:
        environment = {**os.environ, "USE_EXISTING_CLUSTER": "true", "KUBECONFIG": str(plane.kubeconfig)}
        done = subprocess.run(
            [program, "--ginkgo.no-color"],
            cwd=sources / package,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=1200,
        )
    assert sorted(set(_FAILED.findall(done.stdout))) == []
    ran = _RAN.search(done.stdout)
    assert ran is not None, done.stdout[-3000:]
    assert int(ran[1]) == specs
