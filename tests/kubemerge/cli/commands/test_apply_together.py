"""Concurrent applies: the final objects are as if one had waited for the other, and nothing is hidden."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kubemerge.cluster import open_cluster

from ...objects import ANNOTATION, config_map, deployment, write
from ...processes import running, started

if TYPE_CHECKING:
    from pathlib import Path

SIZE = 200
"""Objects that each applies."""


def config(who: str, turn: int) -> list[dict[str, Any]]:
    """Own objects, and others that both have, each with fields that the other one has not."""
    own = [config_map(f"{who}-{number}", {who: str(turn)}) for number in range(SIZE // 2)]
    both = [config_map(f"both-{number}", {f"{who}-{turn}": "x"}) for number in range(SIZE // 4)]
    webs = [deployment(f"web-{number}", revisionHistoryLimit=turn) for number in range(SIZE // 4)]
    return own + both + webs


def test_two_applies_and_a_scaler(tmp_path: Path) -> None:
    file = str(tmp_path / "c.db")
    names = [f"web-{number}" for number in range(SIZE // 4)]
    with running("-m", "tests.kubemerge.scaler", file, *names) as scaler:
        for turn in range(3):
            apply_together(tmp_path, file, turn)
            check_config_maps(file, turn)
        said, errors = scaler.communicate()
    assert (scaler.returncode, errors) == (0, "")
    with open_cluster(file, mode="read") as cluster:
        webs = {one["metadata"]["name"]: one["spec"] for one in cluster.list("apps/v1", "Deployment")}
    assert {name: spec["replicas"] for name, spec in webs.items()} == json.loads(said)
    assert {spec["revisionHistoryLimit"] for spec in webs.values()} == {2}


def apply_together(folder: Path, file: str, turn: int) -> None:
    """Both applies at once. Each succeeds, and prints nothing about the other."""
    for who in ("one", "two"):
        write(folder, f"{who}.yaml", *config(who, turn))
    processes = [started(folder, "apply", "-f", f"{who}.yaml", "--cluster", file) for who in ("one", "two")]
    for process in processes:
        said, errors = process.communicate()
        assert (process.returncode, errors) == (0, "")
        assert len(said.splitlines()) == SIZE


def check_config_maps(file: str, turn: int) -> None:
    """Each object equals the config of one of the two, without any part of the other one."""
    with open_cluster(file, mode="read") as cluster:
        found = {one["metadata"]["name"]: one for one in cluster.list("v1", "ConfigMap", namespace="default")}
    found = {name: one for name, one in found.items() if not name.startswith("kube-")}
    assert len(found) == 2 * (SIZE // 2) + SIZE // 4
    for name, one in found.items():
        who = name.partition("-")[0]
        allowed = ([{f"{each}-{turn}": "x"} for each in ("one", "two")]) if who == "both" else [{who: str(turn)}]
        assert one["data"] in allowed
        assert json.loads(one["metadata"]["annotations"][ANNOTATION])["data"] == one["data"]


def test_an_apply_that_nobody_listens_to_any_more_does_not_go_on_and_says_so(tmp_path: Path) -> None:
    write(tmp_path, "all.yaml", *(config_map(f"x{number}") for number in range(2000)))
    with started(tmp_path, "apply", "-f", "all.yaml", "--cluster", "c.db") as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors.count("\n")) == (1, 1)
    assert "standard output was closed too early" in errors
    with open_cluster(str(tmp_path / "c.db"), mode="read") as cluster:
        assert 0 < len(list(cluster.list("v1", "ConfigMap", namespace="default"))) < 2000
