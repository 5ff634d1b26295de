"""The files of a path, their order, and the errors for unreadable ones."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.limits import MAX_BYTES
from kubemerge.apiserver.text.text import shown
from kubemerge.manifests import files
from kubemerge.manifests.files import BadFile, Files

from ...codegen.sample_specs import kubemerge
from ...codegen.sources.serving import body, serving
from ...conftest import needs_posix
from ...memory import allocated
from ..objects import config_map

if TYPE_CHECKING:
    from collections.abc import Sequence

OBJECT = json.dumps(config_map("one")).encode()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(name.encode())


def found(*paths: str, recursive: bool = False) -> list[str]:
    """The names of the files read. The bytes have to be those in the file."""
    pairs = list(Files().contents(paths, recursive=recursive))
    assert all(Path(name).read_bytes() == data for name, data in pairs)
    return [name.replace(os.sep, "/") for name, _ in pairs]


# ---- what is meant ------------------------------------------------------------------------------------------------


def test_a_named_file_is_read_whatever_it_is_called() -> None:
    write("a.txt", "b")
    assert found("b", "a.txt") == ["b", "a.txt"]


def test_a_folder_gives_its_yaml_and_json_by_name() -> None:
    write("x/b.yml", "x/a.yaml", "x/c.json", "x/README.md", "x/.hidden.yaml", "x/a.yaml.bak", "x/below/d.yaml")
    assert found("x") == ["x/.hidden.yaml", "x/a.yaml", "x/b.yml", "x/c.json"]


def test_recursive_goes_into_folders_where_they_sort() -> None:
    write("x/b.yaml", "x/a/2.yaml", "x/a/1.yaml", "x/c/d/e.yaml")
    assert found("x", recursive=True) == ["x/a/1.yaml", "x/a/2.yaml", "x/b.yaml", "x/c/d/e.yaml"]


def test_a_glob() -> None:
    write("x/b.yaml", "x/a.yaml", "x/y/c.yaml", "x/d.json")
    assert found("x/*.yaml") == ["x/a.yaml", "x/b.yaml"]
    assert found("x/**/*.yaml") == ["x/a.yaml", "x/b.yaml", "x/y/c.yaml"]
    assert found("x/[ab].yaml") == ["x/a.yaml", "x/b.yaml"]


def test_a_file_whose_name_looks_like_a_glob_is_that_file() -> None:
    write("x/[ab].yaml", "x/a.yaml")
    assert found("x/[ab].yaml") == ["x/[ab].yaml"]


def test_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    write("a.yaml")
    assert found("~/a.yaml") == [(tmp_path / "a.yaml").as_posix()]


@needs_posix
def test_a_link_to_a_file_is_read_and_a_loop_of_links_is_not_followed() -> None:
    write("x/a.yaml", "other/b.yaml")
    Path("x/b.yaml").symlink_to("../other/b.yaml")
    Path("x/loop").symlink_to(".")
    Path("x/folder.yaml").symlink_to("../other")
    assert found("x", recursive=True) == ["x/a.yaml", "x/b.yaml"]
    assert len(found("x/**/*.yaml")) == 2


def test_the_same_file_twice_is_read_twice_as_by_kubectl() -> None:
    write("a.yaml")
    assert found("a.yaml", "a.yaml") == ["a.yaml", "a.yaml"]


@needs_posix
def test_a_pipe_that_is_named_is_read() -> None:
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=(OBJECT,))
    writer.start()
    assert list(Files().contents(["pipe"])) == [("pipe", OBJECT)]
    writer.join()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(OBJECT)))
    assert list(Files().contents(["-"])) == [("standard input", OBJECT)]


def test_an_address() -> None:
    with serving() as served:
        address = served.at("/a.yaml", body(OBJECT))
        assert list(Files().contents([address])) == [(address, OBJECT)]


# ---- what cannot be read ------------------------------------------------------------------------------------------


def refused(*paths: str, recursive: bool = False) -> str:
    with pytest.raises(BadFile) as caught:
        list(Files().contents(paths, recursive=recursive))
    return str(caught.value)


def test_what_is_not_there() -> None:
    assert refused("a.yaml") == "a.yaml: No such file or directory. Pass a readable file"
    assert refused("*.yaml") == "*.yaml: no file matches. Check the pattern"
    assert refused("a\0b") == "a\0b: the path contains an invalid character. Pass a readable file"


def test_a_folder_without_manifests() -> None:
    write("x/README.md", "x/y/a.yaml")
    assert refused("x") == "x: the folder contains no .json, .yaml, .yml file (-R also reads subfolders)"
    write("z/README.md")
    assert refused("z", recursive=True) == "z: the folder contains no .json, .yaml, .yml file"


@needs_posix
def test_links_that_lead_nowhere() -> None:
    Path("x").mkdir()
    Path("x/a.yaml").symlink_to("gone")
    assert refused("x").startswith("x/a.yaml: No such file")
    Path("self").symlink_to("self")
    assert refused("self").startswith(f"self: {os.strerror(errno.ELOOP)}. ")
    Path("x/a.yaml").unlink()
    Path("x/a.yaml").symlink_to("a.yaml")
    assert refused("x").startswith(f"x/a.yaml: {os.strerror(errno.ELOOP)}. ")


@needs_posix
def test_a_pipe_in_a_folder_does_not_hang() -> None:
    Path("x").mkdir()
    os.mkfifo("x/a.yaml")
    assert refused("x") == "x/a.yaml: a pipe or device in a folder is not read. Pass it by name, or remove it"


def test_what_nobody_may_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read everything, so the errors are simulated."""
    write("x/a.yaml")

    def forbidden(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", forbidden)
        assert refused("x") == "x: Permission denied. Pass a readable folder"
    monkeypatch.setattr("builtins.open", forbidden)
    assert refused("x/a.yaml") == "x/a.yaml: Permission denied. Pass a readable file"


def test_a_file_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.yaml")
    monkeypatch.setattr(files, "MAX_BYTES", 5)
    assert refused("a.yaml") == "a.yaml: more than 0 MiB. Split it into several files"


def test_a_small_file_takes_little_memory() -> None:
    write("a.yaml")
    contents: list[bytes] = []
    used = allocated(lambda: contents.extend(data for _, data in Files().contents(["a.yaml"] * 3)))
    assert contents == [b"a.yaml"] * 3
    assert used.most < MAX_BYTES / 100, "`read` allocates all bytes that it may return"


@needs_posix
@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd")  # noqa: PTH110
def test_a_pipe_that_is_written_in_parts() -> None:
    read, written = os.pipe()
    parts = [b"a: 1\n", b"b: 2\n" * 20_000, b"c: 3\n"]

    def write_slowly() -> None:
        with os.fdopen(written, "wb", buffering=0) as stream:
            for part in parts:
                stream.write(part)

    thread = threading.Thread(target=write_slowly)
    thread.start()
    ((_, data),) = Files().contents([f"/dev/fd/{read}"])
    thread.join()
    os.close(read)
    assert data == b"".join(parts)


# ---- on the command line ------------------------------------------------------------------------------------------

TWICE: list[Sequence[str]] = [
    ("merge", "-f", "-", "-f", "-"),
    ("merge", "-f", "-", "--live", "-"),
    ("diff", "-f", "-", "--live", "-"),
    ("why", "-f", "-", "--last-applied", "-"),
    ("merge", "-f", "-", "--schema", "-"),
]


@pytest.mark.parametrize("words", TWICE, ids=" ".join)
def test_standard_input_is_read_only_once(
    words: Sequence[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crd = (Path(__file__).parents[3] / "examples" / "crds" / "backups.yaml").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(crd if "--schema" in words else OBJECT)))
    assert kubemerge(*words) == 2
    message = "kubemerge: standard input can be read only once. Use `-` only once"
    assert capsys.readouterr().err.splitlines()[-1] == message


NAMES = ["a\u202eb.yaml"]
if os.name == "posix":  # Windows forbids these
    NAMES += ["a\nb.yaml", "a\x1b[31mb.yaml", "a\tb.yaml", os.fsdecode(b"a\xffb.yaml")]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_terminal_does_not_obey_the_name_of_a_file(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("merge", "-f", name) == 2
    missing = capsys.readouterr().err
    Path(name).write_text("apiVersion: [\n", encoding="utf-8")
    assert kubemerge("merge", "-f", name) == 2
    broken = capsys.readouterr().err
    for said in (missing, broken):
        assert said.startswith(f"kubemerge: {shown(name)}:")
        assert said.endswith("\n")
        assert said[:-1].isprintable()


def test_a_terminal_does_not_obey_the_name_of_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_text(json.dumps(config_map("a\x1b[31m\nb")), encoding="utf-8")
    assert kubemerge("merge", "-f", "a.json", "-o", "name") == 0
    assert capsys.readouterr() == ("configmap/a\\x1b[31m\\nb\n", "configmap/a\\x1b[31m\\nb created\n")


EMPTY = {"no file": "/dev/null", "nothing": "empty.yaml", "a comment": "comment.yaml", "an empty List": "list.json"}


@pytest.mark.parametrize("path", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("command", ["merge", "why", "diff"])
def test_a_config_without_objects_is_an_error(command: str, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty.yaml").touch()
    Path("comment.yaml").write_text("# nothing yet\n---\n", encoding="utf-8")
    Path("list.json").write_text('{"apiVersion": "v1", "kind": "List", "items": []}', encoding="utf-8")
    assert kubemerge(command, "-f", path) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == f"kubemerge: {path}: no object in it. Pass a file with an object"


def test_live_without_objects_is_a_cluster_that_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_bytes(OBJECT)
    assert kubemerge("merge", "--raw", "-f", "a.json", "--live", "/dev/null") == 0
    assert capsys.readouterr().err == "configmap/one created\n"


def test_a_page_to_log_in_is_not_a_manifest(capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as served:
        address = served.at("/a.yaml", body(b"<!DOCTYPE html>\n<html><title>Log in</title></html>"))
        assert kubemerge("merge", "-f", address) == 2
        missing = served.at("/b.yaml", body(b"no", status=404))
        assert kubemerge("merge", "-f", missing) == 2
    page, absent = capsys.readouterr().err.splitlines()
    assert page == f"kubemerge: {address}:1: this is an HTML or XML page. Check the address and your permissions"
    assert absent.startswith(f"kubemerge: {missing}: expected HTTP status 200; found 404")
