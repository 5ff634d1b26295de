"""Requests that no client would send: each gets a response soon, as from a real server, and the server goes on.

Framing, heads, paths, parameters, and bodies of every type for every kind: objects with something wrong anywhere, also
in protobuf, patches of every sort, texts that hang readers, and numbers without an end.
"""

from __future__ import annotations

import copy
import gzip
import json
import re
import socket
import time
from base64 import b64decode
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from kubemerge.cluster import open_cluster

from ..kubemerge.apiserver.http.protobuf.oracle import OBJECTS
from . import active, hostile
from .server import MAPS, WAITS, served
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from kubemerge.cluster import Resource

    from .server import _Server
    from .trial import Trial, Tried

TIMES = 10_000
HEALTH_EVERY = 100
"""Requests after which the server has to respond to a good one."""
TIMEOUT = "Too large resource version"
"""The only error with a code above 499 and a reason: a real server waits for that version, and gives up."""


def attack(trial: Trial) -> Tried:
    """Send them to a server, and check its responses and its output."""
    times = trial.often(TIMES)
    made = Maker(trial.random)
    with served(trial.new_folder()) as server:
        for name in ("a", "b"):
            body = json.dumps({"metadata": {"name": name}, "data": {"a": "b"}}).encode()
            _asked(server, Asked("POST", MAPS, {"content-type": "application/json"}, body))
        for number in range(times):
            if trial.random.random() < 0.15:
                _raw(server, trial.random)
            else:
                judge(server, made.request())
            if number % HEALTH_EVERY == 0:
                _healthy(server)
        _healthy(server)
        insist(server.said().count("\n") <= 2, f"the server prints: {server.said()[-3000:]}")
    yield "hostile requests for every kind, in every form", times


