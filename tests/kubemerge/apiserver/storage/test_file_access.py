"""A cluster's file is readable by its owner only, and opened under one name, with its log."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.storage import file_access
from kubemerge.cluster import StoreError, open_cluster

from ....conftest import python
from ..conftest import config_map, config_map_ref
from ..test_files import READER, open_folder, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.apiserver.cluster import EmbeddedCluster

    from ...shell import Shell

__all__ = ["open_folder"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the permissions and links of POSIX")
USUAL = Path(".kubemerge", "cluster.db")


def mode_of(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))


@pytest.fixture(params=[0o000, 0o022, 0o277, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def test_a_new_cluster_is_its_owners_whatever_the_umask_is(tmp_path: Path, umask: int) -> None:
    with open_cluster() as cluster:
        cluster.create(config_map(a="1"))
        seen = {one.name: mode_of(one) for one in USUAL.parent.iterdir()}
        assert seen == dict.fromkeys(["cluster.db", "cluster.db-shm", "cluster.db-wal"], "0o600")
        assert not cluster.closed_to_others
    assert mode_of(USUAL.parent) == "0o700"
    with open_cluster(str(tmp_path / "other.db")):
        assert mode_of(tmp_path / "other.db") == "0o600"


def test_at_no_moment_can_others_read_a_new_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0)
    seen: set[str] = set()

    def look(*_: object) -> None:
        seen.update(mode_of(one) for one in [USUAL.parent, *USUAL.parent.iterdir()] if one.exists())

    for name in ("open", "close", "chmod", "mkdir"):
        real = getattr(os, name)

        def looking(*given: object, real: Any = real) -> object:
            done = real(*given)
            look()
            return done

        monkeypatch.setattr(os, name, looking)
    try:
        with open_cluster() as cluster:
            look()
            cluster.create(config_map(a="1"))
            look()
    finally:
        os.umask(before)
    assert seen == {"0o700", "0o600"}


def test_a_journal_is_its_owners_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there can be no log, SQLite writes a journal."""
    from kubemerge.apiserver.storage import opening

    monkeypatch.setattr(opening, "_use_log", lambda _: None)
    before = os.umask(0)
    try:
        with open_cluster() as cluster, cluster._store.writing():
            cluster._store.set("mark", 1)
            seen = {one.name: mode_of(one) for one in USUAL.parent.iterdir()}
    finally:
        os.umask(before)
    assert seen == {"cluster.db": "0o600", "cluster.db-journal": "0o600"}


MENDED = ".kubemerge/cluster.db was readable by other users and may contain Secrets. It is now readable only by you\n"


@pytest.mark.parametrize(
    "words",
    [
        ("get", "configmaps"),
        ("apply", "-f", "new.yaml"),
        ("scale", "deploy/no", "--replicas=2"),
        ("diff", "-f", "new.yaml"),
    ],
    ids=" ".join,
)
def test_an_open_cluster_is_closed_to_others_with_a_word(shell: Shell, words: tuple[str, ...]) -> None:
    shell.create(config_map(a="1"))
    shell.write("new.yaml", config_map("new"))
    USUAL.parent.chmod(0o755)
    USUAL.chmod(0o644)
    shell.run(*words)
    assert shell.err.startswith(MENDED), shell.err
    assert mode_of(USUAL.parent) == "0o700"
    assert mode_of(USUAL) == "0o600"
    shell.run(*words)
    assert MENDED not in shell.err


def test_the_log_of_a_killed_process_is_closed_to_others(tmp_path: Path) -> None:
    with open_cluster("c.db") as cluster:
        cluster.create(config_map(a="1"))
        (tmp_path / "there").mkdir(mode=0o755)
        for name in ("c.db", "c.db-wal", "c.db-shm"):
            shutil.copy(name, "there")
            (tmp_path / "there" / name).chmod(0o640)
    with open_cluster("there/c.db", mode="read") as cluster:
        assert cluster.closed_to_others
        assert {mode_of(one) for one in (tmp_path / "there").iterdir()} == {"0o600"}
    assert mode_of(tmp_path / "there") == "0o755", "only the usual folder is ours"


