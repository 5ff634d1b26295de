"""Commands that are killed at random moments, in the middle of their work at a cluster's file.

Every reported change is done. Any other object has its old or its new state, and none is half written. The file opens,
all of it can be read, and the next command works.
"""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import last_applied_text
from kubemerge.cluster import Reference, open_cluster

from ..kubemerge.objects import ANNOTATION, config_map, write
from .commands import Said, one_sentence, started
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .trial import Trial, Tried

    Objects = dict[str, str]
    """Name -> of which run the object is."""

OBJECTS = 20
KILLS = 60
"""Of each command, in a full attack."""
FILE = "cluster.db"
AT_A_TIME = 0.4
"""The share of kills at a random time. The others come soon after a random object was reported."""
FILLER = "x" * 2000
FULL = [f"m{number}" for number in range(OBJECTS)]
HALF = FULL[::2]


def marked(name: str, run: str) -> dict[str, Any]:
    """An object that names its run in several places."""
    return config_map(name, {"first": run, "filler": FILLER + run, "last": run}, labels={"attack": "yes", "run": run})


@dataclass(frozen=True)
class Work:
    """A command to kill: its words, its objects, their wanted state, and the beginning of its reports.

    `whole` commands do everything or nothing; their first line reports all of it.
    """

    title: str
    words: tuple[str, ...]
    given: list[str]
    wanted: Callable[[str], dict[str, str | None]]
    whole: bool = False
    before: str = "kubemerge"
    """The beginning of lines that are printed before the object is done."""


def _all(run: str) -> dict[str, str | None]:
    return dict.fromkeys(FULL, run)


def _gone(_: str) -> dict[str, str | None]:
    return dict.fromkeys(FULL, None)


APPLY = ("apply", "-f", "wanted.yaml")
WORKS = (
    Work("apply", APPLY, FULL, _all),
    Work("apply to a new file", APPLY, [], _all),
    Work(
        "apply with pruning",
        (*APPLY, "--prune", "-l", "attack=yes"),
        FULL,
        lambda run: _gone(run) | dict.fromkeys(HALF, run),
    ),
    Work("replace", ("replace", "-f", "wanted.yaml"), FULL, _all),
    Work("replace by force", ("replace", "--force", "-f", "wanted.yaml"), FULL, _all, before='configmap "'),
    Work("delete", ("delete", "-f", "wanted.yaml"), FULL, _gone),
    Work("delete all of a kind", ("delete", "configmap", "-l", "attack=yes"), FULL, _gone),
    Work("edit", ("edit", "configmap", *HALF[:6]), FULL, lambda run: dict.fromkeys(HALF[:6], run)),
    Work("import", ("cluster", "import", "dump.yaml"), FULL, _all, whole=True),
    Work("import into a new file", ("cluster", "import", "dump.yaml"), [], _all, whole=True),
    Work("reset", ("cluster", "reset", "--yes"), FULL, _gone, whole=True),
)


def attack(trial: Trial) -> Tried:
    """Kill each command many times."""
    for work in WORKS:
        killer = Killer(trial, work)
        kills = trial.often(KILLS)
        for run in range(kills):
            killer.kill(str(run + 1))
        yield f"kills of {work.title} ({killer.partly} in the middle of its work)", kills


