"""Files are written atomically, keep their permissions, and only files are replaced."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

from codegen.files import replace_file, scratch_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the permissions and links of POSIX")


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "page.html"
    assert [one.name for one in tmp_path.rglob(".*")] == [], "nothing else stays"


def mode_of(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))


@pytest.mark.parametrize(
    ("umask", "private", "mode"),
    [
        (0o022, False, "0o644"),
        (0o077, False, "0o600"),
        (0o002, False, "0o664"),
        (0, True, "0o600"),
        (0o777, True, "0o600"),
    ],
)
def test_a_new_file_has_what_the_umask_allows_unless_it_is_private(
    file: Path, umask: int, private: bool, mode: str
) -> None:
    before = os.umask(umask)
    try:
        assert replace_file(file, "text", private=private)
    finally:
        os.umask(before)
    assert mode_of(file) == mode


@pytest.mark.parametrize(
    ("there", "private", "mode"),
    [(0o640, False, "0o640"), (0o755, False, "0o755"), (0o600, False, "0o600"), (0o644, True, "0o600")],
)
def test_a_file_keeps_its_permissions_unless_the_new_text_is_private(
    file: Path, there: int, private: bool, mode: str
) -> None:
    file.write_text("old")
    file.chmod(there)
    assert replace_file(file, "new", private=private)
    assert (file.read_text(), mode_of(file)) == ("new", mode)
    assert not replace_file(file, "new", private=private)


def test_a_private_text_that_others_could_read_already_is_closed_to_them(file: Path) -> None:
    file.write_text("same")
    file.chmod(0o644)
    replace_file(file, "same", private=True)
    assert mode_of(file) == "0o600"


def test_private_text_is_never_readable_by_others(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, seen = os.umask(0), set[str]()
    for name in ("open", "fsync", "chmod", "replace"):
        real = getattr(os, name)

        def looking(*given: object, real: Any = real) -> object:
            done = real(*given)
            seen.update(mode_of(one) for one in file.parent.iterdir())
            return done

        monkeypatch.setattr(os, name, looking)
    try:
        replace_file(file, "secret", private=True)
    finally:
        os.umask(before)
    assert seen == {"0o600"}


def test_a_link_stays_and_the_file_behind_it_is_replaced(file: Path) -> None:
    (file.parent / "real").mkdir()
    file.symlink_to("real/page.html")
    for text in ("first", "second"):
        replace_file(file, text)
        assert file.is_symlink()
        assert (file.parent / "real" / "page.html").read_text() == text
    assert [one.name for one in (file.parent / "real").iterdir()] == ["page.html"]


@pytest.mark.parametrize("what", ["folder", "pipe", "device"])
def test_only_regular_files_are_replaced(file: Path, what: str) -> None:
    if what == "folder":
        file.mkdir()
    elif what == "pipe":
        os.mkfifo(file)
    else:
        ours, theirs = os.openpty()  # a device that the machine does not need
        file.symlink_to(os.ttyname(theirs))
    before = file.stat()
    with pytest.raises(OSError, match="not a file"):
        replace_file(file, "text")
    assert file.stat() == before
    if what == "device":
        os.close(ours)
        os.close(theirs)


def test_a_file_that_must_not_be_written_is_not_replaced(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may do everything
    with pytest.raises(PermissionError):
        replace_file(file, "new")
    assert file.read_text() == "old"


@pytest.mark.parametrize("name", ["fsync", "replace", "chmod"])
def test_a_failure_leaves_the_old_text(file: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    file.write_text("old")
    monkeypatch.setattr(os, name, fails)
    with pytest.raises(OSError, match="No space left"):
        replace_file(file, "new")
    monkeypatch.undo()
    assert file.read_text() == "old"


def test_a_long_name(file: Path) -> None:
    long = file.with_name("x" * 255)
    replace_file(long, "text")
    assert long.read_text() == "text"


@pytest.mark.parametrize("name", ["open", "replace"])
def test_an_interrupt_leaves_the_old_text_or_the_new_one_and_no_other_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """It comes after the call, before its result is known."""
    call = getattr(os, name)
    file.write_text("old")

    def interrupted(*words: object) -> None:
        call(*words)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        replace_file(file, "new")
    monkeypatch.undo()
    assert file.read_text() == ("old" if name == "open" else "new")
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("name", ["mkdir", "rmdir"])
def test_an_interrupt_leaves_no_scratch_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    call, left = getattr(os, name), 1

    def interrupted(*words: object, **more: object) -> None:
        nonlocal left
        left -= 1
        if left or name == "mkdir":
            call(*words, **more)
        if left == 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, name, interrupted)
    with pytest.raises(KeyboardInterrupt), scratch_folder("kubemerge-") as folder:
        (folder / "secret").write_text("x")
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []
