"""Predictions leave out values that only a server can choose, wherever they are."""

from __future__ import annotations

from typing import Any

from kubemerge.apiserver.system_fields import NOW, UID, without_system_fields

METADATA = {"name": "a", "uid": UID, "creationTimestamp": NOW, "resourceVersion": "5"}


def left(status: Any, live: Any = None) -> tuple[Any, tuple[str, ...]]:
    answer = {"apiVersion": "a.example/v1", "kind": "A", "metadata": METADATA, "status": status}
    found, left_out = without_system_fields(answer, live, {"metadata": {"name": "a"}}, owners=True)
    assert found["metadata"] == {"name": "a"}
    return found.get("status"), tuple(one for one in left_out if one.startswith("status"))


def test_values_in_lists_are_left_out() -> None:
    conditions = [{"type": "A", "lastTransitionTime": NOW}, {"type": "B"}]
    assert left({"conditions": conditions}) == (
        {"conditions": [{"type": "A"}, {"type": "B"}]},
        ("status.conditions[0].lastTransitionTime",),
    )
    assert left({"uids": [["a"], [{"uid": UID}]]}) == ({"uids": [["a"], [{}]]}, ("status.uids[1][0].uid",))


def test_values_of_the_live_object_stay() -> None:
    live = {"metadata": {"name": "a"}, "status": {"list": [{"at": NOW}], "other": [{"at": NOW}]}}
    status = {"list": [{"at": NOW}], "other": [{"at": NOW}, {"at": NOW}]}
    assert left(status, live) == (
        {"list": [{"at": NOW}], "other": [{}, {}]},
        ("status.other[0].at", "status.other[1].at"),
    )


def test_an_empty_map_stays_only_if_it_was_empty() -> None:
    assert left({"at": {"time": NOW}, "empty": {}}) == ({"empty": {}}, ("status.at.time",))
