"""The differences between the algorithms of releases, by release and patch release."""

from __future__ import annotations

import copy
import pickle

import pytest

import engine
from engine.tables import behaviour
from engine.tables.behaviour import APPENDS_NEW_ELEMENTS, KEEPS_EMPTIED_FIELDS, LAST, NEWEST, TABLE, behaviour_of

from ...codegen.sample_specs import crd
from ...conftest import NEWEST as NEWEST_RELEASE
from ...conftest import ROOT

NAMES = {name: text for name, text in vars(behaviour).items() if isinstance(text, str) and name.isupper()}


@pytest.mark.skipif(
    not (ROOT / "engine" / "strategic" / "merge.py").exists(), reason="the compiled build has no sources"
)
def test_every_behaviour_has_rows_and_one_place_that_implements_it() -> None:
    assert {name for name, _, _ in TABLE} == set(NAMES.values())
    folders = (ROOT / "engine", ROOT / "kubemerge" / "apiserver")
    sources = {path: path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py")}
    for name in NAMES:
        used = [path.name for path, text in sources.items() if f"{name} in " in text or f"{name} not in " in text]
        assert used, name


def test_ranges_are_ordered_and_end_before_the_newest_release() -> None:
    for _, first, last in TABLE:
        assert first <= last < (int(NEWEST_RELEASE.partition(".")[2]), 0)
    assert behaviour_of(None) == behaviour_of(int(NEWEST_RELEASE.partition(".")[2])) == NEWEST


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("1.36.0", True),
        ("v1.36.2", True),
        ("1.36.2-gke.100", True),
        ("1.36.3", False),
        ("1.36", False),
        ("1.36.99", False),
        ("1.35.9", False),
        ("1.37.0", False),
    ],
)
def test_a_patch_release_has_its_own_algorithms(release: str, expected: bool) -> None:
    tables = engine.load(release)
    assert (KEEPS_EMPTIED_FIELDS in tables.schema("v1", "Pod").types.behaviour) is expected
    assert (tables is engine.load(str(tables.release))) is not expected


def test_a_backported_change_has_a_row_for_each_minor_release() -> None:
    has = {
        (minor, patch): APPENDS_NEW_ELEMENTS in behaviour_of(minor, patch) for minor in (21, 22, 23) for patch in (0, 9)
    }
    assert has == {(21, 0): True, (21, 9): False, (22, 0): True, (22, 9): False, (23, 0): True, (23, 9): False}
    assert APPENDS_NEW_ELEMENTS in behaviour_of(20)
    assert behaviour_of(22) == behaviour_of(22, LAST)


def test_tables_of_a_patch_release_state_it_and_survive_copies() -> None:
    tables = engine.load("v1.36.1")
    assert (tables.release, tables.patch_release) == ("1.36", "1.36.1")
    assert engine.load("1.36").patch_release == engine.load("1.36.3").patch_release == "1.36"
    assert repr(tables).startswith("<Tables of 1.36.1,")
    assert tables != engine.load("1.36")
    schema = tables.schema("v1", "Pod")
    assert (schema.release, schema.patch_release) == ("1.36", "1.36.1")
    for same in (pickle.loads(pickle.dumps(schema)), copy.deepcopy(schema)):
        assert same == schema
        assert same.types.behaviour == schema.types.behaviour
    over = tables.overlay(engine_tables())
    assert over.patch_release == "1.36.1"
    assert KEEPS_EMPTIED_FIELDS in over.schema("test.example/v1", "Thing").types.behaviour
    assert pickle.loads(pickle.dumps(over)) == over


def engine_tables() -> engine.Tables:
    import codegen

    return codegen.read(crd())


@pytest.mark.parametrize("release", ["1.36.x", "1.36.", "1.36.-1", "1.36.1.2"])
def test_an_impossible_patch_is_one_error(release: str) -> None:
    with pytest.raises(engine.UnknownRelease, match=r"supported releases are 1\.7 to"):
        engine.load(release)


def test_old_kubectl_sends_nulls_of_a_new_object() -> None:
    config = {"apiVersion": "test.example/v1", "kind": "Thing", "metadata": {"name": "n"}, "spec": {"a": None}}
    for release, sent in (("1.30", {"a": None}), ("1.31", {})):
        outcome = engine.apply(config, None, engine.load(release).overlay(engine_tables()))
        assert outcome.patch["spec"] == outcome.merged["spec"] == sent
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}, "spec": {"nodeName": None}}
    outcome = engine.apply(pod, None, engine.load("1.30"))
    assert (outcome.patch["spec"], outcome.merged["spec"]) == ({"nodeName": None}, {})


def test_old_kubectl_sends_empty_maps_for_unchanged_parts() -> None:
    config = {"apiVersion": "test.example/v1", "kind": "Thing", "metadata": {"name": "n"}, "spec": {"a": 1}}
    live = {**config, "spec": {"a": 1, "b": 2}}
    last = {**config, "spec": {"a": 1, "b": 2}}
    for release, patch in (("1.10", {"metadata": {}, "spec": {"b": None}}), ("1.11", {"spec": {"b": None}})):
        tables = engine.load(release).overlay(engine_tables())
        outcome = engine.apply(config, live, tables, last_applied=last)
        outcome.patch.get("metadata", {}).pop("annotations", None)
        found = {name: value for name, value in outcome.patch.items() if value or release == "1.10"}
        assert found == patch


def test_old_servers_record_no_subresource() -> None:
    before = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}}
    after = {**before, "status": {"phase": "Running"}}
    for release, expected in (("1.21", {"manager"}), ("1.22", {"manager", "subresource"})):
        schema = engine.load(release).schema("v1", "Pod")
        stored = engine.record_update(before, after, schema, manager="kubelet", subresource="status")
        (entry,) = stored["metadata"]["managedFields"]
        assert entry.keys() & {"manager", "subresource"} == expected


def test_old_servers_record_no_scaling() -> None:
    live = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "n"}, "spec": {"replicas": 1}}
    scale = {"spec": {"replicas": 3}}
    for release, managers in (("1.21", None), ("1.22", ["me"])):
        schema = engine.load(release).schema("apps/v1", "Deployment")
        stored = engine.record_update(live, scale, schema, manager="me", subresource="scale")
        assert stored["spec"]["replicas"] == 3
        entries = stored["metadata"].get("managedFields")
        assert (entries and [one["manager"] for one in entries]) == managers


def test_old_servers_let_a_write_own_what_it_cannot_change() -> None:
    config = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "n"}, "status": {"phase": "Running"}}
    for release, owned in (("1.20", True), ("1.21", False)):
        schema = engine.load(release).schema("v1", "Pod")
        merged = engine.server_side_apply(config, None, schema, manager="me").merged
        owners = [one.path for one in engine.field_owners(merged)]
        assert ("status.phase" in owners) is owned
        assert "status" not in merged
