"""Responses of our server equal the recorded ones of a real server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from . import recorded
from .cases import steps
from .clients import Ours

if TYPE_CHECKING:
    from .cases import Step

STEPS = list(steps())


@pytest.fixture(scope="module")
def differences() -> list[tuple[Step, Any, Any]]:
    client = Ours()
    found = []
    for step, wanted in zip(STEPS, recorded.read(), strict=True):
        answer = json.loads(json.dumps(recorded.compared(step, *client.send(step))))
        if answer != wanted:
            found.append((step, wanted, answer))
    client.close()
    return found


def test_every_response_is_that_of_the_real_server(differences: list[tuple[Step, Any, Any]]) -> None:
    assert differences == []


def test_requests_are_allowed_denied_and_rejected() -> None:
    codes = [answer[0] for answer in recorded.read()]
    assert {200, 201, 400, 403, 404, 422} == set(codes)
    assert codes.count(403) > len(codes) / 3
