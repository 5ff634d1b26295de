"""Editing a text in the user's editor: its result, and that nothing that was typed is lost."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import tempfile
from pathlib import Path

import pytest

from engine import MergeError
from kubemerge.cli.terminal.editor import KeptEdit, NoEditor, edited, words_of
from tests.conftest import needs_posix


def editor(tmp_path: Path, program: str) -> str:
    """A command that edits a file. The program can use the name `file`."""
    script = tmp_path / "editor.py"
    script.write_text(f"import sys, pathlib\nfile = pathlib.Path(sys.argv[-1])\n{program}\n", encoding="utf-8")
    words = [sys.executable, str(script)]
    return shlex.join(words) if os.name == "posix" else " ".join(f'"{word}"' for word in words)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the edited files are."""
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    for variable in ("KUBE_EDITOR", "EDITOR"):
        monkeypatch.delenv(variable, raising=False)
    return folder


def test_what_was_typed_comes_back_and_the_file_goes(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", editor(tmp_path, "file.write_text(file.read_text() + file.suffix)"))
    with edited("a: é\n", ".yaml") as text:
        assert text == "a: é\n.yaml"
    assert list(kept.iterdir()) == []


def test_kube_editor_comes_before_editor(tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "false")
    monkeypatch.setenv("KUBE_EDITOR", editor(tmp_path, "file.write_text('ours')"))
    with edited("", "") as text:
        assert text == "ours"


def test_what_cannot_be_used_is_kept_and_its_name_is_printed(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBE_EDITOR", editor(tmp_path, "file.write_text('long work')"))
    with pytest.raises(KeptEdit, match=r"it is no good\. Your edit was saved to") as refused, edited("a", ".yaml"):
        raise MergeError("it is no good")
    assert Path(refused.value.file).read_text() == "long work"
    assert Path(refused.value.file).parent == kept


def test_an_editor_that_fails_after_something_was_typed(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBE_EDITOR", editor(tmp_path, "file.write_text('work'); sys.exit(3)"))
    with pytest.raises(KeptEdit, match=r"problem with the editor .*\. Your edit"), edited("a", ""):
        pass
    monkeypatch.setenv("KUBE_EDITOR", editor(tmp_path, r"file.write_bytes(b'\xff')"))
    with pytest.raises(KeptEdit, match="UTF-8"), edited("a", ""):
        pass


@pytest.mark.parametrize("command", ["/nowhere/vi", "false", "'unclosed"])
def test_an_editor_that_cannot_be_run_leaves_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("KUBE_EDITOR", command)
    with pytest.raises(NoEditor, match="editor"), edited("a", ""):
        pass
    assert list(kept.iterdir()) == []


def test_a_backslash_is_a_part_of_a_path_on_windows() -> None:
    command = '"C:\\Program Files\\Code\\code.cmd" --wait'
    assert words_of(command, windows=True) == ["C:\\Program Files\\Code\\code.cmd", "--wait"]
    assert words_of("code\\ me '--wait'", windows=False) == ["code me", "--wait"]


@pytest.mark.parametrize("typed", ["long work", "a"])
def test_an_interrupt_keeps_what_was_typed_and_removes_the_rest(
    typed: str, tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KUBE_EDITOR", editor(tmp_path, f"file.write_text({typed!r})"))
    with pytest.raises(KeyboardInterrupt), edited("a", ".yaml"):
        raise KeyboardInterrupt
    if typed == "a":
        assert list(kept.iterdir()) == []
        assert capsys.readouterr().err == ""
    else:
        [file] = kept.iterdir()
        assert file.read_text() == typed
        assert capsys.readouterr().err == f"Your edit was saved to {file}\n"


@needs_posix
def test_an_interrupt_is_for_the_editor_while_it_runs(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal sends it to both, and an editor has a use for it, as vi does."""
    program = "import os, signal, time; os.kill(os.getppid(), signal.SIGINT); time.sleep(0.5); file.write_text('work')"
    monkeypatch.setenv("KUBE_EDITOR", editor(tmp_path, program))
    before = signal.getsignal(signal.SIGINT)
    try:
        with edited("a", "") as text:
            assert text == "work"
    except KeyboardInterrupt:
        pytest.fail("the editor was ended")
    assert signal.getsignal(signal.SIGINT) is before


@needs_posix
def test_an_editor_that_an_interrupt_has_ended(tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import os, signal; signal.signal(signal.SIGINT, signal.SIG_DFL); os.kill(os.getpid(), signal.SIGINT)"
    monkeypatch.setenv("KUBE_EDITOR", editor(tmp_path, program))
    with pytest.raises(KeyboardInterrupt), edited("a", ""):
        pass
    assert list(kept.iterdir()) == []
