"""Record the responses of a real API server to Accept and Content-Type headers.

The server is at `$KUBECONFIG`. Status code, media type, kind, apiVersion and message are recorded.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from .....conftest import read_yaml
from ..real import Server

ASKED = Path(__file__).parent / "data" / "asked.yaml"
ANSWERED = Path(__file__).parent / "data" / "answered.json"


def asked() -> list[dict[str, Any]]:
    """The requests, each with its path and name."""
    found = read_yaml(ASKED)
    return [
        {"path": path, **({"accept": one} if kind == "accepts" else {"type": one})}
        for kind in ("accepts", "types")
        for path, ones in found[kind].items()
        for one in ones
    ]


def said(server: Server, one: dict[str, str]) -> dict[str, Any]:
    paths = read_yaml(ASKED)["paths"]
    if "accept" in one:
        answer = server.ask("GET", paths[one["path"]], Accept=one["accept"])
    else:
        body = json.dumps({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "one"}}).encode()
        answer = server.ask("POST", paths[one["path"]], body, Content_Type=one["type"])
    if "protobuf" in answer.media_type or ("watch" in paths[one["path"]] and answer.code == 200):
        return {**one, "code": answer.code, "media_type": answer.media_type}
    document = yaml.safe_load(answer.body)
    found = {name: document[name] for name in ("kind", "apiVersion", "message") if name in document}
    return {**one, "code": answer.code, "media_type": answer.media_type, **found}


if __name__ == "__main__":
    SERVER = Server()
    lines = [json.dumps(said(SERVER, one), ensure_ascii=False) for one in asked()]
    ANSWERED.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
