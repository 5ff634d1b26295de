"""Dumps of clusters: every object once, from any layout in any archive, and no hostile file does harm."""

from __future__ import annotations

import os
import random
import tarfile
from typing import TYPE_CHECKING, Any

import pytest

from engine import MergeError
from kubemerge.manifests.dumps import containers, reading
from kubemerge.manifests.dumps.layouts import layout_of, tops_in, with_objects
from kubemerge.manifests.dumps.logs import WithoutLogs, without_logs
from kubemerge.manifests.dumps.reading import dump_at
from kubemerge.manifests.files import BadFile, Files
from kubemerge.manifests.live import read_live

from ...conftest import needs_posix
from .dump_files import (
    ELIDED,
    INSPECT,
    MUST_GATHER,
    RECORDED,
    TITLES,
    VELERO,
    WEB,
    Tree,
    cluster_info,
    in_folder,
    listed,
    manifest,
    tar,
    text,
    zipped,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RECORDED_TITLES = {"node/n1", "deployment.apps/web", "service/web", "pod/web-1"}
TREES: dict[str, tuple[Tree, set[str]]] = {
    "must-gather": (MUST_GATHER, {*TITLES, "clusteroperator.config.openshift.io/kube-apiserver"}),
    "oc adm inspect": (INSPECT, {"deployment.apps/web"}),
    "Velero backup": (VELERO, TITLES),
    "cluster-info dump": (cluster_info(), RECORDED_TITLES),
}
ARCHIVES: dict[str, Callable[[Tree], bytes]] = {
    "a.tar": tar,
    "a.tar.gz": lambda tree: tar(tree, "w:gz"),
    "a.tgz": lambda tree: tar([(f"./{name}", data) for name, data in tree.items()], "w:gz"),
    "a.zip": zipped,
}


def read(path: Path | str) -> tuple[list[Any], list[str]]:
    """The objects at a path, and the problems."""
    problems: list[str] = []
    files = Files()
    files.unread = lambda error: problems.append(str(error))
    return [*read_live([str(path)], files)], problems


def titles(path: Path) -> list[str]:
    found, problems = read(path)
    assert problems == []
    return sorted(one.title for one in found)


def of_archive(folder: Path, data: bytes, name: str = "a.tar") -> tuple[list[str], list[str]]:
    """The titles and the problems in an archive."""
    (folder / name).write_bytes(data)
    found, problems = read(folder / name)
    return [one.title for one in found], [one.replace(f"{folder}{os.sep}", "F/") for one in problems]


# ---- layouts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TREES)
def test_each_object_is_read_once_and_other_files_are_skipped(tmp_path: Path, name: str) -> None:
    tree, wanted = TREES[name]
    assert titles(in_folder(tmp_path / "dump", tree)) == sorted(wanted)
    for archive, packed in ARCHIVES.items():
        (tmp_path / archive).write_bytes(packed(tree))
        assert titles(tmp_path / archive) == sorted(wanted), archive


def test_a_place_names_the_file_in_the_archive(tmp_path: Path) -> None:
    (tmp_path / "b.tar.gz").write_bytes(tar(VELERO, "w:gz"))
    found, _ = read(tmp_path / "b.tar.gz")
    assert f"{tmp_path.as_posix()}/b.tar.gz/resources/pods/namespaces/shop/web-1.json:1" in {
        one.place.replace(os.sep, "/") for one in found
    }


@pytest.mark.parametrize(
    ("names", "layout"),
    [
        (["x/cluster-scoped-resources/core/nodes.yaml"], "must-gather"),
        (["namespaces/shop/core/pods.yaml"], "must-gather"),
        (["inspect.local.1/namespaces/shop/apps/deployments.yaml"], "must-gather"),
        (["resources/pods/namespaces/shop/shop.json"], "Velero backup"),
        (["nodes.yaml", "kube-system/replication-controllers.yaml"], "cluster-info dump"),
        (["nodes.yaml", "kube-system/pods.yaml"], ""),
        (["namespaces/shop/shop.yaml", "namespaces/shop/web.yaml"], ""),
        (["base/resources/web.yaml", "kustomization.yaml"], ""),
        ([], ""),
    ],
)
def test_a_layout_is_recognised_by_its_files(names: list[str], layout: str) -> None:
    found = layout_of(names)
    assert (found.name if found else "") == layout


def test_the_tops_of_dumps_in_a_tree() -> None:
    names = [f"north/{name}" for name in MUST_GATHER] + [f"south/{name}" for name in cluster_info()]
    names += [f"east/{name}" for name in VELERO] + ["west/objects.jsonl", "cluster.json"]
    assert {top: one.name for top, one in tops_in(names).items()} == {
        "east": "Velero backup",
        "north/must-gather.local.5": "must-gather",
        "south": "cluster-info dump",
    }


def test_a_list_makes_files_of_single_objects_needless() -> None:
    layout = layout_of([*MUST_GATHER])
    assert layout is not None
    names = with_objects(layout, sorted(MUST_GATHER))
    assert len(names) == 7
    assert not any("/pods/web-1/" in name or name.endswith("deployments/web.yaml") for name in names)


def test_a_plain_folder_is_no_dump(tmp_path: Path) -> None:
    in_folder(tmp_path, {"a/namespaces/shop/web.yaml": text(WEB), "b.yaml": text(manifest("ConfigMap", "c"))})
    assert dump_at(str(tmp_path)) is None
    assert titles(tmp_path) == ["configmap/c"]


def test_two_dumps_are_no_cluster(tmp_path: Path) -> None:
    in_folder(tmp_path, {**INSPECT, "inspect.local.8/namespaces/shop/apps/deployments/web.yaml": text(WEB)})
    with pytest.raises(BadFile, match=r"2 dumps: inspect\.local\.7, inspect\.local\.8\. Pass one of them"):
        read(tmp_path)


def test_an_unknown_archive_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"a.yaml": text(WEB)}))
    with pytest.raises(BadFile, match="the archive is none of these dumps: Velero backup, must-gather, cluster-info"):
        read(tmp_path / "a.zip")


