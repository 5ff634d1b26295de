"""Responses of the server to a real client, from `cases.yaml`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import engine

from .editor import CURSOR, Editor, at, edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lsprotocol import types

CASES: dict[str, list[dict[str, Any]]] = yaml.load(
    Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)


def cases(group: str) -> Any:
    return pytest.mark.parametrize("case", CASES[group], ids=lambda case: case["name"])


class Cases:
    """A workspace in which each case has its own folder, because the settings of a folder are its own."""

    def __init__(self, folder: Path) -> None:
        self.editor = Editor(folder)
        self._folder, self._count = folder, 0

    def opened(self, case: dict[str, Any]) -> tuple[str, types.Position, str, str]:
        """The URI and the position of a case, its text, and its folder. Its diagnostics are there."""
        self._count += 1
        folder = f"{self._count}"
        for name, content in case.get("files", {}).items():
            file = self._folder / folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        text, place = at(case["text"])
        path = self._folder / folder / case.get("path", "file.yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
        self.editor.files_changed()
        uri = self.editor.open(str(path.relative_to(self._folder)), text)
        self.editor.diagnostics(uri, 2)  # alone, and with the files of its folder
        return uri, place, text, folder

    def closed(self, folder: str, uri: str) -> None:
        """Remove a case, so that its definitions are not known in the next one."""
        self.editor.close(uri)
        for path in sorted((self._folder / folder).rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cases]:
    found = Cases(tmp_path_factory.mktemp("workspace"))
    yield found
    assert found.editor.quit() == 0


@cases("hover")
def test_hover(case: dict[str, Any], server: Cases) -> None:
    uri, place, _, folder = server.opened(case)
    found = server.editor.hover(uri, place)
    server.closed(folder, uri)
    if case.get("none"):
        assert found is None
        return
    assert found is not None
    plain = re.sub(r"\\(.)", r"\1", found).replace("**", "").replace("`", "")
    wanted = [text.replace("NEWEST", engine.releases()[-1]) for text in case["hover"]]
    assert [text for text in wanted if text not in plain] == [], plain


@cases("complete")
def test_completion(case: dict[str, Any], server: Cases) -> None:
    uri, place, text, folder = server.opened(case)
    found = server.editor.complete(uri, place)
    server.closed(folder, uri)
    labels = [one.label for one in found]
    if case.get("none"):
        assert labels == []
        return
    assert [one for one in case["complete"] if one not in labels] == [], labels
    assert [one for one in case.get("without", ()) if one in labels] == []
    if "after" in case:
        (first,) = [one for one in found if one.label == case["first"]]
        assert edited(text, [first.text_edit]) == case["after"]  # type: ignore[list-item]


@cases("actions")
def test_code_actions(case: dict[str, Any], server: Cases) -> None:
    uri, place, text, folder = server.opened(case)
    found = [one for one in server.editor.actions(uri, place, place) if one.kind == "quickfix"]
    server.closed(folder, uri)
    assert [one.title for one in found] == case.get("actions", [])
    if found:
        assert found[0].edit is not None
        assert found[0].edit.changes is not None
        assert edited(text, list(found[0].edit.changes[uri])) == case["after"]


@cases("goto")
def test_definitions(case: dict[str, Any], server: Cases) -> None:
    uri, place, _, folder = server.opened(case)
    found = server.editor.definition(uri, place)
    server.closed(folder, uri)
    if case.get("none"):
        assert found is None
        return
    assert found is not None
    name, _, line = case["goto"].partition(":")
    assert (found.uri, found.range.start.line + 1) == (server.editor.uri(f"{folder}/{name}"), int(line))


@cases("findings")
def test_diagnostics(case: dict[str, Any], server: Cases) -> None:
    assert CURSOR not in case["text"]
    uri, _, _, folder = server.opened(case)
    found = server.editor.diagnostics(uri)
    server.closed(folder, uri)
    assert [f"{one.range.start.line + 1} {one.code}" for one in found] == case["findings"]
    assert all(one.code_description and str(one.code) in one.code_description.href for one in found)
