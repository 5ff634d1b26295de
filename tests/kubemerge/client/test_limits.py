"""A broken or hostile server neither blocks the client nor fills its memory: responses have limits."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import threading
from typing import TYPE_CHECKING, Any

import pytest

from engine.directives import ANNOTATION
from kubemerge.actions.apply import ApplyOptions, apply
from kubemerge.actions.delete import DeletionTarget, waits_for
from kubemerge.actions.generators.workloads import job_of_cron_job
from kubemerge.actions.prune import unneeded
from kubemerge.client.wire import limits
from kubemerge.cluster import ConnectError, Reference, ServerUnreachable
from kubemerge.manifests.objects import Manifest
from kubemerge.offline.live_cluster import LiveCluster

from .fake import Fake, Say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kubemerge.client.cluster import RemoteCluster

CM = "/api/v1/namespaces/default/configmaps"
REF = Reference("v1", "ConfigMap", "a", "default")
OBJECT: Any = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}}
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


def endless(begin: bytes, piece: bytes) -> Iterator[bytes]:
    yield begin
    while True:
        yield piece


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def bomb() -> bytes:
    data = gzip.compress(b" " * 50 * limits.MIB)
    return OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(data) + data


@pytest.fixture
def raw(fake: Fake) -> Iterator[Callable[[Iterable[bytes]], list[int]]]:
    """Make the server send these bytes at the path of an object. Return the number of sent pieces."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)  # otherwise it grows, and holds some megabytes
    sent: list[int] = []

    def serve(pieces: Iterable[bytes]) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listening.accept()
                with connection, contextlib.suppress(OSError):
                    connection.recv(65536)
                    sent.append(0)
                    for piece in pieces:
                        connection.sendall(piece)
                        sent[-1] += 1

    def start(pieces: Iterable[bytes]) -> list[int]:
        target = f"http://127.0.0.1:{listening.getsockname()[1]}"
        fake.answers["redirect"] = [Say(body=target)]
        threading.Thread(target=serve, args=(pieces,), daemon=True).start()
        return sent

    yield start
    listening.close()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test reaches quickly."""
    for name, value in {"LARGEST": 8 * limits.MIB, "EVENT": limits.MIB, "REFUSAL": limits.MIB}.items():
        monkeypatch.setattr(limits, name, value)
    monkeypatch.setattr(limits, "PAGES", 20)
    monkeypatch.setattr(limits, "SPARSE_PAGES", 5)
    monkeypatch.setattr(limits, "VALUES", 10_000)


# Current patch releases of Python themselves limit interim responses and trailers.
BYTES: dict[str, tuple[Callable[[], Iterable[bytes]], str]] = {
    "an endless answer": (lambda: endless(CHUNKED, chunk(b" " * 65536)), "a response of more than 8 MiB"),
    "an endless answer without a length": (
        lambda: endless(OK + b"\r\n", b" " * 65536),
        "a response of more than 8 MiB",
    ),
    "an endless answer of a length": (
        lambda: endless(OK + b"Content-Length: 99999999999\r\n\r\n", b" " * 65536),
        "a response of more than 8 MiB",
    ),
    "a bomb": (lambda: [bomb()], "a response of more than 8 MiB"),
    "an endless refusal": (
        lambda: endless(CHUNKED.replace(b"200 OK", b"403 Forbidden"), chunk(b" " * 65536)),
        "an error response of more than 1 MiB",
    ),
    "endless interim answers": (
        lambda: endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
        "response headers of more than 1 MiB|not HTTP",
    ),
    "endless headers": (lambda: endless(OK, b"A: b\r\n" * 100), "not HTTP"),
    "an endless header": (lambda: endless(OK + b"A: ", b"b" * 65536), "not HTTP"),
    "many large headers": (
        lambda: [OK, *[b'Warning: 299 - "%s"\r\n' % (b"w" * 60_000)] * 900],
        "response headers of more than 1 MiB",
    ),
    "endless trailers": (
        lambda: endless(CHUNKED + b"0\r\n", b"A: b\r\n" * 1000),
        "a response of more than 8 MiB|not HTTP",
    ),
    "another encoding": (
        lambda: [OK + b"Content-Encoding: deflate, gzip\r\nContent-Length: 1\r\n\r\nx"],
        "encoding that was not requested",
    ),
    "no HTTP": (lambda: [b"220 mail.example ESMTP\r\n"], "not HTTP"),
    "an interim answer as the last": (lambda: [b"HTTP/1.1 103 Early\r\nContent-Length: 0\r\n\r\n"], "status code 103"),
}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", BYTES)
def test_an_answer_is_bounded(
    name: str, raw: Callable[[Iterable[bytes]], list[int]], cluster: RemoteCluster, fake: Fake
) -> None:
    pieces, problem = BYTES[name]
    sent = raw(pieces())
    assert cluster.release == "1.37"
    _ = cluster.resources()
    cluster._transport.address = fake.answers["redirect"][0].body  # type: ignore[index]
    with pytest.raises(Exception, match=problem) as caught:
        cluster.get(REF)
    assert "\n" not in str(caught.value)
    assert sum(sent) < 4_000 * len(sent), "the rest was read"


@pytest.mark.usefixtures("small")
def test_an_answer_that_drips_is_given_up(
    raw: Callable[[Iterable[bytes]], list[int]], cluster: RemoteCluster, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ = cluster.resources()
    monkeypatch.setattr(limits, "GRACE", -1.0)
    monkeypatch.setattr(limits, "SLOWEST", 2**40)
    raw(endless(CHUNKED, chunk(b" ")))
    cluster._transport.address = fake.answers["redirect"][0].body  # type: ignore[index]
    with pytest.raises(ConnectError, match="too slowly"):
        cluster.get(REF)


NO_ITEMS: tuple[Any, ...] = (
    None,
    1,
    "x",
    [],
    {},
    {"metadata": 5},
    {"metadata": {"name": 5}},
    {"metadata": {"name": ""}},
    {"metadata": {"name": "a", "namespace": []}},
    {"metadata": {"name": "a", "labels": {"a": {}}}},
    {"metadata": {"name": "a", "annotations": []}},
    {"metadata": {"name": "a", "ownerReferences": [1]}},
    {"metadata": {"name": "a"}, "kind": 7},
)
NO_LISTS: tuple[Any, ...] = (
    None,
    [1, 2],
    "text",
    5,
    {},
    {"kind": 5, "items": {"a": 1}},
    {"kind": 5, "items": []},
    {"kind": "ConfigMapList"},
    {"items": []},
    {"kind": "Status", "status": "Success"},
    {"kind": "ConfigMapList", "items": {"a": 1}},
    {"kind": "ConfigMapList", "metadata": [1], "items": [OBJECT]},
    *({"kind": "ConfigMapList", "metadata": {}, "items": [OBJECT, item]} for item in NO_ITEMS),
    [[]] * 20_000,
)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("body", NO_LISTS, ids=lambda body: json.dumps(body)[:80])
def test_what_is_no_list_of_objects_is_no_empty_cluster(body: Any, cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[CM] = [Say(body=body)]
    with pytest.raises(ConnectError):
        list(cluster.list("v1", "ConfigMap", namespace="default"))


def test_an_empty_list_may_be_null(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[CM] = [Say(body={"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {}, "items": None})]
    assert list(cluster.list("v1", "ConfigMap", namespace="default")) == []


def test_an_object_of_another_kind_is_none(cluster: RemoteCluster, fake: Fake) -> None:
    for body in ({**OBJECT, "kind": "Secret"}, {**OBJECT, "kind": 1}, {**OBJECT, "metadata": []}, [OBJECT], None):
        fake.answers[f"{CM}/a"] = [Say(body=body)]
        with pytest.raises(ConnectError):
            cluster.get(REF)


@pytest.mark.parametrize("lacking", [{}, {"uid": None, "resourceVersion": None}])
def test_an_object_may_lack_a_uid_and_a_version(lacking: Any, cluster: RemoteCluster, fake: Fake) -> None:
    live = {**OBJECT, "metadata": {**OBJECT["metadata"], **lacking}}
    fake.answers[f"{CM}/a"] = [Say(body=live)]
    apply(cluster, {**OBJECT, "data": {"a": "b"}}, ApplyOptions())
    assert fake.asked[-1].body["metadata"]["resourceVersion"] == ""
    LiveCluster(cluster, None, None).of(Manifest("a.yaml", OBJECT))
    assert waits_for(cluster, DeletionTarget.of(live)) == []
    applied = {**live, "metadata": {**live["metadata"], "annotations": {ANNOTATION: "{}"}}}
    fake.answers[CM] = [Say(body={"kind": "ConfigMapList", "apiVersion": "v1", "items": [applied]})]
    kinds = [cluster.resource("v1", "ConfigMap")]
    assert [*unneeded(cluster, kinds, ["default"], "", {"u"})] == [applied]
    assert [*unneeded(cluster, kinds, ["default"], "", {""})] == []
    owners = job_of_cron_job("j", {**live, "spec": {"jobTemplate": {}}})["metadata"]["ownerReferences"]
    assert owners[0]["uid"] == ""


def listed(rest: str, *names: str) -> Say:
    items = [{"metadata": {"name": name, "namespace": "default"}} for name in names]
    return Say(body={"kind": "ConfigMapList", "metadata": {"continue": rest}, "items": items})


@pytest.mark.usefixtures("small")
def test_a_list_ends(cluster: RemoteCluster, fake: Fake) -> None:
    numbers = iter(range(10_000))
    for answer, most in (
        (lambda _: listed("x", "a"), 3),
        (lambda _: listed(f"{next(numbers)}", "a"), 8),
        (lambda _: listed(f"{next(numbers)}"), 8),
        (lambda _: listed(f"{next(numbers)}", *(f"n{next(numbers)}" for _ in range(100))), 21),
    ):
        fake.answers[CM] = answer
        fake.asked.clear()
        with pytest.raises(ConnectError, match=r"repeats the same|more than 20 pages"):
            list(cluster.list("v1", "ConfigMap", namespace="default"))
        assert len(fake.at(CM)) <= most


def test_a_server_that_ends_each_watch_at_once_is_given_up(
    cluster: RemoteCluster, fake: Fake, pauses: list[float]
) -> None:
    fake.answers[CM] = lambda asked: Say(200, b"") if "watch" in asked.query else listed("")
    with pytest.raises(ConnectError, match="ends each watch at once"):
        list(cluster.watch("v1", "ConfigMap", namespace="default"))
    assert len(pauses) == limits.EMPTY_STREAMS - 1


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "event",
    [
        b"null",
        b"[]",
        b"{}",
        b"<html>",
        b'{"type":"ODD","object":{}}',
        b'{"type":"ADDED","object":null}',
        b'{"type":"ADDED","object":{"metadata":{}}}',
        b'{"type":"BOOKMARK","object":{"metadata":[1]}}',
        b'{"type":"ADDED","object":"' + b"x" * 2 * limits.MIB + b'"}',
        b" " * 2 * limits.MIB,
    ],
    ids=lambda event: event[:30].decode(),
)
def test_what_is_no_event_is_an_error(event: bytes, cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[CM] = lambda asked: Say(200, event + b"\n") if "watch" in asked.query else listed("")
    with pytest.raises(ConnectError):
        list(cluster.watch("v1", "ConfigMap", namespace="default"))


def test_a_watch_that_cannot_be_decoded_is_an_error(cluster: RemoteCluster, fake: Fake) -> None:
    broken = Say(200, gzip.compress(b"{}")[:12] + b"x" * 20, (("Content-Encoding", "gzip"),))
    fake.answers[CM] = lambda asked: broken if "watch" in asked.query else listed("")
    with pytest.raises(ServerUnreachable):
        list(cluster.watch("v1", "ConfigMap", namespace="default"))


def test_warnings_are_bounded(cluster: RemoteCluster, fake: Fake) -> None:
    said: list[str] = []
    cluster.on_warning = said.append
    fake.answers[CM] = [
        Say(201, OBJECT, (("Warning", f'299 - "{"w" * 10_000}"'), ("Warning", ", ".join(['299 - "w"'] * 3000))))
    ]
    cluster.create(OBJECT)
    assert len(said[0]) <= limits.WARNING + 4
    assert len(said) == limits.WARNINGS


@pytest.mark.parametrize("after", ["²", "9" * 5000, "-1", "1e9", ""])
def test_a_server_that_says_nonsense_about_when(
    after: str, cluster: RemoteCluster, fake: Fake, pauses: list[float]
) -> None:
    fake.answers[f"{CM}/a"] = [Say(429, b"later", (("Retry-After", after),)), Say(body=OBJECT)]
    assert cluster.get(REF) == OBJECT
    assert max(pauses) <= 30


@pytest.mark.parametrize("minor", ["9" * 5000, "²", "", None, 37, "x", [], {"a": 1}])
def test_a_version_that_is_none(minor: Any, cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers["/version"] = [Say(body={"major": "1", "minor": minor})]
    with pytest.raises(ConnectError, match="does not report its Kubernetes release"):
        _ = cluster.release


def test_discovery_of_nonsense(cluster: RemoteCluster, fake: Fake) -> None:
    bodies: tuple[Any, ...] = (
        None,
        [],
        {"kind": "APIGroupDiscoveryList", "items": [1]},
        {"kind": "APIGroupDiscoveryList", "items": [{"versions": [None]}]},
        {"kind": "APIGroupDiscoveryList", "items": [{"versions": [{"resources": ["x"]}]}]},
        {"groups": ["x"]},
        {"groups": [{"name": "a", "versions": [{"version": f"v{n}"} for n in range(limits.VERSIONS + 1)]}]},
    )
    for body in bodies:
        fake.answers["/apis"] = [Say(body=body)]
        with pytest.raises(ConnectError):
            cluster.resources()
