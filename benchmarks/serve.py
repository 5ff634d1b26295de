"""Requests per second and CPU time of a served cluster: `python -m benchmarks.serve [--beside KUBECONFIG --pid PID]`.

It starts `kubemerge serve` with a file, and prints its start-up time and its memory. For one client and for sixteen, it
prints the requests per second and the CPU time of the server for a request. With `--beside`, it also measures the API
server of that kubeconfig, in turn, and prints the ratios. The kubeconfig has a client certificate, and its cluster may
be filled. `--pid` names its processes: kube-apiserver and etcd. Exits with 1 if a target is missed.

Clients and servers share the processors, so on a busy machine only the ratios of CPU time mean something. A server that
uses several processors may have more requests per second with more CPU time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ALONE, TOGETHER, ROUNDS = 300, 50, 3
CLIENTS = 16
TARGETS = {"reads": 2.5, "ConfigMaps created": 1.2, "Deployments created": 1.0}
"""The required ratios to the CPU time of the server beside."""
READY = 0.5
MAPS = "/api/v1/namespaces/default/configmaps"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
_CONTAINER = {"name": "a", "image": "nginx:1", "ports": [{"containerPort": 80}], "env": [{"name": "A", "value": "b"}]}
_LABELS = {"app": "x"}
_TEMPLATE = {"metadata": {"labels": _LABELS}, "spec": {"containers": [_CONTAINER]}}
MADE: dict[str, tuple[str, dict[str, Any]]] = {
    "ConfigMaps created": (MAPS, {"data": {"a": "b"}}),
    "Deployments created": (DEPLOYMENTS, {"spec": {"selector": {"matchLabels": _LABELS}, "template": _TEMPLATE}}),
}


class Endpoint(NamedTuple):
    """A server and its credentials."""

    url: str
    authority: str = ""
    certificate: str = ""
    key: str = ""

    def connection(self) -> HTTPConnection:
        where = urlsplit(self.url)
        if where.scheme == "http":
            return HTTPConnection(where.hostname or "", where.port, timeout=60)
        context = ssl.create_default_context(cafile=self.authority)
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # Go accepts authorities without key usage
        context.load_cert_chain(self.certificate, self.key)
        return HTTPSConnection(where.hostname or "", where.port, timeout=60, context=context)


def beside(kubeconfig: str) -> Endpoint:
    config = yaml.safe_load(Path(kubeconfig).read_text(encoding="utf-8"))
    cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    return Endpoint(cluster["server"], cluster["certificate-authority"], user["client-certificate"], user["client-key"])


def ask(place: Endpoint, what: str, count: int, tag: str, times: Any = None) -> None:
    """Send requests one after another on one connection; append start and end to `times`."""
    connection = place.connection()
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    path, content = MADE.get(what, (MAPS, {}))
    begun = time.monotonic()
    for number in range(count):
        if what == "reads":
            connection.request("GET", f"{MAPS}/kube-root")
        else:
            body = json.dumps({**content, "metadata": {"name": f"{tag}-{number}", "labels": _LABELS}})
            connection.request("POST", path, body, {"content-type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            sys.exit(f"{place.url} answers {answer.status}: {text[:300]!r}")
    if times is not None:
        times.put((begun, time.monotonic()))


def rate(place: Endpoint, what: str, clients: int) -> float:
    """Requests per second."""
    count = ALONE if clients == 1 else TOGETHER
    tag = f"{what[0].lower()}{time.time_ns()}"
    forked = multiprocessing.get_context("fork")  # from Python 3.14 on, others start one after another
    times: Any = forked.Queue()
    asking = [
        forked.Process(target=ask, args=(place, what, count, f"{tag}-{number}", times)) for number in range(clients)
    ]
    for one in asking:
        one.start()
    found = [times.get(timeout=300) for _ in asking]
    for one in asking:
        one.join()
    seconds: float = max(end for _, end in found) - min(begun for begun, _ in found)
    return clients * count / seconds


def memory(pid: int) -> float:
    """The resident memory of a process in MB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def processor(*pids: int) -> float:
    """The CPU time of processes so far, in seconds."""
    found = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        found += int(fields[11]) + int(fields[12])
    return found / os.sysconf("SC_CLK_TCK")


Servers = dict[str, tuple[Endpoint, list[int]]]
"""Servers with their processes, by name."""


def seed(place: Endpoint) -> None:
    """Create the object to read."""
    connection = place.connection()
    body = json.dumps({"metadata": {"name": "kube-root"}, "data": {"a": "b"}})
    connection.request("POST", MAPS, body, {"content-type": "application/json"})
    connection.getresponse().read()


@contextmanager
def started(folder: str) -> Iterator[tuple[Endpoint, int]]:
    """A served cluster in a separate process, with a file in this folder, and the process."""
    words = ["serve", "--cluster", f"{folder}/c.db", "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "kubemerge", *words],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        yield Endpoint(line.split()[-1]), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", metavar="KUBECONFIG")
    parser.add_argument("--pid", type=int, action="append", default=[], help="processes of the other server")
    options = parser.parse_args()
    missed: list[str] = []
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, started(folder) as (ours, pid):
        seed(ours)
        ready = time.monotonic() - begun
        print(f"ready and asked for the first time after {ready:.2f} s, {memory(pid):.0f} MB")
        servers: Servers = {"kubemerge": (ours, [pid])}
        if options.beside:
            servers["the other"] = beside(options.beside), options.pid
            seed(servers["the other"][0])
        for what, wanted in TARGETS.items():
            for clients in (1, CLIENTS):
                missed += compared(what, clients, wanted, servers)
        print(f"{memory(pid):.0f} MB at the end")
    if ready > READY:
        missed.append("ready")
    print(f"missed: {', '.join(missed)}" if missed else "all targets are reached")
    return 1 if options.beside and missed else 0


class Cost(NamedTuple):
    """The median requests per second of several rounds, and the lowest CPU milliseconds of a request."""

    rate: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.rate:.0f} a second, {self.cpu:.2f} ms of CPU"


def costs(what: str, clients: int, servers: Servers) -> dict[str, Cost]:
    """Measure all servers in turn, several times."""
    count = ALONE if clients == 1 else TOGETHER * clients
    rates: dict[str, list[float]] = {name: [] for name in servers}
    cpu: dict[str, list[float]] = {name: [] for name in servers}
    for _ in range(ROUNDS):
        for name, (place, pids) in servers.items():
            before = processor(*pids)
            rates[name].append(rate(place, what, clients))
            cpu[name].append((processor(*pids) - before) / count * 1000)
    return {name: Cost(statistics.median(rates[name]), min(cpu[name])) for name in servers}


def compared(what: str, clients: int, wanted: float, servers: Servers) -> list[str]:
    """Print the costs; return the request in a list if it takes too much."""
    ours, *others = costs(what, clients, servers).values()
    print(f"{what}, {clients} client{'s' if clients > 1 else ''}: {ours}", end="")
    if not others:
        print(flush=True)
        return []
    other = others[0]
    print(f"; the other: {other}; ratios {ours.rate / other.rate:.2f} and {other.cpu / ours.cpu:.2f}", flush=True)
    return [f"{what} ({clients})"] if other.cpu / ours.cpu < wanted else []


if __name__ == "__main__":
    sys.exit(main())