def test_a_file_of_somebody_else_keeps_its_permissions(open_folder: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can be two users")
    with open_cluster(str(open_folder / "c.db")) as cluster:
        cluster.create(config_map("settings", a="1"))
    said = python(READER.replace("sys.argv[1]", "'0o755'"), cwd=open_folder)
    assert said.startswith("read {'a': '1'}")
    assert mode_of(open_folder / "c.db") == "0o444"


# ---- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["read", "rehearse"])
@pytest.mark.parametrize("name", ["link.db", "folder/c.db", "chain.db"])
def test_a_reader_through_a_link_sees_what_is_written(tmp_path: Path, name: str, mode: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.db").symlink_to("real/c.db")
    (tmp_path / "chain.db").symlink_to("link.db")
    (tmp_path / "folder").symlink_to("real", target_is_directory=True)
    with open_cluster("real/c.db") as writer:
        writer.create(config_map(a="1"))
        with open_cluster(name, mode=mode) as reader:
            assert reader.get(config_map_ref())["data"] == {"a": "1"}
            assert reader.file == name


def test_one_who_may_only_read_sees_the_log_through_a_link(open_folder: Path) -> None:
    """Without the log, the file counts as never written, and is read without further checks."""
    with open_cluster(str(open_folder / "c.db")) as cluster:
        cluster.create(config_map("settings", a="1"))
    with open_cluster(str(open_folder / "c.db")) as cluster:
        cluster.patch(config_map_ref(), {"data": {"a": "2"}}, "merge")
        for one in open_folder.iterdir():
            one.chmod(0o644)
        (open_folder / "links").mkdir()
        (open_folder / "links" / "l.db").symlink_to("../c.db")
        said = python(
            READER.replace('chmod("c.db", 0o444)', "chdir('links')")
            .replace('"c.db"', '"l.db"')
            .replace("int(sys.argv[1], 8)", "0o755"),
            cwd=open_folder,
        )
    assert said.splitlines()[:2] == ["read {'a': '2'}", "rehearse {'a': '2'}"]


def test_a_cluster_may_begin_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.db").symlink_to("real/c.db")
    open_cluster("link.db").close()
    assert (tmp_path / "link.db").is_symlink()
    assert mode_of(tmp_path / "real" / "c.db") == "0o600"


def test_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "circle.db").symlink_to("circle.db")
    assert "circle.db" in refused(tmp_path / "circle.db")
    (tmp_path / "link.db").symlink_to("no/c.db")
    said = refused(tmp_path / "link.db")
    assert f"the folder {(tmp_path / 'no').resolve()} does not exist" in said, "the folder that the link leads to"


@pytest.mark.parametrize("mode", ["write", "read", "rehearse"])
def test_a_file_with_two_names_is_refused(tmp_path: Path, mode: str) -> None:
    """Each would have a separate log."""
    open_cluster("c.db").close()
    os.link("c.db", "other.db")
    assert "has another name (a hard link)" in refused(tmp_path / "other.db", mode)


def test_a_file_that_is_mounted_without_its_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a b"
    place.mkdir()
    open_cluster(str(place / "c.db")).close()
    said = f"36 35 98:0 /c.db {place}/c.db rw - ext3 /dev/root rw\n".replace("a b", r"a\040b")
    monkeypatch.setattr(file_access, "_mounts", said.encode)
    assert "is mounted without its folder" in refused(place / "c.db")
    monkeypatch.setattr(file_access, "_mounts", lambda: b"36 35 98:0 / / rw - ext3 /dev/root rw\n")
    open_cluster(str(place / "c.db")).close()


def test_the_way_to_a_file_may_change_while_it_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_cluster("c.db") as cluster:
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        cluster.create(config_map(a="1"))
        assert cluster.get(config_map_ref())
    assert list((tmp_path / "elsewhere").iterdir()) == []


# ---- one that goes away ---------------------------------------------------------------------------------------------


def gone(what: str) -> None:
    if what == "moved":
        Path("c.db").rename("d.db")
    elif what == "removed":
        Path("c.db").unlink()
    else:
        open_cluster("new.db").close()
        Path("new.db").replace("c.db")


@pytest.mark.parametrize("what", ["moved", "removed", "replaced"])
def test_a_file_that_goes_away_is_noticed(what: str) -> None:
    with open_cluster("c.db") as cluster:
        cluster.create(config_map(a="1"))
        with open_cluster("c.db", mode="read") as reader:
            gone(what)
            for request in (
                lambda: cluster.create(config_map("new")),
                lambda: reader.get(config_map_ref()),
                lambda: list(reader.list("v1", "ConfigMap")),
            ):
                with pytest.raises(StoreError, match="was moved, removed, replaced or changed by another program"):
                    request()


def test_a_write_to_a_file_that_goes_away_meanwhile_is_not_acknowledged() -> None:
    def write_while_it_goes(cluster: EmbeddedCluster) -> None:
        with cluster._store.writing():
            cluster._store.set("mark", 1)
            gone("replaced")

    with open_cluster("c.db") as cluster, pytest.raises(StoreError, match="while it was open"):
        write_while_it_goes(cluster)
    with open_cluster("c.db", mode="read") as new:
        assert list(new.list("v1", "ConfigMap")) == []


WATCHING = """
import os
from kubemerge.cluster import Reference, StoreError, open_cluster

wanted = Reference("v1", "ConfigMap", "settings")
with open_cluster(":memory:") as cluster:
    cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}})
    cluster.get(wanted)
if not os.geteuid():
    os.setuid(65534)
with open_cluster("c.db", mode="read") as cluster:
    print(cluster.get(wanted)["data"], flush=True)
    input()
    try:
        print(cluster.get(wanted)["data"])
    except StoreError as error:
        print(error)
"""


def test_a_reader_without_the_right_to_write_notices_a_writer(open_folder: Path) -> None:
    """SQLite opened it as immutable, and would continue with old data, or with half of the new data."""
    from ...processes import running

    if os.geteuid():
        pytest.skip("only root can be two users")
    file = open_folder / "c.db"
    with open_cluster(str(file)) as cluster:
        cluster.create(config_map("settings", a="1"))
    file.chmod(0o644)
    reader = running("-c", WATCHING, cwd=open_folder)
    assert reader.stdout is not None
    assert reader.stdout.readline() == "{'a': '1'}\n"
    with open_cluster(str(file)) as cluster:
        cluster.patch(config_map_ref(), {"data": {"a": "2"}}, "merge")
        said, _ = reader.communicate("\n")
    assert "changed by another program while it was open" in said


@pytest.mark.parametrize("file_mode", ["0o666", "0o444"])
def test_a_cluster_in_a_folder_that_cannot_be_written_is_read(open_folder: Path, file_mode: str) -> None:
    with open_cluster(str(open_folder / "c.db")) as cluster:
        cluster.create(config_map("settings", a="1"))
    program = READER.replace("0o444", file_mode).replace("sys.argv[1]", "'0o555'")
    said = python(program, cwd=open_folder).splitlines()
    assert said[:2] == ["read {'a': '1'}", "rehearse {'a': '1'}"]
    assert said[3] == "['c.db']"


def test_a_write_is_on_disk_when_it_is_acknowledged(tmp_path: Path) -> None:
    """The tests do not wait for the disk, so another process looks at what users have: 3 is EXTRA."""
    ask = "print(cluster._store._connection.execute('PRAGMA synchronous').fetchone()[0])"
    code = f"from kubemerge.cluster import open_cluster\nwith open_cluster('c.db') as cluster: {ask}"
    assert python(code, cwd=tmp_path) == "3\n"
