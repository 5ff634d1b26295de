"""`{cluster}` in the path of a config stands for names of clusters. Missing clusters are reported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kubemerge.cli.runs.fleet import _config
from kubemerge.manifests.files import BadFile

from .fleets import config
from .test_run import fleet, scheduler  # noqa: F401 - fixtures

if TYPE_CHECKING:
    from pathlib import Path

    from ..shell import Shell

pytestmark = pytest.mark.filterwarnings("ignore")
"""Dask leaves resources open, which causes warnings."""

FILES = (
    "c/north/a.yaml",
    "c/north/more/b.yaml",
    "c/north/north.yaml",
    "c/south/a.yaml",
    "c/south/notes.txt",
    "c/we[s]t/a.yaml",
    "flat/prod-north.json",
    "flat/other.json",
    "eu/c/north/x.yaml",
    "us/c/south/x.yaml",
)
EVERY = ["north: a.yaml b.yaml north.yaml", "south: a.yaml", "we[s]t: a.yaml"]
PATTERNS = {
    "c/{cluster}": EVERY,
    "c/{cluster}/": EVERY,
    "c/{cluster}/*.yaml": ["north: a.yaml north.yaml", "south: a.yaml", "we[s]t: a.yaml"],
    "c/{cluster}/**/*.yaml": EVERY,
    "c/{cluster}/[b-z]*": ["north: north.yaml", "south: notes.txt"],
    "c/{cluster}/more": ["north: b.yaml"],
    "c/{cluster}/{cluster}.yaml": ["north: north.yaml"],
    "flat/prod-{cluster}.json": ["north: prod-north.json"],
    "*/c/{cluster}/": ["north: x.yaml", "south: x.yaml"],
    "{cluster}/c/{cluster}/": None,
    "clutsers/{cluster}/": None,
    "c/{cluster}/*.yml": None,
    "s3://bucket/{cluster}.yaml": None,
}
"""Paths, and the resulting files of each cluster. None is an error."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number, name in enumerate(FILES):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(config(1, number)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("begin", ["", "absolute"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_files_of_clusters(pattern: str, begin: str, folder: Path) -> None:
    wanted, path = PATTERNS[pattern], f"{folder}/{pattern}" if begin else pattern
    if wanted is None:
        with pytest.raises(BadFile, match=r"no files for any cluster\. .* as in clusters/\{cluster\}/\*\.yaml"):
            _config([path])
        return
    found: dict[str, list[str]] = {}
    for one in _config([path]) or ():
        found.setdefault(one.cluster, []).append(one.source.rpartition("/")[2])
    assert [f"{cluster}: {' '.join(sorted(names))}" for cluster, names in found.items()] == wanted


def test_a_name_that_is_not_clear_is_refused(folder: Path) -> None:
    with pytest.raises(BadFile, match=r"prod-\{cluster\}\*\.json: the cluster name in it is ambiguous"):
        _config(["flat/prod-{cluster}*.json"])


@pytest.mark.parametrize("work", ["drift", "migrate"])
def test_a_path_that_has_no_file_ends_a_run_before_it_begins(work: str, shell: Shell, fleet: Path) -> None:  # noqa: F811
    assert shell.run("fleet", work, fleet, "-f", "clutsers/{cluster}/", "--out", "out") == 2
    assert "clutsers/{cluster}/: no files for any cluster" in shell.err
    assert not (shell.folder / "out").exists()


@pytest.mark.parametrize("work", ["drift", "migrate"])
def test_clusters_without_a_config_are_told(work: str, shell: Shell, fleet: Path, scheduler: str) -> None:  # noqa: F811
    for name in ("clusters/prod-1", "others/prod-9"):
        (shell.folder / name).mkdir(parents=True)
        shell.write(f"{name}/c.json", *(config(1, at) for at in range(60)))
    shared = ("fleet", work, fleet, "--scheduler", scheduler)
    assert shell.run(*shared, "-f", "clusters/{cluster}", "--out", "one") == 1
    assert "no config for 1 cluster of the dumps: prod-0. {cluster} in -f is replaced by" in shell.err
    assert "dump, but no config, so not checked: 1 cluster (prod-0)\n" in shell.out
    assert shell.run(*shared, "-f", "others/{cluster}", "--out", "none") == 2
    assert "no config for 2 clusters of the dumps: prod-0, prod-1. {cluster} in -f" in shell.err
    assert shell.run(*shared, "-f", "others/{cluster}", "-f", "clusters/prod-1/c.json", "--out", "common") == 1
    assert "no config for 2 clusters of the dumps" in shell.err
    assert "but no config" not in shell.out  # there is one for all


@pytest.mark.parametrize("size", ["many", "1023", "-1GiB", "1e999", "16TX"])
def test_a_part_has_a_size(size: str, shell: Shell, fleet: Path) -> None:  # noqa: F811
    assert shell.run("fleet", "owners", fleet, "--out", "out", f"--part-size={size}") == 2
    assert f"--part-size: '{size}' is not a size of at least 1KiB. Write it as 16MiB" in shell.err


def test_a_part_may_have_a_size_with_a_unit(shell: Shell, fleet: Path, scheduler: str) -> None:  # noqa: F811
    for size, out in (("20KiB", "a"), ("20480", "b")):
        shell.run("fleet", "owners", fleet, "--scheduler", scheduler, "--out", out, "--part-size", size)
    names = [sorted(one.name for one in (shell.folder / out).iterdir()) for out in "ab"]
    assert names[0] == names[1]
    assert len(names[0]) > 5
