"""Damaged files: a cluster and its log, dumps, manifests, specifications, snapshots.

A command either works, or prints one sentence about the problem and ends with a documented code. A rejected file stays
as it is. A cluster that passes its check has every object that was in it.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import zlib
from contextlib import closing
from typing import TYPE_CHECKING

from kubemerge.cluster import open_cluster

from ..codegen.sample_specs import bundle, crd
from ..conftest import NEWEST, ROOT, contents
from ..kubemerge.objects import write
from .commands import ended, fails_well, one_sentence
from .damages import damaged
from .kills import FULL, as_live, marked, stored
from .trial import insist

if TYPE_CHECKING:
    from pathlib import Path

    from .trial import Inputs, Trial, Tried

FILE = "cluster.db"


def attack(trial: Trial) -> Tried:
    """Damage each kind of file many times."""
    for what, full, attacked in (
        ("damaged cluster files", 60, cluster_file),
        ("cluster files of a wrong version", 20, versions),
        ("damaged logs of a cluster whose writer was killed", 40, log),
        ("damaged rows with right checksums", 20, rows),
        ("damaged dumps", 30, dumps),
        ("damaged manifests", 40, manifests),
        ("damaged specifications, some of them compressed", 40, specifications),
        ("damaged snapshots and lists of them", 12, snapshots),
    ):
        often = trial.often(full)
        attacked(trial, often)
        yield what, often


# ---- clusters ------------------------------------------------------------------------------------------------------


def _cluster(folder: Path, run: str = "0") -> bytes:
    """The bytes of a cluster's file."""
    with open_cluster(str(folder / FILE)) as cluster:
        cluster.load([as_live(marked(name, run)) for name in FULL])
    return (folder / FILE).read_bytes()


def _sound_cluster(trial: Trial) -> tuple[Path, bytes, str]:
    """A folder with a cluster and a manifest to apply to it, the bytes of the cluster's file, and all its objects."""
    folder = trial.new_folder()
    good = _cluster(folder)
    whole = ended(folder, "cluster", "export", "--cluster", FILE, "-o", "json").out
    write(folder, "one.yaml", marked("m1", "1"))
    return folder, good, whole


def _looked_at(folder: Path, data: bytes, whole: str, way: str) -> None:
    """Read a damaged cluster: it is rejected and stays as it is, or it has everything."""
    inputs = {FILE: data}
    (folder / FILE).write_bytes(data)
    info = ended(folder, "cluster", "info", "--cluster", FILE)
    if info.code:
        fails_well(info, (2,), inputs)
        insist((folder / FILE).read_bytes() == data, f"a file that was refused has changed ({way})", inputs)
    else:
        found = ended(folder, "cluster", "export", "--cluster", FILE, "-o", "json")
        insist(found.out == whole, f"the check found nothing, but something is lost ({way})", inputs)
        each = ended(folder, "get", "configmap", *FULL, "-o", "name", "--cluster", FILE)
        insist(each.code == 0, f"the check found nothing, but objects are not found ({way})", inputs)
    for words in (
        ("get", "configmap", "-A"),
        ("get", "configmap", "m1"),
        ("cluster", "export"),
        ("diff", "-f", "one.yaml"),
    ):
        one_sentence(ended(folder, *words, "--cluster", FILE), inputs=inputs)
    for words in (("apply", "-f", "one.yaml"), ("delete", "configmap", "m2"), ("cluster", "reset", "-y")):
        one_sentence(ended(folder, *words, "--cluster", FILE), inputs=inputs)
    for left in folder.glob(f"{FILE}*"):
        left.unlink()


def cluster_file(trial: Trial, times: int) -> None:
    """A cluster's file that no longer is as it was written."""
    folder, good, whole = _sound_cluster(trial)
    for _ in range(times):
        way, data = damaged(good, trial.random)
        _looked_at(folder, data, whole, way)


MARKS = {
    "the application": 68,
    "the format": 60,
    "the number of SQLite": 96,
    "the page size": 16,
    "the kind of log": 18,
}
"""Offsets in the header of an SQLite file that identify its version and format."""


def versions(trial: Trial, times: int) -> None:
    """A file that another program, or another version of this one, wrote."""
    folder, good, whole = _sound_cluster(trial)
    for _ in range(times):
        what, at = trial.random.choice(list(MARKS.items()))
        data = good[:at] + trial.random.randbytes(2) + good[at + 2 :]
        _looked_at(folder, data, whole, f"wrong: {what}")


