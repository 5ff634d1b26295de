"""What people install: the wheel, away from the clone."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from .conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

PROGRAM = """
import engine, codegen, kubemerge, sys
assert not any(path.startswith(ROOT) for module in (engine, codegen, kubemerge) for path in [module.__file__])
rule = engine.load("1.37").schema("apps/v1", "Deployment").rule("spec.template.spec.containers.ports")
print(rule.merge_key, len(engine.releases()), kubemerge.load is engine.load)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of what is needed for it, so that nothing is left in the clone."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "engine", "codegen", "generated", "kubemerge", "openapi"):
        if (ROOT / name).exists():
            subprocess.run(["cp", "-r", str(ROOT / name), str(source / name)], check=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and any(
        word in done.stderr for word in ("No matching distribution", "connection", "Could not find")
    ):
        pytest.skip("setuptools cannot be fetched here, so the wheel cannot be built")
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("*.whl")
    return found


def test_it_holds_the_tables_and_no_snapshots(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    kept = {file.name for file in (ROOT / "generated").glob("*.py")}
    assert {name.partition("/")[2] for name in names if name.startswith("generated/")} == kept
    for package in ("engine", "codegen", "kubemerge"):
        written = {str(file.relative_to(ROOT)) for file in (ROOT / package).rglob("*.py")}
        assert written <= set(names)
        assert f"{package}/py.typed" in names
    assert {f"codegen/templates/{file.name}" for file in (ROOT / "codegen" / "templates").glob("*.j2")} <= set(names)
    assert "kubemerge/serve/protobuf/messages.txt" in names
    assert not [name for name in names if name.startswith(("openapi", "tests", "benchmarks")) or name.endswith(".json")]
    assert wheel.stat().st_size < 1.5 * 2**20


def test_it_works_away_from_the_clone(wheel: Path, tmp_path: Path) -> None:
    target, elsewhere = tmp_path / "target", tmp_path / "elsewhere"
    elsewhere.mkdir()
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(wheel)],
        check=True,
    )
    env = {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, "PYTHONPATH": str(target)}

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], cwd=elsewhere, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("-c", f"ROOT = {str(ROOT)!r}\n{PROGRAM}") == "containerPort 31 True\n"
    assert run("-m", "kubemerge", "releases").splitlines()[-1] == "1.37"
    (elsewhere / "crd.yaml").write_bytes((ROOT / "tests" / "data" / "specs" / "crd-v1.yaml").read_bytes())
    run("-m", "kubemerge", "generate", "--spec", "crd.yaml", "--out", "mine")
    assert (
        run("-c", "import engine; print(engine.load(package='mine').kinds()[0])") == "('test.example/v1', 'Widget')\n"
    )
