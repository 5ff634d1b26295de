"""Every object of a dump is read once, in whatever form, and in however many parts."""

from __future__ import annotations

import gzip
import io
import json
from typing import TYPE_CHECKING, Any

import pyarrow
import pytest
import yaml
import zstandard
from pyarrow import parquet

from kubemerge.fleet.reading import items as items_module
from kubemerge.fleet.reading import json_items as json_module
from kubemerge.fleet.reading import streams
from kubemerge.fleet.reading.items import Item, items
from kubemerge.fleet.reading.json_items import json_items
from kubemerge.fleet.reading.parts import parts
from kubemerge.fleet.reading.sources import BadSource, sources
from kubemerge.fleet.reading.yaml_items import yaml_items
from kubemerge.manifests.objects import manifests_in

from .fleets import objects

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Object = dict[str, Any]
OBJECTS = [*objects(1, "prod-0", 60)]


def as_lines(found: list[Object]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in found)


def as_list(found: list[Object]) -> bytes:
    return json.dumps({"apiVersion": "v1", "items": found, "kind": "List", "metadata": {"a": ["]"]}}, indent=1).encode()


def as_yaml_list(found: list[Object]) -> bytes:
    return yaml.safe_dump({"apiVersion": "v1", "items": found, "kind": "List", "metadata": {}}).encode()


def as_documents(found: list[Object]) -> bytes:
    return yaml.safe_dump_all(found, explicit_start=True).encode()


def as_parquet(found: list[Object]) -> bytes:
    table = pyarrow.table({"cluster": ["prod-9"] * len(found), "object": [json.dumps(one) for one in found]})
    file = io.BytesIO()
    parquet.write_table(table, file, row_group_size=17)
    return file.getvalue()


FORMS: dict[str, Callable[[list[Object]], bytes]] = {
    "a.jsonl": as_lines,
    "a.json": as_list,
    "b.json": as_lines,
    "a.yaml": as_yaml_list,
    "b.yml": as_documents,
    "c.yaml": as_list,
    "a.parquet": as_parquet,
    "a.jsonl.gz": lambda found: gzip.compress(as_lines(found)),
    "a.json.gz": lambda found: gzip.compress(as_list(found)[:1000]) + gzip.compress(as_list(found)[1000:]),
    "a.yaml.zst": lambda found: zstandard.compress(as_yaml_list(found)),
    "a.ndjson.zst": lambda found: zstandard.compress(as_lines(found)),
}


def read(path: Path, size: int = 1 << 20) -> list[Item]:
    return [item for part in parts(sources([str(path)]), size) for item in items(part)]


def contents(found: list[Item]) -> list[Object]:
    assert [one.problem for one in found if one.problem] == []
    return [manifest.content for one in found for manifest in manifests_in(one.text, one.source)]


def in_order(found: list[Object]) -> list[Object]:
    return sorted(found, key=lambda one: str(one["metadata"]["name"]))


@pytest.mark.parametrize("chunk", [7, 1 << 20])
@pytest.mark.parametrize("name", FORMS)
def test_every_form_holds_the_same_objects(
    name: str, chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "CHUNK", chunk)
    monkeypatch.setattr(json_module, "CHUNK", chunk)
    (tmp_path / name).write_bytes(FORMS[name](OBJECTS))
    found = read(tmp_path / name)
    assert contents(found) == OBJECTS
    assert {one.cluster for one in found} == {"prod-9" if "parquet" in name else name[0]}


@pytest.mark.parametrize("size", [1024, 5000, 20_000])
@pytest.mark.parametrize("name", FORMS)
def test_parts_hold_each_object_once(name: str, size: int, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FORMS[name](OBJECTS))
    found = parts(sources([str(tmp_path / name)]), size)
    assert len(found) > 1
    assert len({one.key("") for one in found}) == len(found)
    assert in_order(contents(read(tmp_path / name, size))) == in_order(OBJECTS)


def test_the_parts_of_a_large_file_are_about_equal(tmp_path: Path) -> None:
    (tmp_path / "small.jsonl").write_bytes(as_lines(OBJECTS[:1]))
    (tmp_path / "large.jsonl").write_bytes(as_lines(OBJECTS))
    assert max(one.weight for one in parts(sources([str(tmp_path)]), 10_000)) <= 10_000


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_items_of_a_typed_list_may_lack_their_kind(form: str) -> None:
    pods = [{"metadata": {"name": name}} for name in ("a", "b")]
    document = {"kind": "PodList", "apiVersion": "v1", "items": pods}
    text = json.dumps(document) if form == "json" else yaml.safe_dump(document, sort_keys=False)
    texts = [*(json_items if form == "json" else yaml_items)(io.BytesIO(text.encode()))]
    found = [one.content for text in texts for one in manifests_in(text or b"", "-")]
    assert [(one["kind"], one["metadata"]["name"]) for one in found] == [("Pod", "a"), ("Pod", "b")]


