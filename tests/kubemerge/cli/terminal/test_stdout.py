"""Objects on standard output: YAML documents, or one List. Pages go to any output."""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from pathlib import Path
from subprocess import PIPE, Popen, run
from typing import Any

import pytest

from engine import MergeError
from kubemerge.cli.terminal.stdout import print_objects, print_whole, write_page

from ....conftest import ROOT
from ...objects import config_map


def test_several_objects_are_documents_of_yaml_and_a_list_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    objects = [config_map("a"), config_map("b")]
    print_objects(objects, "yaml")
    assert capsys.readouterr().out.count("---\n") == 1
    print_objects(objects, "json")
    assert json.loads(capsys.readouterr().out) == {"apiVersion": "v1", "items": objects, "kind": "List", "metadata": {}}
    print_objects(objects[:1], "json")
    assert json.loads(capsys.readouterr().out) == objects[0]


def test_a_list_of_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    """kubectl 1.37 prints `metadata: {}` after an apply, and the fields of its JSON in another order."""
    objects: list[dict[str, Any]] = [{"a": "<", "b": []}, {"c": {}}]
    print_whole(objects, "json")
    assert capsys.readouterr().out == LIST
    print_whole(objects, "yaml")
    assert capsys.readouterr().out == "apiVersion: v1\nitems:\n- a: <\n  b: []\n- c: {}\nkind: List\nmetadata: {}\n"


LIST = r"""{
    "kind": "List",
    "apiVersion": "v1",
    "metadata": {},
    "items": [
        {
            "a": "\u003c",
            "b": []
        },
        {
            "c": {}
        }
    ]
}
"""


# ---- pages ----------------------------------------------------------------------------------------------------------

needs_posix = pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX")


@needs_posix
@pytest.mark.parametrize("linked", [False, True])
def test_a_device_gets_the_page_and_stays(tmp_path: Path, linked: bool) -> None:
    """The device is a new terminal: a device of the machine would be lost if this failed."""
    ours, theirs = os.openpty()
    name = os.ttyname(theirs)
    if linked:
        (tmp_path / "link").symlink_to(name)
    write_page(str(tmp_path / "link") if linked else name, "text")
    assert os.read(ours, 100) == b"text"
    assert stat.S_ISCHR(Path(name).stat().st_mode)
    assert not linked or (tmp_path / "link").is_symlink()
    os.close(ours)
    os.close(theirs)


@needs_posix
def test_a_device_that_takes_nothing(tmp_path: Path) -> None:
    full = tmp_path / "full"
    try:
        os.mknod(full, stat.S_IFCHR | 0o600, os.makedev(1, 7))
        full.write_text("")
    except OSError:
        pytest.skip("only root can make a device, and not everywhere")
    with pytest.raises(MergeError, match=r"full: No space left on device\. Use a file"):
        write_page(str(full), "text")
    assert stat.S_ISCHR(full.stat().st_mode)


@needs_posix
def test_a_pipe_that_nobody_reads_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(MergeError, match=r"pipe: the pipe has no reader\. Use a file"):
        write_page(str(tmp_path / "pipe"), "text")
    assert (tmp_path / "pipe").is_fifo()


@needs_posix
def test_a_pipe_that_somebody_reads_gets_the_page(tmp_path: Path) -> None:
    pipe, text = tmp_path / "pipe", "text\n" * 100_000
    os.mkfifo(pipe)
    copy = tmp_path / "copy"
    with copy.open("wb") as stream, Popen(["cat", pipe], stdout=stream) as reader:
        for _ in range(1000):
            try:
                write_page(str(pipe), text)
                break
            except MergeError:
                time.sleep(0.01)  # it has not begun yet
        reader.wait(timeout=10)
    assert copy.read_text(encoding="utf-8") == text


@needs_posix
@pytest.mark.parametrize("to", ["pipe", "file"])
@pytest.mark.parametrize(
    "name",
    ["/dev/stdout", *(pytest.param(name, marks=pytest.mark.slow) for name in ("/dev/fd/1", "/proc/self/fd/1"))],
)
def test_standard_output_by_its_other_names_is_not_replaced(tmp_path: Path, name: str, to: str) -> None:
    """The page is appended, and earlier output stays. A failure would replace a link, not the machine's name."""
    if not Path(name).parent.exists():
        pytest.skip(f"there is no {name}")
    out, link = tmp_path / "out.txt", tmp_path / "link"
    link.symlink_to(name)
    words = [sys.executable, "-m", "kubemerge", "compare", "1.12", "1.13", "--kind", "pod", "--html", str(link)]
    with out.open("w+", encoding="utf-8") as stream:
        done = run(words, stdout=PIPE if to == "pipe" else stream, timeout=60, cwd=ROOT, check=True)
        said = done.stdout.decode() if to == "pipe" else out.read_text(encoding="utf-8")
    assert said.startswith("1.12 to 1.13"), said[:80]
    assert said.rstrip().endswith("</html>")
    assert link.is_symlink()


@needs_posix
def test_a_folder_is_not_a_page(tmp_path: Path) -> None:
    with pytest.raises(MergeError, match=r"not a file\. Use a file"):
        write_page(str(tmp_path), "text")
