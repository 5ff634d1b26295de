"""Waiting until a server of another process is ready, for scripts."""

from __future__ import annotations

import base64
import ssl
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

import yaml

from ...unchecked import as_map
from .errors import CannotServe
from .kubeconfig import check_place

if TYPE_CHECKING:
    from pathlib import Path

PAUSE = 0.05
"""Seconds between two requests."""
PATIENCE = 2.0
"""Seconds that one request may take."""


def wait_until_ready(file: Path, seconds: float) -> str:
    """Return the address in the kubeconfig as soon as the server is ready. Raise CannotServe after some seconds.

    The file is read again each time. The server may not have written it yet, or it may be of an earlier server.
    """
    ends = time.monotonic() + seconds
    while True:
        check_place(file)
        url, authority = _server_in(file)
        if url and _is_ready(url, authority):
            return url
        if time.monotonic() > ends:
            why = f"the server at {url} is not ready" if url else "no server has written it"
            raise CannotServe(f"{file}: {why}. Check the output of `kubemerge serve`")
        time.sleep(PAUSE)


def _server_in(file: Path) -> tuple[str, str]:
    with suppress(OSError, UnicodeDecodeError, yaml.YAMLError):
        clusters = as_map(yaml.safe_load(file.read_text(encoding="utf-8"))).get("clusters")
        first = as_map(as_map(clusters[0]).get("cluster")) if isinstance(clusters, list) and clusters else {}
        return str(first.get("server") or ""), str(first.get("certificate-authority-data") or "")
    return "", ""


def _is_ready(url: str, authority: str) -> bool:
    with suppress(URLError, OSError, ValueError):
        trusted = ssl.create_default_context(cadata=base64.b64decode(authority).decode()) if authority else None
        opener = build_opener(ProxyHandler({}), HTTPSHandler(context=trusted))
        with opener.open(f"{url}/readyz", timeout=PATIENCE) as answer:
            return bool(answer.status == 200)
    return False
