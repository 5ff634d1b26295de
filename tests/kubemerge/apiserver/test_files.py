"""Files that are missing, foreign, newer, damaged, locked, full or read-only: one sentence, and no damage."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import tempfile
import threading
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine import MergeError
from kubemerge.apiserver.storage import opening
from kubemerge.apiserver.storage.file_errors import SENTENCES
from kubemerge.apiserver.storage.opening import APPLICATION, FORMAT, locate
from kubemerge.apiserver.storage.pages import ListOptions
from kubemerge.cluster import ClusterError, Reference, StoreError, open_cluster

from ...conftest import needs_posix, python
from .conftest import config_map, config_map_ref, crontabs, deployment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("original") / "c.db"
    with open_cluster(str(made)) as cluster:
        for number in range(30):
            cluster.create(deployment(f"web-{number}"))
        cluster.create(config_map(a="1"))
    return made


@pytest.fixture
def file(original: Path, tmp_path: Path) -> Path:
    """A file with a few objects in it."""
    return Path(shutil.copy(original, tmp_path))


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def refused(file: Path, mode: str = "write") -> str:
    """The error for a file that cannot be opened, one sentence with its name."""
    with pytest.raises(StoreError) as caught:
        open_cluster(str(file), mode=mode)
    said = str(caught.value)
    assert str(file) in said
    assert "\n" not in said
    assert caught.value.file == str(file)
    return said


def test_where_the_file_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBEMERGE_CLUSTER", raising=False)
    assert locate() == str(Path(".kubemerge", "cluster.db"))
    monkeypatch.setenv("KUBEMERGE_CLUSTER", "other.db")
    assert locate() == "other.db"
    assert locate("given.db") == "given.db"


def test_the_usual_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KUBEMERGE_CLUSTER", raising=False)
    open_cluster().close()
    assert (tmp_path / ".kubemerge" / "cluster.db").is_file()


def test_what_was_written_is_there_the_next_time(file: Path) -> None:
    assert names(file.parent) == ["c.db"], "nothing else is left beside it"
    with open_cluster(str(file)) as cluster:
        assert cluster.get(config_map_ref())["data"] == {"a": "1"}
        cluster.check()


@needs_posix
def test_a_name_may_hold_anything(tmp_path: Path) -> None:
    file = tmp_path / "a %20?#é.db"
    open_cluster(str(file)).close()
    assert names(tmp_path) == [file.name]


def test_the_default_file_may_be_named_with_a_slash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows too, where its usual name has a backslash: its folder is created."""
    monkeypatch.chdir(tmp_path)
    open_cluster(".kubemerge/cluster.db").close()
    assert names(tmp_path / ".kubemerge") == ["cluster.db"]


def test_a_missing_folder(tmp_path: Path) -> None:
    assert "the folder" in refused(tmp_path / "nowhere" / "c.db")
    assert names(tmp_path) == []


@needs_posix
def test_a_link_to_a_missing_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dang.db").symlink_to("/nonexistent/x")
    with pytest.raises(StoreError, match="the folder /nonexistent does not exist"):
        open_cluster("dang.db", mode="write")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    assert "is not a file" in refused(tmp_path)


def test_a_missing_file(tmp_path: Path) -> None:
    assert "no such cluster" in refused(tmp_path / "c.db", "read")
    with open_cluster(str(tmp_path / "c.db"), mode="rehearse") as cluster:
        assert cluster.create(config_map(), dry_run=True)
    assert names(tmp_path) == []


def test_reading_and_rehearsing_write_nothing(file: Path) -> None:
    before = file.read_bytes()
    for mode in ("read", "rehearse"):
        with open_cluster(str(file), mode=mode) as cluster:
            cluster.patch(config_map_ref(), {"data": {"a": "2"}}, "merge", dry_run=True)
            cluster.delete(config_map_ref(), dry_run=True)
            assert len(list(cluster.list("apps/v1", "Deployment"))) == 30
            with pytest.raises(StoreError, match="cannot be written"):
                cluster.delete(config_map_ref())
    assert file.read_bytes() == before
    assert names(file.parent) == ["c.db"]


