"""Whether the tests hold once Kubernetes has another release: `python -m tests.newer` adds one to a copy.

The newer release is a copy of the newest; with `--changed`, it has a further field and a further kind as well. The fast
tests are then run there; nothing of the repository itself is touched. Arguments after `--` are handed to pytest.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .conftest import ROOT

FIELD = ("io.k8s.api.core.v1.PodSpec", "novelties")
KIND = {"group": "novelty.k8s.io", "version": "v1alpha1", "kind": "Novelty"}
CHANGED = "changed.json"


def main() -> int:
    """Add the release, run the tests, and exit with their code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changed", action="store_true", help="the newer release differs from the newest")
    parser.add_argument("pytest", nargs="*", help="arguments for pytest")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "kubemerge").resolve()
        copy_files(copy)
        newest, newer = releases(copy)
        source = f"openapi/{newest}.json"
        if given.changed:
            change(copy / source, copy / CHANGED)
            source = CHANGED
        run(copy, "kubemerge", "spec", "add", newer, "--from", source)
        run(copy, "kubemerge", "generate")
        name_the_package(copy / "openapi" / "SOURCES", source)
        (copy / CHANGED).unlink(missing_ok=True)
        print(
            f"the tests, with {newer} as {f'{newest}, changed' if given.changed else f'a copy of {newest}'}", flush=True
        )
        failed = run(copy, "pytest", *given.pytest, check=False)
    print(f"with a release {newer}, the tests {'do not hold' if failed else 'hold'}")
    return failed


def copy_files(copy: Path) -> None:
    """Copy the files that git tracks, or would add, as they are now."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)


def releases(copy: Path) -> tuple[str, str]:
    """The newest supported release, and the one that will follow it."""
    minor = max(int(file.stem.partition(".")[2]) for file in (copy / "openapi").glob("1.*.json"))
    return f"1.{minor}", f"1.{minor + 1}"


def change(snapshot: Path, changed: Path) -> None:
    """A snapshot with a field and a kind more."""
    content = json.loads(snapshot.read_text(encoding="ascii"))
    definitions = content["definitions"]
    definition, field = FIELD
    definitions[definition]["properties"][field] = {"type": "array", "items": {"type": "string"}}
    definitions["io.k8s.api.novelty.v1alpha1.Novelty"] = {
        **definitions["io.k8s.api.core.v1.ConfigMap"],
        "x-kubernetes-group-version-kind": [KIND],
    }
    changed.write_text(json.dumps(content), encoding="ascii")


def name_the_package(sources: Path, source: str) -> None:
    """Make the new line of SOURCES end as the one before: each listed source has to be a package on a public index."""
    *lines, before, last = sources.read_text(encoding="ascii").splitlines(keepends=True)
    added = last.replace(source, before.split(maxsplit=3)[3].rstrip("\n"))
    sources.write_text("".join([*lines, before, added]), encoding="ascii")


def run(copy: Path, module: str, *arguments: str, check: bool = True) -> int:
    """Run a module of the copy there, and return its exit code."""
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, "-m", module, *arguments], cwd=copy, env=env, check=check).returncode


if __name__ == "__main__":
    sys.exit(main())
