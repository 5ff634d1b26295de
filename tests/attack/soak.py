"""A served cluster at work for long: clients write and read without a pause, and others watch.

The number of objects stays bounded, so the server's memory, its open files and its threads must stay bounded, too. At
the end, the objects that the watchers built from events equal the objects in a list.
"""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from socket import SHUT_RDWR
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.http.watch.feed import CACHE_SIZE

from .server import MAPS, WAITS, served
from .trial import Skipped, insist

if TYPE_CHECKING:
    from .trial import Trial, Tried

REQUESTS = 40_000
PHASES, WARM = 10, 5
"""The server is measured after each phase. The value after the first ones is its limit."""
CLIENTS, WATCHERS, NAMES = 4, 3, 40
MORE, MORE_FILES = 1.1, 8
CHANGES = 2.5 * CACHE_SIZE / 1024
"""The memory, in KiB, of the changes that the server remembers for watches. A short attack does not fill it."""
JSON, MERGE, APPLY = "application/json", "application/merge-patch+json", "application/apply-patch+yaml"


def attack(trial: Trial) -> Tried:
    """Work with it for long."""
    if not Path("/proc/self/status").exists():
        raise Skipped("only Linux says how much memory a process has")
    requests = max(PHASES, trial.often(REQUESTS) // PHASES // CLIENTS)
    with served(trial.new_folder()) as server:
        watchers = [_Watcher(server.port) for _ in range(WATCHERS)]
        measured: list[dict[str, int]] = []
        for phase in range(PHASES):
            _work(server.port, trial.random, requests, phase)
            measured.append(_needs(server.process.pid))
        insist("Traceback" not in server.said(), f"a trace: {server.said()[-2000:]}")
        _bounded(measured)
        there, version = _listed(server.port)
        for one in watchers:
            one.reach(version)
            insist(one.objects == there, f"a watch has another object than the list: {_differing(one.objects, there)}")
            one.end()
    yield (
        f"requests of {CLIENTS} clients beside {WATCHERS} watches; memory {_in_words(measured)}",
        requests * PHASES * CLIENTS,
    )


def _work(port: int, random: Random, requests: int, phase: int) -> None:
    """Let all clients send their requests."""
    faults: list[str] = []
    seeds = [random.random() for _ in range(CLIENTS)]
    clients = [threading.Thread(target=_client, args=(port, Random(seed), requests, phase, faults)) for seed in seeds]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    insist(not faults, f"a client has failed: {faults[:3]}")


def _client(port: int, random: Random, requests: int, phase: int, faults: list[str]) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=WAITS)
    try:
        for number in range(requests):
            method, path, body, kind = _request(random, f"{phase}-{number}")
            connection.request(method, path, json.dumps(body) if body else None, {"content-type": kind})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status not in (200, 201, 202, 404, 409):
                faults.append(f"{method} {path}: {answer.status} {text[:300]!r}")
                return
    except Exception as error:  # the thread that waits reports it
        faults.append(repr(error))
    finally:
        connection.close()


def _request(random: Random, mark: str) -> tuple[str, str, Any, str]:
    """A random request about one of a few objects."""
    name = f"m{random.randrange(NAMES)}"
    path, whole = f"{MAPS}/{name}", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
    content = {**whole, "data": {"mark": mark, "text": "x" * random.randrange(2000)}}
    return random.choice(
        [
            ("POST", MAPS, content, JSON),
            ("PUT", path, content, JSON),
            ("PATCH", path, {"data": {"mark": mark, "more": None}}, MERGE),
            ("PATCH", f"{path}?fieldManager=m{random.randrange(3)}&force=true", content, APPLY),
            ("DELETE", path, None, JSON),
            ("GET", path, None, JSON),
            ("GET", f"{MAPS}?limit={random.randrange(1, 9)}", None, JSON),
        ]
    )


class _Watcher:
    """A client that keeps a copy of all ConfigMaps of a namespace, from a list and the events after it."""

    def __init__(self, port: int) -> None:
        self.objects, version = _listed(port)
        self.version = int(version)
        self._connection = HTTPConnection("127.0.0.1", port)
        self._connection.request("GET", f"{MAPS}?watch=1&resourceVersion={version}&allowWatchBookmarks=true")
        self._answer = self._connection.getresponse()
        self._new = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(AttributeError, OSError, ValueError):  # which is how http.client ends if another thread closes it
            for line in self._answer:
                self._take(json.loads(line))

    def _take(self, event: Any) -> None:
        content = event["object"]
        with self._new:
            if event["type"] == "DELETED":
                self.objects.pop(content["metadata"]["name"], None)
            elif event["type"] != "BOOKMARK":
                self.objects[content["metadata"]["name"]] = content
            self.version = max(self.version, int(content["metadata"]["resourceVersion"]))
            self._new.notify_all()

    def reach(self, version: str) -> None:
        """Wait for the last event."""
        with self._new:
            reached = self._new.wait_for(lambda: self.version >= int(version), WAITS * 3)
        insist(reached, f"a watch ends at {self.version}, and the list is at {version}")

    def end(self) -> None:
        """Go away."""
        with suppress(OSError):
            self._connection.sock.shutdown(SHUT_RDWR)  # closing it would wait for who reads from it


def _listed(port: int) -> tuple[dict[str, Any], str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=WAITS)
    connection.request("GET", MAPS)
    found = json.loads(connection.getresponse().read())
    connection.close()
    whole = {"apiVersion": "v1", "kind": "ConfigMap"}
    objects = {one["metadata"]["name"]: {**whole, **one} for one in found["items"]}
    last = max([int(one["metadata"]["resourceVersion"]) for one in objects.values()], default=0)
    return objects, str(last or found["metadata"]["resourceVersion"])


def _needs(process: int) -> dict[str, int]:
    """The memory (in KiB), the threads and the open files of a process."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    files = len(list(Path(f"/proc/{process}/fd").iterdir()))
    return {"memory": int(lines["VmRSS"].split()[0]), "threads": int(lines["Threads"]), "files": files}


def _bounded(measured: list[dict[str, int]]) -> None:
    warm, last = measured[:WARM], measured[-1]
    most = {name: max(one[name] for one in warm) for name in last}
    may = max(most["memory"] * MORE, measured[0]["memory"] + CHANGES)
    insist(last["memory"] <= may, f"the memory grows: {_in_words(measured)}")
    insist(last["files"] <= most["files"] + MORE_FILES, f"open files: {[one['files'] for one in measured]}")
    insist(last["threads"] <= most["threads"] + MORE_FILES, f"threads: {[one['threads'] for one in measured]}")


def _in_words(measured: list[dict[str, int]]) -> str:
    return ", ".join(f"{one['memory'] // 1024}" for one in measured) + " MiB"


def _differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)][:5]
