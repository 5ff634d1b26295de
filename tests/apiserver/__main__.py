"""Count equal scenarios, and print differences: `python -m tests.apiserver [AREA...] [HOW] [--show [NAME]]`.

By default, our commands use the embedded cluster. With `--remote`, they use the API server of `KUBECONFIG`, which
`KUBEMERGE_REAL_RESET` empties. With `--served`, a real kubectl runs the commands, with the embedded cluster served to
it.
"""

from __future__ import annotations

import difflib
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from .kubectl import MISSING, program, served_kubectl
from .ours import Kubemerge
from .play import differences, played
from .record import reset
from .remote import Remote
from .scenarios import areas, own_areas, recorded, scenarios

if TYPE_CHECKING:
    from .scenarios import Scenario

    Steps = list[dict[str, Any]]


def _text(value: Any) -> list[str]:
    return (
        str(value).splitlines()
        if isinstance(value, (str, int))
        else json.dumps(value, indent=1, sort_keys=True).splitlines()
    )


def _show(scenario: Scenario, found: dict[str, tuple[Any, Any]]) -> None:
    unlisted = scenario.unlisted(found)
    for part, (mine, real) in found.items():
        sys.stdout.write(f"==== {scenario.name}: {part}{'' if part in unlisted else ' (listed)'}\n")
        lines = difflib.unified_diff(_text(real), _text(mine), "kubectl", "kubemerge", lineterm="", n=2)
        sys.stdout.write("\n".join(list(lines)[:60]) + "\n")


def _ours(scenario: Scenario) -> Steps:
    return played(scenario, Kubemerge())


def _served(scenario: Scenario) -> Steps:
    with served_kubectl() as player:
        return played(scenario, player)


def main(words: list[str]) -> None:
    """Print the figures of each area, and of all."""
    play = _served if "--served" in words else _remote if "--remote" in words else _ours
    if play is _served and program() is None:
        sys.exit(MISSING)
    words = [word for word in words if word not in ("--served", "--remote")]
    at = words.index("--show") if "--show" in words else len(words)
    wanted, shown = words[:at], words[at + 1 :]
    total = [0, 0, 0, 0, 0]
    for area in wanted or (areas() if play is _served else own_areas()):
        rows, figures = recorded(area), [0, 0, 0, 0, 0]
        for scenario in scenarios(area):
            if scenario.name not in rows or (shown and scenario.name not in shown):
                continue
            found = differences(play(scenario), rows[scenario.name]["steps"])
            parts = {part.split(" ", 1)[1] for part in found}
            equal = (
                True,
                not any(part.endswith(" content") for part in parts),
                not any(part.endswith(" managedFields") for part in parts),
                not parts & {"out", "code"},
                "err" not in parts,
            )
            figures = [count + one for count, one in zip(figures, equal, strict=True)]
            if at < len(words):
                _show(scenario, found)
        total = [count + one for count, one in zip(total, figures, strict=True)]
        _tell(area, figures)
    _tell("all", total)


def _remote(scenario: Scenario) -> list[dict[str, Any]]:
    reset()
    return played(scenario, Remote(os.environ["KUBECONFIG"]))


def _tell(area: str, figures: list[int]) -> None:
    names = ("scenarios", "equal in objects", "in managedFields", "in stdout and exit code", "in stderr")
    sys.stdout.write(f"{area}: {', '.join(f'{count} {name}' for count, name in zip(figures, names, strict=True))}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
