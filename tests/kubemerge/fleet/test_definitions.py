"""The custom resources of a cluster are looked at by the definitions that are in its dumps, wherever in them."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import fsspec
import pytest

from kubemerge.fleet import run as fleet_run
from kubemerge.fleet import workers as fleet_workers
from kubemerge.fleet.checks.base import error_row
from kubemerge.fleet.checks.definitions import known
from kubemerge.fleet.checks.table import Checks, CheckSpec
from kubemerge.fleet.reading import items as reading_items
from kubemerge.fleet.reading.items import Item
from kubemerge.fleet.reading.parts import Part, parts, whole
from kubemerge.fleet.reading.sources import sources
from kubemerge.fleet.rows import batch
from kubemerge.fleet.workers import SEARCH, NoDefinitions, definitions

from .test_reading import FORMS, OBJECTS
from .test_run import rows, scheduler  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kubemerge.fleet.results import Tally

    from ..shell import Shell

pytestmark = pytest.mark.filterwarnings("ignore")
"""Dask leaves resources open, which causes warnings."""


def definition(**fields: str) -> dict[str, Any]:
    """A definition of ledgers, with these fields in their specs."""
    spec = {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}
    schema = {"type": "object", "properties": {"spec": spec}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": "Ledger", "plural": "ledgers", "singular": "ledger", "listKind": "LedgerList"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "ledgers.shop.example.com", "uid": "0", "managedFields": [{"manager": "x"}]},
        "spec": {"group": "shop.example.com", "scope": "Namespaced", "names": names, "versions": [version]},
    }


def ledger(name: str, **spec: Any) -> dict[str, Any]:
    place = {"name": name, "namespace": "a"}
    return {"apiVersion": "shop.example.com/v1", "kind": "Ledger", "metadata": place, "spec": spec}


def dump(folder: Path, name: str, *found: dict[str, Any]) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(FORMS["a.json" if name.endswith(".json") else "a.jsonl"]([*found]))


def findings(folder: Path) -> list[tuple[str, str, str, str]]:
    found = [json.loads(one) for one in rows(folder)]
    return sorted((one["cluster"], one["name"], one["path"], one["what"]) for one in found if one["kind"] == "Ledger")


def test_each_cluster_has_its_own_definitions(shell: Shell, scheduler: str) -> None:  # noqa: F811
    dumps = shell.folder / "dumps"
    dump(dumps, "north/objects.jsonl", ledger("a", size=1), ledger("b", size="x"))
    dump(dumps, "north/z/definitions.json", OBJECTS[0], definition(size="integer"))
    dump(dumps, "south/objects.jsonl", ledger("a", size=1), definition(size="string"), ledger("b", size="x"))
    dump(dumps, "west/objects.jsonl", ledger("a", size=1), ledger("b", size="x"))
    shared = ("fleet", "lint", dumps, "--scheduler", scheduler, "--ignore", "KM025,KM026,KM029")
    shell.run(*shared, "--out", "with")
    found = findings(shell.folder / "with")
    assert found == [("north", "b", "spec.size", "KM104"), ("south", "a", "spec.size", "KM104")]
    shell.run(*shared, "--out", "without", "--no-definitions")
    assert findings(shell.folder / "without") == []


def test_another_definition_is_another_result(shell: Shell, scheduler: str) -> None:  # noqa: F811
    dumps = shell.folder / "dumps"
    for cluster in ("north", "south"):
        dump(dumps, f"{cluster}/objects.jsonl", ledger("a", size=1))
        dump(dumps, f"{cluster}/more.jsonl", definition(size="integer"))
    shared = ("fleet", "lint", dumps, "--scheduler", scheduler, "--out", "out")
    shell.run(*shared)
    before = {one.name: one.stat().st_mtime_ns for one in (shell.folder / "out").iterdir()}
    shell.run(*shared)
    assert before == {one.name: one.stat().st_mtime_ns for one in (shell.folder / "out").iterdir()}
    dump(dumps, "south/more.jsonl", definition(size="string"))
    assert shell.run(*shared) == 2
    assert "contains 2 parts of another run" in shell.err
    shell.run(*shared, "--replace")
    after = {one.name: one.stat().st_mtime_ns for one in (shell.folder / "out").iterdir()}
    assert len(before.items() & after.items()) == 2
    assert ("south", "a", "spec.size", "KM104") in findings(shell.folder / "out")


FINISHED = "this run was already finished: 2 parts reused"


@pytest.mark.parametrize("words", [("lint",), ("drift", "-f", "config.json"), ("owners",)], ids=lambda one: one[0])
def test_a_finished_run_looks_for_no_definitions_and_says_so(
    words: tuple[str, ...],
    shell: Shell,
    scheduler: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shell.write("config.json", ledger("a", size=1))
    for cluster in ("north", "south"):
        dump(shell.folder / "dumps", f"{cluster}.jsonl", definition(size="integer"), ledger("a", size="1"))
    shared = ("fleet", *words, "dumps", "--scheduler", scheduler, "--out", "out")
    code, said = shell.run(*shared), shell.out
    assert FINISHED not in shell.err
    before = rows(shell.folder / "out")
    with monkeypatch.context() as later:
        later.setattr(fleet_run, "workers", None)
        assert shell.run(*shared) == code
        assert (shell.out, rows(shell.folder / "out")) == (said, before)
        assert FINISHED in shell.err
    for file in (shell.folder / "out").iterdir():
        file.unlink()
        assert shell.run(*shared) == code
        assert (shell.out, rows(shell.folder / "out")) == (said, before)
        assert FINISHED not in shell.err


def test_a_run_that_was_finished_without_definitions_is_none_with_them(
    shell: Shell,
    scheduler: str,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for cluster in ("north", "south"):
        dump(shell.folder / "dumps", f"{cluster}.jsonl", definition(size="integer"), ledger("a", size="1"))
    shared = ("fleet", "lint", "dumps", "--scheduler", scheduler, "--out", "out", "--ignore", "KM025,KM026,KM029")
    shell.run(*shared, "--no-definitions")
    assert shell.run(*shared) == 2
    assert "contains 2 parts of another run" in shell.err
    shell.run(*shared, "--replace")
    assert [what for *_, what in findings(shell.folder / "out")] == ["KM104", "KM104"]
    monkeypatch.setattr(fleet_run, "workers", None)
    shell.run(*shared)
    assert FINISHED in shell.err


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("size", [3000, 1 << 20])
def test_definitions_are_found_once_in_every_form(name: str, size: int, tmp_path: Path) -> None:
    given = [*OBJECTS[:5], definition(size="integer"), *OBJECTS[5:10]]
    (tmp_path / name).write_bytes(FORMS[name](given))
    found = whole(parts(sources([str(tmp_path / name)]), size))
    told = [one for part in found for one in definitions(SEARCH, part, 30)]
    [(cluster, called, text)] = told
    assert (cluster, called) == ("prod-9" if "parquet" in name else name[0], "ledgers.shop.example.com")
    age, _, text = text.partition(" ")
    assert age == "0"
    assert json.loads(text)["spec"] == given[5]["spec"]
    assert "managedFields" not in text


def test_what_only_its_cluster_knows_of_a_definition_makes_no_other_one(tmp_path: Path) -> None:
    for at, cluster in enumerate(("north", "south")):
        one = definition(size="integer")
        annotations = {"kubectl.kubernetes.io/last-applied-configuration": f"{at}", "api-approved.kubernetes.io": "yes"}
        one["metadata"] |= {"generation": at, "uid": str(at), "labels": {"at": str(at)}, "annotations": annotations}
        client = {"service": {"name": "a", "namespace": "b"}, "caBundle": f"{at}"}
        one["spec"]["conversion"] = {"strategy": "Webhook", "webhook": {"clientConfig": client}}
        one["status"] = {"storedVersions": [f"v{at}"]}
        dump(tmp_path, f"{cluster}.jsonl", one)
    found = whole(parts(sources([str(tmp_path)])))
    every = known([one for part in found for one in definitions(SEARCH, part, 30)])
    [text] = every.texts
    assert every.of == {"north": (0,), "south": (0,)}
    kept = json.loads(text)
    assert kept["metadata"] == {
        "name": "ledgers.shop.example.com",
        "annotations": {"api-approved.kubernetes.io": "yes"},
    }
    assert kept["spec"]["conversion"]["webhook"] == {"clientConfig": {"service": {"name": "a", "namespace": "b"}}}


@pytest.mark.parametrize("generation", [None, True, "5", -3, [1]])
def test_any_generation_is_an_age(generation: object, tmp_path: Path) -> None:
    one = definition(size="integer")
    one["metadata"]["generation"] = generation
    dump(tmp_path, "north.jsonl", one)
    [part] = parts(sources([str(tmp_path)]))
    assert known(definitions(SEARCH, part, 30)).of == {"north": (0,)}


def test_what_only_names_definitions_is_none(tmp_path: Path) -> None:
    owner = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "name": "x", "uid": "1"}
    other = copy.deepcopy(OBJECTS[0])
    other["metadata"]["ownerReferences"] = [owner]
    foreign = {**definition(size="string"), "apiVersion": "example.com/v1"}
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"]([other, foreign]))
    [part] = parts(sources([str(tmp_path / "a.jsonl")]))
    assert definitions(SEARCH, part, 30) == []


def test_a_part_that_was_not_read_to_its_end_may_hold_definitions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jsonl").write_bytes(FORMS["a.jsonl"]([definition(size="string")]) + b"{nonsense\n")
    [part] = parts(sources([str(tmp_path / "a.jsonl")]))
    assert len(definitions(SEARCH, part, 30)) == 1
    said = error_row(Item("a", b"", part.source.name), "the rest of the file cannot be read: it takes over 600 seconds")

    def given_up(_asked: CheckSpec, _part: Part, _limits: object, tally: Tally) -> Iterator[Any]:
        tally.killed += 1
        yield batch([said])

    monkeypatch.setattr(fleet_workers, "rows", given_up)
    with pytest.raises(NoDefinitions, match="cannot be read: it takes over 600 seconds"):
        definitions(SEARCH, part, 30)


def test_the_youngest_of_a_cluster_counts_and_equal_ones_are_held_once() -> None:
    old, new = json.dumps({"spec": "z"}), json.dumps({"spec": "a"})
    given = [("a", "x", f"9 {old}"), ("a", "x", f"10 {new}"), ("a", "x", f"1 {old}"), ("b", "x", f"2 {new}")]
    found = known(given)
    assert (found.texts, found.of) == ((new,), {"a": (0,), "b": (0,)})
    assert found == known(reversed(given))
    assert found.contents("a") == ({"spec": "a"},)


def test_parts_are_named_after_a_hash_that_is_there_already() -> None:
    found = known([("a", "x", f"1 {'x' * 5000}"), ("a", "y", f"1 {'y' * 5000}"), ("b", "x", f"1 {'z' * 5000}")])
    assert [len(found.about(one)) for one in ("a", "b", "c", None)] == [2, 1, 0, 3]
    assert {len(one) for one in found.about(None)} == {32}
    names = [CheckSpec("lint", about="lint", known=found).about_of(one) for one in ("a", "b", "c", None)]
    assert len({*names}) == 4


def test_works_are_kept_for_equal_definitions() -> None:
    text = f"1 {json.dumps(definition(size='string'))}"
    works = Checks(CheckSpec("owners", known=known([("a", "x", text), ("b", "x", text)])))
    assert works.of("a") is works.of("b")
    assert works.of("a") is not works.of("c")


class Counted:
    """A file that counts its bytes as they are read."""

    def __init__(self, file: Any, read: list[int]) -> None:
        self._file, self._read = file, read

    def __enter__(self) -> Counted:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def seek(self, place: int) -> None:
        self._file.seek(place)

    def read(self, size: int) -> bytes:
        found: bytes = self._file.read(size)
        self._read.append(len(found))
        return found


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.yaml", "a.jsonl.gz", "a.ndjson.zst"])
def test_a_dump_without_definitions_is_read_once_and_its_objects_are_not_separated(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(FORMS[name]([*OBJECTS] * 20))
    read: list[int] = []
    real, whole_size = fsspec.open, (tmp_path / name).stat().st_size
    monkeypatch.setattr("fsspec.open", lambda url, how: Counted(real(url, how).open(), read))
    monkeypatch.setattr(reading_items, "CHUNK", 256)
    monkeypatch.setattr(fleet_workers, "rows", None)
    found = parts(sources([str(tmp_path / name)]), 4000)
    assert [definitions(SEARCH, part, 30) for part in whole(found)] == [[]] * len(whole(found))
    assert whole_size <= sum(read) <= whole_size + len(found) * 2048


def test_small_dumps_are_searched_for_definitions_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(9):
        dump(tmp_path, f"c{at}.jsonl", definition(size="integer"))
    given = whole(parts(sources([str(tmp_path)])))
    monkeypatch.setattr(fleet_workers, "_SEARCH_BYTES", 4 * given[0].weight)
    asked: list[tuple[str, int]] = []

    def each(_self: Any, does: Any, spec: CheckSpec, named: Any, *more: Any) -> Iterator[Any]:
        for piece, _ in named:
            several = [piece] if isinstance(piece, Part) else [*piece]
            asked.append((does.__name__, len(several)))
            is_bad = fails and "c5" in [one.source.cluster for one in several]
            yield piece, "nobody knows" if is_bad else does(spec, piece, *more)

    monkeypatch.setattr(fleet_workers.Workers, "_each", each)
    fails = False
    assert len(fleet_workers.Workers(None, 30).known(given).of) == 9
    assert asked == [("all_definitions", count) for count in (4, 4, 1)]
    fails = True
    with pytest.raises(NoDefinitions, match=r"c5\.jsonl: its .* nobody knows"):
        fleet_workers.Workers(None, 30).known(given)


def test_clusters_with_equal_definitions_follow_one_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker keeps few sets of definitions: in another order of clusters it would compile each set again."""
    for at in range(40):
        dump(tmp_path, f"c{at:02}.jsonl", definition(size="integer"))
    given = parts(sources([str(tmp_path)]))
    texts = [(f"c{at:02}", "x", f"1 {json.dumps(definition(**{f'field{at * 7 % 10}': 'string'}))}") for at in range(40)]
    spec = CheckSpec("owners", known=known(texts))
    made: list[str] = []
    create = CheckSpec.create

    def counted(one: CheckSpec, cluster: str) -> Any:
        made.append(cluster)
        return create(one, cluster)

    def each(_self: Any, _does: Any, spec: CheckSpec, named: Any, *_: Any) -> Iterator[Any]:
        checks = Checks(spec)
        for part, _name in named:
            checks.of(part.source.cluster)
            yield part, ""

    monkeypatch.setattr(CheckSpec, "create", counted)
    monkeypatch.setattr(fleet_workers.Workers, "_each", each)
    done = fleet_workers.Workers(None, 30).run(spec, given, "out", lambda *_: None)
    assert {part for part, _ in done} == {*given}
    assert len(made) == 10
