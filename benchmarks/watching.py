"""The cost of watches and long lists for a served cluster: `python -m benchmarks.watching [--beside KUBECONFIG]`.

It starts `kubemerge serve` with a file and fills it with ConfigMaps. Then 1,000 clients watch them while another client
creates 100 a second. A tenth of the clients never reads. Later, one client reads 50,000 ConfigMaps in pages, while
another one requests a small object. It prints the latency of events, the CPU time of the server, and its memory. With
`--beside`, it also measures the API server of that kubeconfig. Exits with 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import selectors
import socket
import ssl
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from .serve import MAPS, Endpoint, Servers, beside, memory, processor, seed, started

SAMPLED = 20
"""The watches whose events are decrypted and timed. The others are only received."""
SIZE = 200
"""The bytes of data in an object."""
LATENCY, RATIO, PAUSE, PER_WATCH = 0.250, 1.0, 0.200, 60.0
"""The maximum seconds until an event arrives (99th percentile), the maximum ratio to the server beside, the maximum
seconds that other clients wait for a page, and the maximum KB of memory for a watch."""
_SENT = re.compile(rb'"sent":"([0-9.]+)"')


class Load(NamedTuple):
    """The number of watches, of objects when they begin, of writes a second, of seconds, and of objects in the list."""

    watches: int
    objects: int
    writes: int
    seconds: int
    listed: int
    page: int


def _fill(place: Endpoint, names: list[str]) -> None:
    connection = place.connection()
    for name in names:
        _create(connection, name, "x" * SIZE)


def filled(place: Endpoint, prefix: str, count: int, processes: int = 4) -> None:
    """Create ConfigMaps, by several clients at once."""
    names = [f"{prefix}-{number}" for number in range(count)]
    running = [
        multiprocessing.Process(target=_fill, args=(place, names[at::processes]), daemon=True)
        for at in range(processes)
    ]
    for one in running:
        one.start()
    for one in running:
        one.join()


def _create(connection: Any, name: str, data: str) -> None:
    body = json.dumps({"metadata": {"name": name}, "data": {"a": data, "sent": f"{time.monotonic():.6f}"}})
    connection.request("POST", MAPS, body, {"content-type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 201:
        sys.exit(f"the server answers {answer.status}: {text[:300]!r}")


def _watch(place: Endpoint, version: str) -> socket.socket:
    """Open one watch, and read the head of its response."""
    where = urlsplit(place.url)
    made = socket.create_connection((where.hostname or "", where.port or 0))
    if where.scheme == "https":
        context = ssl.create_default_context(cafile=place.authority)
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # Go accepts authorities without key usage
        context.load_cert_chain(place.certificate, place.key)
        made = context.wrap_socket(made, server_hostname=where.hostname)
    path = f"{MAPS}?watch=true&resourceVersion={version}&timeoutSeconds=600"
    made.sendall(f"GET {path} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
    found = b""
    while b"\r\n\r\n" not in found:
        found += made.recv(65536)
    return made


def follow(place: Endpoint, version: str, watches: int, writes: int, ready: Any, results: Any) -> None:
    """Open the watches. When all sampled ones got all writes, report the latencies of their events."""
    chosen, latencies, missing = selectors.DefaultSelector(), [], SAMPLED * writes
    deaf = []
    for number in range(watches):
        one = _watch(place, version)
        if number % 10 == 5:
            deaf.append(one)
            continue
        sampled = number % (watches // SAMPLED) == 0
        if not sampled and isinstance(one, ssl.SSLSocket):
            one = socket.socket(fileno=one.detach())
        one.setblocking(False)
        chosen.register(one, selectors.EVENT_READ, [b""] if sampled else None)
    ready.set()
    while missing:
        for key, _ in chosen.select():
            piece = _received(key.fileobj, all_of_it=key.data is not None)
            if key.data:
                now = time.monotonic()
                *lines, key.data[0] = (key.data[0] + piece).split(b"\n")
                found = [now - float(sent[1]) for sent in map(_SENT.search, lines) if sent]
                latencies += found
                missing -= len(found)
    results.put(latencies)


def _received(connection: Any, *, all_of_it: bool) -> bytes:
    """The data that are there: all of them for a sampled watch, because TLS may have decrypted more than was read."""
    pieces: list[bytes] = []
    with suppress(BlockingIOError, ssl.SSLWantReadError):
        while piece := connection.recv(262144):
            pieces.append(piece)
            if not all_of_it:
                break
    return b"".join(pieces)


def write(place: Endpoint, load: Load, tag: str) -> float:
    """Create objects at a fixed rate. Return the rate that was reached."""
    connection = place.connection()
    begun = time.monotonic()
    for number in range(load.writes * load.seconds):
        time.sleep(max(begun + number / load.writes - time.monotonic(), 0))
        _create(connection, f"{tag}-{number}", "x" * SIZE)
    return load.writes * load.seconds / (time.monotonic() - begun)


class Watched(NamedTuple):
    """The results of one server."""

    median: float
    last: float
    """The 99th percentile."""
    rate: float
    cpu: float
    """CPU milliseconds a write, with all its events."""
    kilobytes: float
    """The memory of a watch."""

    def __str__(self) -> str:
        return (
            f"an event arrives after {self.median * 1000:.0f} ms in the median and {self.last * 1000:.0f} ms in the "
            f"99th percentile; {self.rate:.0f} writes a second, {self.cpu:.1f} ms of CPU for each; "
            f"{self.kilobytes:.0f} KB a watch"
        )


def watched(place: Endpoint, pids: list[int], load: Load) -> Watched:
    """Measure the watches of one server."""
    filled(place, f"o{time.time_ns()}", load.objects)
    connection = place.connection()
    connection.request("GET", f"{MAPS}?limit=1")
    version = json.loads(connection.getresponse().read())["metadata"]["resourceVersion"]
    before = memory(pids[0])
    ready, results = multiprocessing.Event(), multiprocessing.Queue()  # type: ignore[var-annotated]
    arguments = (place, version, load.watches, load.writes * load.seconds, ready, results)
    following = multiprocessing.Process(target=follow, args=arguments, daemon=True)
    following.start()
    if not ready.wait(300):
        sys.exit(f"{place.url} does not open {load.watches} watches")
    kilobytes = (memory(pids[0]) - before) * 1024 / load.watches
    spent = processor(*pids)
    rate = write(place, load, f"e{time.time_ns()}")
    latencies = sorted(results.get(timeout=300))
    cpu = (processor(*pids) - spent) / (load.writes * load.seconds) * 1000
    following.terminate()
    following.join()
    return Watched(statistics.median(latencies), latencies[len(latencies) * 99 // 100], rate, cpu, kilobytes)


def _poll(place: Endpoint, until: Any, slowest: Any) -> None:
    """Request one small object repeatedly; record the longest time."""
    connection, most = place.connection(), 0.0
    while not until.is_set():
        begun = time.monotonic()
        connection.request("GET", f"{MAPS}/kube-root")
        connection.getresponse().read()
        most = max(most, time.monotonic() - begun)
        time.sleep(0.01)
    slowest.put(most)


class Listed(NamedTuple):
    """The results of one server."""

    objects: int
    seconds: float
    cpu: float
    page: float
    """The longest time of a page."""
    pause: float
    """The longest time of another client."""
    megabytes: float

    def __str__(self) -> str:
        return (
            f"{self.objects} objects in {self.seconds:.1f} s, {self.cpu:.2f} s of CPU; {self.page * 1000:.0f} ms a "
            f"page and {self.pause * 1000:.0f} ms for others at most; {self.megabytes:+.0f} MB"
        )


def paged(place: Endpoint, pids: list[int], load: Load) -> Listed:
    """Measure a long list of one server."""
    filled(place, f"p{time.time_ns()}", load.listed)
    until, slowest = multiprocessing.Event(), multiprocessing.Queue()  # type: ignore[var-annotated]
    other = multiprocessing.Process(target=_poll, args=(place, until, slowest), daemon=True)
    other.start()
    connection, before = place.connection(), memory(pids[0])
    token, count, pages, begun, spent = "", 0, [], time.monotonic(), processor(*pids)
    while True:
        at = time.monotonic()
        connection.request("GET", f"{MAPS}?limit={load.page}&continue={token}")
        text = connection.getresponse().read()
        pages.append(time.monotonic() - at)
        found = json.loads(text)
        count += len(found["items"])
        token = found["metadata"].get("continue", "")
        if not token:
            break
    seconds, cpu = time.monotonic() - begun, processor(*pids) - spent
    until.set()
    pause = slowest.get(timeout=60)
    return Listed(count, seconds, cpu, max(pages), pause, memory(pids[0]) - before)


def _missed(ours: Watched | None, other: Watched | None, listed: Listed | None) -> list[str]:
    found = {}
    if ours is not None:
        found = {"latency": ours.last > LATENCY, "memory": ours.kilobytes > PER_WATCH}
        if other is not None:
            found["latency beside"] = ours.last > other.last * RATIO
    if listed is not None:
        found["pause"] = listed.pause > PAUSE
    return [name for name, is_missed in found.items() if is_missed]


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", metavar="KUBECONFIG")
    parser.add_argument("--pid", type=int, action="append", default=[], help="processes of the other server")
    parser.add_argument("--only", choices=("watches", "list"))
    for name, number in Load(1000, 10_000, 100, 10, 50_000, 500)._asdict().items():
        parser.add_argument(f"--{name}", type=int, default=number)
    options = parser.parse_args()
    load = Load(*(getattr(options, name) for name in Load._fields))
    with tempfile.TemporaryDirectory() as folder, started(folder) as (place, pid):
        servers: Servers = {"kubemerge": (place, [pid])}
        if options.beside:
            servers["the other"] = beside(options.beside), options.pid
        watches, lists = {}, {}
        for name, (where, pids) in servers.items():
            seed(where)
            if options.only != "list":
                watches[name] = watched(where, pids, load)
                print(f"{name}: {load.watches} watches of {load.objects} objects: {watches[name]}", flush=True)
            if options.only != "watches":
                lists[name] = paged(where, pids, load)
                print(f"{name}: pages of {load.page}: {lists[name]}", flush=True)
    missed = _missed(watches.get("kubemerge"), watches.get("the other"), lists.get("kubemerge"))
    print(f"missed: {', '.join(missed)}" if missed else "all targets are reached")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
