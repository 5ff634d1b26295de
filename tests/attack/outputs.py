"""Outputs that are not ordinary files: devices, pipes without a reader, closed streams, no space, no rights.

A command that cannot report its result ends with an error and one sentence, if any stream can take it. It never hangs,
never replaces anything but a regular file, and never leaves half of a file.
"""

from __future__ import annotations

import ctypes
import os
import resource
import stat
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from kubemerge.cluster import open_cluster

from ..conftest import ROOT
from .commands import Said, ended, fails_well, one_sentence, started
from .kills import FILE, FULL, as_live, marked, stored
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Callable

    from .trial import Trial, Tried

TIMES = 4
"""For each output and command, in a full attack."""
DEPLOYMENT = str(ROOT / "examples" / "nginx" / "deployment.yaml")
COMMANDS = (
    ("get", "configmap", "--cluster", FILE),
    ("get", "configmap", "-o", "yaml", "--cluster", FILE),
    ("cluster", "export", "--cluster", FILE),
    ("cluster", "info", "--cluster", FILE),
    ("apply", "-f", DEPLOYMENT, "--cluster", FILE),
    ("merge", "-f", DEPLOYMENT),
    ("diff", "-f", DEPLOYMENT, "--cluster", FILE),
    ("why", "-f", DEPLOYMENT),
    ("lint", "-f", DEPLOYMENT),
    ("kinds",),
    ("explain", "deployment.spec"),
    ("releases",),
    ("compare", "1.36", "1.37", "--kind", "pod"),
    ("--help",),
)
PAGES = (
    ("compare", "1.36", "1.37", "--kind", "pod"),
    ("diff", "-f", DEPLOYMENT),
    ("merge", "-f", DEPLOYMENT),
)


def attack(trial: Trial) -> Tried:
    """Send the output of commands to each unusual place."""
    folder = trial.new_folder()
    _fill(folder)
    times = trial.often(TIMES)
    for what, prepare, codes in STREAMS:
        for words in COMMANDS:
            silent = not ended(folder, *words).out
            for _ in range(times):
                said = started(folder, *words, prepare=prepare).ended()
                insist(said.code in codes or silent, f"{words} ends with {said.code}, with {what}")
                one_sentence(said, (*codes, 0, 1))
                insist("lost sys.stderr" not in said.err, f"{words} to {what}: {said.err}")
        yield what, len(COMMANDS) * times
    for name, attacked in PLACES.items():
        for words in PAGES:
            for _ in range(times):
                attacked(folder, words)
        yield f"pages to {name}", len(PAGES) * times
    for _ in range(times):
        _no_space(trial)
    yield "files that may not grow any further", times * len(LIMITS)
    for _ in range(times):
        _no_rights(trial)
    yield "commands where they may only read", len(MODES) * times * len(READ_ONLY)


def _fill(folder: Path) -> None:
    with open_cluster(str(folder / FILE)) as cluster:
        cluster.load([as_live(marked(name, "0")) for name in FULL])


# ---- streams -------------------------------------------------------------------------------------------------------


def _to(device: str, *streams: int) -> Callable[[], None]:
    def prepare() -> None:
        for stream in streams:
            os.dup2(os.open(device, os.O_WRONLY), stream)

    return prepare


def _closed(*streams: int) -> Callable[[], None]:
    """Close streams as a shell does with `>&-`: Python then has no such stream."""

    def prepare() -> None:
        import sys

        for stream in streams:
            os.close(stream)
            setattr(sys, ("stdin", "stdout", "stderr")[stream], None)

    return prepare


def _nobody_reads() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)


STREAMS: tuple[tuple[str, Callable[[], None], tuple[int, ...]], ...] = (
    ("standard output to /dev/full", _to("/dev/full", 1), (1, 2)),
    ("standard output to /dev/null", _to("/dev/null", 1), (0, 1)),
    ("standard error to /dev/full", _to("/dev/full", 2), (0, 1, 2)),
    ("both to /dev/full", _to("/dev/full", 1, 2), (1, 2)),
    ("standard output to a pipe that nobody reads", _nobody_reads, (1, 2, 141)),
    ("standard output is closed", _closed(1), (1, 2)),
    ("standard error is closed", _closed(2), (0, 1, 2)),
    ("standard input is closed", _closed(0), (0, 1)),
    ("all streams are closed", _closed(0, 1, 2), (1, 2)),
)
"""The state of the streams, a function that prepares it, and the exit codes that may follow."""


# ---- pages ---------------------------------------------------------------------------------------------------------


def _page(folder: Path, words: tuple[str, ...], name: str) -> Said:
    return ended(folder, *words, "--html", name)


NUMBERS = {"null": (1, 3), "full": (1, 7)}


