"""A server in a thread: how it ends, and what it does when its file is gone."""

from __future__ import annotations

import http.client
import json
import logging
import sys
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from kubemerge.cluster import open_cluster
from kubemerge.serve.sockets.running import Serving, served
from tests.codegen.sample_specs import kubemerge

if TYPE_CHECKING:
    from pathlib import Path


WATCH = "/api/v1/configmaps?watch=true"


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
        assert answer.read() == b""  # to its end, which a cut connection does not have
        assert time.monotonic() - begun < 3
        connection.close()
    assert [line.getMessage() for line in caplog.records if line.levelno >= logging.WARNING] == []


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
