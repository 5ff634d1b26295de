"""JSON is indented like on a real API server."""

from __future__ import annotations

import asyncio
import json

import pytest

from .exchanges import Answered, Exchange, exchanges, recorded
from .test_answers import answered


def laid_out(one: Answered) -> bool:
    """Whether JSON is indented. It must be indented like in Go."""
    if one.headers["content-type"] != "application/json":
        return False
    text = one.body.replace("\\u0026", "&")
    lines = text.splitlines()
    if len(lines) == 1 and len(text) > len("{}"):
        return False
    assert text == json.dumps(json.loads(text), indent=2)
    return True


@pytest.mark.parametrize("exchange", exchanges("pretty"), ids=lambda one: one.name)
def test_json_is_indented_as_by_a_real_server(exchange: Exchange) -> None:
    real = [Answered(*one) for one in recorded("pretty")[exchange.name]["answers"]]
    ours = asyncio.run(answered(exchange))
    assert [laid_out(one) for one in ours] == [laid_out(one) for one in real]
    assert any(map(laid_out, real))
