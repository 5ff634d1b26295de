"""The responses of a real API server, which calls the webhook server of this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..policies import real as policies
from ..policies.replay import Answer, SetupRejected
from ..policies.scenarios import place
from .replay import BY_SETUP, masked
from .scenarios import API, KINDS, Object, answers_of, configurations_of, setup_of

if TYPE_CHECKING:
    from ..ownership.real.server import Server
    from .stub import Stub

LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
MARKED = {"markers": "yes"}


def theirs(server: Server, scenario: Object, stub: Stub) -> list[Answer]:
    """The responses of a server, which is reset before."""
    _without_webhooks(server, stub)
    policies.fresh(server)
    answers = {**answers_of(scenario), **{f"/{kind}-marker/marker.example.com": [_marker()] for kind in KINDS}}
    stub.begin(answers)
    for one in setup_of(scenario, stub):
        _create(server, one)
        if one["kind"] == policies.DEFINITION:
            spec = one["spec"]
            for version in spec["versions"]:
                path = f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}"
                policies._wait(lambda path=path: server.ask("GET", path).code == 200)  # type: ignore[misc]
    if any(one["apiVersion"] == API for one in scenario["setup"]):
        policies.in_effect(server)
    if scenario["hooks"]:
        for one in configurations_of(scenario, stub):
            _create(server, one)
        _in_effect(server, stub, expected=True)
    stub.begin(answers)
    found = []
    for one in scenario["requests"]:
        stub.forget()
        response = policies.sent(server, one)
        found.append(masked(response, stub.reviews, one))
    return found


def _create(server: Server, one: Object) -> None:
    found = server.ask("POST", f"{place(one, named=False)}?{BY_SETUP}", one)
    if not found.done:
        raise SetupRejected(f"{one['kind']}: {found.body.get('message')}")


def _marker() -> Object:
    return {"warnings": ["in effect"]}


def _in_effect(server: Server, stub: Stub, *, expected: bool) -> None:
    """Wait until all configurations are in effect: until two last ones are."""
    if expected:
        for kind, name in KINDS.items():
            hook = {
                "name": "marker.example.com",
                "clientConfig": stub.config(f"/{kind}-marker/marker.example.com"),
                "rules": [
                    {"operations": ["CREATE"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["leases"]}
                ],
                "objectSelector": {"matchLabels": MARKED},
                "sideEffects": "None",
                "failurePolicy": "Ignore",
                "admissionReviewVersions": ["v1"],
            }
            marker = f"zz-{kind}-marker"
            _create(server, {"apiVersion": API, "kind": name, "metadata": {"name": marker}, "webhooks": [hook]})
    lease = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "marker", "labels": MARKED},
    }

    def done() -> bool:
        stub.forget()
        server.ask("POST", LEASES + "?dryRun=All", lease)
        called = {path.split("-", maxsplit=1)[0] for path, _ in stub.reviews}
        return len(called) == len(KINDS) if expected else not called

    policies._wait(done)


def _without_webhooks(server: Server, stub: Stub) -> None:
    for kind in KINDS.values():
        server.ask("DELETE", f"/apis/{API}/{kind.lower()}s")
    _in_effect(server, stub, expected=False)
