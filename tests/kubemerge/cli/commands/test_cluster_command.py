"""`kubemerge cluster`: import, export, reset and inspect a cluster."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents
from kubemerge.apiserver.storage.opening import DEFAULT, FORMAT

from ....conftest import NEWEST
from ...apiserver.conftest import crontab, crontabs
from ...dump import dump
from ...objects import config_map, deployment

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ...shell import Shell

LIVE = config_map(
    "a",
    {"k": "1"},
    annotations={"x": "y"},
    creationTimestamp="2025-11-12T13:14:15Z",
    namespace="shop",
    resourceVersion="4711",
    uid="u-1",
)


class Terminal(io.StringIO):
    """A user at a terminal."""

    def isatty(self) -> bool:
        return True


def everything(file: Path) -> bytes:
    """The objects in a database, without SQLite's own data."""
    with closing(sqlite3.connect(file)) as connection:
        return repr(connection.execute("SELECT * FROM objects ORDER BY 1, 2, 3, 4").fetchall()).encode()


def test_a_dump_is_imported(shell: Shell) -> None:
    text = shell.write("dump.json", {"apiVersion": "v1", "kind": "List", "items": [LIVE, deployment("web")]})
    assert shell.run("cluster", "import", text) == 0
    assert shell.out == f"imported 2 objects of 2 kinds into {DEFAULT} (2 new, 0 replaced)\n"
    assert shell.err == "created missing namespaces: shop\n"
    assert shell.live("cm", "a", "-n", "shop") == LIVE
    assert shell.run("cluster", "import", text, "-q") == 0
    assert shell.out == f"imported 2 objects of 2 kinds into {DEFAULT} (0 new, 2 replaced)\n"


def test_several_dumps_and_a_release(shell: Shell) -> None:
    files = [shell.write("a.yaml", config_map("a")), shell.write("b.yaml", config_map("b"))]
    line = shell.done("cluster", "import", *files, "--cluster", "old.db", "--release", "1.20")
    assert line == "imported 2 objects of 1 kind into old.db (2 new, 0 replaced)\n"
    assert json.loads(shell.done("cluster", "info", "--cluster", "old.db", "-o", "json"))["release"] == "1.20"


def test_what_is_kept_and_not_served_is_reported(shell: Shell) -> None:
    assert shell.run("cluster", "import", shell.write("a.yaml", crontab()), "-q") == 0
    assert "not served until their kinds are defined" in shell.err
    assert "CronTab of stable.example.com/v1" in shell.err
    shell.done("apply", "-f", shell.write("crd.yaml", crontabs()))
    assert shell.live("ct", "night")["kind"] == "CronTab"


BAD = {
    "one of many": [LIVE, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "a-"}}],
    "no object": [{"a": 1}],
    "a bad definition": [LIVE, {**crontabs(), "spec": {"group": "a", "names": {"kind": "B"}, "versions": []}}],
    "nothing": [],
}


@pytest.mark.parametrize("case", BAD)
def test_a_dump_is_imported_whole_or_not_at_all(shell: Shell, case: str) -> None:
    shell.create(config_map("old"))
    before = everything(shell.folder / DEFAULT)
    shell.write("dump.yaml", *BAD[case])
    shell.fails("cluster", "import", "dump.yaml", "-q")
    assert shell.out == ""
    assert everything(shell.folder / DEFAULT) == before


def test_a_dump_that_cannot_be_read_creates_no_cluster(shell: Shell) -> None:
    assert "No such file" in shell.fails("cluster", "import", "nowhere.yaml")
    assert "Missing argument" in shell.fails("cluster", "import")
    assert not (shell.folder / DEFAULT).exists()


@pytest.mark.parametrize("time", ["2026-01-31T1:02:03Z", "2026-01-31T01:02:03,5Z", "2026-01-31T02:02:03+01:00"])
def test_an_imported_time_may_have_any_form_that_a_server_accepts(shell: Shell, time: str) -> None:
    metadata = {"deletionTimestamp": time, "deletionGracePeriodSeconds": 30, "finalizers": ["a.b/c"]}
    shell.done("cluster", "import", shell.write("a.yaml", config_map("a", None, **metadata)))
    assert shell.run("delete", "configmap", "a", "--wait=false", "--grace-period=1") == 0


WRONG: dict[str, tuple[Any, str]] = {
    "finalizers": ("abc", "metadata.finalizers: must be a list, not a string"),
    "uid": (3, "metadata.uid: must be a string, not an integer; quote it"),
    "labels": ({"a": ["b"]}, "metadata.labels.a: must be a string, not a list"),
    "deletionTimestamp": ("x", "metadata.deletionTimestamp: must be a time such as 2026-01-31T12:00:00Z, not 'x'"),
    "creationTimestamp": (5, "metadata.creationTimestamp: must be a time such as 2026-01-31T12:00:00Z, not 5"),
    "annotations": ({"a.b/c": 1}, 'metadata.annotations["a.b/c"]: must be a string, not an integer; quote it'),
}


@pytest.mark.parametrize("field", WRONG)
@pytest.mark.parametrize("place", [(), ("--cluster", "c.db")])
def test_a_bad_value_is_reported_with_its_place_and_creates_no_cluster(
    shell: Shell, field: str, place: tuple[str, ...]
) -> None:
    value, said = WRONG[field]
    items = [LIVE, config_map("b", None, **{field: value})]
    file = shell.write("dump.json", {"apiVersion": "v1", "kind": "List", "items": items})
    expected = f"{file}:1: items[1]: configmap/b: {said}. Nothing was imported"
    assert shell.fails("cluster", "import", file, *place) == expected
    assert [one.name for one in shell.folder.iterdir()] == [file]
    shell.create(config_map("old"))
    assert shell.fails("cluster", "import", file) == expected


