"""Every object of a dump is read once, in any form and any number of parts."""

from __future__ import annotations

import gzip
import io
import json
import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow
import pytest
import yaml
import zstandard
from pyarrow import parquet

from kubemerge.fleet.reading import items as items_module
from kubemerge.fleet.reading import json_items as json_module
from kubemerge.fleet.reading import streams
from kubemerge.fleet.reading.items import Item, items, may_hold
from kubemerge.fleet.reading.json_items import json_items
from kubemerge.fleet.reading.parts import parts
from kubemerge.fleet.reading.sources import BadSource, sources
from kubemerge.fleet.reading.yaml_items import yaml_items
from kubemerge.manifests.objects import manifests_in

from .fleets import objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def as_mixed(found: list[Object]) -> bytes:
    """Documents in JSON, in YAML that looks like it, and in plain YAML."""
    odd: tuple[Any, ...] = ({"default_flow_style": True, "default_style": "'"}, {"default_flow_style": True}, {})
    texts = [json.dumps(found[0]), *(yaml.safe_dump(one, **odd[at % 3]) for at, one in enumerate(found[1:]))]
    return "\n---\n".join(texts).encode()


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
    "d.yaml": as_mixed,
    "e.yaml": lambda found: as_mixed(found).replace(b"{", b"{ # not JSON\n", 1),
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
        (["prod.eu-1.jsonl", "prod.us-1.JSON.zst"], "auto", {"prod.eu-1", "prod.us-1"}),
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


def dumps(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ["north/objects.jsonl", "south/objects.jsonl"],
            "north/objects.jsonl and south/objects.jsonl would both belong to the cluster objects. Name "
            "clusters with --cluster-by folder, or with --cluster-by file if they belong to one",
        ),
        (["eu", "us"], "eu/prod.jsonl and us/prod.jsonl would both belong to the cluster prod. "),
        (
            [".", "north"],
            "/north/objects.jsonl: given twice, for the clusters north and objects. Pass it once",
        ),
    ],
    ids=["files", "folders", "a folder and one in it"],
)
def test_clusters_that_only_have_the_same_name_are_not_mixed(given: list[str], said: str, tmp_path: Path) -> None:
    dumps(tmp_path, "north/objects.jsonl", "south/objects.jsonl", "eu/prod.jsonl", "us/prod.jsonl")
    with pytest.raises(BadSource, match=said):
        sources([str(tmp_path / one) for one in given])


def test_what_names_clusters_may_be_said(tmp_path: Path) -> None:
    dumps(tmp_path, "north/objects.jsonl", "south/objects.jsonl")
    given = [str(tmp_path / one / "objects.jsonl") for one in ("north", "south")]
    assert [one.cluster for one in sources(given, "folder")] == ["north", "south"]
    assert [one.cluster for one in sources(given, "file")] == ["objects", "objects"]


def test_a_file_that_is_given_twice_is_read_once(tmp_path: Path) -> None:
    dumps(tmp_path, "north/objects.jsonl", "south/objects.jsonl")
    given = [str(tmp_path), f"{tmp_path}/*/objects.jsonl", str(tmp_path)]
    assert [one.cluster for one in sources(given)] == ["north", "south"]


