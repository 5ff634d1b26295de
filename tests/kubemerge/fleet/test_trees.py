"""Trees and archives of clusters in a fleet, and their Helm releases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.fleet.checks.base import Rules
from kubemerge.fleet.checks.drift import Drift
from kubemerge.fleet.checks.helm import Helm
from kubemerge.fleet.checks.release_config import ReleasesOf
from kubemerge.fleet.reading import trees
from kubemerge.fleet.reading.items import Item, items
from kubemerge.fleet.reading.parts import parts
from kubemerge.fleet.reading.sources import BadSource, sources, unchanged
from kubemerge.manifests.objects import manifests_in

from ..manifests.dump_files import (
    MUST_GATHER,
    RECORDED,
    TITLES,
    VELERO,
    WEB,
    cluster_info,
    in_folder,
    manifest,
    tar,
    text,
    zipped,
)

if TYPE_CHECKING:
    from pathlib import Path

RELEASES = json.loads((RECORDED / "helm-releases.json").read_text(encoding="utf-8"))["items"]


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    in_folder(tmp_path / "north", MUST_GATHER)
    in_folder(tmp_path / "south", cluster_info())
    in_folder(tmp_path / "east", {"b.tar.gz": tar(VELERO, "w:gz"), "notes.txt": b"", "logs.gz": b"no tar"})
    in_folder(tmp_path, {"west.zip": zipped(VELERO), "up.json": (RECORDED / "cluster-info.json.txt").read_bytes()})
    return tmp_path


def read(folder: Path, size: int = 1 << 24) -> dict[str, list[str]]:
    """The titles of the objects of each cluster, or the problems."""
    found: dict[str, list[str]] = {}
    for part in parts(sources([str(folder)]), size):
        for item in items(part):
            named = [one.title for one in manifests_in(item.text, item.source)] if not item.problem else [item.problem]
            found.setdefault(item.cluster, []).extend(named)
    return {cluster: sorted(titles) for cluster, titles in found.items()}


@pytest.mark.parametrize("size", [1 << 24, 1 << 10])
def test_each_object_of_each_cluster_is_read_once(fleet: Path, size: int) -> None:
    recorded = ["deployment.apps/web", "node/n1", "pod/web-1", "service/web"]
    assert read(fleet, size) == {
        "east": sorted(TITLES),
        "north": sorted({*TITLES, "clusteroperator.config.openshift.io/kube-apiserver"}),
        "south": recorded,
        "up": recorded,
        "west": sorted(TITLES),
    }


def test_a_tree_is_one_source_with_the_size_of_its_files(fleet: Path) -> None:
    (found,) = [one for one in sources([str(fleet)]) if one.cluster == "north"]
    assert (found.form, found.size) == ("tree", sum(map(len, MUST_GATHER.values())))
    assert [*unchanged(found, iter([1]))] == [1]
    (fleet / "north" / next(iter(MUST_GATHER))).write_bytes(b"changed")
    with pytest.raises(BadSource, match="changed while it was read"):
        [*unchanged(found, iter([]))]


def test_the_cluster_of_a_tree_that_is_named_itself(fleet: Path) -> None:
    path = f"{fleet}/north/must-gather.local.5"
    assert [one.cluster for one in sources([path])] == ["must-gather.local.5"]
    assert [one.cluster for one in sources([path], "folder")] == ["north"]
    assert [one.cluster for one in sources([f"{fleet}/north"], "file")] == ["must-gather.local.5"]


def test_other_file_systems_are_listed(fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Object storage has no folders and links to look at."""
    before = read(fleet)
    monkeypatch.setattr(trees, "is_local", lambda _system: False)
    assert read(fleet) == before


def test_links_in_a_tree_do_not_end_the_run(fleet: Path) -> None:
    (fleet / "north" / "must-gather.local.5" / "latest").symlink_to(fleet / "south")
    assert len(read(fleet)["north"]) == 6


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.tar", b"text", "a.tar: no tar or zip file. Rename it, or create it again"),
        ("a.tar", tar({"a.txt": b""}), "a.tar: the archive is none of these dumps: Velero backup, must-gather"),
        ("a.tar.gz", tar(VELERO, "w:gz")[:-40], "a.tar.gz: the rest of the archive cannot be read: it is cut off"),
        ("a.zip", zipped(VELERO).replace(b"\x00\x00\x00\x08", b"\x00\x00\x00\x63"), "cannot be read: "),
    ],
)
def test_a_damaged_archive_is_a_problem_of_its_cluster(tmp_path: Path, name: str, data: bytes, problem: str) -> None:
    found = read(in_folder(tmp_path, {f"north/{name}": data}))
    assert any(problem in one for one in found["north"])