def test_an_empty_file_becomes_a_cluster(tmp_path: Path) -> None:
    file = tmp_path / "c.db"
    file.touch()
    assert "no such cluster" in refused(file, "read")
    with open_cluster(str(file)) as cluster:
        cluster.create(config_map())


def _text(file: Path) -> None:
    file.write_text("apiVersion: v1\nkind: ConfigMap\n" * 20)


def _short(file: Path) -> None:
    file.write_bytes(b"SQLite format 3\0abc")


def _tables(file: Path, *statements: str) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    for statement in ("CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('dear diary')", *statements):
        connection.execute(statement)
    connection.close()


def _marked(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA application_id = 252006674")
    connection.close()


OTHERS: list[tuple[str, Callable[[Path], None], str]] = [
    ("text", _text, "is not a kubemerge database and was not changed"),
    ("cut off", _short, "is not a kubemerge database"),
    ("another program's", _tables, "is a database of another program and was not changed"),
    (
        "another program's log",
        lambda file: _tables(file, "PRAGMA journal_mode = WAL"),
        "is a database of another program",
    ),
    ("marked by another", lambda file: _tables(file, "PRAGMA application_id = 252006674"), "of another program"),
    ("marked, and empty", _marked, "is a database of another program"),
    (
        "newer",
        lambda file: _tables(file, f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {FORMAT + 1}"),
        f"was written by a newer kubemerge, in format {FORMAT + 1} (supported: {FORMAT}",
    ),
]


@pytest.mark.parametrize("mode", ["write", "read", "rehearse"])
@pytest.mark.parametrize(("make", "said"), [case[1:] for case in OTHERS], ids=[case[0] for case in OTHERS])
def test_what_is_not_ours_stays_as_it_is(tmp_path: Path, make: Callable[[Path], None], said: str, mode: str) -> None:
    file = tmp_path / "c.db"
    make(file)
    before = file.read_bytes()
    assert said in refused(file, mode)
    assert file.read_bytes() == before
    assert names(tmp_path) == ["c.db"]


def test_the_log_of_another_program_is_not_worked_off(tmp_path: Path) -> None:
    """SQLite would apply it if it were used to check the file."""
    made, file = tmp_path / "made.db", tmp_path / "c.db"
    _tables(made, "PRAGMA journal_mode = WAL")
    connection = sqlite3.connect(made)
    connection.execute("INSERT INTO notes VALUES ('more')")
    connection.commit()
    for end in ("", "-wal"):
        shutil.copy(f"{made}{end}", f"{file}{end}")
    connection.close()
    made.unlink()
    before = [one.read_bytes() for one in sorted(tmp_path.iterdir())]
    assert "is a database of another program" in refused(file)
    assert [one.read_bytes() for one in sorted(tmp_path.iterdir())] == before


def use(file: Path) -> None:
    """Call everything that a cluster can do. Errors are one line."""
    with open_cluster(str(file)) as cluster:
        list(cluster.dump())
        cluster.resources()
        for number in range(0, 30, 3):
            reference = Reference("apps/v1", "Deployment", f"web-{number}")
            cluster.get(reference)
            cluster.patch(reference, {"spec": {"replicas": 7}}, "strategic")
        cluster.create(config_map("new"))
        cluster.delete(config_map_ref())
        cluster.check()


def spoil(data: bytes, seed: int) -> bytes:
    """The bytes with some random changes, or truncated."""
    source = random.Random(seed)
    spoilt = bytearray(data)
    if seed % 5 == 0:
        return bytes(spoilt[: source.randrange(1, len(data))])
    for _ in range(source.choice([1, 3, 40])):
        start = source.randrange(len(data))
        for at in range(start, min(len(data), start + source.choice([1, 8, 600]))):
            spoilt[at] = source.randrange(256)
    return bytes(spoilt)


@pytest.mark.parametrize("seed", [*range(25), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(25, 400))])
def test_a_damaged_file_is_reported_in_one_sentence(file: Path, seed: int) -> None:
    file.write_bytes(spoil(file.read_bytes(), seed))
    with suppress(MergeError):  # nothing else may be raised, and unused bytes may do no harm
        use(file)


def test_a_flipped_bit_in_an_object_is_noticed(file: Path) -> None:
    data = file.read_bytes()
    changed = data.replace(b'"image":"nginx:1"', b'"image":"mginx:1"')  # SQLite may have left copies in unused parts
    assert changed != data
    file.write_bytes(changed)
    with open_cluster(str(file)) as cluster:
        with pytest.raises(StoreError, match="is damaged: an object differs from what was written"):
            list(cluster.list("apps/v1", "Deployment"))
        with pytest.raises(StoreError, match="is damaged"):
            cluster.check()
        assert cluster.get(config_map_ref())


def fill(cluster_file: Path) -> None:
    with open_cluster(str(cluster_file)) as cluster:
        for number in range(10_000):
            cluster.create(config_map(f"big-{number}", data="x" * 5000))


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_list_that_would_lack_an_object_is_refused(file: Path, mode: str) -> None:
    key = f"ConfigMapdefault{config_map_ref().name}".encode()
    parts = file.read_bytes().split(key)
    [at] = [number for number, part in enumerate(parts) if number and not part.startswith(b'{"')]
    file.write_bytes(key.join(parts[:at]) + key.replace(b"ConfigMap", b"ConfigMaq") + key.join(parts[at:]))
    for ask in (
        lambda cluster: list(cluster.list("v1", "ConfigMap")),
        lambda cluster: list(cluster.list("v1", "ConfigMap", namespace="default")),
        lambda cluster: cluster.get(config_map_ref()),
        lambda cluster: cluster.page(ListOptions(cluster.resource("v1", "ConfigMap"), limit=5)),
    ):
        with open_cluster(str(file), mode=mode) as cluster, pytest.raises(StoreError, match="is damaged"):
            ask(cluster)


ALTERED = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON objects BEGIN DELETE FROM objects WHERE name = 'a'; END",
    "a view": "CREATE VIEW v AS SELECT * FROM objects",
    "another table": "CREATE TABLE other (x)",
    "an index": "CREATE INDEX i ON objects (name)",
    "another column": "ALTER TABLE objects ADD COLUMN more DEFAULT (1)",
    "no history": "DROP TABLE history",
    "another history": "DROP TABLE history; CREATE VIEW history AS SELECT * FROM objects",
    "no objects": "ALTER TABLE objects RENAME TO things",
}


