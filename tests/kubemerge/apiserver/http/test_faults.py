"""Injected faults, for tests of clients."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
import requests

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving

MAPS = "/api/v1/namespaces/default/configmaps"


def ask(server: Serving, method: str, path: str, content: Any = None) -> requests.Response:
    return requests.request(method, server.url + path, json=content, timeout=10)


def make(server: Serving, name: str) -> requests.Response:
    return ask(server, "POST", MAPS, {"metadata": {"name": name}})


def test_a_request_fails_as_often_as_was_said(kube_server: Serving) -> None:
    fault = kube_server.faults.fail(429, method="POST", retry_after=3, times=2)
    answers = [make(kube_server, "a") for _ in range(3)]
    assert [one.status_code for one in answers] == [429, 429, 201]
    assert answers[0].headers["Retry-After"] == "3"
    assert answers[0].json()["reason"] == "TooManyRequests"
    assert fault.met == [f"POST {MAPS}"] * 2


@pytest.mark.parametrize(("status", "reason"), [(409, "Conflict"), (500, "InternalError"), (503, "ServiceUnavailable")])
def test_only_requests_that_fit_fail(kube_server: Serving, status: int, reason: str) -> None:
    kube_server.faults.fail(status, method="GET", path="*/configmaps/a", times=None)
    make(kube_server, "a")
    make(kube_server, "b")
    assert ask(kube_server, "GET", f"{MAPS}/a").json()["reason"] == reason
    assert ask(kube_server, "GET", f"{MAPS}/a").status_code == status
    assert ask(kube_server, "GET", f"{MAPS}/b").status_code == 200
    kube_server.faults.clear()
    assert ask(kube_server, "GET", f"{MAPS}/a").status_code == 200


def test_an_answer_is_lost_but_its_request_is_carried_out(kube_server: Serving) -> None:
    kube_server.faults.fail(500, method="POST", afterwards=True)
    assert make(kube_server, "a").status_code == 500
    assert ask(kube_server, "GET", f"{MAPS}/a").status_code == 200


def test_an_answer_comes_late(kube_server: Serving) -> None:
    kube_server.faults.delay(0.3, method="GET")
    begun = time.monotonic()
    assert ask(kube_server, "GET", MAPS).status_code == 200
    assert time.monotonic() - begun >= 0.3


def test_answers_come_in_another_order(kube_server: Serving) -> None:
    held = kube_server.faults.hold(path="*/a")
    order: list[str] = []

    def get(name: str) -> None:
        ask(kube_server, "GET", f"{MAPS}/{name}")
        order.append(name)

    first = threading.Thread(target=get, args=("a",))
    first.start()
    while not held.met:
        time.sleep(0.005)
    get("b")
    held.release()
    first.join()
    assert order == ["b", "a"]


def test_watches_end(kube_server: Serving) -> None:
    with requests.get(f"{kube_server.url}{MAPS}?watch=true", stream=True, timeout=10) as stream:
        lines = stream.iter_lines()
        make(kube_server, "a")
        assert json.loads(next(lines))["object"]["metadata"]["name"] == "a"
        kube_server.faults.end_watches()
        assert list(lines) == []
