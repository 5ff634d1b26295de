"""Addresses with credentials: no output and no file shows them, and no server gets those that are meant for another.

The servers are on this machine, under its two names, which count as two hosts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from ..codegen.sample_specs import bundle
from ..codegen.sources.serving import body, redirect, serving
from ..conftest import ROOT
from ..kubemerge.objects import config_map
from .commands import BUGS, PATIENCE
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from ..codegen.sources.serving import Served
    from .trial import Trial, Tried

TIMES = 120
MARK = "c4n4ry"
"""A text that occurs only in passwords and tokens."""
LOGIN, NETRC, TOKEN = f"pass{MARK}1", f"netrc{MARK}2", f"token{MARK}3"
QUERIES = (
    "",
    f"?token={TOKEN}",
    f"?access_token={TOKEN}&x=1",
    f"?x=1&X-Amz-Signature={TOKEN}",
    f"?sig={TOKEN}#here",
    f"?api_key={TOKEN}&password={TOKEN}",
)
SPEC = json.dumps(bundle(a={"type": "string"})).encode()
MANIFEST = json.dumps(config_map("m", {"a": "b"})).encode()


def attack(trial: Trial) -> Tried:
    """Fetch something from addresses with credentials."""
    times = trial.often(TIMES)
    with serving() as one, serving() as other:
        for _ in range(times):
            fetch(trial.random, trial.new_folder(), one, other)
    yield "fetches from addresses with credentials, through redirects and from servers that fail", times


COMMANDS: tuple[Callable[[str], tuple[str, ...]], ...] = (
    lambda address: ("spec", "add", "1.37", "--from", address, "--openapi", "openapi"),
    lambda address: ("generate", "--spec", address, "--out", "mine"),
    lambda address: ("kinds", "--schema", address),
    lambda address: ("compare", "--left", address, "--right", "1.37", "--html", "page.html"),
    lambda address: ("compare", "--left", address, "--right", "1.37", "-o", "json"),
    lambda address: ("explain", "Thing", "--schema", address),
    lambda address: ("lint", "-f", address, "-o", "sarif"),
    lambda address: ("merge", "-f", address, "--html", "page.html"),
    lambda address: ("diff", "-f", address, "--live", address),
    lambda address: ("apply", "-f", address),
)
WITH_A_TOKEN: tuple[Callable[[str], tuple[str, ...]], ...] = (
    lambda address: ("spec", "add", "1.37", "--server", address, "--token-file", "token", "--openapi", "openapi"),
    lambda address: ("spec", "add", "1.37", "--from", address, "--token-file", "token", "--openapi", "openapi"),
)


def fetch(random: Random, folder: Path, one: Served, other: Served) -> None:
    """One fetch from a server that serves the document, fails, or redirects to the other one."""
    words = random.choice((*COMMANDS, *WITH_A_TOKEN))
    query = random.choice(QUERIES)
    named = other.address.replace("localhost", "127.0.0.1")
    answer = random.choice((SPEC, MANIFEST))
    first: Any = random.choice(
        (
            body(answer),
            body(answer),
            body(b"no", 401),
            body(b"no", 500),
            body(answer[:20]),
            body(answer, Content_Length="999999"),
            redirect(f"{named}/there{query}"),
            redirect(named.replace("//", f"//user:{LOGIN}@") + "/there"),
            redirect(f"{one.address}/{query}"),
            redirect("nonsense:" + query),
        )
    )
    path = f"/{random.randrange(10**9)}.json"
    for at in (path, path + query.partition("#")[0], "/openapi/v2", "/openapi/v3"):
        one.at(at, first)
    for at in ("/there", "/there" + query.partition("#")[0]):
        other.at(at, body(SPEC))
    login = random.choice(("", f"user:{LOGIN}@", f"{LOGIN}@", f"user%40x:{LOGIN}@"))
    address = one.address.replace("//", f"//{login}") + path + query
    one.requests.clear()
    other.requests.clear()
    given = words(address)
    said = _run(folder, (*given, *random.choice(((), ("-v",)))))
    telling = [line.strip() for line in said.splitlines() if MARK in line or line.startswith("kubemerge: ")]
    detail = f"{' '.join(given)} says {telling[:3]}"
    insist(MARK not in said, f"a credential is printed; {detail}")
    for file in folder.rglob("*"):
        if file.is_file() and file.name not in (".netrc", "token"):
            insist(MARK.encode() not in file.read_bytes(), f"a credential is in {file.name}; {detail}")
    _look_at_requests(one, other, token="--token-file" in given, detail=detail)


def _run(folder: Path, words: tuple[str, ...]) -> str:
    """The output of a command, in a home whose .netrc has a login for both hosts."""
    hosts = "".join(f"machine {host} login user password {NETRC}\n" for host in ("localhost", "127.0.0.1"))
    (folder / ".netrc").write_text(hosts)
    (folder / ".netrc").chmod(0o600)
    (folder / "token").write_text(TOKEN)
    environment = {"PYTHONPATH": str(ROOT), "HOME": str(folder), "NO_PROXY": "*", "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-m", "kubemerge", *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    insist(done.returncode in (0, 1, 2), f"{words} ends with {done.returncode}: {done.stderr}")
    insist(not any(bug in done.stderr for bug in BUGS), f"a bug shows: {done.stderr[-2000:]}")
    return done.stdout + done.stderr


def _look_at_requests(one: Served, other: Served, *, token: bool, detail: str) -> None:
    """Every credential goes only to its server."""
    for _, headers in one.requests:
        sent = headers.get("Authorization", "")
        insist(not token or sent in ("", f"Bearer {TOKEN}"), f"{sent} is sent where a token is given; {detail}")
    for _, headers in other.requests:
        sent = headers.get("Authorization", "")
        insist(not sent, f"{sent} is sent to another host; {detail}")