def test_the_version_and_redacted_secrets_are_known_after_reading(tmp_path: Path) -> None:
    dump = dump_at(str(in_folder(tmp_path, MUST_GATHER)))
    assert dump is not None
    assert (dump.version, dump.redacted) == ("", 0)
    assert len([*dump.objects(lambda _: None)]) == 6
    assert (dump.version, dump.redacted) == ("1.27.8", 1)
    assert reading.release_in("v1.27.6+b49f9d1") == "1.27"


@pytest.mark.parametrize(
    "content",
    [
        {**ELIDED, "data": []},
        {**ELIDED, "data": {"a": 1}},
        {**ELIDED, "data": {"a": "%%%"}},
        manifest("Node", "n", status=[]),
        manifest("Node", "n", status={"nodeInfo": {"kubeletVersion": "\x1b[31m"}}),
        manifest("ClusterOperator", "kube-apiserver", version="c/v1", status={"versions": [1, {"name": []}]}),
    ],
)
def test_odd_values_say_nothing_of_the_version_or_secrets(tmp_path: Path, content: dict[str, Any]) -> None:
    dump = dump_at(str(in_folder(tmp_path, {"cluster-scoped-resources/core/x.yaml": text(content)})))
    assert dump is not None
    assert len([*dump.objects(lambda _: None)]) == 1
    assert (dump.version, dump.redacted) == ("", 0)


# ---- what cannot be read --------------------------------------------------------------------------------------------


def test_unreadable_files_are_reported_with_their_place_and_the_rest_is_read(tmp_path: Path) -> None:
    tree = {
        "cluster-scoped-resources/core/a.yaml": b"kind: Node\nmetadata: {name: a",
        "cluster-scoped-resources/core/b.yaml": b"just text\n",
        "cluster-scoped-resources/core/c.yaml": listed("Node", manifest("Node", "n"), {"kind": "Node"}),
        "cluster-scoped-resources/core/d.yaml": b"[" * 1000,
        "cluster-scoped-resources/core/e.yaml": b"",
    }
    found, problems = read(in_folder(tmp_path, tree))
    assert [one.title for one in found] == ["node/n"]
    places = [one.removeprefix(f"{tmp_path}/cluster-scoped-resources/core/") for one in problems]
    assert [one[:6] for one in places] == ["a.yaml", "b.yaml", "c.yaml", "d.yaml"]
    assert "c.yaml:1: items[1]: Node has no apiVersion" in places[2]
    assert all(one.endswith(tuple("abcdefghijklmnopqrstuvwxyz]0123456789")) and "\n" not in one for one in places)


def test_without_a_reader_of_problems_they_are_errors(tmp_path: Path) -> None:
    in_folder(tmp_path, {"cluster-scoped-resources/core/a.yaml": b"text"})
    with pytest.raises(MergeError, match="text is not a Kubernetes object"):
        [*read_live([str(tmp_path)], Files())]


