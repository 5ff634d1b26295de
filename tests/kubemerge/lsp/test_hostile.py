"""The server outlives every document, and answers while it lints."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

from kubemerge.lsp.actions import actions, fix_all
from kubemerge.lsp.checking import Checker
from kubemerge.lsp.completions import complete
from kubemerge.lsp.definitions import definition
from kubemerge.lsp.hovers import as_markdown, as_text, hover
from kubemerge.lsp.links import links
from kubemerge.lsp.repository import Repository
from kubemerge.lsp.text import Text

from .editor import Editor
from .hostile import POD, documents, edits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def ask(text: str, offset: int, checker: Checker) -> None:
    """Every answer about a position."""
    rules = checker.rules()
    found = hover(text, offset, rules, None)
    if found is not None:
        assert as_markdown(found)
        assert as_text(found)
        assert 0 <= found.start <= found.end <= len(text)
    for one in complete(text, offset, checker.name, rules):
        assert one.start <= offset <= one.end <= len(text)
    definition(text, offset, rules, {checker.name: text.encode("utf-8", "surrogatepass")})
    for action in actions(text, offset, offset, checker):
        assert all(edit.start <= edit.end <= len(text) for edit in action.edits)
    assert all(one.end <= len(text) for one in links(text))


def lint(text: str, checker: Checker) -> None:
    """The diagnostics, whose ranges are in the text."""
    whole = Text(text)
    found = checker.check(text, {checker.name: whole.data}, lambda: True, alone=False)
    for one in found:
        assert 0 <= one.start <= one.end <= len(text)
        assert whole.offset(whole.place(one.start)) <= one.start
        assert one.message
    fix_all(text, checker)


@pytest.fixture
def checker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checker:
    monkeypatch.chdir(tmp_path)
    return Checker("a.yaml", Repository(str(tmp_path), lambda _: None))


def attack(checker: Checker, seed: int, count: int, every: int) -> None:
    for number, (text, offset) in enumerate(edits(seed, count)):
        try:
            if number % every == 0:
                lint(text, checker)
            ask(text, offset, checker)
        except Exception as error:
            raise AssertionError(f"{text!r} at {offset}") from error


def test_random_edits(checker: Checker) -> None:
    attack(checker, 1, 100, 4)


@pytest.mark.slow
@pytest.mark.left_out
def test_a_hundred_thousand_random_edits(checker: Checker) -> None:
    attack(checker, 2, 100_000, 8)


FEW = ("deep brackets", "an alias bomb", "many small objects", "surrogates", "binary", "Helm")


@pytest.mark.parametrize(
    "name", [one if one in FEW else pytest.param(one, marks=pytest.mark.slow) for one in documents()]
)
def test_hostile_documents(name: str, checker: Checker) -> None:
    text = documents()[name]
    lint(text, checker)
    for offset in {0, 20, 60, len(text) // 2, len(text) - 1, len(text)}:
        ask(text, min(max(offset, 0), len(text)), checker)


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    found = Editor(tmp_path_factory.mktemp("hostile"))
    yield found
    assert found.quit() == 0


@pytest.mark.slow
@pytest.mark.parametrize("names", [FEW, tuple(documents())], ids=["few", "all"])
def test_a_server_answers_beside_hostile_documents(editor: Editor, names: tuple[str, ...]) -> None:
    """All are open at once. None delays the answers about another document."""
    uri = editor.open("pod.yaml", POD)
    editor.diagnostics(uri)
    opened = [editor.open(f"{at}.yaml", text) for at, text in enumerate(documents()[name] for name in names)]
    place = types.Position(12, 5)
    for _ in range(10):
        found = editor.hover(uri, place)
        assert found is not None
        assert "restartPolicy" in found
        time.sleep(0.01)
    for one in opened:
        editor.diagnostics(one)
        editor.close(one)
    editor.close(uri)


ODD: list[Any] = [
    types.TextDocumentContentChangePartial(types.Range(types.Position(9**9, 9**9), types.Position(0, 0)), "x"),
    types.TextDocumentContentChangePartial(types.Range(types.Position(0, 3), types.Position(9**9, 0)), "\ud800"),
    types.TextDocumentContentChangeWholeDocument(POD),
]


@pytest.mark.slow
def test_odd_changes_and_unknown_documents(editor: Editor) -> None:
    uri = editor.open("odd.yaml", POD)
    version = editor.change(uri, *ODD)
    assert editor.diagnostics(uri, version=version) == []
    editor.change("file:///nowhere.yaml", *ODD)
    editor.close("file:///nowhere.yaml")
    assert editor.hover("file:///nowhere.yaml", types.Position(0, 0)) is None
    assert editor.complete("git:/a.yaml", types.Position(0, 0)) == []
    assert editor.hover(uri, types.Position(9**9, 9**9)) is None
    assert editor.actions(uri, types.Position(5, 0), types.Position(0, 0)) == []
    assert editor.hover(uri, types.Position(1, 1)) is not None
