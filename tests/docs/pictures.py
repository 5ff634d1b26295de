"""Takes the pictures of the documentation anew, with a real browser: `python -m tests.docs.pictures`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import ROOT

PICTURES = {
    "compare.png": ("compare", "1.8..1.37", "--kind", "pod,deployment,statefulset,cronjob,service,ingress"),
}
WIDTH, HEIGHT = 1500, 830
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars")


def take(name: str, browser: str, folder: Path) -> None:
    """Let the command write its page, and the browser show it."""
    page = folder / f"{name}.html"
    command = [sys.executable, "-m", "kubemerge", *PICTURES[name], "--quiet", "--html", str(page)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    to = ROOT / "docs" / "pictures" / name
    to.parent.mkdir(exist_ok=True)
    shown = [f"--user-data-dir={folder / 'profile'}", f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={to}"]
    subprocess.run([browser, *QUIET, *shown, page.as_uri()], check=True, capture_output=True)


def main() -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("there is no chromium here; install one")
    with tempfile.TemporaryDirectory() as folder:
        for name in PICTURES:
            take(name, browser, Path(folder))


if __name__ == "__main__":
    main()
