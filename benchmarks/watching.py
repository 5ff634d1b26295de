"""The cost of watches and long lists for a served cluster: `python -m benchmarks.watching`.

It starts `kubemerge serve` with a file. Five hundred clients watch the ConfigMaps, a tenth of them without ever reading
their events. Others read all of 10,000 ConfigMaps in pages. It prints the delay of events, the memory of the server,
and the waiting time of other clients for a small response. Exits with 1 if a target is missed.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import selectors
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .serve import MAPS, Endpoint, memory, seed, started

WATCHERS, DEAF, EVENTS = 500, 50, 200
OBJECTS, PAGE = 10_000, 500
SIZE = 4000
"""The bytes of data in an object."""
DELAY, PAUSE, MEMORY = 0.020, 0.200, 100.0
"""The maximum seconds for an event and for other clients, and the maximum MB for 500 watches."""


def _create(connection: Any, name: str) -> None:
    body = json.dumps({"metadata": {"name": name}, "data": {"a": "x" * SIZE}})
    connection.request("POST", MAPS, body, {"content-type": "application/json"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 201:
        sys.exit(f"the server answers {answer.status}: {text[:300]!r}")


def processor(pid: int) -> float:
    """The CPU time of a process so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def follow(place: Endpoint, ready: Any, results: Any) -> None:
    """Open the watches; report the times when the first and the last reader got each object."""
    where, chosen = urlsplit(place.url), selectors.DefaultSelector()
    deaf = []
    for number in range(WATCHERS):
        one = socket.create_connection((where.hostname or "", where.port or 0))
        one.sendall(f"GET {MAPS}?watch=true&resourceVersion=0 HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
        if number < DEAF:
            deaf.append(one)
        else:
            one.recv(65536)
            chosen.register(one, selectors.EVENT_READ)
    ready.set()
    heard: dict[str, list[float]] = {}
    while True:
        for key, _ in chosen.select():
            piece = key.fileobj.recv(262144)  # type: ignore[union-attr]
            now = time.monotonic()
            for part in piece.split(b'"name":"e-')[1:]:
                heard.setdefault(part.partition(b'"')[0].decode(), []).append(now)
        for name in [name for name, times in heard.items() if len(times) == WATCHERS - DEAF]:
            times = heard.pop(name)
            results.put((name, times[0], times[-1]))


def watched(place: Endpoint, pid: int) -> list[str]:
    """The targets that five hundred watches miss."""
    before = memory(pid)
    ready, results = multiprocessing.Event(), multiprocessing.Queue()  # type: ignore[var-annotated]
    following = multiprocessing.Process(target=follow, args=(place, ready, results), daemon=True)
    following.start()
    ready.wait(120)
    opened = memory(pid)
    connection, spent = place.connection(), processor(pid)
    firsts, lasts = [], []
    for number in range(EVENTS):
        begun = time.monotonic()
        _create(connection, f"e-{number}")
        _, first, last = results.get(timeout=60)
        firsts.append(first - begun)
        lasts.append(last - begun)
    after, spent = memory(pid), processor(pid) - spent
    following.terminate()
    following.join()
    first, last = statistics.median(firsts), statistics.median(lasts)
    said = [
        f"{WATCHERS} watches, {DEAF} of whom read nothing: an event is with the first after {first * 1000:.1f} ms",
        f"with the last after {last * 1000:.1f} ms, for {spent / EVENTS * 1000:.1f} ms of the server's processor",
        f"{before:.0f} MB before, {opened:.0f} MB with them, {after:.0f} MB after {EVENTS} events of {SIZE} bytes",
    ]
    print(", ".join(said), flush=True)
    missed = {"event": first > DELAY, "memory": after - before > MEMORY}
    return [name for name, is_missed in missed.items() if is_missed]


def _poll(place: Endpoint, until: Any, slowest: Any) -> None:
    """Request one small object repeatedly; record the longest time."""
    connection, most = place.connection(), 0.0
    while not until.is_set():
        begun = time.monotonic()
        connection.request("GET", f"{MAPS}/kube-root")
        connection.getresponse().read()
        most = max(most, time.monotonic() - begun)
    slowest.put(most)


def paged(place: Endpoint) -> list[str]:
    """The targets that a long list misses."""
    connection = place.connection()
    for number in range(OBJECTS):
        _create(connection, f"p-{number}")
    until, slowest = multiprocessing.Event(), multiprocessing.Queue()  # type: ignore[var-annotated]
    other = multiprocessing.Process(target=_poll, args=(place, until, slowest), daemon=True)
    other.start()
    token, count, pages, begun = "", 0, [], time.monotonic()
    while True:
        at = time.monotonic()
        connection.request("GET", f"{MAPS}?limit={PAGE}&continue={token}")
        found = json.loads(connection.getresponse().read())
        pages.append(time.monotonic() - at)
        count += len(found["items"])
        token = found["metadata"].get("continue", "")
        if not token:
            break
    until.set()
    pause = slowest.get(timeout=60)
    said = [
        f"{count} objects of {SIZE} bytes in pages of {PAGE}: {time.monotonic() - begun:.1f} s",
        f"{max(pages) * 1000:.0f} ms a page at most, and others wait {pause * 1000:.0f} ms at most",
    ]
    print(", ".join(said), flush=True)
    return ["pause"] if pause > PAUSE else []


def main() -> int:
    """Measure and print; return the exit code."""
    with tempfile.TemporaryDirectory() as folder, started(folder) as (place, pid):
        seed(place)
        missed = watched(place, pid) + paged(place)
        print(f"{memory(pid):.0f} MB at the end")
    print(f"missed: {', '.join(missed)}" if missed else "all targets are reached")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