def test_a_file_that_cannot_be_opened_is_one_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_folder(tmp_path, {f"cluster-scoped-resources/core/{name}.yaml": text(manifest("Node", name)) for name in "ab"})
    real = open

    def opened(path: str, *rest: Any) -> Any:
        if path.endswith("a.yaml"):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr(reading, "open", opened, raising=False)
    found, problems = read(tmp_path)
    assert [one.title for one in found] == ["node/b"]
    assert problems == [f"{tmp_path}/cluster-scoped-resources/core/a.yaml: Permission denied. Pass a readable file"]


# ---- untrusted archives ---------------------------------------------------------------------------------------------


def entry(name: str, kind: bytes, target: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


ODD = "resources/pods/namespaces/shop/"


@pytest.mark.parametrize(
    "odd",
    [
        (entry(f"{ODD}a.json", tarfile.SYMTYPE, "/etc/passwd"), b""),
        (entry(f"{ODD}a.json", tarfile.LNKTYPE, f"{ODD}web-1.json"), b""),
        (entry(f"{ODD}a.json", tarfile.CHRTYPE), b""),
        (entry(f"{ODD}a.json", tarfile.BLKTYPE), b""),
        (entry(f"{ODD}a.json", tarfile.FIFOTYPE), b""),
        (f"../../{ODD}a.json", text(WEB)),
        (f"/{ODD}a.json", text(WEB)),
        (f"{ODD}a\x1b[31m.json", text(WEB)),
        (f"{ODD}\u202ea.json", text(WEB)),
    ],
)
def test_links_devices_and_unsafe_names_are_reported(tmp_path: Path, odd: Any) -> None:
    found, problems = of_archive(tmp_path, tar([*VELERO.items(), odd]))
    assert sorted(found) == sorted(TITLES)
    (problem,) = problems
    assert problem.startswith("F/a.tar: 1 entry is a link or device, or has an unsafe name: ")
    assert problem.isprintable()


@needs_posix
def test_links_are_followed_only_in_the_folder(tmp_path: Path) -> None:
    folder = in_folder(tmp_path / "dump", {"cluster-scoped-resources/core/a.yaml": text(manifest("Node", "a"))})
    (tmp_path / "secret.yaml").write_bytes(text(manifest("Node", "secret")))
    core = folder / "cluster-scoped-resources" / "core"
    (core / "b.yaml").symlink_to(tmp_path / "secret.yaml")
    (core / "c.yaml").symlink_to(core / "missing.yaml")
    (core / "d.yaml").symlink_to(core / "a.yaml")
    (core / "loop").symlink_to(folder)
    os.mkfifo(core / "e.yaml")
    found, problems = read(folder)
    assert [one.title for one in found] == ["node/a"]
    assert len(problems) == 1
    assert "3 entries are links or devices" in problems[0]


def test_the_last_of_several_files_with_one_name_counts(tmp_path: Path) -> None:
    name = f"{ODD}a.json"
    twice = [(name, text(manifest("Pod", "old", "shop"))), (f"./{name}", text(manifest("Pod", "new", "shop")))]
    assert of_archive(tmp_path, tar(twice)) == (["pod/new"], [])


def test_long_names_are_read(tmp_path: Path) -> None:
    name = f"{ODD}{'a' * 200}.json"
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        path = tmp_path / f"{form}.tar"
        with tarfile.open(path, "w", format=form) as archive:
            info = tarfile.TarInfo(name)
            info.size = len(text(WEB))
            (tmp_path / "web").write_bytes(text(WEB))
            with (tmp_path / "web").open("rb") as content:
                archive.addfile(info, content)
        assert titles(path) == ["deployment.apps/web"]


def test_a_bomb_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "FREE", 1 << 16)
    bomb = [*VELERO.items(), ("zeros", bytes(4 << 20)), (f"{ODD}z.json", text(WEB))]
    found, problems = of_archive(tmp_path, tar(bomb, "w:gz"), "a.tgz")
    assert sorted(found) == sorted(TITLES)
    assert problems == ["F/a.tgz: its content is over 200 times larger than the file. Unpack it if that is intended"]
    _, problems = of_archive(tmp_path, zipped({**VELERO, f"{ODD}z.json": bytes(4 << 20)}), "a.zip")
    assert problems == ["F/a.zip: its content is over 200 times larger than the file. Unpack it if that is intended"]


