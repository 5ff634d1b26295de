"""Record the responses of a real API server with RBAC: `python -m tests.apiserver.authorization record`.

`KUBECONFIG` names an empty server of the newest release with `--authorization-mode=RBAC`, which runs the controllers
for namespaces and aggregated roles. `show` prints the differences of our server from the recorded responses. `initial`
records the roles and bindings of an empty server of any release. `random COUNT SEED` compares random decisions.
"""

from __future__ import annotations

import json
import sys

from . import fuzz, hostile, initial, recorded
from .cases import RBAC, Step, steps
from .clients import Ours, Real


def record() -> None:
    """Record all steps."""
    client = Real()
    recorded.write([recorded.compared(step, *client.send(step)) for step in steps()])


def show() -> None:
    """Print the steps whose responses differ."""
    client = Ours()
    differ = 0
    for step, wanted in zip(steps(), recorded.read(), strict=True):
        found = json.loads(json.dumps(recorded.compared(step, *client.send(step))))
        if found != wanted:
            differ += 1
            print(f"{step.method} {step.path} {step.account} {step.headers}\n  real {wanted}\n  ours {found}")
    print(f"{differ} differ")
    client.close()


def record_hostile() -> None:
    """Record the decisions about hostile requests."""
    client = Real()
    recorded.write([hostile.decision(*client.send(step)) for step in hostile.steps()], recorded.HOSTILE)


def record_initial() -> None:
    """Record the roles and bindings of a server."""
    client = Real()
    _, version = client.send(Step("GET", "/version"))
    objects = []
    for kind in initial.KINDS:
        _, found = client.send(Step("GET", f"{RBAC}/{kind}"))
        head = {"apiVersion": found["apiVersion"], "kind": found["kind"].removesuffix("List")}
        objects += [{**head, **one} for one in found["items"]]
    initial.write(f"{version['major']}.{version['minor']}", initial.digest(objects))


def compare(count: str = "2000", seed: str = "1") -> None:
    """Compare random decisions with a real server."""
    print("\n".join(fuzz.differences(int(count), int(seed))) or f"{count} decisions, 0 differ")


COMMANDS = {
    "record": record,
    "show": show,
    "initial": record_initial,
    "random": compare,
    "hostile": record_hostile,
}
if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
