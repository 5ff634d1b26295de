"""The start of the server: the first answer, missing libraries, and messages before `initialize`."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import converters, types

from kubemerge.lsp import extra, start
from kubemerge.lsp.capabilities import options_of, result
from tests.codegen.sample_specs import kubemerge
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
SHUTDOWN = {"jsonrpc": "2.0", "id": 2, "method": "shutdown"}
EXIT = {"jsonrpc": "2.0", "method": "exit"}


def framed(*messages: Any) -> bytes:
    bodies = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


def answers(data: bytes) -> list[Any]:
    found = []
    while data:
        head, _, data = data.partition(b"\r\n\r\n")
        length = int(head.partition(b":")[2].split(b"\r\n")[0])
        found.append(json.loads(data[:length]))
        data = data[length:]
    return found


def served(*messages: Any, words: Sequence[str] = ("-m", "kubemerge", "lsp")) -> tuple[int, list[Any], str]:
    done = subprocess.run([sys.executable, *words], input=framed(*messages), capture_output=True, check=False, cwd=ROOT)
    return done.returncode, answers(done.stdout), done.stderr.decode()


@pytest.mark.slow
def test_an_unknown_option_is_reported() -> None:
    params = {"capabilities": {}, "initializationOptions": {"contexts": "staging", "context": "staging"}}
    code, _, said = served({**INITIALIZE, "params": params}, SHUTDOWN, EXIT)
    assert (code, said) == (
        0,
        "kubemerge: unknown initialization options: contexts. Use live, context, kubeconfig\n",
    )


def test_the_first_answer_comes_before_the_libraries_are_imported() -> None:
    program = f"""
import io, sys
from kubemerge.lsp import start
class Out(io.BytesIO):
    def flush(self):
        late = {{"pygls", "lsprotocol", "cattrs", "yaml", "asyncio"}}
        found = {{name.partition(".")[0] for name in sys.modules}} & late
        print(sorted(found), file=sys.stderr)
        sys.exit(0)
start.serve(io.BytesIO({framed(INITIALIZE)!r}), Out(), print)
"""
    code, _, said = served(words=["-c", program])
    assert (code, said.splitlines()) == (0, ["[]"])


@pytest.mark.slow
def test_the_first_answer_takes_less_than_300_ms_of_processor_time() -> None:
    resource = pytest.importorskip("resource", reason="Windows does not count the time of other processes")
    served(INITIALIZE)  # bytecode is compiled
    best = 9.0
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-m", "kubemerge", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        )
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(framed(INITIALIZE))
        process.stdin.flush()
        process.stdout.readline()
        process.kill()
        process.communicate()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert best < 0.3


def test_the_exit_code_tells_if_the_server_was_shut_down() -> None:
    code, found, said = served(INITIALIZE, SHUTDOWN, EXIT)
    assert (code, [one["id"] for one in found], said) == (0, [1, 2], "")
    assert served(INITIALIZE, EXIT)[0] == 1
    assert served()[0] == 1


@pytest.mark.slow
def test_requests_before_initialize_are_rejected() -> None:
    code, found, _ = served(
        b"[1]", b"{", b"\xff", {"id": 5, "method": "textDocument/hover"}, INITIALIZE, SHUTDOWN, EXIT
    )
    assert (code, [one["id"] for one in found]) == (0, [5, 1, 2])
    assert found[0]["error"]["code"] == -32002


@pytest.mark.slow
def test_a_second_initialize_is_rejected() -> None:
    _, found, _ = served(INITIALIZE, {**INITIALIZE, "id": 9}, SHUTDOWN, EXIT)
    assert [("error" in one, one["id"]) for one in found] == [(False, 1), (True, 9), (False, 2)]


def test_the_result_has_the_form_of_the_protocol() -> None:
    options = options_of(INITIALIZE["params"])
    found = converters.get_converter().structure(result(options), types.InitializeResult)
    assert found.capabilities.text_document_sync is not None
    assert json.loads(json.dumps(converters.get_converter().unstructure(found))) == result(options)


def test_every_capability_has_its_method_and_the_other_way_round() -> None:
    from kubemerge.lsp.server import Server, _register, _register_requests

    server = Server(options_of({}), pytest.fail)
    _register(server)
    _register_requests(server)
    server.session.end()
    provided = {name for name in result(server.options)["capabilities"] if name.endswith("Provider")}
    requests = {name for name in server.protocol.fm.features if name in types.METHOD_TO_TYPES}
    methods = {
        "hoverProvider": types.TEXT_DOCUMENT_HOVER,
        "completionProvider": types.TEXT_DOCUMENT_COMPLETION,
        "codeActionProvider": types.TEXT_DOCUMENT_CODE_ACTION,
        "definitionProvider": types.TEXT_DOCUMENT_DEFINITION,
        "documentLinkProvider": types.TEXT_DOCUMENT_DOCUMENT_LINK,
    }
    assert provided == methods.keys()
    notifications = {types.INITIALIZED, types.TEXT_DOCUMENT_DID_SAVE, types.WORKSPACE_DID_CHANGE_WATCHED_FILES}
    assert requests == {*methods.values(), *notifications}


@pytest.mark.parametrize(
    ("asked", "encoding"),
    [(None, "utf-16"), ([], "utf-16"), (["utf-16"], "utf-16"), (["utf-8", "utf-16"], "utf-8"), (7, "utf-16")],
)
def test_the_encoding_of_positions_is_one_that_the_client_has(asked: Any, encoding: str) -> None:
    assert options_of({"capabilities": {"general": {"positionEncodings": asked}}}).encoding == encoding


@pytest.mark.parametrize(
    "params",
    [
        None,
        1,
        [],
        {},
        {"capabilities": None},
        {"initializationOptions": [1]},
        {"workspaceFolders": [None]},
        {"workspaceFolders": 3},
        {"rootUri": {}},
    ],
)
def test_parameters_of_any_form_have_options(params: Any) -> None:
    found = options_of(params)
    assert (found.root, found.live, found.context) == (None, (), None)


def test_a_missing_library_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda name: None)
    assert kubemerge("lsp") == 2
    said = "kubemerge: pygls is required for the language server. Run `pip install 'kubemerge[lsp]'`\n"
    assert capsys.readouterr().err == said


def test_messages_are_read_up_to_the_end() -> None:
    data = b"X: 1\r\nContent-Length: 2\r\n\r\n{}content-length: 3\r\n\r\n[1]Content-Length: 9\r\n\r\n{"
    assert [*start._messages(io.BytesIO(data))] == [{}]
