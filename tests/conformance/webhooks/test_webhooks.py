"""The embedded cluster returns the recorded responses of a real API server to requests with webhooks, and sends the
same reviews.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ...conftest import require_package
from ..policies.replay import answers_in
from ..recordings import require_resettable_server
from .real import theirs
from .replay import answers_of_ours, recorded, requests_of
from .scenarios import areas, scenarios

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .stub import Stub

DIFFER = {
    ("conversion", "bad converted objects", 13): "a server prints the response as it was sent, and not as it was read",
    ("failures", "addresses", 5): "a server also prints the address of its DNS server",
    ("failures", "redirects", 0): "a redirect leads to another address than the configured one, so it is not followed",
    ("mutating", "patches that fail", 20): "a server decodes an object of another kind before it rejects the kind",
    ("mutating", "managed fields after patches", 6): "Go's reason for unreadable fields",
    ("mutating", "subresources", 0): "a Scale has no managedFields before it is stored",
    ("mutating", "custom resources", 1): "an unknown field that a patch adds is pruned before validating webhooks",
    ("mutating", "custom resources", 9): "Go's reason for a label that is no text",
}
"""Requests with another response, by area, scenario and number."""
LEAST = 355


@pytest.fixture(scope="module")
def stub() -> Iterator[Stub]:
    require_package("trustme")
    from .stub import Stub

    made = Stub()
    yield made
    made.close()


@pytest.mark.parametrize("area", areas())
def test_responses_are_those_of_a_server(area: str, stub: Stub) -> None:
    known = recorded(area)
    differing = []
    for one in scenarios(area):
        real = known[one["name"]]
        assert real["requests"] == requests_of(one), "record it again"
        for place, (mine, other) in enumerate(zip(answers_of_ours(one, stub), answers_in(real), strict=True)):
            if (mine != other) != ((area, one["name"], place) in DIFFER):
                differing.append((one["name"], place, mine, other))
    assert differing == []


def test_there_are_as_many_responses_as_before() -> None:
    assert sum(len(answers_in(one)) for area in areas() for one in recorded(area).values()) >= LEAST


@pytest.mark.slow
def test_a_server_still_returns_the_recorded_responses(stub: Stub) -> None:
    server = require_resettable_server()
    one = scenarios("validating")[0]
    assert theirs(server, one, stub) == recorded("validating")[one["name"]]["answers"]
