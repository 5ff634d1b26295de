"""A served cluster: killed while clients write to it, and sent invalid requests and requests without a token.

Every acknowledged write is there after a kill, and clients go on with the next server. Every request gets a response
soon: a Status or another JSON value, never a trace.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any

from kubemerge.cluster import open_cluster

from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from random import Random

    from .trial import Trial, Tried

KILLS, REQUESTS, UNKNOWN = 100, 5000, 200
MAPS = "/api/v1/namespaces/default/configmaps"
WAITS = 20.0
WRITERS = 4


def attack(trial: Trial) -> Tried:
    """Kill it, send it nonsense, and try to get in."""
    times = trial.often(KILLS)
    yield f"kills of a server with {WRITERS} clients ({_killed(trial, times)} acknowledged writes)", times
    times = trial.often(REQUESTS)
    with served(trial.new_folder()) as server:
        for _ in range(times):
            _refused(server, trial.random)
        insist(server.alive, f"the server has ended: {server.said()}")
        insist("Traceback" not in server.said(), f"a trace: {server.said()[-2000:]}")
    yield "hostile requests", times
    times = trial.often(UNKNOWN)
    folder = trial.new_folder()
    (folder / "token").write_text("s3cret-token\n")
    with served(folder, "--token-file", str(folder / "token")) as server:
        for _ in range(times):
            _not_let_in(server, trial.random)
    yield "requests without the token", times


class _Server:
    """`kubemerge serve` in a separate process."""

    def __init__(self, folder: Path, *options: str, port: int = 0, start: Sequence[str] = ("-m", "kubemerge")) -> None:
        self.folder = folder
        self._log = (folder / "log").open("ab")
        words = [sys.executable, *start, "serve", "--cluster", str(folder / "c.db"), "--port", str(port)]
        self.process = subprocess.Popen(
            [*words, "--kubeconfig", str(folder / "kubeconfig"), *options],
            stdout=self._log,
            stderr=self._log,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.port = self._port()

    def _port(self) -> int:
        ends = time.monotonic() + WAITS
        while time.monotonic() < ends and self.alive:
            for line in reversed(self.said().splitlines()):
                if "is served at http" in line:
                    return int(line.rpartition(":")[2])
            time.sleep(0.01)
        insist(False, f"the server does not start: {self.said()}")
        return 0

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def said(self) -> str:
        """The server's output."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def end(self, number: int = signal.SIGTERM) -> None:
        """End it by a signal."""
        self.process.send_signal(number)
        self.process.wait(WAITS)
        self._log.close()


@contextmanager
def served(folder: Path, *options: str, start: Sequence[str] = ("-m", "kubemerge")) -> Iterator[_Server]:
    """A server, for the duration of a `with` block. `start` holds Python's arguments to start the program."""
    server = _Server(folder, *options, start=start)
    try:
        yield server
    finally:
        server.end()


# ---- kills ----------------------------------------------------------------------------------------------------------


def _killed(trial: Trial, times: int) -> int:
    """The number of acknowledged writes. Raise a Loss if one of them is gone."""
    folder = trial.new_folder()
    acknowledged: dict[str, str] = {}
    for round_ in range(times):
        (folder / "log").unlink(missing_ok=True)
        server = _Server(folder)
        stop = threading.Event()
        writers = [
            threading.Thread(target=_write, args=(server.port, f"r{round_}-{number}", acknowledged, stop))
            for number in range(WRITERS)
        ]
        for one in writers:
            one.start()
        wanted, ends = len(acknowledged) + trial.random.randint(1, 40), time.monotonic() + WAITS
        while len(acknowledged) < wanted and time.monotonic() < ends:
            time.sleep(0.002)
        server.end(signal.SIGKILL)
        stop.set()
        for one in writers:
            one.join(WAITS)
        _check(folder / "c.db", acknowledged)
    return len(acknowledged)


