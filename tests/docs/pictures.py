"""Regenerate the pictures of the documentation: `python -m tests.docs.pictures`.

Recordings are drawn from the output of the real command, and have to be equal byte by byte. Pages are shown by a real
browser, and browsers render different pixels; `SOURCES` beside them has the hash of the page of each picture.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import ROOT
from tests.kubemerge.html.browser import chromium, missing

from .recording import record

FOLDER = ROOT / "docs" / "pictures"
SOURCES = FOLDER / "SOURCES"
RECORDINGS = {"first-minute.svg": "kubemerge demo"}
PAGES = {
    "compare.png": ("compare 1.8..1.37 --kind pod,deployment,statefulset,cronjob,service,ingress", 1500, 830),
    "merge.png": ("merge -f examples/nginx/deployment.yaml --live docs/live/nginx.yaml --release 1.37", 1300, 1100),
}
"""The commands, each with the size of the window."""
LOOK = "const radios = document.querySelectorAll('input[type=radio]'); if (radios.length > 2) radios[2].click()"
"""Script that runs before a picture is taken: of long objects, only the lines that the apply changes are shown."""


def page(command: str) -> str:
    """The page that a command writes."""
    words = [sys.executable, "-m", "kubemerge", *command.split(), "--quiet", "--html", "-"]
    done = subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    return done.stdout


def sources() -> str:
    """The hash of the page of each picture."""
    rows = (f"{name} {hashlib.sha256(page(command).encode()).hexdigest()}\n" for name, (command, *_) in PAGES.items())
    return "".join(rows)


def take_pictures() -> None:
    """Let the browser show the pages."""
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder) / "profile") as browser:
        for name, (command, width, height) in PAGES.items():
            file = Path(folder) / "page.html"
            file.write_text(page(command), encoding="utf-8")
            browser.look(width=width, height=height)
            browser.open(file)
            browser.run(LOOK)
            (FOLDER / name).write_bytes(browser.picture())
            print(name)


def main() -> None:
    for name, command in RECORDINGS.items():
        (FOLDER / name).write_text(record(command), encoding="utf-8", newline="\n")
        print(name)
    if missing():
        sys.exit(f"{missing()}; the pictures of pages stay as they are")
    take_pictures()
    SOURCES.write_text(sources(), encoding="ascii")


if __name__ == "__main__":
    main()
