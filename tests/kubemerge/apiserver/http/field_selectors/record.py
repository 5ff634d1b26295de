"""Record field selectors of a real API server: `KUBECONFIG=FILE python -m
tests.kubemerge.apiserver.http.field_selectors.record`.

The cluster is new, runs no controllers, does not have the admission plugin ServiceAccount, and serves all versions
(`--runtime-config=api/all=true`).
"""

from __future__ import annotations

import json
import time
from typing import Any

from ..real import Server
from .asking import RECORDED, Reply, everything, prepare

SETTLED = 5.0
"""Seconds after which a server serves a definition."""


def main() -> None:
    """Record everything."""
    server = Server()

    def ask(method: str, path: str, body: Any) -> Reply:
        answer = server.ask(method, path, body)
        return Reply(answer.code, answer.json())

    prepare(ask, lambda: time.sleep(SETTLED))
    RECORDED.write_text(json.dumps(everything(ask), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
