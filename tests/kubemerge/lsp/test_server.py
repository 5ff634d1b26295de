"""A session with a real client: links, fixes of a file, messages, live objects, and changes of other files."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

import engine
from kubemerge.lsp.sessions import Session
from kubemerge.lsp.text import UTF_16
from kubemerge.output.secrets import MASK

from .editor import CURSOR, SECONDS, Editor, at, edited
from .hostile import CRD, POD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kubemerge.apiserver.http.listening.running import Serving
    from kubemerge.lsp.checking import Diagnostic
    from kubemerge.lsp.text import Text

WRONG = """\
apiVersion: v1
kind: Service
metadata: {name: a} # kubemerge: ignore=KM103,KM999
spec:
  typ: Nope # é😀
  ports: [{port: "80"}, {prt: 81}]
"""
TOP = types.Position(0, 0)


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    found = Editor(tmp_path_factory.mktemp("session"))
    yield found
    assert found.quit() == 0


def test_a_client_that_can_watch_files_is_asked_to(editor: Editor) -> None:
    editor.diagnostics(editor.open("watched.yaml", POD))
    assert editor.registered == ([] if not editor.watches else ["workspace/didChangeWatchedFiles"])


def test_all_fixes_of_a_file(editor: Editor) -> None:
    uri = editor.open("wrong.yaml", WRONG)
    editor.diagnostics(uri)
    (found,) = editor.actions(uri, TOP, TOP, [types.CodeActionKind.SourceFixAll])
    assert found.edit is not None
    assert found.edit.changes is not None
    fixed = WRONG.replace("typ:", "type:").replace('"80"', "80").replace("prt", "port")
    assert edited(WRONG, list(found.edit.changes[uri])) == fixed
    assert editor.actions(uri, TOP, TOP, [types.CodeActionKind.Refactor]) == []


def test_codes_in_comments_are_links(editor: Editor) -> None:
    uri = editor.open("links.yaml", WRONG)
    (found,) = editor.links(uri)
    assert (found.range.start, found.range.end) == (types.Position(2, 40), types.Position(2, 45))
    assert (found.target or "").endswith("/lint/KM103.html")


def test_a_closed_document_has_no_diagnostics(editor: Editor) -> None:
    uri = editor.open("closed.yaml", WRONG)
    assert editor.diagnostics(uri, 1)
    editor.close(uri)
    assert editor.wait_for(uri, lambda found: found == []) == []


def test_diagnostics_follow_the_open_document_and_not_the_file(editor: Editor) -> None:
    (editor.folder / "buffer.yaml").write_text(WRONG, encoding="utf-8")
    uri = editor.open("buffer.yaml", POD)
    assert editor.diagnostics(uri) == []
    version = editor.change(
        uri, types.TextDocumentContentChangePartial(types.Range(TOP, types.Position(0, 0)), "a: 1\n")
    )
    (found,) = editor.diagnostics(uri, version=version)
    assert (found.code, found.range.start) == ("KM015", TOP)


def test_a_definition_in_an_open_document_counts_at_once(editor: Editor) -> None:
    crd = editor.open(
        "new-crd.yaml", CRD.replace("widgets", "gadgets").replace("Widget", "Gadget").replace("widget", "gadget")
    )
    editor.diagnostics(crd)
    text = "apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: a}\nspec: {colour: green}\n"
    uri = editor.open("gadget.yaml", text)
    found = editor.wait_for(uri, bool)
    assert [one.code for one in found] == ["KM103"]


def test_documents_follow_a_change_of_their_definition(editor: Editor) -> None:
    text = "apiVersion: example.com/v1\nkind: Gizmo\nmetadata: {name: a}\nspec: {colour: red}\n"
    uri = editor.open("gizmo.yaml", text)
    assert editor.diagnostics(uri) == []
    definition = CRD.replace("widget", "gizmo").replace("Widget", "Gizmo")
    crd = editor.open("gizmo-crd.yaml", definition)
    whole = types.TextDocumentContentChangeWholeDocument(definition.replace("red", "pink"))
    editor.change(crd, whole)
    found = editor.wait_for(uri, bool)
    assert [one.code for one in found] == ["KM103"]
    editor.close(crd)
    assert editor.wait_for(uri, lambda found: found == []) == []


@pytest.mark.slow
def test_documents_follow_a_change_of_their_neighbours(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    (tmp_path / "a.yaml").write_text(POD, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(POD, encoding="utf-8")
    first, second = editor.open("a.yaml", POD), editor.open("b.yaml", POD)

    def is_duplicate(found: list[types.Diagnostic]) -> bool:
        return "KM301" in [one.code for one in found]

    editor.wait_for(second, is_duplicate)
    other = types.TextDocumentContentChangeWholeDocument(POD.replace("name: a\n", "name: z\n", 1))
    editor.change(first, other)
    editor.wait_for(second, lambda found: not is_duplicate(found))
    editor.close(first)  # without saving it
    editor.wait_for(second, is_duplicate)
    assert editor.quit() == 0


def test_documents_follow_the_removal_of_their_definition(editor: Editor) -> None:
    definition = CRD.replace("widget", "thing").replace("Widget", "Thing")
    crd = editor.open("crds/thing-crd.yaml", definition)
    editor.diagnostics(crd)
    text = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {colour: green}\n"
    uri = editor.open("thing.yaml", text)
    assert [one.code for one in editor.wait_for(uri, bool)] == ["KM103"]
    editor.change(crd, types.TextDocumentContentChangeWholeDocument(POD))
    assert editor.wait_for(uri, lambda found: found == []) == []


def test_a_document_that_is_closed_while_it_is_linted_has_no_diagnostics_after_it(tmp_path: Path) -> None:
    sent: list[int] = []
    ended = threading.Event()

    def publish(uri: str, version: int | None, text: Text, found: Sequence[Diagnostic]) -> None:
        if found and not sent:
            closing = threading.Thread(target=session.close, args=(uri,))
            closing.start()
            closing.join(0.2)  # it ends at once unless it waits for these findings
            sent.append(len(found))
            ended.set()
        else:
            sent.append(len(found))

    session = Session(str(tmp_path), UTF_16, publish, pytest.fail, lambda: pytest.fail("live"), pytest.fail)
    session.open("file:///a.yaml", str(tmp_path / "a.yaml"), "yaml", WRONG, 1)
    assert ended.wait(SECONDS)
    deadline = time.monotonic() + SECONDS
    while 0 not in sent and time.monotonic() < deadline:
        time.sleep(0.01)
    session.end()
    assert sent[0] > 0
    assert (sent[-1], sent.count(0)) == (0, 1)  # findings may come again before the document is closed


@pytest.mark.slow
def test_without_a_workspace_the_definitions_of_the_folder_count(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(CRD, encoding="utf-8")
    editor = Editor(tmp_path, root=False)
    uri = editor.open(
        "a.yaml", "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {colour: green}\n"
    )
    assert [one.code for one in editor.diagnostics(uri)] == ["KM103"]
    assert editor.quit() == 0


def test_a_helm_document_is_left_in_peace(editor: Editor) -> None:
    uri = editor.open("helm.yaml", WRONG, "helm")
    assert editor.hover(uri, types.Position(0, 2)) is None
    assert editor.links(uri) == []


@pytest.mark.slow
def test_broken_settings_are_a_message_and_the_rest_works(tmp_path: Path) -> None:
    (tmp_path / "kubemerge.toml").write_text("relaese = '1.30'\n", encoding="utf-8")
    editor = Editor(tmp_path)
    found = editor.diagnostics(editor.open("a.yaml", WRONG))
    assert "KM015" in [one.code for one in found]
    assert "unknown key 'relaese'. Did you mean release?" in editor.message()
    assert editor.quit() == 0


@pytest.mark.parametrize(
    "client",
    [
        "neovim@0.11",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("neovim@0.6", "emacs", "visual-studio-code")),
    ],
)
def test_positions_have_the_encoding_of_the_client(tmp_path: Path, client: str) -> None:
    editor = Editor(tmp_path, client)
    text = 'apiVersion: v1\nkind: Pod\nmetadata: {annotations: {a: "😀é"}, nam: x, name: a}\nspec: {containers: []}\n'
    found = editor.diagnostics(editor.open("a.yaml", text))
    before = text.split("\n")[2].partition("nam:")[0]
    width = {"utf-8": len(before.encode()), "utf-32": len(before), "utf-16": len(before.encode("utf-16-le")) // 2}
    encoding = str(editor.capabilities.position_encoding)
    assert width[encoding] in [one.range.start.character for one in found]
    assert encoding == {"neovim@0.11": "utf-32", "emacs": "utf-32"}.get(client, "utf-16")
    assert editor.quit() == 0


# ---- live objects -------------------------------------------------------------------------------------------------

SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "default"}, "stringData": {}}


def live(folder: Path) -> str:
    """A file with live objects: a Pod of two managers, and a Secret."""
    tables = engine.load()
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "default"}}
    containers = {"containers": [{"name": "b", "image": "b:2"}, {"name": "a", "image": "a:3"}]}
    stored = engine.server_side_apply({**pod, "spec": containers}, None, tables.schema("v1", "Pod"), manager="argocd")
    secret = {**SECRET, "data": {"password": "c2VjcmV0"}}
    objects: list[Any] = [stored.merged]
    objects.append(engine.server_side_apply(secret, None, tables.schema("v1", "Secret"), manager="me").merged)
    file = folder / "live.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def beside_live_objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("live")
    found = Editor(folder, options={"live": [live(folder)]})
    yield found
    assert found.quit() == 0


def test_hover_shows_the_live_value_and_its_owners(beside_live_objects: Editor) -> None:
    editor = beside_live_objects
    text, place = at(POD.replace("    image:", f"    im{CURSOR}age:"))
    found = editor.hover(editor.open("a.yaml", text), place)
    assert found is not None
    assert '- live: `"a:3"`' in found
    assert r"- owners: argocd \(Apply\)" in found
    absent, place = at(POD.replace("  restart", f"  re{CURSOR}start"))
    assert "the field is not set" in (editor.hover(editor.open("b.yaml", absent), place) or "")
    missing, place = at(POD.replace("name: a\n", "name: z\n", 1).replace("  restart", f"  re{CURSOR}start"))
    assert "the object is not in the live files" in (editor.hover(editor.open("c.yaml", missing), place) or "")


def test_values_of_secrets_are_masked(beside_live_objects: Editor) -> None:
    editor = beside_live_objects
    text, place = at(f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\ndata:\n  pass{CURSOR}word: eA==\n")
    found = editor.hover(editor.open("secret.yaml", text), place)
    assert found is not None
    assert f'- live: `"{MASK}"`' in found
    assert "c2VjcmV0" not in found


@pytest.mark.slow
def test_a_live_source_that_cannot_be_read_is_a_line_of_the_hover(tmp_path: Path) -> None:
    editor = Editor(tmp_path, options={"live": "nowhere.yaml"})
    text, place = at(POD.replace("  restart", f"  re{CURSOR}start"))
    assert "No such file" in (editor.hover(editor.open("a.yaml", text), place) or "")
    assert editor.quit() == 0


def test_hover_reads_a_cluster_and_writes_nothing(tmp_path: Path, kube_server: Serving) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a", "namespace": "default"},
        "data": {"k": "v"},
    }
    kube_server.cluster.create(pod, manager="me")
    before = len(kube_server.writes())
    editor = Editor(tmp_path, options={"kubeconfig": str(kube_server.kubeconfig)})
    text, place = at(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata: {{{CURSOR}k: w}}\n")
    found = editor.hover(editor.open("a.yaml", text), place)
    assert found is not None
    assert '- live: `"v"`' in found
    assert r"- owners: me \(Update\)" in found
    missing, place = at(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: b}}\ndata: {{{CURSOR}k: w}}\n")
    assert "the object does not exist" in (editor.hover(editor.open("b.yaml", missing), place) or "")
    assert len(kube_server.writes()) == before
    assert editor.quit() == 0
