"""The errors and responses of a real API server."""

from __future__ import annotations

import ast
import hashlib
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ..real import _create, fresh, in_effect, sent
from .folders import PLUGINS, SHOWN, write_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...ownership.real.server import Server
    from ..scenarios import Object

ENDINGS = (".yaml", ".yml", ".json")
PATIENCE = 20.0
_ERROR = re.compile(r'config" err=(?:("(?:[^"\\]|\\.)*")|<\n\t(.*?)\n >) plugin="(\w+)"', re.DOTALL)
"""An error in the log, its text in quotes or in lines, and its plugin."""
QUIET = 0.4
"""Seconds without another line of the log, after which a server has read all files."""


def theirs(server: Server, one: Object) -> list[Object]:
    """The error and the responses of each step."""
    root, log = Path(os.environ["KUBEMERGE_REAL_MANIFESTS"]), Path(os.environ["KUBEMERGE_REAL_LOG"])
    for plugin in PLUGINS:
        write_files(root / plugin, {})
        _wait_for(server, plugin, {}, log, 0)
    fresh(server)
    for each in one["setup"]:
        _create(server, each)
    if one["setup"]:
        in_effect(server)
    found = []
    for step in one["steps"]:
        start = log.stat().st_size
        write_files(root / one["plugin"], step["files"])
        error = _wait_for(server, one["plugin"], step["files"], log, start)
        answers = [sent(server, each) for each in step["requests"]]
        found.append({"error": error.replace(str(root / one["plugin"]), SHOWN), "answers": answers})
    return found


def _wait_for(server: Server, plugin: str, files: Mapping[str, bytes], log: Path, start: int) -> str:
    """The error in the log, or an empty text once the server uses the files."""
    wanted, end = _hash_of(files), time.monotonic() + PATIENCE
    seen, since = "", time.monotonic()
    while time.monotonic() < end:
        new = log.read_bytes()[start:].decode() if start else ""
        now = ([_text(*one) for one in _ERROR.findall(new) if one[2] == plugin] or [""])[-1]
        if now != seen:
            seen, since = now, time.monotonic()
        hashes = re.findall(
            rf'last_config_info{{[^}}]*hash="([^"]*)",plugin="{plugin}"', str(server.ask("GET", "/metrics").body)
        )
        quiet = time.monotonic() - since > QUIET
        if quiet and hashes and hashes[-1] == wanted:
            return ""
        if quiet and seen:
            return seen
        time.sleep(0.05)
    raise TimeoutError(f"the server has not read the manifests of {plugin}")


def _text(quoted: str, lines: str, _: str) -> str:
    """An error in the log, which has several lines in a form of its own."""
    return str(ast.literal_eval(quoted)) if quoted else lines.replace("\n\t", "\n")


def _hash_of(files: Mapping[str, bytes]) -> str:
    """The hash that a server reports for files."""
    read = [
        files[name] for name in sorted(files) if "/" not in name and name.lower().endswith((".yaml", ".yml", ".json"))
    ]
    found = b"".join(one + b"\0" for one in read if one)
    return f"sha256:{hashlib.sha256(found).hexdigest()}" if found else ""
