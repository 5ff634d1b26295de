"""Record `recorded.jsonl` again with kubectl and a real API server.

`KUBECONFIG=FILE KUBEMERGE_REAL_API=FOLDER python -m tests.kubemerge.serverside.record_server_side [NAME...]`

The folder holds kubectl. The cluster must be disposable, run the newest release, and have no nodes, and best no
controllers. Everything in its namespace `default`, and all definitions of custom resources, are deleted before each
scenario.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from .scenarios import RECORDED, Scenario, Step, content, entries, masked, recorded, scenarios

KINDS = "deploy,sts,cm,svc,secret,role,pod"


def kubectl(*words: str, folder: str | None = None, stdin: str | None = None, **env: str) -> tuple[int, str, str]:
    """Run kubectl with a command line: exit code, output and errors."""
    program = Path(os.environ["KUBEMERGE_REAL_API"]) / "kubectl"
    given = Path(folder or ".", stdin).read_text(encoding="utf-8") if stdin else ""
    done = subprocess.run(
        [str(program), *words],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        input=given,
        env={**os.environ, **env},
    )
    return done.returncode, done.stdout, done.stderr


def live(name: str) -> dict[str, Any] | None:
    """A live object, or None."""
    code, out, _ = kubectl("get", name, "-o", "json", "--show-managed-fields")
    found: dict[str, Any] | None = json.loads(out) if code == 0 else None
    return found


def emptied() -> None:
    """Delete the leftovers of the previous scenario."""
    kubectl("delete", KINDS, "--all", "-n", "default", "--grace-period=0", "--force")
    kubectl("delete", "crd", "--all")


def record(scenario: Scenario) -> dict[str, Any]:
    """Record one scenario."""
    emptied()
    steps: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        scenario.write(Path(folder))
        for line in scenario.steps:
            step = Step.read(line)
            code, out, err = kubectl(*step.words, folder=folder, stdin=step.stdin, **scenario.env, **step.env)
            row: dict[str, Any] = {"code": code, "out": masked(out), "err": masked(err)}
            if "customresourcedefinition" in out:
                kubectl("wait", "crd", "--all", "--for=condition=Established", "--timeout=20s")
                time.sleep(1.5)  # until discovery lists it
            now = {name: _looked_at(name) for name in scenario.objects}
            row["objects"] = {name: one for name, one in now.items() if before.get(name) != one}
            before = now
            steps.append(row)
    return {"name": scenario.name, "steps": steps}


def _looked_at(name: str) -> dict[str, Any] | None:
    found = live(name)
    return None if found is None else {"content": content(found), "managedFields": entries(found)}


def main(names: list[str]) -> None:
    """Record the scenarios of these names, or all. Recordings of removed scenarios are dropped."""
    rows = recorded()
    for scenario in scenarios():
        if not names or scenario.name in names:
            rows[scenario.name] = record(scenario)
            sys.stdout.write(f"{scenario.name}: {[step['code'] for step in rows[scenario.name]['steps']]}\n")
            sys.stdout.flush()
    kept = [rows[scenario.name] for scenario in scenarios() if scenario.name in rows]
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in kept]
    RECORDED.write_text("\n".join(lines) + "\n", encoding="utf-8")
    emptied()


if __name__ == "__main__":
    main(sys.argv[1:])