@pytest.mark.parametrize("mode", ["read", "rehearse", "write"])
@pytest.mark.parametrize("change", ALTERED)
def test_a_file_that_another_program_altered_is_refused(file: Path, change: str, mode: str) -> None:
    connection = sqlite3.connect(file)
    connection.executescript(ALTERED[change])
    connection.close()
    assert "was altered by another program" in refused(file, mode)


def test_a_full_disk_loses_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = opening._connect

    def small(where: str) -> sqlite3.Connection:
        connection = connect(where)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        return connection

    monkeypatch.setattr(opening, "_connect", small)
    with pytest.raises(
        StoreError, match=r"the disk is full\. Reported changes are kept, and nothing else was changed\. Free some"
    ):
        fill(file)
    monkeypatch.undo()
    with open_cluster(str(file)) as cluster:
        cluster.check()
        there = [one["metadata"]["name"] for one in cluster.list("v1", "ConfigMap") if "big" in one["metadata"]["name"]]
        assert sorted(there) == sorted(f"big-{number}" for number in range(len(there)))
        assert there
        cluster.create(config_map("now-there-is-room"))


@needs_posix
def test_a_file_that_cannot_grow_loses_nothing(file: Path) -> None:
    """The limit of the process simulates a disk that fails in the middle of a page."""
    program = f"""
import resource, sys
from pathlib import Path
from kubemerge.cluster import StoreError
from tests.kubemerge.apiserver.test_files import fill
resource.setrlimit(resource.RLIMIT_FSIZE, (400_001, 400_001))
try:
    fill(Path({str(file)!r}))
except StoreError as error:
    print(error)
"""
    said = python(program, cwd=file.parent)
    assert said.count("\n") == 1
    assert "Check the disk and try again" in said
    with open_cluster(str(file)) as cluster:
        cluster.check()
        assert cluster.get(config_map_ref())