@pytest.mark.parametrize("time", ["0000-02-02T00:00:00Z", "9999-12-31T23:59:59-01:00"])
def test_a_time_in_a_year_that_no_server_writes_is_reported(shell: Shell, time: str) -> None:
    file = shell.write("a.yaml", config_map("a", None, deletionTimestamp=time, finalizers=["a.b/c"]))
    said = f"metadata.deletionTimestamp: must be a time such as 2026-01-31T12:00:00Z, not '{time}'"
    assert said in shell.fails("cluster", "import", file)


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_an_export_can_be_imported(shell: Shell, form: str) -> None:
    shell.run("cluster", "import", shell.write("dump.json", *dump()), "-q")
    (shell.folder / "export").write_text(shell.done("cluster", "export", "-o", form), encoding="utf-8")
    shell.done("cluster", "import", "export", "--cluster", "other.db")
    assert everything(shell.folder / "other.db") == everything(shell.folder / DEFAULT)
    assert shell.done("cluster", "export", "--cluster", "other.db", "-o", "json") == shell.done(
        "cluster", "export", "-o", "json"
    )


def test_an_export_is_one_list(shell: Shell) -> None:
    shell.create(config_map("a"))
    (found,) = documents(shell.done("cluster", "export"))
    assert isinstance(found, dict)
    assert found["kind"] == "List"
    assert found == json.loads(shell.done("cluster", "export", "-o", "json"))


def test_reset(shell: Shell) -> None:
    shell.create(config_map("a"), deployment("web"))
    assert shell.done("cluster", "reset") == f"{DEFAULT} is empty: 2 objects removed\n"
    assert shell.done("cluster", "reset", "--yes") == f"{DEFAULT} is empty: 0 objects removed\n"
    assert [line.split()[0] for line in shell.done("get", "all").splitlines()] == ["NAME", "service/kubernetes"]
    shell.create(config_map("a"))
    assert int(shell.live("cm", "a")["metadata"]["resourceVersion"]) > 6


@pytest.mark.parametrize(("answer", "code", "left"), [("y\n", 0, 11), ("n\n", 130, 12), ("", 130, 12)])
def test_reset_asks_on_a_terminal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, left: int
) -> None:
    shell.create(config_map("a"))
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert shell.run("cluster", "reset") == code
    assert "Remove all 12 objects" in shell.err
    assert json.loads(shell.done("cluster", "info", "-o", "json"))["objects"] == left


def test_reset_asks_nobody_whose_messages_go_elsewhere(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.create(config_map("a"))
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    assert shell.done("cluster", "reset") == f"{DEFAULT} is empty: 1 object removed\n"


def test_info(shell: Shell) -> None:
    shell.create(config_map("a"), config_map("b"), deployment("web"))
    assert shell.done("cluster", "info").splitlines() == [
        f"file:     {DEFAULT}",
        f"release:  {NEWEST}",
        f"format:   {FORMAT}",
        "objects:  14",
        "       4  Namespace (v1)",
        "       4  ServiceAccount (v1)",
        "       2  PriorityClass (scheduling.k8s.io/v1)",
        "       2  ConfigMap (v1)",
        "       1  Deployment (apps/v1)",
        "       1  Service (v1)",
    ]
    assert json.loads(shell.done("cluster", "info", "-o", "json")) == {
        "file": DEFAULT,
        "release": NEWEST,
        "format": FORMAT,
        "objects": 14,
        "kinds": [
            {"apiVersion": "v1", "kind": "Namespace", "count": 4},
            {"apiVersion": "v1", "kind": "ServiceAccount", "count": 4},
            {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "count": 2},
            {"apiVersion": "v1", "kind": "ConfigMap", "count": 2},
            {"apiVersion": "apps/v1", "kind": "Deployment", "count": 1},
            {"apiVersion": "v1", "kind": "Service", "count": 1},
        ],
    }


# ---- files that cannot be used -------------------------------------------------------------------------------------


def no_database(file: Path) -> None:
    file.write_text("a: b\n" * 50)


def foreign(file: Path) -> None:
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE theirs (a)")
        connection.commit()


def newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")


def scribbled(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE objects SET content = x'7b7d' WHERE kind = 'ConfigMap'")
        connection.commit()


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


SPOILED: dict[str, tuple[Callable[[Path], None], str]] = {
    "no database": (no_database, "is not a kubemerge database"),
    "another program's": (foreign, "is a database of another program"),
    "a newer one's": (newer, "was written by a newer kubemerge"),
    "scribbled over": (scribbled, "is damaged"),
    "cut off": (cut, "is damaged"),
}
COMMANDS = {
    "info": ("cluster", "info"),
    "export": ("cluster", "export"),
    "get": ("get", "cm"),
    "label": ("label", "cm", "--all", "x=1"),
    "delete": ("delete", "cm", "--all"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("case", SPOILED)
def test_a_file_that_cannot_be_used_is_one_sentence_and_stays(shell: Shell, case: str, command: str) -> None:
    shell.create(config_map("a"))
    file = shell.folder / DEFAULT
    spoil, said = SPOILED[case]
    spoil(file)
    before = file.read_bytes()
    assert said in shell.fails(*COMMANDS[command])
    assert file.read_bytes() == before


READ_ONLY = {("get", "cm"): 0, ("cluster", "export"): 2, ("cluster", "info"): 2, ("get", "cm", "a", "-o", "yaml"): 1}


@pytest.mark.parametrize("words", READ_ONLY)
def test_what_only_reads_creates_no_cluster(shell: Shell, words: tuple[str, ...]) -> None:
    assert shell.run(*words) == READ_ONLY[words]
    assert not (shell.folder / DEFAULT).exists()
