"""Record `answered/` from a real API server.

`KUBECONFIG=FILE KUBEMERGE_REAL_RESET=COMMAND python -m tests.kubemerge.apiserver.http.wire.record AREA [NAME...|--all]`

The kubeconfig, with a client certificate, is of a server that may be emptied. The command resets it to its initial
state. Without names, new and changed exchanges are recorded.
"""

from __future__ import annotations

import os
import shlex
import ssl
import subprocess
import sys
import time
from http.client import HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from ..real import place
from .exchanges import AREAS, Answered, Asked, exchanges, filled, recorded, write_recorded

KEPT = ("content-type", "warning", "retry-after")


def connection(request: Asked) -> HTTPSConnection:
    """A connection to the server of the kubeconfig, without its certificate for a request with a token."""
    address, context = place()
    if "authorization" in request.headers:
        context = ssl._create_unverified_context()
    where = urlsplit(address)
    return HTTPSConnection(where.hostname or "", where.port, context=context, timeout=60)


def ask(server: HTTPSConnection, request: Asked) -> Answered:
    """The response of the server."""
    body = request.body.encode()
    server.putrequest(request.method, request.path, skip_accept_encoding=True)
    for name, value in (*request.header_lines(), *([("content-length", str(len(body)))] if body else [])):
        server.putheader(name, value)
    server.endheaders(body or None)
    answer = server.getresponse()
    found: dict[str, str] = {}
    for name, value in answer.getheaders():
        if name.lower() in KEPT:
            found[name.lower() if name.lower() not in found else f"{name.lower()} {len(found)}"] = value
    return Answered(answer.status, found, answer.read().decode(errors="replace"))


def reset() -> None:
    """Reset the server to its initial state."""
    subprocess.run(shlex.split(os.environ["KUBEMERGE_REAL_RESET"]), check=True, capture_output=True)
    time.sleep(0.2)


def main(words: list[str]) -> None:
    """Record exchanges of an area."""
    area, *names = words or [""]
    if area not in AREAS:
        sys.exit(f"say which area: {', '.join(AREAS)}")
    rows: dict[str, Any] = recorded(area)
    for exchange in exchanges(area):
        old = rows.get(exchange.name, {}).get("asked") != exchange.digest
        if not (exchange.name in names or "--all" in names or (old and not names)):
            continue
        reset()
        answers: list[Answered] = []
        for request in exchange.requests:
            server = connection(request)
            answers.append(ask(server, filled(request, answers)))
            server.close()
            if "customresourcedefinitions" in request.path and request.method == "POST":
                time.sleep(2)  # until it is established
        rows[exchange.name] = {"asked": exchange.digest, "answers": answers}
        sys.stdout.write(f"{exchange.name}: {[one.status for one in answers]}\n")
    write_recorded(area, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
