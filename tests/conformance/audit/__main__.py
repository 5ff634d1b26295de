"""Record or compare events: `python -m tests.conformance.audit record|policy|check`.

`policy` prints the audit policy. `record` sends the requests to a real server in KUBECONFIG that was started with it,
and reads its audit log, the file in KUBEMERGE_REAL_AUDIT_LOG.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import requests

from ..ownership.real.server import Server
from .replay import Object, body, comparable, headers, ours, record, recorded, scenario

SYNCED = 0.3


def theirs(asked: Object) -> list[Object]:
    file, server = Path(os.environ["KUBEMERGE_REAL_AUDIT_LOG"]), Server()
    before = file.stat().st_size
    for one in asked["requests"]:
        method, url = one["send"].split(" ")
        time.sleep(one.get("after", 0))
        send = requests.Session() if one.get("token") else server.session
        send.verify, send.trust_env = server.session.verify, False
        send.request(method, server.url + url, data=body(one) or None, headers=headers(one), timeout=60)
    time.sleep(SYNCED)
    lines = file.read_bytes()[before:].decode().splitlines()
    return comparable([json.loads(line) for line in lines])


def main() -> None:
    asked = scenario()
    if sys.argv[1] == "policy":
        print(json.dumps(asked["policy"]))
        return
    if sys.argv[1] == "record":
        record(theirs(asked))
    with tempfile.TemporaryDirectory() as folder:
        mine = ours(Path(folder) / "audit.log", asked)
    real = recorded()
    print(f"{len(mine)} events, {len(real)} of the server")
    for one, other in zip(mine, real, strict=False):
        if one != other:
            print(other["verb"], other["requestURI"], other["stage"])
            for part in sorted({*one, *other}):
                if one.get(part) != other.get(part):
                    print(f"  {part}\n    real {json.dumps(other.get(part))}\n    ours {json.dumps(one.get(part))}")


if __name__ == "__main__":
    main()