def log(trial: Trial, times: int) -> None:
    """The log of a killed writer: its contents are there up to some write, and no write is half there."""
    folder = trial.new_folder()
    _cluster(folder)
    with open_cluster(str(folder / FILE)) as cluster:
        for name in FULL:
            cluster.replace(marked(name, "1"))
        good, written = (folder / FILE).read_bytes(), (folder / f"{FILE}-wal").read_bytes()
    for left in folder.glob(f"{FILE}*"):
        left.unlink()
    for _ in range(times):
        way, data = damaged(written, trial.random)
        (folder / FILE).write_bytes(good)
        (folder / f"{FILE}-wal").write_bytes(data)
        info = ended(folder, "cluster", "info", "--cluster", FILE)
        inputs = {FILE: good, f"{FILE}-wal": data}
        one_sentence(info, (0, 2), inputs)
        if info.code == 0:
            runs = stored(folder / FILE, way)
            done = [runs.get(name) for name in FULL]
            insist(done == sorted(done, key=lambda run: run != "1"), f"writes are lost in the middle: {runs}", inputs)
            insist(None not in done, f"objects are lost: {runs}", inputs)
        for left in folder.glob(f"{FILE}*"):
            left.unlink()


ROWS = (
    b"null",
    b"[]",
    b"3",
    b"{}",
    b'{"kind":1}',
    b'{"metadata":null}',
    b'{"metadata":{"name":"m1"},"apiVersion":"v1","kind":"ConfigMap"}',
    b'{"metadata":{"name":"m1","resourceVersion":"x"},"apiVersion":"v1","kind":"ConfigMap"}',
    b'{"metadata":{"name":"m1","resourceVersion":"' + b"9" * 5000 + b'"},"apiVersion":"v1","kind":"ConfigMap"}',
    b'{"metadata":{"name":"other"},"apiVersion":"v1","kind":"Pod"}',
    b"{",
    b"\xff",
    b"",
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
)
STATES = ("'1'", "-1", "NULL", "X'00'", "9223372036854775807", "1.5", "'" + "9" * 5000 + "'")


def rows(trial: Trial, times: int) -> None:
    """Rows of another writer, with valid checksums."""
    folder = trial.new_folder()
    good = _cluster(folder)
    write(folder, "one.yaml", marked("m1", "1"))
    for _ in range(times):
        (folder / FILE).write_bytes(good)
        with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as database:
            database.create_function("crc", 1, zlib.crc32)
            if trial.random.random() < 0.7:
                row = trial.random.choice(ROWS)
                where = trial.random.choice(["name = 'm1'", "kind = 'Namespace'"])
                database.execute(f"UPDATE objects SET content = ?, checksum = crc(?) WHERE {where}", (row, row))
            else:
                name, value = (
                    trial.random.choice(["release", "resourceVersion", "kindsChanged"]),
                    trial.random.choice(STATES),
                )
                database.execute(f"UPDATE state SET value = {value} WHERE name = ?", (name,))
        data = (folder / FILE).read_bytes()
        for words in (("get", "configmap"), ("cluster", "info"), ("cluster", "export"), ("apply", "-f", "one.yaml")):
            one_sentence(ended(folder, *words, "--cluster", FILE), inputs={FILE: data})
        for left in folder.glob(f"{FILE}*"):
            left.unlink()


# ---- what people write ---------------------------------------------------------------------------------------------


def _inputs(folder: Path) -> list[bytes]:
    """Objects in the usual file formats."""
    objects = [marked(name, "1") for name in FULL[:5]]
    (folder / "all.yaml").write_text("\n---\n".join(json.dumps(one, indent=1) for one in objects))
    said = ended(folder, "apply", "-f", "all.yaml", "--cluster", ":memory:", "-o", "yaml").out
    listed = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}, indent=1)
    return [
        said.encode(),
        listed.encode(),
        *(file.read_bytes() for file in sorted((ROOT / "examples").rglob("*.yaml"))),
    ]


def dumps(trial: Trial, times: int) -> None:
    """A dump: all of it is imported, or nothing."""
    folder = trial.new_folder()
    good = _inputs(folder)[:2]
    for _ in range(times):
        way, data = damaged(trial.random.choice(good), trial.random)
        inputs = {"dump.yaml": data}
        (folder / "dump.yaml").write_bytes(data)
        _cluster(folder)
        before = (folder / FILE).read_bytes()
        said = ended(folder, "cluster", "import", "dump.yaml", "--cluster", FILE)
        if said.code:
            fails_well(said, (2,), inputs)
            insist((folder / FILE).read_bytes() == before, f"a bad dump changed the cluster ({way})", inputs)
        else:
            one_sentence(said, inputs=inputs)