READER = """
import os, sys
from kubemerge.cluster import ClusterError, Reference, StoreError, open_cluster

wanted = Reference("v1", "ConfigMap", "settings")
with open_cluster(":memory:") as cluster:
    cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}})
    cluster.get(wanted)
os.chmod("c.db", 0o444)
os.chmod(".", int(sys.argv[1], 8))
if not os.geteuid():
    os.setuid(65534)  # nothing is forbidden to root
for mode in ("read", "rehearse", "write"):
    try:
        with open_cluster("c.db", mode=mode) as cluster:
            print(mode, cluster.get(wanted)["data"])
    except StoreError as error:
        print(mode, error)
print(sorted(os.listdir(".")))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user of the machine may enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@needs_posix
@pytest.mark.parametrize("permissions", ["0o777", "0o555"])
def test_a_file_that_cannot_be_written_can_be_read(file: Path, open_folder: Path, permissions: str) -> None:
    shutil.copy(file, open_folder / "c.db")
    assert python(READER.replace("sys.argv[1]", repr(permissions)), cwd=open_folder).splitlines() == [
        "read {'a': '1'}",
        "rehearse {'a': '1'}",
        "write c.db cannot be written. Make it writable, or use another file with --cluster or KUBEMERGE_CLUSTER",
        "['c.db']",
    ]


@needs_posix
def test_a_log_that_cannot_be_looked_into_is_not_passed_over(file: Path, open_folder: Path) -> None:
    """Data acknowledged by a killed process may only be there."""
    with open_cluster(str(file)) as cluster:
        cluster.patch(config_map_ref(), {"data": {"a": "2"}}, "merge")
        for name in ("c.db", "c.db-wal"):
            shutil.copy(file.with_name(name), open_folder)
    first, *_ = python(READER.replace("sys.argv[1]", "'0o555'"), cwd=open_folder).splitlines()
    assert first.startswith("read c.db cannot be opened. Check that its folder exists and is writable")
    open_folder.chmod(0o777)
    with open_cluster(str(open_folder / "c.db")) as cluster:
        assert cluster.get(config_map_ref())["data"] == {"a": "2"}


def test_a_file_that_somebody_keeps_is_reported(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "PATIENCE", 0.05)
    other = sqlite3.connect(file, isolation_level=None)
    with open_cluster(str(file)) as cluster:
        other.execute("BEGIN IMMEDIATE")
        assert cluster.get(config_map_ref()), "readers do not wait"
        with pytest.raises(StoreError, match="another process has locked it"):
            cluster.create(config_map("new"))
        other.execute("ROLLBACK")
        cluster.create(config_map("new"))
    other.close()


def test_the_log_is_started_when_nobody_reads(file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    assert other.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    other.execute("BEGIN")
    other.execute("SELECT * FROM objects").fetchone()
    timer = threading.Timer(0.2, other.execute, ("ROLLBACK",))
    timer.start()
    open_cluster(str(file)).close()
    timer.join()
    other.close()
    assert file.read_bytes()[18:20] == bytes([2, 2]), "SQLite's mark of a file with a log"


def test_without_a_log_it_works_as_well(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    connection.close()
    monkeypatch.setattr(opening, "_use_log", lambda _: None)
    use(file)
    with open_cluster(str(file), mode="read") as cluster:
        assert cluster.get(config_map_ref("new"))


def test_every_sentence_says_a_way_out() -> None:
    for _, sentence in SENTENCES:
        assert ". " in sentence
        assert sentence.format(file="c.db").startswith("c.db")


@pytest.mark.parametrize(("release", "said"), [("1.99", "created for Kubernetes 1.99"), (5, "its release is missing")])
def test_a_release_that_nobody_knows(file: Path, release: object, said: str) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("UPDATE state SET value = ? WHERE name = 'release'", (release,))
    connection.close()
    assert said in refused(file)


def test_a_mode_is_one_of_three(file: Path) -> None:
    assert "invalid mode 'destroy'. Use one of write, read, rehearse" in refused_mode(file)


def refused_mode(file: Path) -> str:
    with pytest.raises(StoreError) as caught:
        open_cluster(str(file), mode="destroy")
    return str(caught.value)


def rewritten(file: Path, name: str, data: bytes) -> None:
    """Write a row with invalid content and the right checksum."""
    connection = sqlite3.connect(file, isolation_level=None)
    row = (data, zlib.crc32(data), name)
    assert connection.execute("UPDATE objects SET content = ?, checksum = ? WHERE name = ?", row).rowcount == 1
    connection.close()


HEAD = '"apiVersion": "v1", "kind": "ConfigMap"'
HAS = '"name": "settings", "namespace": "default", "uid": "u", "resourceVersion": "1"'
NOT_OBJECTS = {
    "no text": b"\xff",
    "nothing": b"",
    "no JSON": b"{",
    "a number that is too large": b"1e999",
    "nested too deep": b"[" * 100_000,
    "a list": b"[]",
    "null": b"null",
    "no fields": b"{}",
    "no metadata": f"{{{HEAD}}}".encode(),
    "metadata that is a list": f'{{{HEAD}, "metadata": []}}'.encode(),
    "no uid": f'{{{HEAD}, "metadata": {{"name": "settings", "namespace": "default"}}}}'.encode(),
    "a name that is a number": f'{{{HEAD}, "metadata": {{{HAS}, "name": 1}}}}'.encode(),
    "labels that are a list": f'{{{HEAD}, "metadata": {{{HAS}, "labels": []}}}}'.encode(),
    "a label that is a number": f'{{{HEAD}, "metadata": {{{HAS}, "labels": {{"a": 1}}}}}}'.encode(),
    "a time that is a number": f'{{{HEAD}, "metadata": {{{HAS}, "creationTimestamp": 1}}}}'.encode(),
    "another kind": f'{{"apiVersion": "v1", "kind": "Secret", "metadata": {{{HAS}}}}}'.encode(),
    "another name": f'{{{HEAD}, "metadata": {{{HAS}, "name": "other"}}}}'.encode(),
    "another namespace": f'{{{HEAD}, "metadata": {{{HAS}, "namespace": "other"}}}}'.encode(),
}


@pytest.mark.parametrize("data", NOT_OBJECTS.values(), ids=NOT_OBJECTS)
def test_a_row_that_is_not_the_object_is_damage(file: Path, data: bytes) -> None:
    rewritten(file, "settings", data)
    with open_cluster(str(file)) as cluster:
        for request in (
            lambda: cluster.get(config_map_ref()),
            lambda: list(cluster.list("v1", "ConfigMap")),
            lambda: list(cluster.dump()),
            lambda: cluster.patch(config_map_ref(), {"data": {"a": "2"}}, "merge"),
            cluster.check,
        ):
            with pytest.raises(StoreError, match="is damaged"):
                request()


@pytest.mark.parametrize("spec", [[], {}, {"group": 1}, {"group": "a.b", "names": []}, {"group": "a.b", "versions": 1}])
def test_a_definition_that_is_not_one_is_reported(file: Path, spec: Any) -> None:
    names = {"plural": "tabs", "kind": "Tab"}
    with open_cluster(str(file)) as cluster:
        made = cluster.create(crontabs())
    broken = {**made, "spec": {"names": names, "versions": [{"name": "v1"}], **spec} if spec else spec}
    rewritten(file, made["metadata"]["name"], json.dumps(broken).encode())
    with open_cluster(str(file)) as cluster, pytest.raises(ClusterError, match="CustomResourceDefinition is damaged"):
        cluster.resource("stable.example.com/v1", "CronTab")


def test_a_name_that_cannot_be_written_is_not_the_fault_of_the_file(file: Path) -> None:
    with open_cluster(str(file)) as cluster:
        for request in (
            lambda: cluster.get(Reference("v1", "ConfigMap", "\ud800")),
            lambda: list(cluster.list("v1", "ConfigMap", namespace="\udcff")),
        ):
            with pytest.raises(StoreError, match=r"is not text that can be stored\. Encode it as UTF-8"):
                request()


def test_a_name_that_is_not_text_is_not_the_fault_of_the_file(file: Path) -> None:
    name: Any = ("a",)
    with open_cluster(str(file)) as cluster, pytest.raises(StoreError) as caught:
        cluster.get(Reference("v1", "ConfigMap", "a", name))
    assert "damaged" not in str(caught.value)


def test_a_closed_cluster_says_that_it_is_closed(file: Path) -> None:
    cluster = open_cluster(str(file))
    cluster.close()
    with pytest.raises(StoreError, match="It was closed"):
        cluster.get(Reference("v1", "ConfigMap", "a", "b"))
