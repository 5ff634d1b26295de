"""A server in a thread: its end, and errors when its file is gone."""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import socket
import sys
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from kubemerge.apiserver.http import asgi
from kubemerge.apiserver.http.listening import connections
from kubemerge.apiserver.http.listening.running import ListenAddress, Serving, served
from kubemerge.apiserver.http.watch import streams
from kubemerge.cluster import open_cluster
from tests.codegen.sample_specs import kubemerge
from tests.conftest import needs_posix

if TYPE_CHECKING:
    from pathlib import Path


WATCH = "/api/v1/namespaces/default/configmaps?watch=true"


def _watching(serving: Serving) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    where = urlsplit(serving.url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=20)
    connection.request("GET", WATCH)
    return connection, connection.getresponse()


def test_watches_end_with_the_server_and_nobody_is_told_of_an_error(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO), open_cluster(":memory:") as cluster:
        with served(cluster) as serving:
            connection, answer = _watching(serving)
            begun = time.monotonic()
        assert answer.read() == b""  # it ends regularly, unlike an aborted connection
        assert time.monotonic() - begun < 3
        connection.close()
    assert [line.getMessage() for line in caplog.records if line.levelno >= logging.WARNING] == []


@needs_posix
@pytest.mark.parametrize("begun", [True, False], ids=["later", "at once"])
def test_watches_end_when_the_file_is_gone(begun: bool, tmp_path: Path) -> None:
    file = tmp_path / "cluster.db"
    with open_cluster(str(file)) as cluster, served(cluster) as serving:
        cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}})
        if begun:
            connection, answer = _watching(serving)
            assert b'"name":"a"' in answer.readline()
            file.rename(tmp_path / "elsewhere")
            assert answer.read() == b""
        else:
            file.rename(tmp_path / "elsewhere")
            connection, answer = _watching(serving)
            assert json.loads(answer.read())["reason"] == "InternalError"
        connection.close()


def test_where_nothing_can_be_served_no_cluster_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert kubemerge("serve", "--cluster", tmp_path / "cluster.db", "--port", "0") == 2
    assert "kubemerge[serve]" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_services_of_webhooks_are_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []

    def run(serving: Serving) -> None:
        found.append(serving.cluster.webhook_services)
        serving._socket.close()

    monkeypatch.setattr(Serving, "run", run)
    words = ["serve", "--cluster", tmp_path / "cluster.db", "--port", "0"]
    services = ["--service", "a/b=https://127.0.0.1:1", "--service", "c/d=https://localhost"]
    assert kubemerge(*words, *services) == 0
    assert found == [{"a/b": "https://127.0.0.1:1", "c/d": "https://localhost"}]
    assert kubemerge(*words, "--service", "a=https://127.0.0.1:1") == 2
    assert "Use NAMESPACE/NAME=https://HOST:PORT" in capsys.readouterr().err


# ---- connections ----------------------------------------------------------------------------------------------------


def _raw(serving: Serving, *pieces: bytes) -> socket.socket:
    made = socket.create_connection((urlsplit(serving.url).hostname or "", urlsplit(serving.url).port or 0), timeout=20)
    for piece in pieces:
        made.sendall(piece)
    return made


def _rest(connection: socket.socket) -> bytes:
    """All data that the server sends until it closes the connection."""
    pieces = []
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(65536):
            pieces.append(piece)
    connection.close()
    return b"".join(pieces)


BOTH = b"POST /version HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
GET = b"GET /version HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LAST = GET.replace(b"/version", WATCH.encode()).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
"""A watch, after which the server reads nothing."""


@pytest.mark.parametrize("head", [b"", b"GET", GET[:-2], GET + GET[:-2]], ids=["none", "a word", "half", "the second"])
def test_a_head_that_does_not_come_ends_the_connection(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_TIME", 0.1)
    with open_cluster(":memory:") as cluster, served(cluster) as serving:
        assert _rest(_raw(serving, head)).count(b"HTTP/1.1 200") == (1 if head.startswith(GET) else 0)


def test_a_connection_with_whole_heads_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_TIME", 0.2)
    with open_cluster(":memory:") as cluster, served(cluster) as serving:
        connection, answer = _watching(serving)
        time.sleep(0.5)
        cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}})
        serving.application.feed.poll()
        assert b'"name":"a"' in answer.readline()
        connection.close()


@pytest.mark.parametrize("begin", [b"", GET, LAST], ids=["first", "next", "in a watch"])
def test_what_is_no_http_ends_the_connection(begin: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with open_cluster(":memory:") as cluster, served(cluster) as serving:
        connection = _raw(serving, begin)
        assert not begin or connection.recv(12) == b"HTTP/1.1 200"
        connection.sendall(b"-5\r\nx: y\r\n\r\n")
        assert b" 500 " not in _rest(connection)
    assert [line.getMessage() for line in caplog.records if line.levelno >= logging.WARNING] == []


def test_two_kinds_of_framing_end_the_connection() -> None:
    with open_cluster(":memory:") as cluster, served(cluster) as serving:
        assert _rest(_raw(serving, BOTH + GET)).count(b"HTTP/1.1 ") == 1


def test_a_watch_that_nobody_reads_ends_without_a_word(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(asgi, "PATIENCE", 0.2)
    monkeypatch.setattr(streams, "BATCH_SIZE", 1)
    with open_cluster(":memory:") as cluster, served(cluster) as serving:
        large = {"a": "x" * 900_000}
        for number in range(12):
            metadata = {"name": f"m{number}", "namespace": "default"}
            cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": large})
        connection = _raw(serving, GET.replace(b"/version", WATCH.encode()))
        there = serving._server.server_state.connections
        while not there:
            time.sleep(0.01)
        while there:
            time.sleep(0.01)
        connection.close()
    assert [line.getMessage() for line in caplog.records if line.levelno >= logging.WARNING] == []


def test_the_connection_that_was_idle_for_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "most_connections", lambda: 3)
    with open_cluster(":memory:") as cluster, served(cluster) as serving:
        watching, answer = _watching(serving)
        idle = [_raw(serving) for _ in range(2)]
        busy = _raw(serving, GET)
        assert busy.recv(12) == b"HTTP/1.1 200"
        assert _rest(idle[0]) == b""
        idle[1].sendall(GET)
        assert idle[1].recv(12) == b"HTTP/1.1 200"
        for one in (*idle, busy):
            one.close()
        watching.close()
        answer.close()


@pytest.mark.parametrize("quiet", [False, True])
def test_quiet_prints_nothing(
    quiet: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Serving, "run", lambda self: self._socket.close())
    words = ["serve", "--cluster", ":memory:", "--port", "0", "--kubeconfig", tmp_path / "kubeconfig"]
    assert kubemerge(*words, *(["-q"] if quiet else [])) == 0
    assert len(capsys.readouterr().out.splitlines()) == (0 if quiet else 2)


def test_the_server_listens_at_its_address() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open_cluster(":memory:") as cluster, served(cluster, place=ListenAddress(port=port)) as serving:
        assert serving.url == f"http://127.0.0.1:{port}"