@pytest.mark.parametrize(
    ("paths", "by", "clusters"),
    [
        (["prod-1/pods.jsonl", "prod-1/more/x.jsonl", "prod-2.jsonl.gz"], "auto", {"prod-1", "prod-2"}),
        (["cluster=a/0.jsonl", "cluster=b/0.jsonl"], "auto", {"a", "b"}),
        (["eu/a/0.jsonl", "eu/b/0.jsonl"], "folder", {"a", "b"}),
        (["eu/a.jsonl", "eu/b.yaml"], "file", {"a", "b"}),
    ],
)
def test_a_folder_or_a_file_names_the_cluster(paths: list[str], by: str, clusters: set[str], tmp_path: Path) -> None:
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"")
    (tmp_path / "README.md").write_bytes(b"")
    found = sources([str(tmp_path)], by)
    assert {one.cluster for one in found} == clusters
    assert len(found) == len(paths)


def test_globs_and_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(as_lines(OBJECTS[:2]))
    (tmp_path / "b.txt").write_bytes(b"")
    assert [one.name for one in sources([f"{tmp_path}/*.jsonl"])] == [f"{tmp_path.name}/a.jsonl"]
    for path, said in {
        f"{tmp_path}/c.jsonl": "there is no such file",
        f"{tmp_path}/b.txt": "its ending is not one of",
        f"{tmp_path}/*.yaml": "there are no dumps",
        "nowhere://user:secret@host/x": "Protocol not known",
    }.items():
        with pytest.raises(BadSource, match=said) as error:
            sources([path])
        assert "secret" not in str(error.value)


def test_object_storage_is_read_as_files_are() -> None:
    import fsspec

    fsspec.filesystem("memory").pipe("/fleet/prod-3/a.jsonl.gz", gzip.compress(as_lines(OBJECTS)))
    found = [item for part in parts(sources(["memory://fleet"])) for item in items(part)]
    assert contents(found) == OBJECTS
    assert {one.cluster for one in found} == {"prod-3"}


# ---- what is wrong with dumps ---------------------------------------------------------------------------------------


def test_an_object_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    large = {**OBJECTS[0], "data": {"a": "x\\" * 50_000}}
    for module in (streams, json_module, items_module):
        monkeypatch.setattr(module, "LARGEST", 30_000)
    for module in (streams, json_module):
        monkeypatch.setattr(module, "CHUNK", 1000)
    monkeypatch.setattr("kubemerge.fleet.reading.yaml_items.LARGEST", 30_000)
    for name in ("a.jsonl", "a.json", "a.yaml", "a.parquet"):
        (tmp_path / name).write_bytes(FORMS[name]([OBJECTS[1], large, OBJECTS[2]]))
        found = read(tmp_path / name)
        assert [bool(one.problem) for one in found] == [False, True, False], name
        assert contents([found[0], found[2]]) == [OBJECTS[1], OBJECTS[2]]


@pytest.mark.parametrize("packing", ["gz", "zst"])
@pytest.mark.parametrize("size", [1 << 20, 2000])
def test_a_file_that_breaks_off_is_told_once(packing: str, size: int, tmp_path: Path) -> None:
    whole = FORMS["a.jsonl.gz" if packing == "gz" else "a.ndjson.zst"](OBJECTS)
    (tmp_path / f"a.jsonl.{packing}").write_bytes(whole[: len(whole) // 2] + b"broken off" * 40)
    found = read(tmp_path / f"a.jsonl.{packing}", size)
    problems = [one.problem for one in found if one.problem]
    assert len(problems) == 1
    assert problems[0].startswith("the rest of the file cannot be read: ")


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_FREE", 1 << 20)
    monkeypatch.setattr(streams, "_BOMB", 100)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b"\n" * (50 << 20)))
    [found] = read(tmp_path / "a.jsonl.gz")
    assert "times larger than the file" in found.problem


@pytest.mark.parametrize("data", [b"not parquet", b"PAR1" + b"\0" * 100 + b"PAR1", b""])
def test_what_is_not_parquet_is_told(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(data)
    [found] = read(tmp_path / "a.parquet")
    assert found.problem.startswith("the rest of the file cannot be read")


def test_what_lies_between_objects_is_not_lost() -> None:
    text = b'nonsense {"a": 1} } [1] {"kind": "List", "items": [null, {"b": {"items": [1]}}, 5]} {"c": "'
    assert [*json_items(io.BytesIO(text))] == [
        b"nonsense",
        b'{"a": 1}',
        b"}",
        b"[1]",
        b"null",
        b'{"b": {"items": [1]}}',
        b"5",
        b'{"c": "',
    ]
