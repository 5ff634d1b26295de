"""A served cluster responds like a real API server."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.metadata import Origins
from kubemerge.cluster import open_cluster

from .exchanges import AREAS, Answered, Asked, Exchange, compared, exchanges, filled, recorded

if TYPE_CHECKING:
    from collections.abc import Mapping

ALL = [(area, one) for area in AREAS for one in exchanges(area)]
ENOUGH = 150

CONTROLLERS = "*,-resourcequota-controller,-validatingadmissionpolicy-status-controller"
"""The controllers of the recorded server."""


async def answer_to(application: Application, request: Asked) -> Answered:
    """The response of the application, called like by an ASGI server."""
    path, _, query = request.path.partition("?")
    headers = [(name.encode(), value.encode()) for name, value in request.header_lines()]
    scope = {
        "type": "http",
        "method": request.method,
        "path": path,
        "query_string": query.encode(),
        "headers": headers,
    }
    told: list[Mapping[str, Any]] = []
    sent = False

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if sent:
            await asyncio.sleep(60)
        sent = True
        return {"type": "http.request", "body": request.body.encode(), "more_body": False}

    async def send(message: Mapping[str, Any]) -> None:
        told.append(message)

    await application(scope, receive, send)
    found: dict[str, str] = {}
    for name, value in told[0]["headers"]:
        key = name.decode()
        found[key if key not in found else f"{key} {len(found)}"] = value.decode()
    body = b"".join(one.get("body", b"") for one in told[1:])
    return Answered(told[0]["status"], found, body.decode())


async def answered(exchange: Exchange) -> list[Answered]:
    """The responses of a new cluster."""
    with open_cluster(":memory:", release="1.37", controllers=CONTROLLERS) as cluster:
        cluster.run_post_start_hooks()
        application = Application(cluster)
        answers: list[Answered] = []
        for request in exchange.requests:
            answers.append(await answer_to(application, filled(request, answers)))
        return answers


@pytest.mark.usefixtures("short_watches")
@pytest.mark.parametrize(
    ("area", "exchange"),
    [
        pytest.param(*one, id=f"{one[0]}: {one[1].name}", marks=[pytest.mark.slow] if one[0] == "matrix" else [])
        for one in ALL
    ],
)
def test_an_exchange(area: str, exchange: Exchange, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was recorded within a second, which may not be enough here, so the clock is stopped."""
    now = datetime.now(timezone.utc)
    monkeypatch.setattr("kubemerge.apiserver.reading.Origins", partial(Origins, clock=lambda: now))
    row = recorded(area)[exchange.name]
    ours = asyncio.run(answered(exchange))
    for number, (wanted, found) in enumerate(zip(row["answers"], ours, strict=True)):
        expected, seen = compared(Answered(*wanted)), compared(found)
        if exchange.why(number) is None:
            assert seen == expected, exchange.requests[number]
        else:
            assert seen != expected, "it does not differ any more"


@pytest.mark.parametrize("area", AREAS)
def test_responses_are_of_the_current_requests(area: str) -> None:
    """Also of the exchanges that the default run leaves out."""
    rows = recorded(area)
    old = [one.name for one in exchanges(area) if rows[one.name]["asked"] != one.digest]
    assert old == [], "record them again"


def test_that_is_enough() -> None:
    """The number of requests of each sort is large enough."""
    requests = sum(len(one.requests) for _, one in ALL)
    assert requests >= ENOUGH
    listed = sum(len(one.differs) for _, one in ALL)
    assert listed <= requests * 0.05, json.dumps([one.name for _, one in ALL if one.differs])
