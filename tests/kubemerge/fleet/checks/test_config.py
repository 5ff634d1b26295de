"""The config of each cluster is read when the cluster is checked, and only a limited number is cached."""

from __future__ import annotations

import json
from collections import ChainMap
from typing import TYPE_CHECKING

import pytest

from kubemerge.fleet.checks import config
from kubemerge.fleet.checks.base import Rules
from kubemerge.fleet.checks.config import BadConfig, Config, ConfigFile
from kubemerge.fleet.checks.drift import Drift
from kubemerge.fleet.checks.migrate import Migrate
from kubemerge.manifests.objects import Manifest

from ..fleets import config as wanted
from ..test_definitions import definition, ledger

if TYPE_CHECKING:
    from pathlib import Path

RULES = Rules("1.31")


def file(folder: Path, cluster: str, *numbers: int) -> ConfigFile:
    path = folder / f"{cluster}.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [wanted(1, one) for one in numbers]}))
    return ConfigFile.later(cluster, str(path), path.read_bytes())


def names(of: Config, cluster: str) -> set[str]:
    return {one.content["metadata"]["name"] for one in of.of(cluster).values()}


def test_what_is_for_all_clusters_and_for_one(tmp_path: Path) -> None:
    common = ConfigFile("", "all.json", json.dumps(wanted(1, 9)).encode())
    found = Config((common, file(tmp_path, "north", 1, 2), file(tmp_path, "south", 3)), RULES)
    assert names(found, "north") == {"app-9", "app-1", "app-2"}
    assert names(found, "south") == {"app-9", "app-3"}
    assert names(found, "west") == {"app-9"}


@pytest.mark.parametrize("data", ["{}", None], ids=["changed", "gone"])
def test_a_file_that_is_not_what_it_was_is_refused_each_time(data: str | None, tmp_path: Path) -> None:
    found = Config((file(tmp_path, "north", 1),), RULES)
    path = tmp_path / "north.json"
    path.unlink() if data is None else path.write_text(data)
    for _ in range(2):
        with pytest.raises(BadConfig, match=r"north\.json: (changed since|No such file)"):
            found.of("north")
    path.write_text("{}")  # it is not looked at again for each object of the cluster
    with pytest.raises(BadConfig):
        found.of("north")


def test_an_error_is_another_one_each_time(tmp_path: Path) -> None:
    """An exception that is raised again collects the tracebacks of all times, and keeps their variables in memory."""
    found = Config((file(tmp_path, "north", 1),), RULES)
    (tmp_path / "north.json").write_text("{}")
    depths = []
    for _ in range(5):
        with pytest.raises(BadConfig) as error:
            found.of("north")
        depths.append(len(error.traceback))
    assert len({*depths}) == 1


def test_what_a_cluster_has_itself_takes_the_place_of_what_is_for_all(tmp_path: Path) -> None:
    common = [wanted(1, one) for one in (1, 2)]
    for one in common:
        one["metadata"]["labels"] = {"from": "all"}
    every = [ConfigFile("", f"{at}.json", json.dumps(one).encode()) for at, one in enumerate(common)]
    found = Config((*every, file(tmp_path, "north", 2, 3)), RULES)
    labels = {one.content["metadata"]["name"]: one.content["metadata"]["labels"] for one in found.of("north").values()}
    assert labels == {"app-1": {"from": "all"}, "app-2": {"app": "app-2"}, "app-3": {"app": "app-3"}}
    assert {str(one.content["metadata"]["labels"]) for one in found.of("south").values()} == {"{'from': 'all'}"}


def test_a_cluster_with_the_same_object_twice_is_refused(tmp_path: Path) -> None:
    found = Config((file(tmp_path, "north", 1, 1),), RULES)
    with pytest.raises(BadConfig, match=r"is also in .*north\.json.*\. Remove one of them"):
        found.of("north")


def test_an_object_whose_name_is_to_be_generated_is_refused_as_an_apply_refuses_it(tmp_path: Path) -> None:
    path = tmp_path / "north.json"
    path.write_text(json.dumps({**wanted(1, 1), "metadata": {"generateName": "app-"}}))
    said = r"north\.json:1: .*: from app-: cannot use generate name with apply; give metadata\.name"
    with pytest.raises(BadConfig, match=said):
        Config((ConfigFile.later("north", str(path), path.read_bytes()),), RULES).of("north")
    with pytest.raises(BadConfig, match=said):
        Config((ConfigFile("", str(path), path.read_bytes()),), RULES)


def test_what_is_for_all_clusters_is_in_memory_once(tmp_path: Path) -> None:
    common = ConfigFile("", "all.json", json.dumps(wanted(1, 9)).encode())
    found = Config((common, file(tmp_path, "north", 1), file(tmp_path, "south", 2)), RULES)
    every = [found.of(cluster) for cluster in ("north", "south")]
    assert all(isinstance(one, ChainMap) and one.maps[1] is found.of("west") for one in every)


def test_a_definition_of_a_cluster_decides_about_its_objects_and_no_others(tmp_path: Path) -> None:
    own = definition(size="integer")
    path = tmp_path / "north.json"
    path.write_text(json.dumps({**own, "spec": {**own["spec"], "scope": "Cluster"}}))
    common = ConfigFile("", "all.json", json.dumps({**own, "metadata": {"name": "ledgers.shop.example.com"}}).encode())
    found = Config((common, ConfigFile.later("north", str(path), path.read_bytes())), RULES)
    live = Manifest("live", ledger("a"))
    assert found.placed("north", live).content["metadata"].get("namespace") is None
    assert found.placed("south", live).content["metadata"].get("namespace") == "a"


def test_a_work_can_read_the_config_of_a_cluster_before_its_objects_come(tmp_path: Path) -> None:
    files = (file(tmp_path, "north", 1), ConfigFile.later("south", str(tmp_path / "gone.json"), b""))
    for work in (Drift(RULES, config=files), Migrate(RULES, config=files)):
        work.prepare("south")  # its error is reported for each object
        work.prepare("north")
        assert [*work._config._known] == ["north"]


def test_few_clusters_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = tuple(file(tmp_path, f"prod-{at}", *range(at, at + 3)) for at in range(20))
    monkeypatch.setattr(config, "_KEPT", 4000)
    found = Config(files, RULES)
    for at in (*range(20), *range(20)):
        assert names(found, f"prod-{at}") == {f"app-{at + more}" for more in range(3)}
        assert sum(one.size for one in found._known.values()) < 6000
    assert 0 < len(found._known) < 5


def test_works_with_other_definitions_share_the_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = tuple(file(tmp_path, f"prod-{at}", *range(at, at + 3)) for at in range(8))
    monkeypatch.setattr(config, "_KEPT", 4000)
    every = [Config(files, RULES) for _ in range(4)]
    for at in range(8):
        assert names(every[at % 4], f"prod-{at}") == {f"app-{at + more}" for more in range(3)}
    assert sum(one.size for found in every for one in found._known.values()) < 6000
    assert names(every[0], "prod-0") == {"app-0", "app-1", "app-2"}
