"""Hostile and broken servers: each command ends soon, in bounded memory, with a result or with one sentence.

The server responds to a command as an API server does, except for one response that is wrong: other content, other
framing, a bomb, an endless stream, a redirect, or silence. A command must never take such a response for an empty
cluster, or follow it to another address.
"""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
import zlib
from contextlib import suppress
from itertools import repeat
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kubemerge.client.wire import limits, transport, work_queue

from ..kubemerge.client.fake import DISCOVERY
from . import active, hostile
from .commands import BUGS, started
from .trial import Loss, insist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from random import Random

    from .commands import Process
    from .trial import Trial, Tried

    Pieces = Iterable[bytes]

TIMES = 1_000
PATIENCE = 60.0
"""Seconds after which a command counts as hanging. Its own limits are shortened to a second or less."""
WATCHED = 5.0
"""Seconds after which a watch is ended. Its output until then is checked."""
LARGEST = 32 * limits.MIB
LIMITS = {"LARGEST": LARGEST, "EVENT": limits.MIB, "REFUSAL": limits.MIB, "PAGES": 60, "SPARSE_PAGES": 20, "GRACE": 1.0}
LIMITS |= {"VALUES": 200_000}
MEMORY = 400 << 20
"""Bytes that a command may need for a response and for its own work."""
OBJECT: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {
        "name": "a",
        "namespace": "default",
        "uid": "u",
        "resourceVersion": "7",
        "creationTimestamp": "2026-01-01T00:00:00Z",
    },
    "data": {"a": "b"},
}
EMPTY = ("No resources found", "no findings in 0")
"""Messages that are only printed for an empty cluster, which this one never is."""

COMMANDS = (
    "get configmaps",
    "get configmaps -o yaml",
    "get configmap a -o json",
    "get configmaps -w --request-timeout=2s",
    "get configmaps -A --chunk-size=5",
    "get namespaces -o wide",
    "get configmap a -o jsonpath={.data}",
    "get --raw /version",
    "describe configmap a",
    "describe configmaps",
    "apply -f m.yaml",
    "apply -f m.yaml --server-side",
    "apply -f m.yaml --prune --all --timeout=2s",
    "apply -f m.yaml --dry-run=server",
    "create -f m.yaml",
    "create configmap b --from-literal=x=y",
    "replace -f m.yaml",
    "replace --force -f m.yaml --timeout=2s",
    "delete configmap a --timeout=2s",
    "delete -f m.yaml --wait=true --timeout=2s",
    "delete configmaps --all --timeout=2s",
    "edit configmap a",
    "label configmap a x=y",
    "annotate configmap a x=y",
    'patch configmap a -p {"data":{"x":"y"}}',
    "scale deployment a --replicas=3",
    "diff -f m.yaml",
    "diff -f m.yaml --server-side",
    "lint m.yaml",
    "lint m.yaml --server-side",
    "why -f m.yaml data.a",
    "owners configmap/a",
    "migrate -f m.yaml",
    "wait configmap/a --for=delete --timeout=2s",
    "wait configmap/a --for=jsonpath={.data.a}=c --timeout=2s",
    "api-resources",
    "api-versions",
    "explain configmap",
    "version",
    "get configmap a --show-managed-fields -o yaml",
    "get events",
    "get widgets",
    "cluster import --context dev",
)


def attack(trial: Trial) -> Tried:
    """Run commands against servers that go wrong."""
    times = trial.often(TIMES)
    folder = trial.new_folder()
    (folder / "m.yaml").write_text(json.dumps(OBJECT))
    with Server(trial.random, folder) as server:
        for _ in range(times):
            _run(server, trial.random, folder)
    yield f"commands against servers of which one answer is hostile, of {len(KINDS)} kinds", times


