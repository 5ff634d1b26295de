"""Record `recorded/` with kubectl and a real API server.

`KUBECONFIG=FILE KUBEMERGE_REAL_API=FOLDER KUBEMERGE_REAL_RESET=COMMAND python -m tests.apiserver.record AREA [NAME...]`

The folder contains kubectl. The cluster must be disposable, run the newest release, and have no nodes. The command
resets it to its initial state, and runs before each scenario. Without a name, new and changed scenarios are recorded.
`--all` records all of the area.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from .kubectl import Kubectl
from .play import played
from .scenarios import areas, recorded, scenarios, write_recorded

if TYPE_CHECKING:
    from .scenarios import Scenario


def reset() -> None:
    """Reset the cluster to its initial state."""
    subprocess.run(shlex.split(os.environ["KUBEMERGE_REAL_RESET"]), check=True, capture_output=True)


def record(scenario: Scenario) -> dict[str, Any]:
    """Record one scenario."""
    reset()
    with tempfile.TemporaryDirectory() as cache:
        steps = played(scenario, Kubectl(cache))
    return {"name": scenario.name, "asked": scenario.asked, "steps": steps}


def main(words: list[str]) -> None:
    """Record scenarios of an area, and drop removed ones."""
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