def test_a_huge_header_is_not_read(tmp_path: Path) -> None:
    data = entry("a", tarfile.XHDTYPE, size=1 << 30).tobuf() + tar(VELERO)
    with pytest.raises(containers.BadArchive, match=r"has a header of 1073741824 bytes\. Create it again"):
        of_archive(tmp_path, data)


def test_the_size_and_number_of_files_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 1 << 20)
    found, problems = of_archive(tmp_path, tar({**VELERO, f"{ODD}big.json": bytes(2 << 20)}))
    assert sorted(found) == sorted(TITLES)
    assert problems == [f"F/a.tar/{ODD}big.json: more than 1 MiB. Split it into several files"]
    monkeypatch.setattr(containers, "MOST_FILES", 5)
    found, problems = of_archive(tmp_path, tar(VELERO))
    assert problems == ["F/a.tar: more than 5 files. Remove its logs"]
    assert found


def test_a_truncated_archive_is_read_up_to_its_end(tmp_path: Path) -> None:
    data = tar(VELERO, "w:gz")
    found, problems = of_archive(tmp_path, data[:-40], "a.tgz")
    assert problems == ["F/a.tgz: the rest of the archive cannot be read: it is cut off. Create it again"]
    assert {"deployment.apps/web", "pod/web-1"} <= {*found}


@pytest.mark.parametrize("packed", ARCHIVES)
def test_damage_never_crashes(tmp_path: Path, packed: str) -> None:
    """Any error is a sentence, and files that are read are those of the archive."""
    whole, chance = ARCHIVES[packed](VELERO), random.Random(7)
    for _ in range(25):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if chance.random() < 0.3:
            del data[chance.randrange(len(data)) :]
        try:
            _, problems = of_archive(tmp_path, bytes(data), packed)
        except MergeError as error:
            problems = [str(error)]
        assert all(one.isprintable() for one in problems)


def test_files_are_read_one_after_the_other(tmp_path: Path) -> None:
    """The first object is there before the second file is opened."""
    in_folder(tmp_path, {f"cluster-scoped-resources/core/{at}.yaml": text(manifest("Node", str(at))) for at in "123"})
    found = read_live([str(tmp_path)], Files())
    assert next(found).title == "node/1"
    (tmp_path / "cluster-scoped-resources/core/2.yaml").write_bytes(text(manifest("Node", "late")))
    assert [one.title for one in found] == ["node/late", "node/3"]


# ---- the output of cluster-info dump --------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_the_output_of_cluster_info_dump(form: str) -> None:
    assert titles(RECORDED / f"cluster-info.{form}.txt") == sorted(RECORDED_TITLES)


START, END = "==== START logs for container c of pod n/p ====\n", "==== END logs for container c of pod n/p ====\n"


@pytest.mark.parametrize(
    ("data", "left"),
    [
        (f"a\n{START}x\ny\n{END}b\n", "a\n\n\n\n\nb\n"),
        (f"{START}{END}b\n", "\n\nb\n"),
        (f"{START}no newline{END}{START}2{END}b\n", "\n\n\n\nb\n"),
        (f"a\n{START}{END.replace('n/p', 'n/q')}{{}}\n{START}{END}b\n", "a\n\n\n\n\n\nb\n"),
        (f"a\n{START}never ends\n", "a\n\n\n"),
        (f"a {START}b\n", f"a {START}b\n"),
        (f"a\n  {START}b\n", f"a\n  {START}b\n"),
        ("a\n==== START logs for container ", "a\n==== START logs for container "),
        ("a\n==== START logs", "a\n==== START logs"),
        ("", ""),
    ],
)
def test_logs_are_replaced_by_empty_lines(data: str, left: str) -> None:
    class Slow:
        def __init__(self, size: int) -> None:
            self.rest, self.size = data.encode(), size

        def read(self, _size: int) -> bytes:
            found, self.rest = self.rest[: self.size], self.rest[self.size :]
            return found

    if not left.endswith("container "):
        assert without_logs(data.encode()) == left.encode()
    for size in (1, 2, 7, 50, 1000):
        stream, found = WithoutLogs(Slow(size)), b""
        while part := stream.read(size):
            found += part
        assert found.replace(b"\n\n", b"\n").strip() == left.encode().replace(b"\n\n", b"\n").strip() or (
            found == left.encode()
        ), size
