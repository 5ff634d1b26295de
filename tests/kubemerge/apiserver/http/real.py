"""A client for the API server of `$KUBECONFIG`, for recorders."""

from __future__ import annotations

import base64
import json
import os
import ssl
import tempfile
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import HTTPSHandler, Request, build_opener

from ....conftest import read_yaml


class Answer(NamedTuple):
    code: int
    media_type: str
    date: str
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """An API server, reached with the client certificate of the current context."""

    def __init__(self) -> None:
        self._url, context = place()
        self._opener = build_opener(HTTPSHandler(context=context))

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request. Headers are named with `_` for `-`."""
        named = {"User-Agent": "recorder", "Accept": "application/json", "Content-Type": "application/json"}
        named |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = Request(self._url + path, data, named, method=method)
        try:
            answer = self._opener.open(request)
        except HTTPError as error:
            answer = error
        with answer:
            date = parsedate_to_datetime(answer.headers["Date"]).isoformat().replace("+00:00", "Z")
            return Answer(answer.status or 0, answer.headers["Content-Type"] or "", date, answer.read())


def place() -> tuple[str, ssl.SSLContext]:
    """The address of the server, and a TLS context."""
    config = read_yaml(Path(os.environ["KUBECONFIG"]))
    cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
    context = ssl.create_default_context(cafile=_file(cluster, "certificate-authority"))
    context.load_cert_chain(_file(user, "client-certificate"), _file(user, "client-key"))
    return cluster["server"], context


def _file(of: dict[str, str], name: str) -> str:
    if name in of:
        return of[name]
    with tempfile.NamedTemporaryFile(delete=False) as file:
        file.write(base64.b64decode(of[f"{name}-data"]))
    return file.name
