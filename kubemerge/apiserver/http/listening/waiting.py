"""Wait until a server that another process starts answers requests, for scripts."""

from __future__ import annotations

import base64
import ssl
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import HTTPSHandler, ProxyHandler, build_opener

import yaml

from ...unchecked import a_map
from .errors import CannotServe
from .kubeconfig import check_place

if TYPE_CHECKING:
    from pathlib import Path

PAUSE = 0.05
"""Seconds between two requests."""
PATIENCE = 2.0
"""Seconds that one request may take."""


def wait_until_ready(file: Path, seconds: float) -> str:
    """The address of the server that the kubeconfig names, as soon as it is ready; CannotServe after some seconds.

    The file is read again each time: the server may not have written it yet, or an earlier one may have.
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
    """The address and the certificate in a kubeconfig; empty if it is not there, or not whole."""
    with suppress(OSError, UnicodeDecodeError, yaml.YAMLError):
        clusters = a_map(yaml.safe_load(file.read_text(encoding="utf-8"))).get("clusters")
        first = a_map(a_map(clusters[0]).get("cluster")) if isinstance(clusters, list) and clusters else {}
        return str(first.get("server") or ""), str(first.get("certificate-authority-data") or "")
    return "", ""


def _is_ready(url: str, authority: str) -> bool:
    with suppress(URLError, OSError, ValueError):
        trusted = ssl.create_default_context(cadata=base64.b64decode(authority).decode()) if authority else None
        opener = build_opener(ProxyHandler({}), HTTPSHandler(context=trusted))
        with opener.open(f"{url}/readyz", timeout=PATIENCE) as answer:
            return bool(answer.status == 200)
    return False
