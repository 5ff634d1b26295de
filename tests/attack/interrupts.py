"""Commands that are interrupted at an exact moment of their work, which can be repeated, once or twice.

Python looks for signals where a function begins, and when one that is written in C has returned. These moments are
counted while a command runs. Then it runs again, and is sent an interrupt at a random one. It ends with 130 and prints
no traceback, no file is left behind, and each file is the old one or the new one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import weakref
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kubemerge import __main__ as entry
from kubemerge.apiserver.http.listening.certificates import self_signed
from kubemerge.cluster import open_cluster

from ..conftest import ROOT, read_yaml
from ..kubemerge.objects import config_map, deployment, write
from .commands import Said, one_sentence, started
from .kills import as_live
from .server import served
from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from types import FrameType

    from .trial import Trial, Tried

    Files = dict[str, bytes | None]
    """The files in a folder: name -> content. None for a database, which is checked in another way."""

TIMES = 25
"""For each command, in a full attack."""
LEAST, LONG_FROM = 4, 0.1
"""The least number of commands to interrupt, and the size of the attack from which on it includes the long ones."""
TWICE, SOON = 0.3, 300
"""The share of tries that interrupt a second time, and the most functions that begin until then."""
CLUSTER = "c.db"
HEARD, LATE = b"heard ", b"late "
"""Reports of an interrupt: the command has to end, or Python ignored it where nothing can be raised."""
GENERATOR = 0x20
"""A function that is a generator (CO_GENERATOR)."""
COMPARED = (".yaml", ".json", ".html", ".py", "SOURCES")
PRIVATE = ("tmp", "cache")
NEWEST = "1.37"
DEPRECATED: dict[str, Any] = {
    "apiVersion": "policy/v1beta1",
    "kind": "PodDisruptionBudget",
    "spec": {"maxUnavailable": 1},
}
LOOSE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {a: yes}\ndata: {a: 1}\n"


@dataclass(frozen=True)
class Work:
    """A command, its environment, and its exit code without an interrupt."""

    words: str
    code: int = 0
    environment: Mapping[str, str] = field(default_factory=dict)
    remote: bool = False
    """Whether it uses the served cluster."""
    long: bool = False
    """Whether counting its moments takes seconds."""

    def all_words(self) -> list[str]:
        """The words, with the option for the cluster."""
        words = self.words.split(" ")
        return [*words, "--kubeconfig", "kubeconfig"] if self.remote else words


def _here(words: str, code: int = 0, **environment: str) -> Work:
    return Work(f"{words} --cluster {CLUSTER}", code, environment)


WORKS = (
    _here("apply -f new.yaml"),
    _here("apply -f new.yaml --server-side"),
    _here("apply -f half.yaml --prune -l of=attack"),
    _here("apply -k kustomized"),
    _here("apply edit-last-applied configmap m1", KUBE_EDITOR="sed -i s/old/other/"),
    _here("diff -f new.yaml", 1),
    _here("diff -f new.yaml", 1, KUBECTL_EXTERNAL_DIFF="diff -u -N"),
    _here("edit configmap m1 m2", KUBE_EDITOR="sed -i s/old/other/"),
    _here("replace -f new.yaml"),
    _here("delete -f new.yaml"),
    _here("get configmap -o yaml"),
    _here("wait configmap/m1 --for=delete --timeout=50ms", 1),
    _here("rollout restart deployment/web"),
    _here("create configmap other --from-literal=a=b"),
    _here("run pod --image=web:1"),
    _here("expose deployment/web --port=80"),
    _here("cluster import dump.yaml"),
    _here("cluster export"),
    _here("cluster reset --yes"),
    Work("merge -f new.yaml --live live.yaml --html page.html"),
    Work("why -f new.yaml --live live.yaml"),
    Work("compare 1.30 1.34 -f new.yaml --html page.html"),
    Work("compare 1.20..1.30 -f deprecated.yaml --write"),
    Work("lint --fix loose.yaml"),
    Work("lint new.yaml deprecated.yaml", 1),
    Work("explain deployment.spec.template.spec.containers --history"),
    Work("generate --spec crds --out tables", long=True),
    Work("spec add 1.38 --from next.json --openapi openapi", long=True),
    Work("demo"),
    Work("get configmap -o yaml", remote=True),
    Work("apply -f new.yaml", remote=True, long=True),
    Work("apply -f new.yaml --server-side --force-conflicts", remote=True),
    Work("diff -f never.yaml", 1, remote=True, long=True),
)


def attack(trial: Trial) -> Tried:
    """Interrupt each command. A small attack interrupts some of them."""
    with prepared(trial) as place:
        works = [work for work in WORKS if not work.long or trial.times >= LONG_FROM]
        for work in trial.random.sample(works, min(len(works), max(LEAST, trial.often(len(WORKS))))):
            attempts = Attempts(trial, work, place)
            times = trial.often(TIMES)
            for _ in range(times):
                attempts.make()
            yield f"interrupts of {' '.join(work.words.split()[:3])} ({attempts.twice} twice)", times


class Attempts:
    """One command that is interrupted again and again, each time at another moment."""

    def __init__(self, trial: Trial, work: Work, place: Path) -> None:
        self.random, self.work, self.trial, self.place = trial.random, work, trial, place
        self.before = contents(place)
        self.twice = 0
        with tempfile.TemporaryFile() as told:
            end = self._folder()
            said = self._said(end, lambda: _count(told.fileno()))
            insist(said.code == work.code, f"{work.words} ends with {said}")
            told.seek(0)
            self.moments: list[tuple[str, int, int]] = json.load(told)
        self.after = contents(end)
        shutil.rmtree(end)

    def make(self) -> None:
        """Interrupt it once, or twice, and check the files. A line that runs once is as likely as any other."""
        file, line, often = self.random.choice(self.moments)
        nth = self.random.randrange(often)
        second = self.random.randrange(1, SOON) if self.random.random() < TWICE else 0
        self.twice += second > 0
        folder = self._folder()
        with tempfile.TemporaryFile() as told:
            said = self._said(folder, lambda: _interrupt(file, line, nth, second, told.fileno()))
            told.seek(0)
            came = told.read()
        codes = {130}
        if not came or LATE in came:  # it was before any is heard, or comes again, and the command may be done before
            codes.add(self.work.code)
        about = f"{self.work.words}, interrupted at {file}:{line}, time {nth}, and {second} later: {came.decode()}"
        one_sentence(said, tuple(codes), {"said": f"{about}\n{said.out}\n{said.err}"})
        insist("ignored" not in said.err, f"{about}: Python says {said.err[-3000:]}")
        self._look(folder, said, about)
        shutil.rmtree(folder)

    def _folder(self) -> Path:
        """A copy of the place, with a folder for temporary files in it."""
        folder = self.trial.new_folder()
        shutil.copytree(self.place, folder, dirs_exist_ok=True)
        for name in PRIVATE:
            (folder / name).mkdir(exist_ok=True)
        return folder

    def _said(self, folder: Path, prepare: Callable[[], None]) -> Said:
        environment = {
            **self.work.environment,
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(folder / "cache"),
            "TMPDIR": str(folder / "tmp"),
            "HOME": str(folder),
        }

        def prepare_all() -> None:
            tempfile.tempdir = str(folder / "tmp")
            prepare()

        return started(folder, *self.work.all_words(), environment=environment, prepare=prepare_all).ended()

    def _look(self, folder: Path, said: Said, about: str) -> None:
        """Insist that each file has its old or its new content, and that no file was added."""
        for name, content in contents(folder).items():
            if name.startswith("tmp/"):
                insist(f"kept in {folder / name}" in said.err, f"{about}: {name} is left")
                continue
            insist(name in self.before or name in self.after, f"{about}: {name} is left")
            versions = [self.before.get(name), self.after.get(name)]
            insist(content is None or content in versions, f"{about}: {name} is neither the old nor the new")
        for name in set(self.before) & set(self.after):
            insist((folder / name).exists(), f"{about}: {name} is gone")
        if (folder / CLUSTER).exists():
            with closing(sqlite3.connect(folder / CLUSTER)) as database:
                insist(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"{about}: it is damaged")


def contents(folder: Path) -> Files:
    """The files in a folder. For files that differ from run to run, the content is None."""
    return {
        str(file.relative_to(folder)): file.read_bytes() if file.name.endswith(COMPARED) else None
        for file in sorted(folder.rglob("*"))
        if file.is_file() or (file.parent.name == "tmp")
    }


# ---- in the process of the command ----------------------------------------------------------------------------------


def _count(told: int) -> None:
    """Count the moments at each line, and write how many there were."""
    counts: Counter[tuple[str, int]] = Counter()

    def happened(frame: FrameType) -> None:
        counts[frame.f_code.co_filename, frame.f_lineno] += 1

    _profiled(
        happened, told, lambda: os.write(told, json.dumps([(*at, often) for at, often in counts.items()]).encode())
    )


def _interrupt(file: str, line: int, nth: int, second: int, told: int) -> None:
    """Send an interrupt at a moment, and optionally a second one where a later function begins."""
    left, left_again = nth + 1, second

    def happened(frame: FrameType) -> None:
        nonlocal left
        if frame.f_lineno == line and frame.f_code.co_filename == file:
            left -= 1
            if not left:
                sys.settrace(again if second else None)
                signal.raise_signal(signal.SIGINT)

    def again(frame: FrameType, *_: object) -> None:
        nonlocal left_again
        left_again -= not frame.f_code.co_flags & GENERATOR
        if not left_again and not frame.f_code.co_flags & GENERATOR:
            signal.raise_signal(signal.SIGINT)

    _profiled(happened, told)


def _profiled(happened: Callable[[FrameType], None], told: int, then: Callable[[], object] = lambda: None) -> None:
    """Call `happened` at each moment of the entry point, report interrupts to `told`, and finalize as Python does."""
    main, others = entry.main, {*weakref.finalize._registry}  # type: ignore[attr-defined]
    for name, what in (("_heard", HEARD), ("_ignored", LATE)):
        setattr(entry.Interrupts, name, _told(getattr(entry.Interrupts, name), told, what))
    entry.PATIENCE = float("inf")  # however slow the machine is

    def event(frame: FrameType, what: str, _: object) -> None:
        goes_on = what == "call" and frame.f_code.co_flags & GENERATOR
        if what in ("call", "c_return") and not goes_on and frame.f_code not in ends:
            happened(frame)

    def wrapped() -> None:
        code: object = 0
        sys.setprofile(event)
        try:
            main()
        except SystemExit as end:
            code = end.code
        sys.setprofile(None)
        sys.settrace(None)
        for one in {*weakref.finalize._registry} - others:  # type: ignore[attr-defined]
            one()
        then()
        sys.exit(code)  # type: ignore[arg-type]

    ends = (wrapped.__code__, main.__code__, entry.Interrupts.__init__.__code__)  # before one is heard, and after
    entry.main = wrapped


def _told(method: Callable[..., None], told: int, what: bytes) -> Callable[..., None]:
    """The method, which writes a report of its call first."""

    def telling(*words: object) -> None:
        os.write(told, what)
        method(*words)

    return telling


# ---- what the commands work on --------------------------------------------------------------------------------------


@contextmanager
def prepared(trial: Trial) -> Iterator[Path]:
    """A folder with the files that the commands need, and a running server."""
    folder, beside = trial.new_folder(), trial.new_folder()
    labels = {"of": "attack"}
    old = [config_map(f"m{number}", {"a": "old"}, labels=labels) for number in range(4)]
    new = [config_map(f"m{number}", {"a": "new"}, labels=labels) for number in range(4)]
    with open_cluster(str(folder / CLUSTER)) as cluster:
        cluster.load([as_live(one) for one in (*old, deployment())])
    write(folder, "live.yaml", *map(as_live, old))
    write(folder, "new.yaml", *new)
    write(folder, "half.yaml", *new[:2])
    write(folder, "never.yaml", config_map("never"))
    write(folder, "dump.yaml", *map(as_live, new))
    write(folder, "deprecated.yaml", {**DEPRECATED, "metadata": {"name": "old"}})
    (folder / "loose.yaml").write_text(LOOSE)
    (folder / "crds").mkdir()
    shutil.copy(ROOT / "examples" / "crds" / "backups.yaml", folder / "crds")
    (folder / "kustomized").mkdir()
    (folder / "bin").mkdir()
    program = folder / "bin" / "kustomize"
    program.write_text("#!/bin/sh\ncat new.yaml\n")
    program.chmod(0o755)
    shutil.copy(ROOT / "openapi" / f"{NEWEST}.json", folder / "next.json")
    (beside / "token").write_text("s3cret")
    with served(beside, "--tls", "--token-file", str(beside / "token")):
        config = read_yaml(beside / "kubeconfig")
        config["users"][0]["user"] = {"exec": _plugin(beside)}
        write(folder, "kubeconfig", config)
        yield folder


def _plugin(beside: Path) -> dict[str, Any]:
    """A plugin for a kubeconfig: it gives the token of the server, and a certificate to show."""
    certificate, key = (one.decode() for one in self_signed("127.0.0.1"))
    status = {"token": "s3cret", "clientCertificateData": certificate, "clientKeyData": key}
    version = "client.authentication.k8s.io/v1"
    file = write(beside, "credential", {"kind": "ExecCredential", "apiVersion": version, "status": status})
    return {"apiVersion": version, "command": "cat", "interactiveMode": "Never", "args": [file]}
