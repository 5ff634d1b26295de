"""The functions on record batches report the same as the commands of the same names do for the same objects."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pyarrow
import pytest

from engine.directives import ANNOTATION
from kubemerge.fleet import partitions
from kubemerge.fleet.checks.base import Rules
from kubemerge.fleet.checks.config import ConfigFile
from kubemerge.fleet.checks.table import CheckSpec
from kubemerge.fleet.rows import COLUMNS, Row, batch

from .fleets import config, live, objects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..shell import Shell

OBJECTS = [*objects(2, "prod-0", 120)]
CONFIG = [config(2, number) for number in range(120)]


def batches(found: list[dict[str, Any]], cluster: str = "prod-0") -> Iterator[Any]:
    for start in range(0, len(found), 50):
        texts = [json.dumps(one) for one in found[start : start + 50]]
        yield pyarrow.record_batch({"cluster": [cluster] * len(texts), "object": texts})


def rows(found: Iterator[Any]) -> list[Row]:
    return [Row(**one) for batch in found for one in batch.to_pylist()]


def config_file(*found: dict[str, Any]) -> ConfigFile:
    return ConfigFile("", "config.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": found}).encode())


def title(one: Row) -> str:
    """The object as the commands call it, without its group."""
    return f"{one.kind.lower()}/{one.name}"


def called(name: str) -> str:
    kind, _, name = name.partition("/")
    return f"{kind.partition('.')[0]}/{name}"


def value(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def test_lint(shell: Shell) -> None:
    shell.write("dump.json", *OBJECTS)
    shell.run("lint", "dump.json", "-o", "json", "--release", "1.24..1.31")
    wanted = [
        (called(one["object"]), one["path"], one["code"], one["severity"], one["message"])
        for one in json.loads(shell.out)
    ]
    found = rows(partitions.lint(batches(OBJECTS), "1.24..1.31"))
    assert len(found) > 300
    assert sorted((title(one), one.path, one.what, one.severity, one.text) for one in found) == sorted(wanted)


def test_lint_of_several_objects_in_one_text() -> None:
    """A finding has the name of its object, even if the name is generated or occurs twice."""
    metadata = [
        {"generateName": "one-"},
        {"generateName": "two-"},
        {"name": "a"},
        {"name": "a", "namespace": "default"},
    ]
    ports = [{"port": 80, "name": "a"}, {"port": 80, "name": "b"}]
    kind = {"apiVersion": "v1", "kind": "Service"}
    items = [{**kind, "metadata": one, "spec": {"ports": ports}} for one in metadata]
    found = rows(partitions.lint(batches([{"apiVersion": "v1", "kind": "List", "items": items}]), select=["KM001"]))
    assert [one.name for one in found] == ["one-", "two-", "a", "a"]


def test_lint_of_some_codes() -> None:
    found = rows(partitions.lint(batches(OBJECTS), ignore=["KM025"], severity="warning"))
    assert found
    assert {one.severity for one in found} <= {"warning", "error"}
    assert "KM025" not in {one.what for one in found}


def test_upgrade(shell: Shell) -> None:
    shell.write("dump.json", *OBJECTS)
    shell.run("compare", "1.24..1.26", "-f", "dump.json", "-o", "json", "--severity", "info")
    wanted = [
        (called(replay["object"]), one["path"], one["sort"], one["severity"], json.dumps([one["before"], one["after"]]))
        for replay in json.loads(shell.out)
        for one in replay["findings"]
    ]
    found = rows(partitions.upgrade(batches(OBJECTS), "1.24..1.26", severity="info"))
    told = [
        (title(one), one.path, one.what, one.severity, json.dumps([value(one.before), value(one.after)]))
        for one in found
    ]
    assert wanted
    assert sorted(told) == sorted(wanted)
    assert not rows(partitions.upgrade(batches(OBJECTS[:1]), "1.30..1.31"))


def test_drift(shell: Shell) -> None:
    shell.write("config.json", *CONFIG)
    shell.write("dump.json", *OBJECTS)
    shell.run("diff", "-f", "config.json", "--live", "dump.json", "-o", "json", "--release", "1.31")
    keys = ("path", "action", "before", "after", "reason")
    wanted = [(called(one["object"]), *(json.dumps(one[key]) for key in keys)) for one in json.loads(shell.out)]
    found = rows(partitions.drift(batches(OBJECTS), [config_file(*CONFIG)], "1.31"))
    told = [
        (title(one), *map(json.dumps, (one.path, one.what, value(one.before), value(one.after), one.text)))
        for one in found
    ]
    assert wanted
    assert sorted(told) == sorted(wanted)
    assert {one.cluster for one in found} == {"prod-0"}


def test_drift_from_the_config_of_a_cluster() -> None:
    files = [config_file(CONFIG[0])._replace(cluster="prod-1")]
    changed = {**OBJECTS[0], "metadata": {**OBJECTS[0]["metadata"], "labels": {"app": "other"}}}
    assert not rows(partitions.drift(batches([changed], "prod-0"), files))
    assert [one.path for one in rows(partitions.drift(batches([changed], "prod-1"), files))] == ["metadata.labels.app"]


def test_owners(shell: Shell) -> None:
    shell.write("dump.json", *OBJECTS)
    shell.run("owners", "-f", "dump.json", "-o", "json", "--release", "1.31")
    wanted = [
        (called(one["object"]), field["path"], owner["manager"], json.dumps(field.get("value")))
        for one in json.loads(shell.out)
        for field in one["fields"]
        for owner in field["owners"] or [{"manager": "nobody"}]
    ]
    found = rows(partitions.owners(batches(OBJECTS), "1.31"))
    assert sorted((title(one), one.path, one.what, json.dumps(value(one.after))) for one in found) == sorted(wanted)
    assert {one.what for one in rows(partitions.owners(batches(OBJECTS), managers=["edit"]))} == {"edit"}


def test_migrate(shell: Shell) -> None:
    shell.write("config.json", *CONFIG)
    shell.write("dump.json", *OBJECTS)
    shell.run("migrate", "-f", "config.json", "--live", "dump.json", "-o", "json", "--release", "1.31")
    sections = ("conflicts", "taken", "left", "shared", "removed", "changed")
    wanted = [
        (called(one["object"]), section, place["path"])
        for one in json.loads(shell.out)
        for section in sections
        for place in one[section]
    ]
    found = rows(partitions.migrate(batches(OBJECTS), [config_file(*CONFIG)], "1.31"))
    assert {one.what for one in found} >= {"conflicts", "left", "shared"}
    assert sorted((title(one), one.what, one.path) for one in found) == sorted(wanted)


def test_a_work_holds_nothing_of_the_batches_before() -> None:
    options = (("config", (config_file(*CONFIG),)),)
    work = CheckSpec("drift", Rules("1.31"), options).create()
    found = rows(partitions.run(work, batches(OBJECTS)))
    assert found == rows(partitions.drift(batches(OBJECTS), [config_file(*CONFIG)], "1.31"))
    assert (work.objects, len(work.seen["prod-0"])) == (20, 20)


def test_no_config_is_not_one_that_is_empty() -> None:
    assert rows(partitions.migrate(batches(OBJECTS)))
    assert not rows(partitions.migrate(batches(OBJECTS), []))


def test_migrate_what_was_applied_last() -> None:
    applied = [one for one in OBJECTS if "annotations" in one["metadata"]]
    found = rows(partitions.migrate(batches(OBJECTS)))
    assert {one.name for one in found} == {one["metadata"]["name"] for one in applied}


LAST: dict[str, tuple[Any, set[str]]] = {
    "its own": ({}, {"shared"}),
    "without a namespace": ({"metadata": {"name": "a"}}, {"shared"}),
    "of an older group": ({"apiVersion": "extensions/v1beta1"}, {"shared", "changed"}),
    "copied from its owner": ({"apiVersion": "shop.example.com/v1", "kind": "Shop"}, set()),
    "copied from another of its kind": ({"metadata": {"name": "b", "namespace": "team"}}, set()),
    "copied from another namespace": ({"metadata": {"name": "a", "namespace": "other"}}, set()),
    "without metadata": ({"metadata": None}, {"unreadable"}),
    "without a kind": ({"kind": None}, {"unreadable"}),
    "a List": ({"items": []}, {"unreadable"}),
    "nothing": ("null", {"unreadable"}),
    "empty": ("", {"unreadable"}),
    "cut off": ("{", {"unreadable"}),
    "no text": (5, {"unreadable"}),
}
"""Contents of the annotation, and the resulting findings about the migration."""


def test_upgrade_with_a_feature_gate_that_the_clusters_set() -> None:
    spec = {"hostUsers": False, "containers": [{"name": "c", "image": "i"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec}

    def found(**gates: bool) -> list[Any]:
        return rows(partitions.upgrade(batches([pod]), "1.29..1.33", feature_gates=gates))

    assert [one.path for one in found()] == ["spec.hostUsers"]
    assert found(UserNamespacesSupport=True) == []
    assert [one.path for one in found()] == ["spec.hostUsers"]
    with pytest.raises(ValueError, match="no release has the feature gate 'NoSuchGate'"):
        found(NoSuchGate=True)


@pytest.mark.parametrize("name", LAST)
def test_what_was_applied_last_counts_if_it_is_the_same_object(name: str) -> None:
    held, wanted = LAST[name]
    place = {"name": "a", "namespace": "team"}
    applied = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": place, "spec": {"replicas": 1}}
    text = json.dumps({**applied, **held}) if isinstance(held, dict) else held
    owned = {"fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:replicas": {}}}}
    entry = {"manager": "edit", "operation": "Update", "apiVersion": "apps/v1", **owned}
    metadata = {**place, "annotations": {ANNOTATION: text}, "managedFields": [entry]}
    found = rows(partitions.migrate(batches([{**applied, "metadata": metadata}]), before=["kubectl"]))
    assert {one.what for one in found} == wanted
    assert not any("bug" in one.text or "Pass last_applied" in one.text for one in found)


# ---- what is wrong with objects -------------------------------------------------------------------------------------

POISON: dict[str, str | bytes] = {
    "half of one": '{"apiVersion": "v1", "kind": "Po',
    "not an object": "[1, 2]",
    "nested too deeply": '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": %s}'
    % ('{"a":' * 100_000 + "1" + "}" * 100_000),
    "without a name": '{"apiVersion": "v1", "kind": "Pod", "metadata": {}}',
    "not text": b"\xff\xfe\x00",
    "aliases of aliases": "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
    + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefghi", "bcdefghij", strict=True)),
    "a number without end": '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"a": %s}}'
    % ("9" * 9999),
}


@pytest.mark.parametrize("work", ["lint", "upgrade", "drift", "owners", "migrate", "repair"])
@pytest.mark.parametrize("name", POISON)
def test_a_poisoned_object_is_a_row_and_not_the_end(work: str, name: str) -> None:
    if name == "a number without end" and work != "lint":
        pytest.skip("it is not an error for this work")
    given_config = {"config": [config_file(*CONFIG)]}
    options: dict[str, Any] = {"upgrade": {"releases": "1.36..1.37"}, "drift": given_config, "repair": given_config}
    poison = POISON[name]
    texts = [json.dumps(OBJECTS[0]).encode(), poison if isinstance(poison, bytes) else poison.encode()]
    given = pyarrow.record_batch({"object": [*texts, texts[0]], "source": ["one", "two", "three"]})
    found = rows(getattr(partitions, work)(iter([given]), **options.get(work, {})))
    bad = [one for one in found if one.source == "two"]
    assert [(one.what, one.severity) for one in bad if one.severity == "error"] == [("unreadable", "error")]
    assert "bug" not in bad[0].text
    assert [one.text for one in found if one.source == "one"] == [one.text for one in found if one.source == "three"]


def test_what_fails_in_an_unknown_way_does_not_tell_the_object(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("hunter-2")

    monkeypatch.setattr("kubemerge.fleet.checks.owners.owned_fields", fail)
    [found] = rows(partitions.owners(batches(OBJECTS[:1])))
    assert (found.severity, found.name) == ("error", OBJECTS[0]["metadata"]["name"])
    assert "ValueError" in found.text
    assert "hunter" not in str(found)


def secrets() -> list[dict[str, Any]]:
    found = [one for one in OBJECTS if one["kind"] == "Secret"]
    return [
        *found,
        {**found[0], "stringData": {"password": ["hunter-list"]}},
        {**found[0], "data": {"password": "hunter!"}, "type": 5},
        {**found[0], "data": "hunter", "extra": {"hunter": "hunter"}},
    ]


@pytest.mark.parametrize("work", ["lint", "upgrade", "drift", "owners", "migrate", "repair"])
def test_values_of_secrets_stay_where_they_are(work: str) -> None:
    wanted = [one for one in CONFIG if one["kind"] == "Secret"]
    changed = [{**one, "stringData": {"password": "hunter-new"}} for one in wanted]
    options: dict[str, Any] = {
        "upgrade": {"releases": "1.20..1.22", "severity": "info"},
        "drift": {"config": [config_file(*changed)]},
        "migrate": {"config": [config_file(*changed)]},
        "repair": {"config": [config_file(*changed)]},
    }
    found = rows(getattr(partitions, work)(batches(secrets()), **options.get(work, {})))
    assert found or work == "upgrade"
    assert "hunter" not in str([one for one in found if one.path != "extra.hunter"]).replace("extra.hunter", "")


def test_rows_take_any_text() -> None:
    [found] = batch([Row("a", name="\ud800é", before=None)]).to_pylist()
    assert (found["name"], found["before"]) == ("\\ud800é", None)
    assert batch([]).num_rows == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    pytest.importorskip("pandas", reason="pandas is not installed, which mapInArrow of Spark needs")
    if shutil.which("java") is None:
        pytest.skip("there is no java, which Spark needs")
    found = [live(2, cluster, number) for cluster in ("a", "b") for number in range(50)]
    texts = [(cluster, json.dumps(one)) for cluster, one in zip("ab" * 50, found, strict=True)]
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        given = spark.createDataFrame(texts, "cluster string, object string")
        told = [Row(**one.asDict()) for one in given.mapInArrow(partitions.lint, COLUMNS).collect()]
    finally:
        spark.stop()
    columns = zip(*texts, strict=True)
    here = rows(partitions.lint([pyarrow.record_batch([[*one] for one in columns], names=["cluster", "object"])]))
    assert told
    assert sorted(map(str, (one._replace(source="") for one in told))) == sorted(
        str(one._replace(source="")) for one in here
    )