def test_globs_and_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(as_lines(OBJECTS[:2]))
    (tmp_path / "b.txt").write_bytes(b"")
    assert [one.name for one in sources([f"{tmp_path}/*.jsonl"])] == [f"{tmp_path.name}/a.jsonl"]
    for path, said in {
        f"{tmp_path}/c.jsonl": "no such file",
        f"{tmp_path}/b.txt": "its extension is not one of",
        f"{tmp_path}/*.yaml": "no dumps",
        "nowhere://user:secret@host/x": "Protocol not known",
        "memory://user:secret@host/*.yaml": "no dumps",
    }.items():
        with pytest.raises(BadSource, match=said) as error:
            sources([path])
        assert "secret" not in str(error.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_what_is_no_file_in_a_folder_is_told_by_its_name(tmp_path: Path) -> None:
    dumps(tmp_path, "more/south.jsonl", "dumps/north.jsonl")
    folder, link = tmp_path / "dumps", tmp_path / "dumps/link.jsonl"
    link.symlink_to("nowhere")
    with pytest.raises(BadSource, match=r"^dumps/link\.jsonl: No such file or directory\. Remove it, or start"):
        sources([str(folder)])
    link.unlink()
    os.mkfifo(link)
    with pytest.raises(BadSource, match=r"^dumps/link\.jsonl: not a file. Remove it"):
        sources([str(folder)])
    link.unlink()
    (folder / ".hidden").symlink_to("../more")
    link.symlink_to("north.jsonl")
    assert [one.cluster for one in sources([str(folder)])] == ["link", "north"]


@pytest.mark.parametrize("target", ["../more", "../dumps"])
def test_a_link_to_a_folder_is_not_passed_over(target: str, tmp_path: Path) -> None:
    dumps(tmp_path, "more/a.jsonl", "dumps/north/a.jsonl")
    (tmp_path / "dumps/south").symlink_to(target)
    with pytest.raises(BadSource, match=r"dumps/south: links to folders are not followed\. Name its files with a glob"):
        sources([str(tmp_path / "dumps")])
    found = sources([f"{tmp_path}/dumps/*/*.jsonl"])
    assert [one.cluster for one in found] == (["north", "south"] if target == "../more" else ["north"])


def test_object_storage_is_read_as_files_are() -> None:
    import fsspec

    fsspec.filesystem("memory").pipe("/dumps-to-read/prod-3/a.jsonl.gz", gzip.compress(as_lines(OBJECTS)))
    found = [item for part in parts(sources(["memory://dumps-to-read"])) for item in items(part)]
    assert contents(found) == OBJECTS
    assert {one.cluster for one in found} == {"prod-3"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a file server, with credentials."""
    pytest.importorskip("aiohttp")

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(tmp_path))) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://me:secret@127.0.0.1:{found.server_port}"
        found.shutdown()


def test_a_change_of_the_same_size_is_noticed_on_a_server_too(server: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n")
    [before] = sources([f"{server}/a.jsonl"])
    (tmp_path / "a.jsonl").write_text("[]\n")
    os.utime(tmp_path / "a.jsonl", (0, 0))
    [after] = sources([f"{server}/a.jsonl"])
    assert (before.size, before.version != after.version) == (3, True)


@pytest.mark.parametrize("by", ["auto", "folder"])
def test_who_asks_a_server_is_not_shown(by: str, server: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n")
    [part] = parts(sources([f"{server}/a.jsonl"], by))
    assert "secret" in part.source.url
    [item] = items(part)
    assert item.source.startswith("***@127.0.0.1:")
    assert "secret" not in item.source + item.cluster


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


class Broken(io.BytesIO):
    """A file that is read once, and then cannot be read any more."""

    reads = 0

    def read(self, size: int | None = -1) -> bytes:
        self.reads += 1
        if self.reads > 1:
            raise TimeoutError("it took too long")
        return super().read(size)


@pytest.mark.parametrize("name", FORMS)
def test_an_error_of_reading_is_told_by_the_part_that_meets_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(FORMS[name](OBJECTS))
    found = parts(sources([str(tmp_path / name)]), 6000)
    monkeypatch.setattr(streams, "CHUNK", 50)
    monkeypatch.setattr("fsspec.open", lambda url, _: Broken(Path(url.removeprefix("file://")).read_bytes()))
    assert len(found) > 1
    for part in found:
        with pytest.raises(TimeoutError):
            list(items(part))
        if part.source.form in ("json", "yaml"):
            with pytest.raises(TimeoutError):
                may_hold(part, b"what is not there")


def test_parquet_of_which_the_parts_cannot_be_read_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.parquet").write_bytes(as_parquet(OBJECTS))
    found = sources([str(tmp_path / "a.parquet")])
    broken = Broken(as_parquet(OBJECTS))
    broken.reads = 1
    monkeypatch.setattr("fsspec.open", lambda *_: broken)
    with pytest.raises(BadSource, match=r"/a\.parquet: TimeoutError. Start the run again"):
        parts(found)


def test_damaged_pages_of_parquet_are_told(tmp_path: Path) -> None:
    text = as_parquet(OBJECTS)
    (tmp_path / "a.parquet").write_bytes(text[:4] + b"\xff" * 2000 + text[2004:])
    [found] = read(tmp_path / "a.parquet")
    assert found.problem.startswith("the rest of the file cannot be read")


def as_one(found: list[Object]) -> bytes:
    return yaml.safe_dump(found[0]).encode()


def as_items_last(found: list[Object]) -> bytes:
    return yaml.safe_dump({"kind": "List", "apiVersion": "v1", "items": found}, sort_keys=False).encode()


BETWEEN = ["", "---\n", "--- # north\n", "---\t\r\n", "... # over\n", "...\n---\n"]


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("first", [as_yaml_list, as_documents, as_one, as_items_last])
@pytest.mark.parametrize("second", [as_yaml_list, as_one, as_items_last])
def test_documents_behind_each_other_are_told_apart(
    first: Callable[[list[Object]], bytes], second: Callable[[list[Object]], bytes], between: str
) -> None:
    text = first(OBJECTS[:3]) + between.encode() + second(OBJECTS[3:6]) + between.encode()
    told = [one.content for text in yaml_items(io.BytesIO(text)) for one in manifests_in(text or b"", "-")]
    one = [one.content for text in (first(OBJECTS[:3]), second(OBJECTS[3:6])) for one in manifests_in(text, "-")]
    assert told == one


def test_what_stands_beside_a_separator_is_of_the_next_document() -> None:
    assert [*yaml_items(io.BytesIO(b"a: 1\n--- {b: 2}\n--- !x\nc: 3\n---d: 4\n"))] == [
        b"a: 1\n",
        b"--- {b: 2}\n",
        b"--- !x\nc: 3\n---d: 4\n",
    ]


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


HARD = ["a", "{", "}", '"', "\\", '\\"', '}, {"kind": "', "[", "]", "\n", "\u00e9", "\0", 1, None]
"""Values with all characters that have a meaning in JSON."""


def hard_value(random: Random, depth: int = 0) -> Any:
    kind = random.random()
    if depth > 3 or kind < 0.4:
        return random.choice(HARD)
    some = [hard_value(random, depth + 1) for _ in range(random.randrange(4))]
    return some if kind < 0.7 else {random.choice(["kind", "b{", '"}']): one for one in some}


def hard_list(random: Random) -> bytes:
    """Lists of objects, compact or indented, some with broken places."""
    found = b""
    for _ in range(random.randrange(1, 3)):
        given = [{"kind": "X", **{one: hard_value(random) for one in "abc"}} for _ in range(random.randrange(6))]
        given += [hard_value(random, 1)] * (random.random() < 0.2)
        indent, separators = random.choice([(None, None), (None, (",", ":")), (1, None), (4, None)])
        kind = random.choice(["List", "PodList"])
        found += json.dumps({"kind": kind, "items": given}, indent=indent, separators=separators).encode()
    for _ in range(random.choice([0, 0, 1, 2])):
        at = random.randrange(len(found))
        broken = random.choice([b"", b"\\", b'"', b"{", b"}", b"\0", b"]", b"},"])
        found = found[:at] + broken + found[at + random.randrange(2) :]
    return found


def test_items_found_by_their_beginning_are_those_found_token_by_token(monkeypatch: pytest.MonkeyPatch) -> None:
    random, quick = Random(1), 0
    is_object = json_module._is_object

    def counted(text: bytes) -> bool:
        nonlocal quick
        quick += (found := is_object(text))
        return found

    def read(text: bytes) -> list[bytes | None]:
        return [*json_items(io.BytesIO(text), random_rest if strict else None)]

    def random_rest(stream: Any) -> Iterator[bytes | None]:
        yield b"".join(iter(lambda: stream.read(1000), b""))

    for _ in range(800):
        text, strict = hard_list(random), random.random() < 0.4
        monkeypatch.setattr(json_module, "CHUNK", random.choice([1 << 20, 300, 64, 17]))
        monkeypatch.setattr(json_module, "LARGEST", random.choice([1 << 24, 1 << 24, 400, 50]))
        monkeypatch.setattr(json_module, "_is_object", counted)
        found = read(text)
        monkeypatch.setattr(json_module, "_is_object", lambda _: False)
        assert found == read(text)
    assert quick > 100


@pytest.mark.parametrize("indent", [None, 4])
def test_a_list_is_not_read_token_by_token(indent: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a list token by token takes as long as a third of the drift of its objects, and each stripe does it."""
    opened: list[int] = []
    real = json_module._Scanner._opens

    def counted(*given: Any) -> Any:
        opened.append(1)
        return real(*given)

    monkeypatch.setattr(json_module._Scanner, "_opens", counted)
    text = json.dumps({"kind": "List", "items": OBJECTS * 20}, indent=indent).encode()
    assert len([*json_items(io.BytesIO(text))]) == 20 * len(OBJECTS)
    assert len(opened) < text.count(b"{") / 10
