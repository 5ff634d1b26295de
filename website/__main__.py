"""Build the site: `python -m website [FOLDER]`; `build/site` by default. A warning of Sphinx is an error."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import ROOT

from .staging import stage

PLAYGROUND = ROOT / "build" / "playground"
"""The folder of the playground, if it was built."""


def main() -> int:
    """Stage the sources and run Sphinx."""
    parser = argparse.ArgumentParser(prog="python -m website", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site")
    parser.add_argument(
        "--playground", type=Path, metavar="FOLDER", help="put this folder into the site as playground/"
    )
    asked = parser.parse_args()
    folder, playground = asked.folder.absolute(), asked.playground or PLAYGROUND
    with tempfile.TemporaryDirectory(prefix="kubemerge-site-") as temporary:
        source, made = Path(temporary, "source"), Path(temporary, "made")
        stage(source, playground=playground.is_dir())
        command = ["sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-b", "html", str(source), str(made)]
        done = subprocess.run([sys.executable, "-m", *command], check=False)
        if done.returncode:
            return done.returncode
        for left in (".buildinfo", ".doctrees", "_sources", "objects.inv"):
            _remove(made / left)
        if playground.is_dir():
            shutil.copytree(playground, made / "playground")
        _remove(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, folder)
    print(f"{folder}: {len(list(folder.rglob('*.html')))} pages")
    return 0


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