def manifests(trial: Trial, times: int) -> None:
    """Manifests, for the commands that read them."""
    folder = trial.new_folder()
    good = _inputs(folder)
    commands = (
        ("apply", "--cluster", ":memory:"),
        ("lint",),
        ("diff", "--live", "m.yaml"),
        ("merge", "--live", "m.yaml"),
    )
    for _ in range(times):
        _, data = damaged(trial.random.choice(good), trial.random)
        (folder / "m.yaml").write_bytes(data)
        for words in commands:
            said = ended(folder, *words, "-f", "m.yaml")
            (fails_well if said.code == 2 else one_sentence)(said, inputs={"m.yaml": data})


# ---- specifications ------------------------------------------------------------------------------------------------


def _refused(folder: Path, target: Path, words: tuple[object, ...], inputs: Inputs) -> bool:
    """Whether a command that writes into a folder fails. A failed one must not change the folder."""
    before = contents(target)
    said = ended(folder, *words)
    if said.code:
        fails_well(said, (2,), inputs)
        insist(contents(target) == before, f"{words} has failed, and changed files: {said.err}", inputs)
    else:
        one_sentence(said, inputs=inputs)
    return said.code != 0


def specifications(trial: Trial, times: int) -> None:
    """Specifications, compressed or not: they are read, or the previous package stays unchanged."""
    folder = trial.new_folder()
    (folder / "good.json").write_text(json.dumps(bundle(old={"type": "string"})))
    ended(folder, "generate", "--spec", "good.json", "--out", "mine")
    plain = [file.read_bytes() for file in sorted((ROOT / "tests" / "data").rglob("*.yaml"))]
    plain += [json.dumps(crd()).encode(), (ROOT / "openapi" / f"{NEWEST}.json").read_bytes()[:20_000]]
    for _ in range(times):
        data = trial.random.choice(plain)
        packed = trial.random.random() < 0.4
        _, data = damaged(gzip.compress(data, mtime=0) if packed else data, trial.random)
        name = "bad.json.gz" if packed else "bad.yaml"
        (folder / name).write_bytes(data)
        _refused(folder, folder / "mine", ("generate", "--spec", name, "--out", "mine"), {name: data})
        one_sentence(ended(folder, "kinds", "--schema", name), inputs={name: data})


def snapshots(trial: Trial, times: int) -> None:
    """A snapshot that differs from its hash in SOURCES is never used, and never replaced by a bad one."""
    folder = trial.new_folder()
    shutil.copytree(
        ROOT / "openapi",
        folder / "openapi",
        ignore=lambda _, names: {*names} - {"1.37.json", "SOURCES"},
    )
    sources = folder / "openapi" / "SOURCES"
    sources.write_text("".join(line for line in sources.open() if line.startswith("1.37")))
    good = {name: (folder / "openapi" / name).read_bytes() for name in ("1.37.json", "SOURCES")}
    ended(folder, "generate", "--openapi", "openapi", "--out", "mine")
    before = contents(folder / "mine")
    for _ in range(times):
        name = trial.random.choice(list(good))
        way, data = damaged(good[name], trial.random)
        (folder / "openapi" / name).write_bytes(data)
        checked = ended(folder, "spec", "check", "--openapi", "openapi")
        if name == "SOURCES":
            one_sentence(checked, inputs={name: data})
            one_sentence(ended(folder, "generate", "--openapi", "openapi", "--out", "mine"), inputs={name: data})
        else:
            insist(checked.code in (1, 2), f"a damaged snapshot passes the check ({way})", inputs={name: data})
            words = ("generate", "--openapi", "openapi", "--out", "mine")
            insist(_refused(folder, folder / "mine", words, {name: data}), f"a damaged snapshot is used ({way})")
            add = ("spec", "add", "1.37", "--from", f"openapi/{name}", "--openapi", "added")
            _refused(folder, folder / "added", add, {name: data})
        (folder / "openapi" / name).write_bytes(good[name])
        shutil.rmtree(folder / "mine")
        ended(folder, "generate", "--openapi", "openapi", "--out", "mine")
        insist(contents(folder / "mine") == before, "after the damage is undone, other tables are printed")
