"""Record the status of policies: `python -m tests.conformance.policies.types.record`.

It needs a real server of the newest release in KUBECONFIG whose kube-controller-manager runs the controller
`validatingadmissionpolicy-status-controller`. Existing policies and definitions with the same names are replaced.
"""

from __future__ import annotations

from typing import Any

from ...ownership.real.server import Server
from ..real import _wait
from ..scenarios import place
from .policies import comparable, definitions, policies, write


def main() -> None:
    server = Server()
    everything = [*definitions(), *policies()]
    for one in everything:
        server.ask("DELETE", place(one, named=True))
    for one in everything:
        _wait(lambda one=one: server.ask("GET", place(one, named=True)).code == 404)  # type: ignore[misc]
    for one in definitions():
        assert server.ask("POST", place(one, named=False), one).done
        group, plural = one["spec"]["group"], one["spec"]["names"]["plural"]
        _wait(lambda path=f"/apis/{group}/v1/{plural}": server.ask("GET", path).done)  # type: ignore[misc]
    _wait(lambda: "Limit" in str(server.ask("GET", "/openapi/v3/apis/example.com/v1").body))
    found = {}
    for one in policies():
        made = server.ask("POST", place(one, named=False), one)
        assert made.done, made.body

        def status(one: Any = one) -> Any:
            return server.ask("GET", place(one, named=True)).body.get("status")

        _wait(lambda status=status: status().get("observedGeneration"))  # type: ignore[misc]
        found[one["metadata"]["name"]] = comparable(server.ask("GET", place(one, named=True)).body)
    write(found)


if __name__ == "__main__":
    main()
