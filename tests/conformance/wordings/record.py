"""Record the responses of a real API server to the handwritten requests.

`KUBECONFIG=FILE python -m tests.conformance.wordings.record [AREA...]` sends new ones; with `--all`, every one. Only
requests for the server's release are sent. The server needs no reset: objects of a case are deleted after it, except
for namespaces.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import requests

from ..ownership.real.server import Server
from . import asked, replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from .replay import Answer, Case

NAMESPACES = "/api/v1/namespaces/"
EXISTS, GONE = 409, 404
DEFINITIONS = "customresourcedefinitions"


class NoResponse(Exception):
    """A case without a response: the server failed, or rejected an object that has to exist before."""


def answer(server: Server, case: Case) -> Answer:
    """The server's response to the last request of a case."""
    made: list[str] = []
    try:
        for one in case["given"]:
            if "wait" in one:
                time.sleep(one["wait"])
                continue
            found = sent(server, one)
            if not found.done and found.code != EXISTS:
                raise NoResponse(f"{one}: {found.body.get('message')}")
            if one["method"] != "POST":
                continue
            name = found.body["metadata"]["name"] if found.done else one["body"]["metadata"]["name"]
            made.append(f"{one['path']}/{name}")
            if DEFINITIONS in one["path"]:
                established(server, made[-1], one["body"])
        found = sent(server, case["ask"])
        return replay.answer_of(found.code, found.body, found.warnings)
    except requests.ConnectionError as error:  # a handler of the server panics
        raise NoResponse(f"{case['ask']}: {error}") from None
    finally:
        for path in reversed(made):
            if not path.startswith(NAMESPACES) or "/" in path.removeprefix(NAMESPACES):
                server.ask("PATCH", path, {"metadata": {"finalizers": None}}, kind="merge")
                server.ask("DELETE", path, {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})
                wait(partial(_is_gone, server, path))


def sent(server: Server, one: Case) -> Any:
    """The server's response to one request; an update changes the object as it is."""
    body = one.get("body")
    if "set" in one:
        body = asked.changed(server.ask("GET", one["path"].partition("?")[0]).body, one["set"])
    return server.ask(one["method"], one["path"], body, kind=one.get("kind", ""))


def _is_gone(server: Server, path: str) -> bool:
    return server.ask("GET", path).code == GONE


def established(server: Server, path: str, definition: Any) -> None:
    """Wait until the server serves a definition."""
    spec = definition["spec"]

    def is_served() -> bool:
        found = server.ask("GET", f"/apis/{spec['group']}/{spec['versions'][0]['name']}").body
        listed = found.get("resources") or [] if isinstance(found, dict) else []
        return any(one["name"] == spec["names"]["plural"] for one in listed)

    wait(is_served)
    time.sleep(0.1)


def wait(done: Callable[[], bool]) -> None:
    """Wait up to ten seconds."""
    for _ in range(200):
        if done():
            return
        time.sleep(0.05)


def main(words: list[str]) -> int:
    """Send, store, and print differences from our response."""
    server, everything = Server(), "--all" in words
    for area in [word for word in words if word != "--all"] or asked.areas():
        known = replay.answers(area)
        cases = {asked.digest(case): case for case in asked.cases(area)}
        kept = {mark: known[mark] for mark in cases if mark in known}
        for mark, case in cases.items():
            if replay.release_of(case) != server.release or (mark in kept and not everything):
                continue
            try:
                kept[mark] = answer(server, case)
            except NoResponse as error:
                sys.stdout.write(f"not answered: {str(error)[-400:]}\n")
            replay.store_answers(area, kept)
        replay.store_answers(area, kept)
        sys.stdout.write(f"{area}: {len(kept)} answers\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