class Asked(NamedTuple):
    """One request."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def inputs(self) -> dict[str, str | bytes]:
        """The files that show it again."""
        head = f"{self.method} {self.target}\n" + "".join(f"{name}: {value}\n" for name, value in self.headers.items())
        return {"head.txt": head, "body": self.body}


def _asked(server: _Server, asked: Asked) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=WAITS)
    try:
        connection.putrequest(asked.method, asked.target, skip_accept_encoding=True)
        for name, value in asked.headers.items():
            connection.putheader(name, value)
        connection.putheader("content-length", str(len(asked.body)))
        connection.endheaders()
        with suppress(OSError):
            connection.send(asked.body)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (ConnectionError, HTTPException):
        return 0, b""  # closing the connection is the response to invalid HTTP
    finally:
        connection.close()


def judge(server: _Server, asked: Asked) -> None:
    begun = time.monotonic()
    status, text = _asked(server, asked)
    if status >= 500 and asked.method == "HEAD":  # which has no body to look at
        status, text = _asked(server, asked._replace(method="GET"))
    about = f"{asked.method} {asked.target[:200]} {asked.headers} {asked.body[:200]!r}"
    insist(time.monotonic() - begun < WAITS, f"no answer in {WAITS} seconds: {about}", asked.inputs)
    insist(server.alive, f"the server has ended: {about}; {server.said()[-1000:]}", asked.inputs)
    insist(status < 500 or _is_as_real(text), f"{status} {text[:900]!r}: {about}", asked.inputs)
    insist(b"Internal error occurred" not in text, f"{text[:500]!r}: {about}", asked.inputs)
    insist("Traceback" not in server.said(), f"a trace: {about}; {server.said()[-2000:]}", asked.inputs)
    if status >= 400 and asked.method != "HEAD" and text[:1] == b"{":
        content = json.loads(text)
        insist(content.get("kind") in ("Status", "Table") or "code" not in content, f"no Status: {about}", asked.inputs)


def _is_as_real(text: bytes) -> bool:
    """Whether a real server also returns this error with a code above 499: an error of Go that gives no reason."""
    content = json.loads(text) if text[:1] == b"{" else {}
    return content.get("code", 0) >= 500 and (not content.get("reason") or TIMEOUT in content.get("message", ""))


def _healthy(server: _Server) -> None:
    status, text = _asked(server, Asked("GET", f"{MAPS}/a", {}, b""))
    insist(status in (200, 404) and json.loads(text)["kind"], f"others get {status}: {text[:200]!r}")


# ---- requests --------------------------------------------------------------------------------------------------------

DIGITS = "9" * 6_000
NUMBERS = ("0", "-1", "1", "9" * 30, DIGITS, "²", "1_000", "+1", "0x10", "1e9", "NaN", " 1", "true", "")
TEXTS = (
    "",
    "a",
    "b",
    "\0",
    "%",
    "é",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    "x" * 4_000,
    "../..",
    "a=b",
    "!a",
    "a in (b,c)",
    "((((",
    "a=" + DIGITS,
    "a,b" * 500,
    "a>1",
    "metadata.name=a",
    "status.phase!=x",
    "{}",
    "[]",
)
PARAMETERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("limit", "timeoutSeconds", "gracePeriodSeconds", "resourceVersion", "timeout"), NUMBERS),
    **dict.fromkeys(("labelSelector", "fieldSelector", "continue", "fieldManager", "pretty", "x", "hash"), TEXTS),
    "resourceVersionMatch": ("Exact", "NotOlderThan", "x", ""),
    "dryRun": ("All", "None", "", "All&dryRun=All"),
    "force": ("true", "false", "x", ""),
    "fieldValidation": ("Strict", "Warn", "Ignore", "x"),
    "propagationPolicy": ("Orphan", "Foreground", "Background", "x"),
    "watch": ("true", "1", "false", "x"),
    "sendInitialEvents": ("true", "x"),
    "allowWatchBookmarks": ("true",),
    "orphanDependents": ("true", "x"),
    "includeObject": ("None", "Object", "x"),
}
PARTS = (
    "status",
    "scale",
    "eviction",
    "binding",
    "token",
    "approval",
    "finalize",
    "ephemeralcontainers",
    "resize",
    "log",
    "exec",
    "attach",
    "portforward",
    "proxy",
    "x",
    "status/x",
    "..",
    "%2e%2e",
    "",
)
PLACES = (
    "/",
    "/api",
    "/apis",
    "/version",
    "/healthz",
    "/metrics",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/apis/apps/v1",
    "/apis/e.c/v1",
    "/apis/e.c/v1/namespaces/default/foos",
    "/apis/x/y/z",
    "/api/v1/watch/pods",
    "/logs",
    "/debug/pprof",
    "/.well-known/openid-configuration",
    "/api/v1/namespaces/" + "a" * 3_000,
    "//",
    "/%00",
    "/" + "a/" * 2_000,
)
NAMES = ("a", "b", "a", "zz", "%00", "a%2Fb", "..", "x" * 300, "A", "%ff", "*", "a:b", "kubernetes", "default")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "POST", "PATCH", "PUT", "HEAD", "OPTIONS", "TRACE", "get")
PATCHES = (
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
    "application/apply-patch+cbor",
)
TYPES = (
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    *PATCHES,
    "application/cbor",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/json;stream=watch",
    "",
    ";",
)
ACCEPTS = (
    "*/*",
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "application/cbor",
    "text/html",
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/json;as=x;v=y;g=z",
    ",,,;;q=x",
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
    "a/b;" * 500,
)
HEADERS = (
    "impersonate-user",
    "impersonate-group",
    "impersonate-uid",
    "impersonate-extra-x",
    "authorization",
    "user-agent",
    "if-none-match",
    "accept-encoding",
    "x-forwarded-for",
    "origin",
    "kubectl-command",
    "content-encoding",
    "expect",
    "upgrade",
    "connection",
    "range",
)
OPERATIONS = ("add", "remove", "replace", "move", "copy", "test", "x", None, 5)
POINTERS = (
    "",
    "/",
    "/data",
    "/data/a",
    "/metadata",
    "/metadata/name",
    "/metadata/labels/a~1b",
    "/spec/-",
    "/spec/0",
    "/a/" + "b/" * 900,
    "/data/" + DIGITS,
    "x",
    "/~2",
    "/metadata/managedFields",
    None,
    5,
    "/\ud800",
)
DIRECTIVES: tuple[Any, ...] = (
    {"$patch": "delete"},
    {"$patch": "replace"},
    {"$patch": "x"},
    {"$patch": 5},
    {"$retainKeys": ["a"]},
    {"$retainKeys": 5},
    {"$retainKeys": [5]},
    {"$setElementOrder/containers": [{"name": "a"}, 5]},
    {"$deleteFromPrimitiveList/finalizers": 5},
    {"$setElementOrder/finalizers": {}},
    [{"$patch": "delete"}],
    [{"$patch": "replace"}, 5],
    {"$patch": None},
)


def _deep(random: Random) -> bytes:
    levels = random.choice((100, 2_000, 9_999, 200_000))
    opened, closed = random.choice(((b'{"a":', b"}"), (b"[", b"]")))
    return opened * levels + b"1" + closed * levels


def _with_number(random: Random) -> bytes:
    number = random.choice(
        (
            DIGITS,
            f"-{DIGITS}",
            f"1e{DIGITS}",
            f"0.{DIGITS}",
            "1e400",
            "-0",
            "01",
            "1.",
            f"{DIGITS}.5",
            "NaN",
            "Infinity",
        )
    )
    form = random.choice(
        (
            '{{"x":{}}}',
            '{{"metadata":{{"name":"a","generation":{}}}}}',
            '{{"spec":{{"replicas":{}}}}}',
            "[{}]",
            "{}",
            '{{"gracePeriodSeconds":{}}}',
            '[{{"op":"add","path":"/data/a","value":{}}}]',
            "x: {}",
            '{{"x":{}',
        )
    )
    return form.format(number).encode()


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _json_patch(random: Random) -> bytes:
    found = []
    for _ in range(random.choice((0, 1, 2, 30))):
        one = {"op": random.choice(OPERATIONS), "path": random.choice(POINTERS), "from": random.choice(POINTERS)}
        one["value"] = random.choice((*hostile.WRONG[:22], {"a": 1}))
        for field in random.sample(list(one), random.choice((0, 0, 1))):
            del one[field]
        found.append(random.choice((one, one, one, None, 5)))
    return _json(random.choice((found, found, found, None, {"a": found})))


def _doubling(random: Random) -> bytes:
    """Copies of an object into itself, which double it each time."""
    times = random.choice((5, 40, 2_000))
    return _json([{"op": "copy", "from": "/metadata", "path": f"/metadata/labels/{n}"} for n in range(times)])


class Maker:
    """Makes requests. The objects are of all kinds, as they are recorded for protobuf."""

    def __init__(self, random: Random) -> None:
        self._random = random
        with open_cluster(":memory:") as cluster:
            self._resources = cluster.resources()
        self._objects: dict[str, list[tuple[bytes, Any]]] = {}
        for line in gzip.decompress(OBJECTS.read_bytes()).decode().splitlines():
            api_version, kind, body, text = line.split(" ", 3)
            self._objects.setdefault(f"{api_version} {kind}", []).append((b64decode(body), json.loads(text)))
        self._made: tuple[Callable[[Resource], bytes], ...] = (
            self._wrong,
            self._wrong,
            self._wrong,
            self._protobuf,
            lambda _: _json(self._good(self._resource())),
            lambda _: _deep(random),
            lambda _: _with_number(random),
            lambda _: _json_patch(random),
            lambda _: _doubling(random),
            self._directive,
            lambda _: _json(active.manifest(random)),
            lambda _: self._text(),
            lambda _: random.randbytes(random.choice((0, 1, 50, 5_000))),
            lambda _: b"",
            lambda _: b'{"metadata":{"name":"a"},"data":{"x":"' + b"y" * random.choice((1_500_000, 4_000_000)) + b'"}}',
            lambda _: random.choice(hostile.SCALARS).encode("utf-8", "surrogatepass"),
        )

    def _resource(self) -> Resource:
        return self._random.choice(self._resources)

    def _good(self, resource: Resource) -> Any:
        known = self._objects.get(f"{resource.api_version} {resource.kind}")
        found = self._random.choice(known)[1] if known else {"spec": {}}
        metadata = {**(found.get("metadata") or {}), "name": "a"}
        for field in ("namespace", "resourceVersion", "uid", "deletionTimestamp", "generateName"):
            if self._random.random() < 0.7:
                metadata.pop(field, None)
        head = {"apiVersion": resource.api_version, "kind": resource.kind}
        return {**head, **found, **head, "metadata": metadata} if self._random.random() < 0.9 else found

    def _wrong(self, resource: Resource) -> bytes:
        found = self._good(resource)
        if self._random.random() < 0.7:
            found = hostile.changed_anywhere(found, self._random)
        return _json(found)

    def _directive(self, resource: Resource) -> bytes:
        found = self._good(resource)
        for _ in range(3):
            *above, last = self._random.choice([path for path in hostile.places(found) if path] or [("x",)])
            holder = found
            for step in above:
                holder = holder[step]
            holder[last] = copy.deepcopy(self._random.choice(DIRECTIVES))
        return _json(found)

    def _protobuf(self, resource: Resource) -> bytes:
        known = self._objects.get(f"{resource.api_version} {resource.kind}") or [(b"k8s\0", None)]
        data = bytearray(self._random.choice(known)[0])
        for _ in range(self._random.choice((0, 1, 3, 20))):
            at = self._random.randrange(4, len(data) + 1) if len(data) > 4 else len(data)
            how = self._random.random()
            if how < 0.5 and at < len(data):
                data[at] ^= 1 << self._random.randrange(8)
            elif how < 0.8:
                data[at:at] = self._random.randbytes(self._random.choice((1, 4)))
            else:
                del data[at : at + self._random.choice((1, 30))]
        return bytes(data)

    def _text(self) -> bytes:
        found = self._random.choice(list(hostile.TEXTS.values()))(self._random)
        return found if isinstance(found, bytes) else found.encode("utf-8", "surrogatepass")

    def _target(self, resource: Resource) -> str:
        random = self._random
        if random.random() < 0.1:
            return random.choice(PLACES)
        begin = f"/apis/{resource.group}/{resource.version}" if resource.group else f"/api/{resource.version}"
        if resource.namespaced and random.random() < 0.95:
            begin += f"/namespaces/{random.choice(('default', 'default', 'default', *NAMES))}"
        target = f"{begin}/{resource.plural}"
        if random.random() < 0.7:
            target += f"/{random.choice(NAMES)}"
            if random.random() < 0.25:
                target += f"/{random.choice(PARTS)}"
        return target

    def request(self) -> Asked:
        """One request."""
        random, resource = self._random, self._resource()
        method, target = random.choice(METHODS), self._target(resource)
        asked = [
            (name, random.choice(PARAMETERS[name]))
            for name in random.sample(list(PARAMETERS), random.choice((0, 0, 1, 2, 4)))
        ]
        if method == "PATCH" and random.random() < 0.6:
            asked.append(("fieldManager", "m"))
        if "/watch/" in target or any(name == "watch" for name, _ in asked):
            asked.append(("timeoutSeconds", "1"))
            asked = [one for one in asked if one[0] != "timeoutSeconds" or one[1] == "1"]
        query = "&".join(f"{name}={quote(value, safe='=&%')}" for name, value in asked)
        likely = {"PATCH": PATCHES, "POST": TYPES[:3], "PUT": TYPES[:3]}.get(method, TYPES)
        headers = {"accept": random.choice(ACCEPTS), "content-type": random.choice((*likely, *likely, *TYPES))}
        if random.random() < 0.15:
            headers[random.choice(HEADERS)] = random.choice(
                ("x", "100-continue", "websocket", "gzip", "a" * 5_000, "system:masters")
            )
        body = random.choice(self._made)(resource) if method not in ("GET", "HEAD") or random.random() < 0.1 else b""
        return Asked(method, f"{target}?{query}" if query else target, headers, body)


# ---- what is not quite HTTP ------------------------------------------------------------------------------------------

HOST = b"Host: 127.0.0.1\r\n"
FRAMES = (
    b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    b"Content-Length: 5\r\nContent-Length: 6\r\n",
    b"Content-Length: -1\r\n",
    b"Content-Length: +5\r\n",
    b"Content-Length: " + b"9" * 5_000 + b"\r\n",
    b"Content-Length: 0x5\r\n",
    b"Content-Length: 5, 5\r\n",
    b"Transfer-Encoding: chunked, chunked\r\n",
    b"Transfer-Encoding: gzip\r\n",
    b"Transfer-Encoding: x\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding : chunked\r\n",
    b"Content-Length: 5\r\n",
    b"Expect: 100-continue\r\nContent-Length: 5\r\n",
    b"",
    b" folded\r\n",
    b"A: b\r\n" * 3_000,
    b"A: " + b"b" * 100_000 + b"\r\n",
    b"\0: x\r\n",
    b"A: \x01\r\n",
    b"A\r\n",
    b": x\r\n",
    b"Host: x\r\n",
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n",
    b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n",
    b"Upgrade: SPDY/3.1\r\nConnection: Upgrade\r\n",
    b"Connection: close\r\n",
    b"Connection: keep-alive, x\r\n",
)
BODIES = (
    b"",
    b"{",
    b"hello",
    b"5\r\nhello\r\n0\r\n\r\n",
    b"zz\r\n",
    b"5;" + b"x" * 70_000 + b"\r\nhello\r\n",
    b"0\r\n" + b"A: b\r\n" * 3_000 + b"\r\n",
    b"ffffffffffffffffff\r\n",
    b"-5\r\nx",
    b"5\nhello\n0\n\n",
    b"0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    b"1\r\nx\r\n" * 5_000,
)
LINES = (
    b"GET %s HTTP/1.1\r\n",
    b"POST %s HTTP/1.1\r\n",
    b"POST %s HTTP/1.0\r\n",
    b"PUT %s HTTP/1.1\r\n",
    b"GET %s HTTP/9.9\r\n",
    b"GET %s\r\n",
    b"GET  %s  HTTP/1.1\r\n",
    b"G\0T %s HTTP/1.1\r\n",
    b"CONNECT 127.0.0.1:80 HTTP/1.1\r\n",
    b"OPTIONS * HTTP/1.1\r\n",
    b"GET http://127.0.0.1%s HTTP/1.1\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\r\n\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\n",
    b"x" * 70_000,
)


def _raw(server: _Server, random: Random) -> None:
    """Send invalid HTTP, perhaps several requests at once, and close the connection soon."""
    sent = b""
    for _ in range(random.choice((1, 1, 1, 2, 50))):
        line = random.choice(LINES)
        path = random.choice((MAPS, f"{MAPS}/a", "/version", f"{MAPS}?watch=true&timeoutSeconds=1")).encode()
        head = HOST if random.random() < 0.9 else b""
        sent += line.replace(b"%s", path) + head + random.choice(FRAMES) + b"\r\n" + random.choice(BODIES)
    if random.random() < 0.2:
        sent = sent[: random.randrange(len(sent) + 1)]
    with suppress(OSError), socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.sendall(sent)
        connection.settimeout(random.choice((0.001, 0.05)))
        received = b""
        with suppress(OSError):
            while piece := connection.recv(65536):
                received += piece
        answered = re.findall(rb"HTTP/1\.1 (5\d\d)[^\n]*\n", received)
        insist(not answered, f"{answered} for {sent[:300]!r}: {received[-500:]!r}", {"sent": sent})
    insist(server.alive, f"the server has ended: {sent[:300]!r}; {server.said()[-1000:]}", {"sent": sent})
    insist("Traceback" not in server.said(), f"a trace: {sent[:300]!r}; {server.said()[-2000:]}", {"sent": sent})