def _run(server: Server, random: Random, folder: Path) -> None:
    words = random.choice(COMMANDS).split(" ")
    kind = random.choice(list(KINDS))
    server.next(kind, after=random.choice((0, 0, 1, 2, 3, 4, 5, 6)), always=random.random() < 0.5)
    environment = {
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "KUBECONFIG": str(folder / "kubeconfig"),
        "KUBE_EDITOR": "true",
    }
    process = started(folder, *words, *_CONTEXT, environment=environment, prepare=_prepare)
    about = f"{' '.join(words)} with {kind} ({server.after} before, {'always' if server.always else 'once'})"
    inputs = {"seed": f"{server.seed}"}
    try:
        if "-w" in words:
            _end_soon(process)
        said = process.ended(PATIENCE)
    except Loss as loss:
        raise Loss(f"{about}: {loss}", inputs) from None
    insist(
        said.code in (0, 1, 2) or "-w" in words, f"{about}: the exit code is {said.code}: {said.err[-2000:]}", inputs
    )
    insist(not any(bug in said.err for bug in (*BUGS, "MemoryError")), f"{about}: {said.err[-1500:]}", inputs)
    insist(len(said.err) < 8 * limits.MIB, f"{about}: {len(said.err)} characters of errors", inputs)
    insist(not server.elsewhere, f"{about}: another address was asked", inputs)
    insist(
        said.code or not any(one in said.out + said.err for one in EMPTY), f"{about}: an empty cluster: {said}", inputs
    )
    active.judge(tuple(words), said._replace(out=said.out[:200_000], err=said.err[:200_000]))


def _end_soon(process: Process) -> None:
    """End a command that watches without an end."""
    until = time.monotonic() + WATCHED
    while process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.signal()


_CONTEXT = ("--context", "dev")


def _prepare() -> None:
    """Lower the limits, so that they are reached soon."""
    import resource

    for name, value in LIMITS.items():
        setattr(limits, name, value)
    transport.SILENCE = 1.0
    transport.CONNECT = 1.0
    transport.TRIES = 2
    transport.LONGEST_PAUSE = 0.1
    work_queue.CONNECTIONS = 2  # type: ignore[attr-defined]
    most = _data() + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _data() -> int:
    """The bytes of data that this process has already, as the copy of another one."""
    try:
        with open("/proc/self/statm") as stream:  # noqa: PTH123
            return int(stream.read().split()[5]) * 4096
    except OSError:
        return 300 << 20


# ---- the server ------------------------------------------------------------------------------------------------------


class Server:
    """An API server with one ConfigMap, which can be made to send a wrong response."""

    def __init__(self, random: Random, folder: Path) -> None:
        self._random = random
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._other = socket.create_server(("127.0.0.1", 0))
        self.port, self.elsewhere_port = (one.getsockname()[1] for one in (self._listening, self._other))
        self.elsewhere = 0
        self.seed, self.kind, self.after, self.always, self._asked = 0, "", 0, False, 0
        self._lock = threading.Lock()
        content = {
            "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{self.port}"}}],
            "users": [{"name": "u", "user": {"token": "t0ken"}}],
            "contexts": [{"name": "dev", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "dev",
        }
        (folder / "kubeconfig").write_text(json.dumps(content))

    def __enter__(self) -> Server:
        for listening, each in ((self._listening, self._serve), (self._other, self._count)):
            threading.Thread(target=self._accept, args=(listening, each), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        self._other.close()

    def next(self, kind: str, after: int, *, always: bool) -> None:
        """Send a wrong response of this kind after so many responses, once or from then on."""
        with self._lock:
            self.seed = self._random.randrange(10**9)
            self.kind, self.after, self.always, self._asked = kind, after, always, 0

    def _accept(self, listening: socket.socket, each: Callable[[socket.socket], None]) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=each, args=(connection,), daemon=True).start()

    def _count(self, connection: socket.socket) -> None:
        self.elsewhere += 1
        connection.close()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError, ValueError, IndexError):
            connection.settimeout(30)
            stream = connection.makefile("rb")
            while line := stream.readline(70_000):
                method, target, _ = line.decode("latin-1").split()
                length = 0
                while (header := stream.readline(70_000)) not in (b"\r\n", b""):
                    name, _, value = header.decode("latin-1").partition(":")
                    length = int(value) if name.lower() == "content-length" else length
                body = stream.read(length)
                with self._lock:
                    self._asked += 1
                    wrong = self._asked == self.after + 1 or (self.always and self._asked > self.after)
                    kind, seed = self.kind, self.seed
                if wrong:
                    for piece in KINDS[kind](Wrong(seed, self, method, target)):
                        connection.sendall(piece)
                    return
                connection.sendall(whole(*good(method, target, body)))


