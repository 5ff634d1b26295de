"""Files made to break the driver: it falls back to git's line merge, and returns soon."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from kubemerge.gitmerge import driver
from kubemerge.gitmerge.driver import Options, run
from kubemerge.gitmerge.textconv import lines
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE: dict[str, Callable[[int], str]] = {
    "deep flow": lambda n: "a: " + "[" * 5000 + str(n) + "]" * 5000 + "\n",
    "deep block": lambda n: "".join(f"{' ' * level}a:\n" for level in range(400)) + f"{' ' * 400}b: {n}\n",
    "deep dashes": lambda n: "- " * 3000 + f"{n}\n",
    "aliases": lambda n: f"{BOMB}z: {n}\n",
    "a large scalar": lambda n: HEAD + f"data:\n  a: {'x' * 3_000_000}{n}\n  b: {n}\n",
    "equal elements": lambda n: HEAD + "items2:\n" + "- a\n" * 3000 + f"- {n}\n" + "- a\n" * 3000,
    "many documents": lambda n: "---\n".join(
        f"{HEAD.replace('name: a', f'name: a{at}')}x: {n if at == 3 else 0}\n" for at in range(2000)
    ),
    "question marks": lambda n: "? " * 200 + f"{n}\n",
    "a NUL": lambda n: f"a: \0{n}\n",
    "not UTF-8": lambda n: f"a: \udcff{n}\n",
    "UTF-16": lambda n: f"\udcff\udcfea\0{n}",
    "lone returns": lambda n: f"a: 1\rb: {n}\n",
    "mixed line endings": lambda n: f"a: 1\r\nb: {n}\n",
    "tabs": lambda n: f"a:\n\tb: {n}\n",
    "directives": lambda n: f"%YAML 1.1\n---\na: {n}\n",
    "document end": lambda n: f"a: {n}\n...\n",
    "text after the dashes": lambda n: f"--- a\n---\nb: {n}\n",
    "nothing": lambda n: "\n" * n,
    "only comments": lambda n: f"# {n}\n",
}


def test_a_large_file(tmp_path: Path) -> None:
    files = [tmp_path / side for side in ("base", "ours", "theirs")]
    for number, file in enumerate(files, start=1):
        rest = f"# {'x' * 94}\n" * 260_000
        file.write_text(f"{HEAD}a: {1 if number == 3 else number}\n{rest}b: {number // 3}\n", encoding="utf-8")
    said: list[str] = []
    assert run([*map(str, files)], Options("x.yaml"), said.append) == 0
    assert said == ["x.yaml: merged by line, because it is larger than 24 MiB"]
    merged = files[1].read_text(encoding="utf-8")
    assert merged.startswith(f"{HEAD}a: 2\n")
    assert merged.endswith("b: 1\n")


THREE = [f"{HEAD}data: {{a: '{a}', b: '{b}'}}\n" for a, b in ((1, 1), (2, 1), (1, 2))]


@pytest.mark.parametrize("stopped_at", ["write", "chmod", "replace"])
def test_a_stopped_run_leaves_the_whole_file(stopped_at: str, tmp_path: Path) -> None:
    """The result replaces the file at once: the file has the old or the new content at each moment."""
    files = [tmp_path / side for side in ("base", "ours", "theirs")]
    for text, file in zip(THREE, files, strict=True):
        file.write_text(text, encoding="utf-8")
    program = (
        "import os, pathlib, sys\n"
        "from kubemerge.gitmerge import driver\n"
        "def stop(*_): os._exit(9)\n"
        f"if {stopped_at!r} == 'write': driver.open = lambda *_: type('S', (), "
        "{'__enter__': lambda s: s, '__exit__': stop, 'write': stop})()\n"
        f"else: pathlib.Path.{stopped_at} = stop\n"
        "sys.exit(driver.run(sys.argv[1:], driver.Options(), print))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *map(str, files)], cwd=ROOT, check=False)
    assert done.returncode == 9
    assert files[1].read_text(encoding="utf-8") == THREE[1]
    assert run([*map(str, files)], Options(), lambda _: None) == 0
    assert files[1].read_text(encoding="utf-8") == f"{HEAD}data: {{a: '2', b: '2'}}\n"


def test_links_and_modes_stay(tmp_path: Path) -> None:
    files = [tmp_path / side for side in ("base", "target", "theirs")]
    for text, file in zip(THREE, files, strict=True):
        file.write_text(text, encoding="utf-8")
    files[1].chmod(0o750)
    link = tmp_path / "link"
    link.symlink_to("target")
    assert run([str(files[0]), str(link), str(files[2])], Options(), lambda _: None) == 0
    assert link.is_symlink()
    assert files[1].stat().st_mode & 0o777 == 0o750
    assert "a: '2', b: '2'" in files[1].read_text(encoding="utf-8")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["base", "link", "target", "theirs"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file(name: str, tmp_path: Path) -> None:
    """Two different changes are a conflict or kept, and never an error."""
    files = [tmp_path / side for side in ("base", "ours", "theirs")]
    for number, file in enumerate(files, start=1):
        file.write_bytes(HOSTILE[name](number).encode(errors="surrogateescape"))
    before = time.process_time()
    said: list[str] = []
    code = run([*map(str, files)], Options("x.yaml"), said.append)
    assert time.process_time() - before < 20
    assert all("bug" not in line and line.startswith("x.yaml: ") for line in said)
    merged = files[1].read_bytes()
    assert code == 1 or name == "nothing", said
    assert b"<<<<<<<" in merged or name in ("a NUL", "UTF-16", "nothing")


def test_a_bug_falls_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("x")

    monkeypatch.setattr(driver, "merge", fail)
    files = [tmp_path / side for side in ("base", "ours", "theirs")]
    for text, file in zip(("a: 1\n", "a: 2\n", "a: 1\n"), files, strict=True):
        file.write_text(text, encoding="utf-8")
    said: list[str] = []
    assert run([*map(str, files)], Options("x.yaml"), said.append) == 0
    assert files[1].read_text(encoding="utf-8") == "a: 2\n"
    assert said == ["x.yaml: merged by line, because of a bug in kubemerge: RuntimeError: x"]


@pytest.mark.parametrize("changed", ["deletes a line", "changes a value"])
def test_a_wrong_edit_is_noticed(changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is parsed again: an edit that lost or changed a value falls back to git."""
    from kubemerge.gitmerge import merge, render

    def wrong(plan: object, column: int) -> list[object]:
        lines = render.render(plan, column)  # type: ignore[arg-type]
        return [
            line.replace("x: 1", "x: 7") if isinstance(line, str) else line
            for line in lines
            if changed == "changes a value" or line != "x: 1"
        ]

    monkeypatch.setattr(merge, "render", wrong)
    files = [tmp_path / side for side in ("base", "ours", "theirs")]
    for text, file in zip(
        ("x: 1\na: 1\nb: 1\nc: 1\nd: 1\n", "x: 1\na: 2\nb: 1\nc: 1\nd: 1\n", "x: 1\na: 1\nb: 1\nc: 1\nd: 2\n"),
        files,
        strict=True,
    ):
        file.write_text(text, encoding="utf-8")
    said: list[str] = []
    assert run([*map(str, files)], Options("x.yaml"), said.append) == 0
    assert said == ["x.yaml: merged by line, because the merged text has other values"]
    assert files[1].read_text(encoding="utf-8") == "x: 1\na: 2\nb: 1\nc: 1\nd: 2\n"


def test_a_diff_has_no_control_characters() -> None:
    content = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a\x1b[31m"},
        "data": {"a": "\x9b31m\u202e"},
    }
    found = [*lines(json.dumps(content).encode(), "a.yaml")]
    assert len(found) == 4
    assert all(line.isprintable() for line in found)
