"""Missing objects are reported for clusters that could be read, and for no others."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.fleet import gaps
from kubemerge.fleet.checks.config import ConfigFile
from kubemerge.fleet.checks.table import Checks, CheckSpec
from kubemerge.fleet.gaps import key_of, with_gaps
from kubemerge.fleet.missing import cluster_groups, missing_rows
from kubemerge.fleet.reading.parts import Part
from kubemerge.fleet.reading.sources import Source
from kubemerge.fleet.results import Results, Tally
from kubemerge.fleet.rows import Row, batch
from kubemerge.fleet.summary import summarized
from kubemerge.fleet.workers import cluster_of

from .fleets import config, live
from .test_run import rows, scheduler  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from kubemerge.fleet.missing import ClusterGroup

    from ..shell import Shell

pytestmark = pytest.mark.filterwarnings("ignore")
"""Dask leaves resources open, which causes warnings."""


def dumped(*numbers: int) -> bytes:
    return b"".join(json.dumps(live(1, "a", one)).encode() + b"\n" for one in numbers)


def put(folder: Path, **files: bytes) -> None:
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name.replace("_", ".")).write_bytes(data)


def found(folder: Path, what: str) -> list[tuple[str, str]]:
    return sorted(
        (one["cluster"], one["name"]) for text in rows(folder) for one in [json.loads(text)] if one["what"] == what
    )


def drift(shell: Shell, address: str, *more: str, config: str = "config.json") -> int:
    shared = ("--scheduler", address, "--no-definitions", "--out", "out")
    return shell.run("fleet", "drift", "dumps", "-f", config, *shared, *more)


def test_of_a_dump_that_breaks_off_nothing_is_missing(shell: Shell, scheduler: str) -> None:  # noqa: F811
    shell.write("config.json", *(config(1, at) for at in range(10)))
    packed = gzip.compress(dumped(*range(9)), mtime=0)
    put(shell.folder / "dumps", north_jsonl=dumped(*range(9)), south_jsonl_gz=packed[: len(packed) // 2])
    put(shell.folder / "dumps", west_jsonl=dumped(*range(8)) + b'{"apiVersion": "v1"')
    assert drift(shell, scheduler) == 2
    assert found(shell.folder / "out", "missing") == [("north", "app-9")]
    assert "partly unreadable, so findings may be missing: 2 clusters (south, west)\n" in shell.out
    assert drift(shell, scheduler, "-o", "json") == 2
    assert json.loads(shell.out)["incomplete"] == ["south", "west"]


@pytest.mark.parametrize("text", [b"", b'{"apiVersion": "v1", "kind": "List", "items": []}'], ids=["nothing", "list"])
@pytest.mark.parametrize("words", [("lint", "dumps"), ("drift", "dumps", "-f", "config.json")], ids=["lint", "drift"])
def test_an_empty_dump_is_no_clean_cluster(
    words: tuple[str, ...],
    text: bytes,
    shell: Shell,
    scheduler: str,  # noqa: F811
) -> None:
    shell.write("config.json", config(1, 0))
    put(shell.folder / "dumps", north_jsonl=dumped(0), south_json=text)
    shared = ("--scheduler", scheduler, "--no-definitions", "--out", "out", "-o", "json")
    for _ in range(2):
        assert shell.run("fleet", *words, *shared) == 2
        [one] = [one for one in map(json.loads, rows(shell.folder / "out")) if one["cluster"] == "south"]
        assert (one["what"], one["severity"], one["source"]) == ("unreadable", "error", "dumps/south.json")
        assert one["text"].startswith("its dump has no objects")
        assert {"cluster": "south", "kind": "", "what": "unreadable", "severity": "error", "rows": 1} in json.loads(
            shell.out
        )["counts"]


def test_an_empty_file_beside_others_of_its_cluster_is_nothing(shell: Shell, scheduler: str) -> None:  # noqa: F811
    put(shell.folder / "dumps")
    put(shell.folder / "dumps" / "north", pods_jsonl=dumped(0), jobs_json=b'{"kind": "List", "items": []}')
    assert shell.run("fleet", "upgrade", "1.36..1.37", "dumps", "--scheduler", scheduler, "--out", "out") == 0
    assert rows(shell.folder / "out") == []


def test_a_cluster_with_config_and_no_dump_is_told(shell: Shell, scheduler: str) -> None:  # noqa: F811
    put(shell.folder / "dumps", north_jsonl=dumped(0))
    for name in ("north", "south", "west"):
        (shell.folder / "clusters" / name).mkdir(parents=True)
        shell.write(f"clusters/{name}/c.json", config(1, 0))
    assert drift(shell, scheduler, config="clusters/{cluster}") < 2
    assert "config, but no dump: 2 clusters (south, west)\n" in shell.out


EXPECTED = "# all of ours\nnorth\n\nwest \r\n  east\n"


def test_a_cluster_that_is_expected_and_has_no_dump_is_told_and_so_is_one_that_is_not_expected(
    shell: Shell,
    scheduler: str,  # noqa: F811
) -> None:
    put(shell.folder / "dumps", north_jsonl=dumped(0), south_jsonl=dumped(1))
    shared = ("fleet", "upgrade", "1.36..1.37", "dumps", "--scheduler", scheduler, "--out", "out")
    assert shell.run(*shared) == 0
    (shell.folder / "clusters.txt").write_text(EXPECTED, encoding="utf-8-sig")
    assert shell.run(*shared, "--expect", "clusters.txt", "--html", "page.html") == 2  # on results that are there
    assert shell.out.endswith(
        "expected, but in no readable dump: 2 clusters (east, west)\n"
        "unexpected, but there is a dump: 1 cluster (south)\n"
    )
    page = (shell.folder / "page.html").read_text(encoding="utf-8")
    assert "<b>Expected, but in no readable dump: 2 clusters.</b>" in page
    assert "<dt>expect</dt><dd>clusters.txt</dd>" in page
    assert shell.run(*shared, "--expect", "clusters.txt", "-o", "json") == 2
    found = json.loads(shell.out)
    assert (found["absent"], found["unexpected"]) == (["east", "west"], ["south"])
    (shell.folder / "clusters.txt").write_text("south\nnorth")
    assert shell.run(*shared, "--expect", "clusters.txt") == 0
    (shell.folder / "clusters.txt").write_text("north")
    assert shell.run(*shared, "--expect", "clusters.txt") == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"# nobody\n\n", "clusters.txt: no cluster names. Write one cluster name per line"),
        (b"\xff\xfe", "clusters.txt: not UTF-8 text. Write one cluster name per line"),
        (None, "clusters.txt: "),
    ],
)
def test_a_file_that_does_not_say_what_is_expected_is_refused_before_anything_is_done(
    text: bytes | None, said: str, shell: Shell
) -> None:
    put(shell.folder / "dumps", north_jsonl=dumped(0))
    if text is not None:
        (shell.folder / "clusters.txt").write_bytes(text)
    assert shell.run("fleet", "owners", "dumps", "--out", "out", "--expect", "clusters.txt") == 2
    assert said in shell.err
    assert not (shell.folder / "out").exists()


def test_what_is_expected_is_looked_for_in_the_columns_of_parquet_too(
    shell: Shell,
    scheduler: str,  # noqa: F811
) -> None:
    arrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    texts = [json.dumps(live(1, "a", at)) for at in range(3)]
    put(shell.folder / "dumps")
    files.write_table(arrow.table({"object": texts, "cluster": ["north", "south", "south"]}), "dumps/all.parquet")
    (shell.folder / "clusters.txt").write_text("north\nwest")
    shared = ("--scheduler", scheduler, "--out", "out", "--expect", "clusters.txt", "-o", "json")
    assert shell.run("fleet", "upgrade", "1.36..1.37", "dumps", *shared) == 2
    found = json.loads(shell.out)
    assert (found["absent"], found["unexpected"]) == (["west"], ["south"])
    assert sorted((one["cluster"], one["objects"]) for one in found["looked"]) in (
        [("north", 1), ("south", 1), ("south", 1)],
        [("north", 1), ("south", 2)],
    )


def test_what_is_missing_is_looked_for_once(
    shell: Shell,
    scheduler: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shell.write("config.json", *(config(1, at) for at in range(3)))
    put(shell.folder / "dumps", north_jsonl=dumped(0, 1), south_jsonl=dumped(0))
    looked: list[int] = []

    def batches(*given: Any) -> Any:
        looked.append(1)
        return real(*given)

    real = gaps._batches
    monkeypatch.setattr(gaps, "_batches", batches)
    assert drift(shell, scheduler) == 1
    said = shell.out
    assert drift(shell, scheduler) == 1
    assert (shell.out, len(looked)) == (said, 1)
    next(one for one in (shell.folder / "out").iterdir() if b'["north"]' in one.read_bytes()).unlink()
    assert drift(shell, scheduler) == 1
    assert (shell.out, len(looked)) == (said, 2)


def test_what_is_missing_goes_when_a_part_is_looked_at_again_and_fails(
    shell: Shell,
    scheduler: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shell.write("config.json", *(config(1, at) for at in range(3)))
    put(shell.folder / "dumps", north_jsonl=dumped(0, 1), south_jsonl=dumped(0, 1, 2))
    drift(shell, scheduler)
    assert found(shell.folder / "out", "missing") == [("north", "app-2")]
    next(one for one in (shell.folder / "out").iterdir() if b'["north"]' in one.read_bytes()).unlink()
    monkeypatch.setattr("kubemerge.fleet.workers.rows", broken)
    assert drift(shell, scheduler) == 2
    assert "cannot be reached. Start the run again" in shell.err
    assert found(shell.folder / "out", "missing") == []


def broken(*_: Any) -> Any:
    raise OSError("it cannot be reached")


def test_a_kind_of_the_config_of_which_the_dump_has_nothing_may_not_have_been_dumped(
    shell: Shell,
    scheduler: str,  # noqa: F811
) -> None:
    pods = [at for at in range(40) if config(1, at)["kind"] == "Pod"]
    others = [at for at in range(40) if config(1, at)["kind"] in ("Service", "Secret")]
    shell.write("config.json", *(config(1, at) for at in (*pods[:3], *others[:5])))
    put(shell.folder / "dumps", north_jsonl=dumped(*pods[1:4]), south_jsonl=dumped(*pods[:3], *others[1:]))
    for _ in range(2):
        assert drift(shell, scheduler) == 1
        assert (
            "the dump has no objects of some kinds in the config, so it may be incomplete: 1 cluster "
            "(north: Secret, Service)\n"
        ) in shell.out
    said = {
        (one["cluster"], one["kind"] == "Pod", one["text"].partition("no ")[2])
        for one in map(json.loads, rows(shell.folder / "out"))
        if one["what"] == "missing"
    }
    assert said == {
        ("north", True, ""),
        ("north", False, "Secret. Dump that kind too"),
        ("north", False, "Service. Dump that kind too"),
        ("south", False, ""),
    }
    assert drift(shell, scheduler, "-o", "json") == 1
    found = json.loads(shell.out)
    assert found["lacking"] == ["north"]
    assert {"cluster": "north", "kind": "Pod", "objects": 3} in found["looked"]
    assert {one["kind"] for one in found["looked"] if one["cluster"] == "south"} == {"Pod", "Secret", "Service"}


def test_where_parts_failed_it_is_said_that_nobody_knows_what_is_missing(
    shell: Shell,
    scheduler: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(shell.folder / "dumps", north_jsonl=dumped(0, 1), south_jsonl=dumped(0), west_jsonl=b"")
    shared = ("fleet", "upgrade", "1.36..1.37", "dumps", "--scheduler", scheduler, "--out", "out")
    assert shell.run(*shared) == 2
    next(one for one in (shell.folder / "out").iterdir() if b'"south"' in one.read_bytes()).unlink()
    monkeypatch.setattr("kubemerge.fleet.workers.rows", broken)
    assert shell.run(*shared, "--html", "page.html") == 2
    told = "empty and missing dumps are reported once all parts are in the results"
    assert f"partly unreadable, so findings may be missing: 1 cluster (south)\n{told}\n" in shell.out
    page = (shell.folder / "page.html").read_text(encoding="utf-8")
    assert told[1:] in page
    assert shell.run(*shared, "-o", "json") == 2
    found = json.loads(shell.out)
    assert found["incomplete"] == ["south"]
    assert found["failed"] == ["dumps/south.jsonl"]


def parquet(name: str) -> Part:
    return Part(Source(f"file:///{name}.parquet", f"{name}.parquet", name, "parquet", "", 1, ""))


def test_of_a_broken_file_of_parquet_nothing_is_missing_in_any_of_its_clusters(tmp_path: Path) -> None:
    results, parts = Results(str(tmp_path)), {"k1": parquet("one"), "k2": parquet("two"), "k3": parquet("three")}
    for key, clusters in {"k1": ("a", "b"), "k2": ("c",), "k3": ()}.items():
        tally = Tally()
        tally.add({one: {"Pod": 1} for one in clusters}, dict.fromkeys(clusters, ()))
        torn = [Row("one", what="unreadable", severity="error")] if key == "k1" else []
        results.write(key, [batch(torn)], tally)
    files = (ConfigFile("", "c.json", json.dumps(config(1, 0)).encode()), ConfigFile("d", "d.json", None))
    asked = CheckSpec("drift", options=(("config", files),))

    def find(spec: CheckSpec, groups: Sequence[ClusterGroup]) -> Iterator[Any]:
        return (batch(rows) for group in groups for rows in missing_rows(Checks(spec), group))

    def told() -> Any:
        summary = summarized(results, {key: cluster_of(one) for key, one in parts.items()})
        return with_gaps(results, asked, parts, summary, find_missing=find)

    summary, [key] = told()
    assert key == key_of(parts)
    assert [(one["cluster"], one["what"]) for one in results.read(key).to_pylist()] == [("c", "missing")]
    assert {name: [*found] for name, found in summary.gaps.items()} == {
        "incomplete": ["a", "b", "one"],
        "lacking": ["c"],
    }
    del parts["k1"]
    summary, _ = told()
    assert {name: [*found] for name, found in summary.gaps.items()} == {"lacking": ["c"], "undumped": ["d"]}


def test_a_part_is_read_by_one_search_for_missing_objects(tmp_path: Path) -> None:
    """Clusters of the same parts are searched together; those of other parts, by other workers."""
    results = Results(str(tmp_path))
    many = [f"many-{at:03}" for at in range(100)]
    for at in range(40):
        tally = Tally()
        clusters = many if at < 20 else [f"single-{at // 2}"]
        tally.add({}, {one: [f"pods/a/{at}"] for one in clusters})
        results.write(f"{at:02}", [], tally)
    groups = cluster_groups(results, [f"{at:02}" for at in range(40)], {}, {"single-11"})
    assert [[name for name, _ in group.clusters] for group in groups] == [
        many,
        ["single-10", *(f"single-{at}" for at in range(12, 19))],
        ["single-19"],
    ]
    read = [key for group in groups for key in group.keys]
    assert read == [f"{at:02}" for at in range(40) if at not in (22, 23)]
