"""Live objects: files that change, namespaces, and clusters that do not respond."""

from __future__ import annotations

import io
import json
import logging
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.lsp import live, server
from kubemerge.lsp.capabilities import options_of
from kubemerge.lsp.live import LiveOptions, LiveSource
from kubemerge.lsp.places import target_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: w}\n"


def lines(source: LiveSource, text: str = MAP) -> list[str]:
    """The lines of a hover over the value."""
    target = target_at(text, text.index("k: w"))
    assert target is not None
    return [one.text for one in source.lines(target, engine.load().schema("v1", "ConfigMap"))]


def write(file: Path, value: str, *namespaces: str) -> None:
    head = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"k": value}}
    items = [{**head, "metadata": {"name": "a", "namespace": one}} for one in namespaces]
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}), encoding="utf-8")


def test_files_are_read_again_after_a_change(tmp_path: Path) -> None:
    file = tmp_path / "live.json"
    source = LiveSource(LiveOptions(files=(str(file),)))
    assert "No such file" in lines(source)[0]
    write(file, "first", "default")
    assert lines(source)[0] == '"first"'
    write(file, "the second", "default")
    assert lines(source)[0] == '"the second"'


@pytest.mark.parametrize(
    ("namespace", "there", "expected"),
    [
        ("", ("prod",), '"v"'),
        ("", ("prod", "staging"), "the object is not in the live files"),
        ("", ("default", "prod"), '"v"'),
        ("dev", ("prod",), "the object is not in the live files"),
    ],
)
def test_a_manifest_without_a_namespace(namespace: str, there: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    write(tmp_path / "live.json", "v", *there)
    text = MAP.replace("{name: a}", f"{{name: a, namespace: {namespace}}}") if namespace else MAP
    assert lines(LiveSource(LiveOptions(files=(str(tmp_path / "live.json"),))), text)[0] == expected


@pytest.fixture
def silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[Any]]]:
    """A kubeconfig of a server that accepts connections and never responds, and its connections."""
    monkeypatch.setattr(live, "SECONDS", 0.2)
    listening = socket.create_server(("127.0.0.1", 0))
    accepted: list[Any] = []

    def accept() -> None:
        while True:
            try:
                accepted.append(listening.accept()[0])
            except OSError:
                return

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    cluster = {"name": "c", "cluster": {"server": f"http://127.0.0.1:{listening.getsockname()[1]}"}}
    context = {"name": "c", "context": {"cluster": "c", "user": "u"}}
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [cluster],
        "contexts": [context],
        "current-context": "c",
    }
    file = tmp_path / "config"
    file.write_text(json.dumps({**config, "users": [{"name": "u", "user": {}}]}), encoding="utf-8")
    yield str(file), accepted
    with suppress(OSError):  # on Windows, only connections can be shut down
        listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join()
    for one in (listening, *accepted):
        one.close()


def test_a_cluster_that_does_not_respond_is_asked_once(silent: tuple[str, list[Any]]) -> None:
    """Not again for each object, and with no retries."""
    kubeconfig, accepted = silent
    source = LiveSource(LiveOptions(kubeconfig=kubeconfig))
    (first,) = lines(source)
    assert "0.2 s" in first
    assert lines(source) == lines(source, MAP.replace("name: a", "name: b")) == [first]
    assert len(accepted) == 1


def test_requests_do_not_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    source = LiveSource(LiveOptions(context="c"))
    both = threading.Barrier(2, timeout=20)

    def requested(reference: Any) -> Any:
        both.wait()
        return {**reference.head, "data": {"k": "v"}}

    monkeypatch.setattr(source, "_requested", requested)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda name: lines(source, MAP.replace("name: a", f"name: {name}")), ("a", "b")))
    assert [one[0] for one in found] == ['"v"', '"v"']


def test_messages_are_read_while_all_requests_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client ends the server while each thread for requests waits."""
    ended = threading.Event()
    waiting: list[Any] = []

    def wait(one: server.Server) -> None:
        pool = one.thread_pool
        waiting.extend(pool.submit(ended.wait, 20) for _ in range(pool._max_workers))

    monkeypatch.setattr(server, "_register_requests", wait)
    bodies = [b'{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}', b'{"jsonrpc": "2.0", "method": "exit"}']
    stdin = io.BytesIO(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in bodies))
    try:
        assert server.run(options_of({}), stdin, io.BytesIO(), pytest.fail) == 0
        assert waiting
        assert not any(one.done() for one in waiting)
    finally:
        ended.set()
        logging.disable(logging.NOTSET)
