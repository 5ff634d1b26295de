"""Asks kubectl and a real API server anew for what `recorded/` holds.

`KUBECONFIG=FILE KUBEMERGE_REAL_API=FOLDER KUBEMERGE_REAL_RESET=COMMAND python -m tests.apiserver.record AREA [NAME...]`

The folder holds kubectl. The cluster is one that may be emptied, of the newest release, without nodes; the command
brings it back to the state it had when it was new, and runs before each scenario. Without a name, the scenarios are
recorded that are new or that ask something else than before; `--all` records all of the area.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .play import Said, played
from .scenarios import areas, recorded, scenarios, write_recorded

if TYPE_CHECKING:
    from .scenarios import Scenario, Step

PAUSE = float(os.environ.get("KUBEMERGE_REAL_PAUSE", "0"))
"""How many seconds to wait after each command, for controllers."""


class Kubectl:
    """Runs commands of kubectl on the cluster of KUBECONFIG."""

    def __init__(self, cache: str) -> None:
        self._cache = cache

    def run(self, step: Step, env: dict[str, str], folder: Path) -> Said:
        """The answer to a command line."""
        said = self._kubectl(step.words, env, folder, step.stdin)
        if "customresourcedefinition" in said.out and "--dry-run" not in " ".join(step.words):
            self._kubectl(["wait", "crd", "--all", "--for=condition=Established", "--timeout=20s"], {}, folder)
            time.sleep(1.5)  # until discovery knows it
        time.sleep(PAUSE)
        return said

    def look(self, namespace: str, names: list[str]) -> list[dict[str, Any]]:
        """Those of these objects that there are."""
        found: list[dict[str, Any]] = []
        words = ["get", "-n", namespace, "-o", "json", "--show-managed-fields", "--ignore-not-found"]
        said = self._kubectl([*words, *names], {}, Path())
        if said.code and len(names) > 1:  # a kind that is not there hides the others
            return [one for name in names for one in self.look(namespace, [name])]
        if said.code == 0 and said.out:
            answer = json.loads(said.out)
            found = answer["items"] if answer["kind"] == "List" else [answer]
        return found

    def _kubectl(self, words: list[str], env: dict[str, str], folder: Path, stdin: str | None = None) -> Said:
        program = Path(os.environ["KUBEMERGE_REAL_API"]) / "kubectl"
        given = (folder / stdin).read_text(encoding="utf-8") if stdin else ""
        whole = {**os.environ, "KUBECACHEDIR": self._cache, **env}
        done = subprocess.run(
            [str(program), *words], check=False, capture_output=True, text=True, cwd=folder, input=given, env=whole
        )
        return Said(done.returncode, done.stdout, done.stderr)


def reset() -> None:
    """Bring the cluster back to the state that it had when it was new."""
    subprocess.run(shlex.split(os.environ["KUBEMERGE_REAL_RESET"]), check=True, capture_output=True)


def record(scenario: Scenario) -> dict[str, Any]:
    """One scenario as it is recorded."""
    reset()
    with tempfile.TemporaryDirectory() as cache:
        steps = played(scenario, Kubectl(cache))
    return {"name": scenario.name, "asked": scenario.asked, "steps": steps}


def main(words: list[str]) -> None:
    """Record scenarios of an area; those that are no more are dropped."""
    area, *names = words or [""]
    if area not in areas():
        sys.exit(f"say which area: {', '.join(areas())}")
    rows = recorded(area)
    for scenario in scenarios(area):
        is_new = rows.get(scenario.name, {}).get("asked") != scenario.asked
        if scenario.name in names or "--all" in names or (is_new and not names):
            rows[scenario.name] = record(scenario)
            sys.stdout.write(f"{scenario.name}: {[step['code'] for step in rows[scenario.name]['steps']]}\n")
            sys.stdout.flush()
            write_recorded(area, rows)
    write_recorded(area, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