def test_a_damaged_file_of_an_archive_is_one_problem(tmp_path: Path) -> None:
    data = zipped(VELERO)
    at = data.index(b"resources/pods/namespaces/shop/web-1.json") + 60
    found = read(in_folder(tmp_path, {"north/a.zip": data[:at] + b"\xff\xff\xff" + data[at + 3 :]}))
    problems = [one for one in found["north"] if "the file cannot be read" in one]
    assert len(problems) == 1
    assert len(found["north"]) == 5


# ---- Helm -----------------------------------------------------------------------------------------------------------


def helm_rows(*objects: dict[str, Any]) -> list[Any]:
    check = Helm(Rules())
    return [row for one in objects for row in check.rows(Item("c", text(one), "s"))]


def test_releases_of_helm_3_and_4_and_of_both_drivers_are_listed() -> None:
    found = {row.name: row for row in helm_rows(*RELEASES)}
    assert {name: row.text for name, row in found.items()} == {
        "cm3": "revision 1 of shop 1.2.3 (app 7.1), applied client-side",
        "cm4": "revision 1 of shop 1.2.3 (app 7.1), applied server-side",
        "shop3": "revision 2 of shop 1.2.3 (app 7.1), applied client-side",
        "shop4": "revision 2 of shop 1.2.3 (app 7.1), applied server-side",
    }
    row = found["shop4"]
    assert (row.namespace, row.kind, row.what, row.severity) == ("shop", "HelmRelease", "deployed", "info")
    assert json.loads(row.after) == {
        "chart": "shop",
        "version": "1.2.3",
        "appVersion": "7.1",
        "revision": 2,
        "method": "server-side",
    }


def test_an_unreadable_release_is_an_error_without_its_values() -> None:
    secret = next(one for one in RELEASES if one["kind"] == "Secret")
    (row,) = helm_rows({**secret, "data": {"release": "c2VjcmV0"}})
    assert (row.severity, row.kind) == ("error", "Secret")
    assert "c2VjcmV0" not in row.text


def drift(folder: Path, live: dict[str, Any]) -> list[Any]:
    (source,) = sources([str(folder)])
    check = Drift(Rules("1.37"), config=(ReleasesOf(source.cluster, (source,)),))
    return check.rows(Item(source.cluster, text(live), "s"))


def test_the_manifest_of_a_release_is_the_config(tmp_path: Path) -> None:
    more = {f"resources/x/namespaces/shop/{one['metadata']['name']}.json": text(one) for one in RELEASES}
    in_folder(tmp_path, {"north/b.tar.gz": tar({**VELERO, **more}, "w:gz")})
    live = next(one for one in RELEASES if one["metadata"]["name"] == "shop4-settings")
    assert drift(tmp_path, live) == []
    (row,) = drift(tmp_path, {**live, "data": {"level": "trace"}})
    assert (row.path, row.before, row.after, row.what) == ("data.level", '"trace"', '"debug"', "changed")
    other = {**live, "metadata": {**live["metadata"], "namespace": "other"}}
    assert drift(tmp_path, {**other, "data": {"level": "trace"}}) == []
    assert drift(tmp_path, WEB) == []


def test_a_redacted_release_is_an_error_of_each_object(tmp_path: Path) -> None:
    secret = next(one for one in RELEASES if one["kind"] == "Secret" and one["metadata"]["name"].endswith("v2"))
    elided = {**secret, "data": {"release": "MTIgYnl0ZXMgbG9uZw=="}}
    in_folder(tmp_path, {"north/namespaces/shop/core/secrets/a.yaml": text(elided)})
    (row,) = drift(tmp_path, manifest("ConfigMap", "a", "shop"))
    assert row.severity == "error"
    assert "data.release is redacted" in row.text