def _to_a_device(folder: Path, words: tuple[str, ...]) -> None:
    """Write to devices made for this test: replacing the machine's devices would break everything on it."""
    for name, number in NUMBERS.items():
        device = folder / name
        try:
            os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(*number))
        except PermissionError:
            continue  # so the machine's devices could not be replaced either
        said = _page(folder, words, name)
        (one_sentence if name == "null" else fails_well)(said, (0, 1, 2))
        insist(stat.S_ISCHR(device.stat().st_mode), f"the device {name} was replaced by a page")
        device.unlink()


def _to_a_pipe(folder: Path, words: tuple[str, ...]) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    process = started(folder, *words, "--html", "pipe")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        while process.poll() is None:
            try:
                os.read(reader, 1 << 20)
            except BlockingIOError:
                continue
        one_sentence(process.ended())
        insist(stat.S_ISFIFO(pipe.stat().st_mode), "a pipe was replaced by a page")
    finally:
        os.close(reader)
        pipe.unlink()


def _through_a_link(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "target.html").write_text("old")
    (folder / "link.html").symlink_to("target.html")
    one_sentence(_page(folder, words, "link.html"))
    insist((folder / "link.html").is_symlink(), "a link was replaced by a page")
    (folder / "link.html").unlink()


def _to_a_folder(folder: Path, words: tuple[str, ...]) -> None:
    for name in (".", "missing/page.html", "a" * 300, FILE + "/x"):
        fails_well(_page(folder, words, name), (2,))


PLACES = {
    "devices": _to_a_device,
    "a pipe": _to_a_pipe,
    "a link": _through_a_link,
    "folders and names that cannot be": _to_a_folder,
}


# ---- no space, no rights -------------------------------------------------------------------------------------------

LIMITS = (0, 1 << 12, 60 << 10, 100 << 10, 130 << 10)
"""File size limits in bytes."""


def _limited(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def _no_space(trial: Trial) -> None:
    """Apply, import and write a page where files cannot grow: earlier content stays, and every failure is reported."""
    for size in LIMITS:
        folder = trial.new_folder()
        _fill(folder)
        (folder / "page.html").write_text("old")
        before = stored(folder / FILE, "before")
        limit = size + trial.random.randrange(4_096)
        for words in (
            ("compare", "1.36", "1.37", "--html", "page.html"),
            ("generate", "--spec", "crd.json", "--out", "mine"),
        ):
            one_sentence(started(folder, *words, prepare=_limited(limit)).ended(), (0, 2))
        page = (folder / "page.html").read_text()
        insist(page == "old" or page.rstrip().endswith("</html>"), "a page is lost for want of space")
        said = started(folder, "apply", "-f", DEPLOYMENT, "--cluster", FILE, prepare=_limited(limit)).ended()
        one_sentence(said, (0, 1))
        insist(said.out == "" or said.code == 0, f"it was done, and was not: {said}")
        insist(stored(folder / FILE, "no space") == before, "objects are lost for want of space")
        left = [file.name for file in folder.iterdir() if file.name.startswith(".")]
        insist(not left, f"{left} stay behind where there is no space")


MODES = (0o444, 0o000)
"""The rights of a cluster's file, in a folder that may only be read."""
READ_ONLY = (
    ("get", "configmap", "--cluster", FILE),
    ("cluster", "info", "--cluster", FILE),
    ("apply", "-f", "m.yaml", "--cluster", FILE),
    ("cluster", "import", "m.yaml", "--cluster", FILE),
    ("diff", "-f", "m.yaml", "--html", "page.html"),
    ("generate", "--spec", "crd.json", "--out", "mine"),
    ("spec", "add", "1.37", "--from", "crd.json"),
    ("apply", "-f", "m.yaml"),
)
READING = ("get", "cluster", "diff")
"""Commands that may succeed."""


def _without_privileges() -> None:
    """Drop all privileges beyond those of a file's owner, even as root."""
    if os.getuid() == 0:
        library = ctypes.CDLL(None, use_errno=True)
        none = library.capset(struct.pack("Ii", _CAPABILITIES, 0), struct.pack("6I", *[0] * 6))
        insist(none == 0, "root cannot give its privileges away")


_CAPABILITIES = 0x20080522
"""The version of the numbers that capset takes."""


def _no_rights(trial: Trial) -> None:
    """Every command in a read-only folder: it reads, or reports that it may not."""
    folder = trial.new_folder()
    _fill(folder)
    (folder / "m.yaml").write_text(Path(DEPLOYMENT).read_text())
    (folder / "crd.json").write_text('{"definitions":{}}')
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    for mode in MODES:
        (folder / FILE).chmod(mode)
        folder.chmod(0o555)
        for words in READ_ONLY:
            said = started(folder, *words, prepare=_without_privileges).ended()
            (one_sentence if words[0] in READING else fails_well)(said, (0, 1, 2))
            insist(said.code or mode, f"{words} has read what nobody may read")
        folder.chmod(0o755)
        (folder / FILE).chmod(0o644)
    insist(
        {file.name: file.read_bytes() for file in folder.iterdir()} == before,
        "files that may only be read have changed",
    )
