"""Commands that write packages of tables and snapshots, killed at random moments.

The folder holds all of the old or all of the new files, and loads. The next run writes the new files, and removes the
leftovers of the killed one.
"""

from __future__ import annotations

import json
import shutil
import time
from typing import TYPE_CHECKING, Any

import yaml

from ..conftest import ROOT, contents
from .commands import ended, one_sentence, started
from .trial import insist

if TYPE_CHECKING:
    from pathlib import Path

    from .trial import Trial, Tried

KILLS = 100
"""Of each command, in a full attack."""
RELEASE, OTHER = "1.7", "1.8"
"""The smallest snapshots."""


def attack(trial: Trial) -> Tried:
    """Kill each command many times."""
    for what, attacked in (("generate", Package), ("spec add", Snapshot)):
        kills = trial.often(KILLS)
        target = attacked(trial.new_folder())
        target.make()
        partly = sum(killed(trial, target, run) for run in range(kills))
        yield f"kills of {what} ({partly} before its end)", kills


class Target:
    """A folder that a command writes, from one of two sources."""

    name: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.whole: list[dict[str, bytes]] = []
        """The contents after the whole command, by the source."""

    def make(self) -> None:
        """Record the output files of the whole command for each source."""
        for number in range(2):
            one_sentence(ended(self.folder, *self.words(number)), (0,))
            self.whole.append(contents(self.folder / self.name))
            shutil.rmtree(self.folder / self.name)

    def words(self, number: int) -> tuple[object, ...]:
        """The command that makes the folder from a source."""
        raise NotImplementedError

    def check(self) -> None:
        """Whether another command can use the folder."""
        raise NotImplementedError


class Package(Target):
    """A package that is made from one of two specifications."""

    name = "mine"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        files = sorted((ROOT / "tests" / "data" / "crds").glob("*.yaml"))
        whole = [one for file in files for one in yaml.safe_load_all(file.read_text()) if one]
        for number, documents in enumerate((whole, whole[1:])):
            shown = [_renamed(one, f"field{number}") for one in documents]
            (folder / f"{number}.yaml").write_text("\n---\n".join(json.dumps(one) for one in shown))

    def words(self, number: int) -> tuple[object, ...]:
        """The command that makes the package of one of the specifications."""
        return "generate", "--spec", f"{number}.yaml", "--out", self.name

    def check(self) -> None:
        """The package loads."""
        said = ended(self.folder, "generate", "--check", "--spec", "0.yaml", "--out", self.name)
        one_sentence(said, (0, 1))


class Snapshot(Target):
    """A folder with snapshots. One of them is made from one of two sources."""

    name = "openapi"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for number, release in enumerate((RELEASE, OTHER)):
            shutil.copy(ROOT / "openapi" / f"{release}.json", folder / f"{number}.json")

    def words(self, number: int) -> tuple[object, ...]:
        """The command that makes the snapshot from one of the sources."""
        return "spec", "add", RELEASE, "--from", f"{number}.json", "--openapi", self.name

    def check(self) -> None:
        """Every snapshot is as SOURCES lists it."""
        one_sentence(ended(self.folder, "spec", "check", "--openapi", self.name), (0,))


def _renamed(document: Any, field: str) -> Any:
    """A CRD with one more field, so that every file differs."""
    text = json.dumps(document).replace('"properties": {', f'"properties": {{"{field}": {{"type": "string"}}, ')
    return json.loads(text)


def killed(trial: Trial, target: Target, run: int) -> bool:
    """Kill a command. Whether it was killed before its end."""
    folder = target.folder / target.name
    before, after = target.whole[run % 2], target.whole[(run + 1) % 2]
    begun = time.monotonic()
    one_sentence(ended(target.folder, *target.words(run % 2)), (0,))
    lasts = time.monotonic() - begun
    process = started(target.folder, *target.words((run + 1) % 2))
    time.sleep(trial.random.uniform(0.3, 1.05) * lasts)
    process.signal()
    said = process.ended()
    found = contents(folder)
    waiting = any(name.startswith(".") for name in found)  # for the next run; `check` shows that it is ignored
    mixed = f"{target.words(0)} was killed, and the folder holds {sorted(found)}, neither the old nor the new"
    insist(waiting or found in (before, after), mixed, found)
    target.check()
    one_sentence(ended(target.folder, *target.words((run + 1) % 2)), (0,))
    insist(contents(folder) == after, f"after a kill, {target.words(0)} does not come to the new")
    left = [file.name for file in target.folder.iterdir() if file.name.startswith(".")]
    insist(not left, f"{left} stay behind after a kill and another run")
    return said.code != 0