def good(method: str, target: str, body: bytes) -> tuple[int, bytes]:
    """The response of a correct API server."""
    path, query = urlsplit(target).path, urlsplit(target).query
    if path in DISCOVERY:
        return 200, json.dumps(DISCOVERY[path]).encode()
    if method in ("POST", "PUT"):
        return 201, body
    if "watch=true" in query:
        return 200, json.dumps({"type": "MODIFIED", "object": OBJECT}).encode() + b"\n"
    if path.endswith("/configmaps"):
        head = {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"resourceVersion": "9"}}
        return 200, json.dumps({**head, "items": [OBJECT]}).encode()
    if path.endswith("/configmaps/a"):
        return 200, json.dumps(OBJECT).encode()
    refusal = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404, "reason": "NotFound"}
    return 404, json.dumps({**refusal, "message": "the server could not find the requested resource"}).encode()


def head(code: int, *headers: bytes) -> bytes:
    return b"".join((b"HTTP/1.1 %d OK\r\n" % code, *(one + b"\r\n" for one in headers), b"\r\n"))


def whole(code: int, body: bytes, *headers: bytes) -> bytes:
    return head(code, b"Content-Type: application/json", b"Content-Length: %d" % len(body), *headers) + body


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


# ---- what it does wrong ----------------------------------------------------------------------------------------------


class Wrong:
    """One wrong response: its random numbers, and the request."""

    def __init__(self, seed: int, server: Server, method: str, target: str) -> None:
        from random import Random

        self.random, self.server, self.method, self.target = Random(seed), server, method, target
        self.code, self.right = good(method, target, json.dumps(OBJECT).encode())
        if self.code == 404:
            self.code = 200

    def listed(self, rest: str, count: int, begin: int = 0) -> bytes:
        """A page of a list."""
        items = [
            {**OBJECT, "metadata": {**OBJECT["metadata"], "name": f"n{begin + number}"}} for number in range(count)
        ]
        found = {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"continue": rest, "resourceVersion": "9"}}
        return json.dumps({**found, "items": items}).encode()


def _mutated(wrong: Wrong) -> Pieces:
    content = json.loads(wrong.right.splitlines()[0])
    changed = hostile.changed_anywhere(content, wrong.random)
    yield whole(wrong.code, json.dumps(changed).encode())


VALUES: tuple[Any, ...] = (
    None,
    [],
    [1, 2],
    5,
    "x",
    True,
    {},
    {"kind": 5, "items": {"a": 1}},
    {"items": []},
    {"kind": "List"},
    {"kind": "Status", "status": "Success"},
    {"kind": "Status", "code": "x", "details": []},
    {"kind": "ConfigMapList", "items": [1, None, "x", {"metadata": 5}]},
    {"kind": "Table", "rows": [5]},
    {**OBJECT, "kind": "Secret"},
    {**OBJECT, "metadata": None},
    {"kind": "ConfigMapList", "items": [[]]},
)
NO_JSON = (
    b"",
    b"<html>",
    b"{",
    b'{"a":',
    b"\xff\xfe",
    b"null null",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"9" * 6_000,
    b"1e999",
    b'"\\ud800"',
    b'{"kind":"ConfigMapList","items":[' + b"{}," * 300_000 + b"{}]}",
    b'{"a":NaN}',
    b"\0" * 1_000,
)


def _text(wrong: Wrong) -> Pieces:
    text = wrong.random.choice(list(hostile.TEXTS.values()))(wrong.random)
    yield whole(wrong.code, text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))


def _endless(wrong: Wrong) -> Pieces:
    code = wrong.random.choice((200, 200, 403, 500))
    piece = wrong.random.choice((b" ", b"x", b"\n", b"[", b'{"type":"ADDED","object":{}}\n')) * 65_536
    if wrong.random.random() < 0.5:
        yield head(code, b"Transfer-Encoding: chunked")
        yield from repeat(chunk(piece))
    yield head(code, *wrong.random.choice(((), (b"Content-Length: 99999999999",))))
    yield from repeat(piece)


def _endless_objects(wrong: Wrong) -> Pieces:
    yield head(200, b"Transfer-Encoding: chunked")
    yield chunk(b'{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[')
    yield from repeat(chunk((json.dumps(OBJECT) + ",").encode() * 200))