class Killer:
    """Kills one command again and again, each time at another moment."""

    def __init__(self, trial: Trial, work: Work, number: int = signal.SIGKILL, code: int = -signal.SIGKILL) -> None:
        self.random, self.work, self.folder = trial.random, work, trial.new_folder()
        self.number, self.code = number, code
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.lasts = 0.3
        """The estimated duration of the command, in seconds."""
        self.partly = 0

    def kill(self, run: str) -> None:
        """Kill it once, and check the objects."""
        before, wanted = self._given(run), self.work.wanted(run)
        said = self._killed(run)
        one_sentence(said, (0, self.code))
        detail = f"killing {self.work.title}, run {run}, it said {said.out!r}"
        after = stored(self.folder / FILE, detail)
        told = reported(said.out, self.work)
        for name in {**before, **after, **wanted}:
            now, then = after.get(name), wanted.get(name, before.get(name))
            insist(
                now == then or (now == before.get(name) and name not in told), f"{name} is {now}, not {then}; {detail}"
            )
        changed = sum(after.get(name) == then for name, then in wanted.items())
        insist(
            not self.work.whole or changed in (0, len(wanted)), f"only {changed} of {len(wanted)} are done; {detail}"
        )
        self.partly += said.code != 0 and (0 < changed < len(wanted) or self.work.whole)

    def _given(self, run: str) -> Objects:
        """The objects that the command begins with, all of the run 0."""
        file = self.folder / FILE
        for old in self.folder.glob(f"{FILE}*") if not self.work.given else ():
            old.unlink()
        if self.work.given:
            with open_cluster(str(file)) as cluster:
                cluster.load([as_live(marked(name, "0")) for name in self.work.given])
        names = [name for name, then in self.work.wanted(run).items() if then or self.work.words[0] == "delete"]
        write(self.folder, "wanted.yaml", *(marked(name, run) for name in names))
        write(self.folder, "dump.yaml", *(as_live(marked(name, run)) for name in names))
        return dict.fromkeys(self.work.given, "0")

    def _killed(self, run: str) -> Said:
        """The output of the command until it was killed."""
        editor = f"""sed -i -e 's/: "0"$/: "{run}"/' -e 's/x0$/x{run}/'"""
        environment = {"KUBE_EDITOR": editor, "TMPDIR": str(self.temporary)}
        process = started(self.folder, *self.work.words, "--cluster", FILE, environment=environment)
        if self.work.whole or self.random.random() < AT_A_TIME:
            time.sleep(self.random.random() * self.lasts)
        else:
            lines = self.random.randrange(len(self.work.wanted(run)))
            while process.lines() < lines and process.poll() is None:
                time.sleep(0.0005)
            time.sleep(self.random.random() * 0.005)
        self.lasts *= 0.9 if process.poll() is not None else 1.1
        process.signal(self.number)
        return process.ended()


def as_live(content: dict[str, Any]) -> dict[str, Any]:
    """An object after an apply."""
    metadata = {**content["metadata"], "annotations": {ANNOTATION: last_applied_text(content)}, "namespace": "default"}
    return {**content, "metadata": metadata}


def reported(out: str, work: Work) -> set[str]:
    """The objects that the command has reported as done. An incomplete line does not count."""
    lines = [line for line in out.split("\n")[:-1] if line]
    if work.whole:
        return set(work.wanted("")) if lines else set()
    names = [word.strip('"') for line in lines for word in line.split()[:2] if not line.startswith(work.before)]
    return {name.removeprefix("configmap/") for name in names}


def stored(file: Path, detail: str) -> Objects:
    """The objects in a file. The file is in order, so is each object, and no resourceVersion is used again."""
    if not file.exists():
        return {}
    with closing(sqlite3.connect(file)) as database:
        insist(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"the file is damaged; {detail}")
    with open_cluster(str(file)) as cluster:
        cluster.check()
        found = [one for one in cluster.dump() if one["kind"] == "ConfigMap"]
        later = cluster.create(config_map("later"))
        cluster.delete(Reference.of(later))
    versions = {int(one["metadata"]["resourceVersion"]) for one in (*found, later)}
    insist(
        len(versions) == len(found) + 1 and max(versions) == int(later["metadata"]["resourceVersion"]),
        f"two objects have one resourceVersion; {detail}",
    )
    return {one["metadata"]["name"]: run_of(one, detail) for one in found}


def run_of(content: dict[str, Any], detail: str) -> str:
    """The run of an object. All parts of the object must come from one run."""
    data, run = content["data"], content["metadata"]["labels"]["run"]
    whole = {"first": run, "filler": FILLER + run, "last": run}
    insist(data == whole, f"half an object; {detail}", {"object.json": json.dumps(content)})
    text = content["metadata"].get("annotations", {}).get(ANNOTATION)
    insist(
        text is None or json.loads(text)["data"] in (whole, marked("", "0")["data"]),
        f"half an annotation; {detail}",
        {"object.json": json.dumps(content)},
    )
    return str(run)