def _write(port: int, prefix: str, acknowledged: dict[str, str], stop: threading.Event) -> None:
    """Create objects, and change each of them, until the server is gone."""
    connection = HTTPConnection("127.0.0.1", port, timeout=WAITS)
    number = 0
    try:
        while not stop.is_set():
            name = f"{prefix}-{number}"
            made = json.dumps({"metadata": {"name": name}, "data": {"n": "1"}})
            for method, path, body, kind, value in (
                ("POST", MAPS, made, "application/json", "1"),
                ("PATCH", f"{MAPS}/{name}", '{"data":{"n":"2"}}', "application/merge-patch+json", "2"),
            ):
                connection.request(method, path, body, {"content-type": kind})
                answer = connection.getresponse()
                answer.read()
                if answer.status < 300:
                    acknowledged[name] = value
            number += 1
    except (OSError, HTTPException):
        return


def _check(file: Path, acknowledged: dict[str, str]) -> None:
    with open_cluster(str(file), mode="read") as cluster:
        listed = cluster.list("v1", "ConfigMap", namespace="default")
        there = {one["metadata"]["name"]: one["data"]["n"] for one in listed if "data" in one}
        cluster.check()
    lost = [name for name, value in acknowledged.items() if there.get(name, "0") < value]
    insist(not lost, f"acknowledged, and gone after a kill: {lost[:5]}")


# ---- hostile requests -----------------------------------------------------------------------------------------------

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW", "get")
_PATHS = (
    MAPS,
    f"{MAPS}/a",
    f"{MAPS}/a/status",
    f"{MAPS}/../../../../etc/passwd",
    "/apis/apps/v1/namespaces/default/deployments/a/scale",
    "/api/v1/namespaces/%00/configmaps",
    "/api/v1/namespaces/default/configmaps/%ff%fe",
    "/api/v1/namespaces/default/configmaps/" + "a" * 3000,
    "/" + "a/" * 500,
    "//api//v1",
    "/openapi/v3/apis/apps/v1",
    "/apis/apps/v1/namespaces/a%2Fb/deployments",
    "/api/v1/namespaces/default/pods/p/eviction",
    "/api/v1/watch/watch/configmaps",
    "/api/v1/namespaces/default/finalize",
)
_QUERIES = (
    "",
    "limit=-1",
    "limit=99999999999999999999",
    "limit=1&continue=" + "A" * 2000,
    "continue=eyJ2IjoxfQ",
    "labelSelector=" + "a," * 800,
    "labelSelector=((((((((((",
    "fieldSelector=metadata.name%3D%00",
    "resourceVersion=-1",
    "resourceVersion=" + "9" * 400,
    "watch=true&timeoutSeconds=0.1&resourceVersion=abc",
    "watch=1&timeoutSeconds=1&resourceVersion=1",
    "fieldManager=" + "m" * 300,
    "fieldManager=%00&fieldValidation=Strict",
    "dryRun=None",
    "pretty=%ff",
    "&&&==&a",
)
_TYPES = (
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
    "text/html",
    "application/cbor",
    "",
    ";;;",
)
_ACCEPTS = ("*/*", "", "text/html", "application/json;as=Table;v=v1;g=meta.k8s.io", "a" * 2000, "application/json;q=x")


def _bodies(random: Random) -> Iterator[bytes]:
    deep = random.choice([10, 5000, 200_000])
    yield b"[" * deep
    yield b'{"a":' * deep + b"1" + b"}" * deep
    yield b'{"metadata":{"name":"a"},"data":{"x":"' + b"y" * random.choice([10, 1_000_000, 4_000_000]) + b'"}}'
    yield b"k8s\0" + random.randbytes(random.choice([0, 1, 20, 3000]))
    yield random.randbytes(random.choice([0, 1, 50, 5000]))
    yield b'{"metadata":{"name":"a","labels":{"x":7}}}'
    yield b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","ownerReferences":[{}]},"data":[]}'
    yield b"a: &a [*a]"
    yield b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]"
    yield b"!!python/object/apply:os.system ['true']"
    yield b'{"metadata":null,"spec":1e999}'
    yield b'[{"op":"add","path":"/a/' + b"b/" * 500 + b'","value":1}]'
    yield '{"metadata":{"name":"\ud800"}}'.encode("utf-8", "surrogatepass")
    yield b"\xff\xfe{\0}\0"
    yield b""


