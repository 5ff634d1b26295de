"""Record what a real API server does with the cases, for the fast test.

`python -m tests.conformance.releases.record` asks the server of KUBECONFIG, and replaces the answers of its release.
Objects are created in it and deleted again, so use a disposable server.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from kubemerge.apiserver.resources import Kinds

from ..kinds.ask import bare
from ..ownership.real.server import NAMESPACE, Answer, Server, ServerUnavailable, root_of
from . import storage
from .cases import Case, every, place

RECORDED = Path(__file__).with_name("recorded.json.gz")
WARNING = re.compile(r'299 [^ ]+ "((?:[^"\\]|\\.)*)"')
Result = dict[str, Any]
"""code, warnings, and the stored object (`after`) or the message (`said`)."""


def recorded() -> dict[str, dict[str, Result]]:
    """The answers by release and case."""
    return storage.read(RECORDED)


def warnings_of(header: str) -> list[str]:
    """The texts in a Warning header."""
    return [re.sub(r"\\(.)", r"\1", one) for one in WARNING.findall(header)]


def result(answer: Answer) -> Result:
    """The recorded part of a response."""
    said = {"after": bare(answer.body)} if answer.done else {"said": answer.body.get("message", "")}
    return {"code": answer.code, "warnings": warnings_of(answer.warnings), **said}


def ask(server: Server, kinds: Kinds, case: Case) -> Result | None:
    """The result of one case. None if the release lacks the kind."""
    at = place(kinds, case)
    if at is None:
        return None
    plural, namespaced = at
    content, name = case.content, case.content["metadata"]["name"]
    parts = [root_of(content["apiVersion"]), *(["namespaces", NAMESPACE] if namespaced else ()), plural]
    path = "/".join(parts)
    if case.update is None:
        return result(server.ask("POST", path, content, dryRun="All"))
    made = server.ask("POST", path, content)
    try:
        if not made.done:
            return {"code": made.code, "warnings": [], "said": f"not created: {made.body.get('message')}"}
        version = made.body["metadata"]["resourceVersion"]
        metadata = {**made.body["metadata"], **case.update.get("metadata", {}), "resourceVersion": version}
        return result(server.ask("PUT", f"{path}/{name}", {**case.update, "metadata": metadata}, dryRun="All"))
    finally:
        server.ask("PATCH", f"{path}/{name}", {"metadata": {"finalizers": None}}, kind="merge")
        server.ask("DELETE", f"{path}/{name}", {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})


def main() -> int:
    """Ask the server about every case."""
    try:
        server = Server()
    except ServerUnavailable as error:
        print(error)
        return 2
    server.make_namespace()
    kinds = Kinds(server.release, list)
    found = recorded()
    results = {case.name: ask(server, kinds, case) for case in every()}
    # a kind that is off by default has no answer
    found[server.release] = {name: one for name, one in results.items() if one is not None and one["code"] != 404}
    storage.write(RECORDED, found)
    print(f"{server.release}: {len(found[server.release])} answers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