def _bomb(wrong: Wrong) -> Pieces:
    size = wrong.random.choice((40, 400)) * limits.MIB
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = b"".join([packer.compress(b" " * limits.MIB) for _ in range(size // limits.MIB)]) + packer.flush()
    encoding = wrong.random.choice((b"gzip", b"gzip", b"gzip, gzip", b"deflate", b"br", b"zstd", b"x"))
    if encoding == b"gzip, gzip":
        data = gzip.compress(data)
    yield whole(wrong.code, data, b"Content-Encoding: " + encoding)


def _broken_gzip(wrong: Wrong) -> Pieces:
    data = bytearray(gzip.compress(wrong.right))
    at = wrong.random.randrange(len(data))
    data[at] ^= 255
    yield whole(200, bytes(data[: wrong.random.choice((len(data), at))]), b"Content-Encoding: gzip")


def _interim(wrong: Wrong) -> Pieces:
    code = wrong.random.choice((b"100 Continue", b"102 Processing", b"103 Early Hints", b"101 Switching"))
    one = b"HTTP/1.1 " + code + wrong.random.choice((b"\r\n\r\n", b"\r\nLink: x\r\n\r\n"))
    yield from repeat(one * 200, wrong.random.choice((1, 100_000)))
    yield whole(wrong.code, wrong.right)


def _heads(wrong: Wrong) -> Pieces:
    header = wrong.random.choice(
        (
            b"A: b\r\n",
            b'Warning: 299 - "x"\r\n',
            b"A: " + b"b" * 60_000 + b"\r\n",
            b'Warning: 299 - "' + b"w" * 60_000 + b'"\r\n',
            b"Set-Cookie: a=b\r\n",
            b" folded\r\n",
        )
    )
    yield b"HTTP/1.1 200 OK\r\n" + header * wrong.random.choice((1, 900, 1_500))
    if wrong.random.random() < 0.3:
        yield from repeat(header * 100)
    yield b"Content-Length: %d\r\n\r\n" % len(wrong.right) + wrong.right


def _warnings(wrong: Wrong) -> Pieces:
    texts = [wrong.random.choice((active.value(wrong.random), "w" * 3_000, '\\"', '"', "x")) for _ in range(300)]
    lines = [f'Warning: 299 - "{text}"'.replace("\n", " ").replace("\r", " ").encode() for text in texts]
    yield whole(wrong.code, wrong.right, *(line for line in lines))


def _pages(wrong: Wrong) -> Pieces:
    wrong.server.always = True
    number = wrong.server._asked
    how = wrong.random.choice(("same", "new", "empty", "full", "long"))
    rest = {"same": "x", "long": "y" * 60_000}.get(how, f"c{number}")
    count = {"empty": 0, "full": 60}.get(how, 1)
    yield whole(200, wrong.listed(rest, count, 0 if how in ("same", "new") else number * 60))


def _drip(wrong: Wrong) -> Pieces:
    text = wrong.random.choice(
        (whole(200, wrong.right), b"HTTP/1.1 200 OK\r\nA: " + b"b" * 900, head(200, b"Transfer-Encoding: chunked"))
    )
    for at in range(len(text)):
        yield text[at : at + 1]
        time.sleep(0.05)
    while True:
        yield chunk(b" ")
        time.sleep(0.05)


def _silent(wrong: Wrong) -> Pieces:
    yield whole(200, wrong.right)[: wrong.random.choice((0, 5, 60, -5))]
    time.sleep(8)


def _cut(wrong: Wrong) -> Pieces:
    text = wrong.random.choice((whole(200, wrong.right), head(200, b"Transfer-Encoding: chunked") + chunk(wrong.right)))
    yield text[: wrong.random.randrange(len(text))]


FRAMES = (
    b"Transfer-Encoding: gzip",
    b"Transfer-Encoding: chunked\r\nContent-Length: 3",
    b"Content-Length: -1",
    b"Content-Length: x",
    b"Content-Length: 5\r\nContent-Length: 6",
    b"Content-Length: " + b"9" * 5_000,
    b"Connection: Upgrade\r\nUpgrade: x",
    b"Content-Type: \xff",
    b"\0: x",
    b"Content-Length: \xb2",
)
CHUNKS = (
    b"zz\r\nx",
    b"-1\r\nx",
    b"ffffffffffffffffffff\r\nx",
    b"5;" + b"x" * 70_000,
    b"0\r\n" + b"A: b\r\n" * 100_000,
    b"5\r\nhelloX",
)
STARTS = (
    b"HTTP/9.9 200 OK\r\n\r\n",
    b"HTTP/1.1 abc\r\n\r\n",
    b"HTTP/1.1 99999 x\r\n\r\n",
    b"HTTP/1.1 000\r\n\r\n",
    b"ICY 200 OK\r\n\r\n",
    b"\0" * 500,
    b"220 smtp\r\n",
    b"x" * 100_000,
    b"HTTP/1.1 200 " + b"x" * 100_000,
    b"\x15\x03\x01\x00\x02\x02\x28",
    b"HTTP/1.1 204 x\r\n\r\n",
)


def _framing(wrong: Wrong) -> Pieces:
    how = wrong.random.randrange(3)
    if how == 0:
        yield head(200, wrong.random.choice(FRAMES)) + wrong.right
    elif how == 1:
        yield head(200, b"Transfer-Encoding: chunked") + wrong.random.choice(CHUNKS)
    else:
        yield wrong.random.choice(STARTS)


def _redirect(wrong: Wrong) -> Pieces:
    code = wrong.random.choice((300, 301, 302, 303, 304, 305, 307, 308))
    elsewhere = f"http://127.0.0.1:{wrong.server.elsewhere_port}{wrong.target}"
    places = (
        elsewhere,
        elsewhere.replace("http:", ""),
        wrong.target,
        "file:///etc/passwd",
        "gopher://x",
        "\x01",
        "http://[",
        "",
    )
    yield whole(code, b"", b"Location: " + wrong.random.choice(places).encode())


def _refusal(wrong: Wrong) -> Pieces:
    random = wrong.random
    code = random.choice((400, 401, 403, 404, 405, 409, 410, 415, 422, 429, 500, 503, 504, 599, 418))
    status: Any = {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "code": code,
        "reason": random.choice(("Invalid", "Conflict", "x")),
    }
    status |= {
        "message": active.value(random),
        "details": {
            "name": "a",
            "kind": "x",
            "causes": [
                {
                    "reason": "FieldManagerConflict",
                    "message": 'conflict with "' + active.name(random),
                    "field": active.name(random),
                }
            ]
            * 3,
        },
    }
    after = random.choice((b"", b"1", b"9" * 5_000, b"\xb2", b"-1", b"Wed, 21 Oct 2015 07:28:00 GMT"))
    yield whole(code, json.dumps(hostile.changed_anywhere(status, random)).encode(), b"Retry-After: " + after)


EVENTS = (
    b"null\n",
    b"[]\n",
    b"{}\n",
    b"<html>\n",
    b'{"type":"ODD","object":{}}\n',
    b'{"type":"ADDED","object":null}\n',
    b"\n" * 1_000,
    b'{"type":"ERROR","object":{"code":"x"}}\n',
    b'{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n',
    b'{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":5}}}\n',
    b'{"type":"DELETED","object":{"metadata":{"name":"a"}}}\n',
    b'{"type":"ADDED","object":"' + b"x" * 2_000_000,
    b" " * 2_000_000,
)


def _events(wrong: Wrong) -> Pieces:
    if "watch=true" not in wrong.target:
        wrong.server._asked -= 1  # the next request may be the watch
        yield whole(wrong.code, wrong.right)
        return
    wrong.server.always = True
    yield head(200, b"Transfer-Encoding: chunked")
    if wrong.random.random() < 0.7:
        for _ in range(wrong.random.choice((0, 1, 5))):
            yield chunk(wrong.random.choice(EVENTS))
    yield b"0\r\n\r\n"


KINDS: dict[str, Callable[[Wrong], Pieces]] = {
    "an object with something wrong": _mutated,
    "an answer with something wrong": _mutated,
    "another value": lambda wrong: [whole(wrong.code, json.dumps(wrong.random.choice(VALUES)).encode())],
    "no JSON": lambda wrong: [whole(wrong.code, wrong.random.choice(NO_JSON))],
    "a hostile text": _text,
    "an endless answer": _endless,
    "endless objects": _endless_objects,
    "a bomb": _bomb,
    "broken compression": _broken_gzip,
    "interim answers": _interim,
    "heads": _heads,
    "warnings": _warnings,
    "pages": _pages,
    "drops": _drip,
    "silence": _silent,
    "an answer cut off": _cut,
    "framing": _framing,
    "a redirect": _redirect,
    "a refusal": _refusal,
    "events": _events,
}