def _refused(server: _Server, random: Random) -> None:
    """Send one request that no client would send."""
    kind = random.random()
    if kind < 0.03:
        _raw(server, random)
        return
    method, path, query = random.choice(_METHODS), random.choice(_PATHS), random.choice(_QUERIES)
    body = random.choice(list(_bodies(random)))
    headers = {"content-type": random.choice(_TYPES), "accept": random.choice(_ACCEPTS)}
    if kind < 0.1:
        headers[random.choice(["x-a", "authorization", "if-none-match", "user-agent"])] = "z" * random.choice([1, 5000])
    asked = f"{method} {path[:80]}?{query[:80]} {headers} {body[:80]!r}"
    begun = time.monotonic()
    status, kind_of, text = _answer(server.port, method, f"{path}?{query}" if query else path, body, headers)
    insist(time.monotonic() - begun < WAITS, f"no answer in {WAITS} seconds: {asked}")
    insist(server.alive, f"the server has ended: {asked}; {server.said()[-1000:]}")
    insist(b"Internal error occurred" not in text, f"{asked}: {status} {text[:300]!r}")
    insist(b"Traceback" not in text, f"a trace: {asked}")
    if status >= 400 and text and kind_of.startswith("application/json"):
        content: Any = json.loads(text)
        insist(content["kind"] == "Status" and content["code"] == status, f"no Status: {asked}: {text[:200]!r}")


def _answer(port: int, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, str, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=WAITS)
    try:
        connection.putrequest(method, path, skip_host=False, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.putheader("content-length", str(len(body)))
        connection.endheaders()
        with suppress(OSError):  # the server responds early to a body that is too large
            connection.send(body)
        answer = connection.getresponse()
        return answer.status, answer.headers.get("content-type", ""), answer.read()
    except (ConnectionError, HTTPException):
        return 0, "", b""  # closing the connection is the response to invalid HTTP
    finally:
        connection.close()


def _raw(server: _Server, random: Random) -> None:
    """Send something that is not quite HTTP, and go away in the middle."""
    sent = random.choice(
        [
            b"GET / HTTP/9.9\r\n\r\n",
            b"\0" * 100,
            b"POST " + MAPS.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{",
            b"POST " + MAPS.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"POST " + MAPS.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
            b"GET " + MAPS.encode() + b" HTTP/1.1\r\n" + b"A: b\r\n" * 3000 + b"\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        ]
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.sendall(sent)
        connection.settimeout(0.05)
        with suppress(TimeoutError, ConnectionError):
            connection.recv(4096)
    status, _, _ = _answer(server.port, "GET", MAPS, b"", {})
    insist(status == 200, f"after {sent[:60]!r}, others get {status}")


# ---- the token ------------------------------------------------------------------------------------------------------

_TOKENS = ("", "Bearer", "Bearer ", "Bearer s3cret-toke", "Bearer s3cret-token2", "Basic s3cret-token", "s3cret-token")


def _not_let_in(server: _Server, random: Random) -> None:
    headers = {"authorization": random.choice(_TOKENS)}
    status, _, text = _answer(server.port, random.choice(_METHODS[:5]), random.choice(_PATHS), b"{}", headers)
    insist(status in (0, 401), f"let in with {headers}: {status} {text[:200]!r}")
    right = _answer(server.port, "GET", MAPS, b"", {"authorization": "Bearer s3cret-token"})
    insist(right[0] == 200, f"not let in with the token: {right}")
