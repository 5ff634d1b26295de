"""Entries of managedFields: what is read, refused, sorted and put together."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.serverside import managers

GOOD = {
    "manager": "m",
    "operation": "Update",
    "apiVersion": "v1",
    "time": "2024-01-01T00:00:00Z",
    "fieldsType": "FieldsV1",
    "fieldsV1": {"f:data": {}},
}


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({}, "it is a dict, not a list"),
        ([5], "an entry is 5, not an object"),
        ([{**GOOD, "manager": 5}], "an entry of the manager 5 has a value that is not a string"),
        ([{**GOOD, "operation": "Create"}], "'Create', not Apply or Update"),
        ([{**GOOD, "apiVersion": ""}], "an entry has no apiVersion"),
        ([{**GOOD, "fieldsType": "FieldsV2"}], "'FieldsV2', not FieldsV1"),
        ([{**GOOD, "time": "yesterday"}], "the time 'yesterday' is not in RFC 3339 format"),
        ([{**GOOD, "time": "2024-01-01T00:00:00"}], "is not in RFC 3339 format"),
    ],
)
def test_what_no_server_wrote_is_refused(entries: Any, problem: str) -> None:
    live = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "uid": "u", "managedFields": entries}}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
    schema = engine.load().schema("v1", "ConfigMap")
    with pytest.raises(engine.MergeError, match=r"metadata\.managedFields: ") as caught:
        engine.server_side_apply(config, live, schema, manager="me")
    assert problem in str(caught.value)
    # An update never fails because of them: the object is stored without.
    stored = engine.record_update({**live, "metadata": {"name": "c"}}, live, schema, manager="me")
    assert "problem" not in stored
    with pytest.raises(engine.MergeError):
        engine.field_owners(live)


@pytest.mark.parametrize(
    ("given", "utc"),
    [
        ("2024-01-01T02:00:00+02:00", "2024-01-01T00:00:00Z"),
        ("2024-01-01T00:00:00.123456Z", "2024-01-01T00:00:00Z"),
        ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"),
        ("", None),
    ],
)
def test_times_are_in_utc(given: str, utc: str | None) -> None:
    assert managers.utc(given) == utc


def entry(name: str, time: str | None, *, version: str = "v1", field: str = "") -> managers.Entry:
    own = managers.identity(name, managers.UPDATE, version, None)
    return managers.Entry(own, version, {f"f:{field or name}": {".": None}}, time)


def of(*entries: managers.Entry) -> managers.Managed:
    return {one.identity: one for one in entries}


def test_the_oldest_of_too_many_updates_become_one() -> None:
    capped = managers.capped(of(*[entry(f"m{number}", f"2024-01-{number:02}T00:00:00Z") for number in range(1, 13)]))
    assert len(capped) == managers.MOST_UPDATES
    (ancient,) = [one for one in capped.values() if one.identity[0] == managers.ANCIENT]
    assert [*ancient.tree] == ["f:m3", "f:m2", "f:m1"]
    assert ancient.time == "2024-01-03T00:00:00Z"


def test_updates_of_several_versions_have_a_bucket_each() -> None:
    many = [entry(f"m{number:02}", None, version=f"v{number % 3}") for number in range(14)]
    capped = managers.capped(of(*many))
    assert sorted(one.version for one in capped.values() if one.identity[0] == managers.ANCIENT) == ["v0", "v1", "v2"]


def test_versions_that_are_met_once_are_left() -> None:
    many = of(*[entry(f"m{number:02}", None, version=f"v{number}") for number in range(12)])
    assert managers.capped(many) == many


def test_a_bucket_that_is_newer_than_an_update_is_lost_as_in_the_reference() -> None:
    many = [entry(f"m{number:02}", f"2024-02-{number:02}T00:00:00Z") for number in range(2, 12)]
    old = entry("m01", "2024-01-01T00:00:00Z")
    capped = managers.capped(of(old, entry(managers.ANCIENT, "2024-01-02T00:00:00Z"), *many))
    (ancient,) = [one for one in capped.values() if one.identity[0] == managers.ANCIENT]
    assert sorted(ancient.tree) == ["f:m01", "f:m02"]


def test_entries_are_stored_by_operation_time_and_name() -> None:
    entries = [
        {**GOOD, "manager": "b"},
        {**GOOD, "manager": "a", "subresource": "status"},
        {**GOOD, "manager": "a"},
        {**GOOD, "manager": "z", "time": None},
        {**GOOD, "manager": "y", "operation": "Apply", "time": "2025-01-01T00:00:00Z"},
    ]
    stored = managers.written(managers.read(entries))
    assert [(one["manager"], one.get("subresource")) for one in stored] == [
        ("y", None),
        ("z", None),
        ("a", None),
        ("a", "status"),
        ("b", None),
    ]
    assert "time" not in stored[1]
    assert "manager" not in managers.written(managers.read([{**GOOD, "manager": ""}]))[0]


def test_of_two_entries_of_one_writer_the_later_one_counts() -> None:
    (one,) = managers.read([GOOD, {**GOOD, "fieldsV1": {"f:x": {}}}]).values()
    assert [*one.tree] == ["f:x"]
