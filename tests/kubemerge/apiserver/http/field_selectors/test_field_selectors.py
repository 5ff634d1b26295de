"""Field selectors of every kind have the results and errors of a real API server."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.http.asgi import Application
from kubemerge.cluster import open_cluster

from ..wire.exchanges import Asked
from ..wire.test_answers import answer_to
from .asking import RECORDED, Reply, everything, prepare

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EXPECTED: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))


def served(kinds: Iterable[str]) -> list[str]:
    """The kinds that a server serves by default."""
    return [kind for kind in kinds if "alpha" not in kind and "beta" not in kind]


@pytest.fixture(scope="module")
def answers() -> Iterator[dict[str, dict[str, Any]]]:
    loop = asyncio.new_event_loop()
    with open_cluster(":memory:", release="1.37") as cluster:
        application = Application(cluster)

        def ask(method: str, path: str, body: Any) -> Reply:
            text = "" if body is None else json.dumps(body)
            request = Asked(method, path, text, {"content-type": "application/json"})
            reply = loop.run_until_complete(answer_to(application, request))
            return Reply(reply.status, json.loads(reply.body))

        prepare(ask, lambda: None)
        yield everything(ask)
    loop.close()


@pytest.mark.parametrize("kind", served(EXPECTED["labels"]))
def test_labels_of_a_kind(kind: str, answers: dict[str, dict[str, Any]]) -> None:
    assert answers["labels"][kind] == EXPECTED["labels"][kind]


@pytest.mark.parametrize("kind", served(EXPECTED["selected"]))
def test_selected_objects(kind: str, answers: dict[str, dict[str, Any]]) -> None:
    assert answers["selected"][kind] == EXPECTED["selected"][kind]


@pytest.mark.parametrize("form", EXPECTED["forms"])
def test_reading_a_selector(form: str, answers: dict[str, dict[str, Any]]) -> None:
    assert answers["forms"][form] == EXPECTED["forms"][form]
