"""The reasons of a server-side apply."""

from __future__ import annotations

import copy
import pickle

import engine

SCHEMA = engine.load().schema("v1", "ConfigMap")


def config(**data: str) -> dict[str, object]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": data}


def time(hour: int) -> str:
    return f"2024-01-01T{hour:02}:00:00Z"


def reasons(outcome: engine.Outcome) -> dict[str, tuple[str, str]]:
    return {change.path: (change.action, change.reason) for change in outcome.changes}


def test_every_owned_field_says_who_owns_it_and_who_lost_it() -> None:
    first = engine.server_side_apply(config(a="1", b="1", c="1", d="1"), None, SCHEMA, manager="me", time=time(1))
    assert reasons(first) == {f"data.{key}": ("added", f"owned by me (Apply since {time(1)})") for key in "abcd"}
    live = engine.server_side_apply(config(c="1", e="1"), first.merged, SCHEMA, manager="you", time=time(2)).merged
    live = engine.record_update(live, {**live, "data": {**live["data"], "f": "1"}}, SCHEMA, manager="ed", time=time(3))
    last = engine.server_side_apply(
        config(a="1", b="2", e="1", f="2"), live, SCHEMA, manager="me", time=time(4), force=True
    )
    assert reasons(last) == {
        "data.a": ("unchanged", f"owned by me (Apply since {time(4)})"),
        "data.b": ("changed", f"owned by me (Apply since {time(4)})"),
        "data.c": ("unchanged", f"given up by this apply, and owned by you (Apply since {time(2)})"),
        "data.d": ("cleared", "given up by this apply, and owned by nobody now"),
        "data.e": ("unchanged", f"owned by me (Apply since {time(4)}), and by you (Apply since {time(2)})"),
        "data.f": ("changed", f"owned by me (Apply since {time(4)}); taken over from ed (Update since {time(3)})"),
    }
    assert last.changes is last.changes


def test_what_is_written_through_a_subresource_says_so() -> None:
    schema = engine.load().schema("apps/v1", "Deployment")
    live = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "uid": "u"}, "spec": {}}
    scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "d"}, "spec": {"replicas": 2}}
    outcome = engine.server_side_apply(scale, live, schema, manager="hpa", subresource="scale", time=time(1))
    assert reasons(outcome) == {"spec.replicas": ("added", "owned by hpa (Apply through scale)")}
    other = engine.server_side_apply(
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}}, outcome.merged, schema, manager="me"
    )
    assert reasons(other) == {"spec.replicas": ("unchanged", "owned by hpa (Apply through scale)")}


def test_an_outcome_can_be_stored_and_copied() -> None:
    outcome = engine.server_side_apply({**config(a="1"), "kind": "Loose"}, None, None, manager="me", time=time(1))
    for same in (pickle.loads(pickle.dumps(outcome)), copy.deepcopy(outcome)):
        assert type(same) is type(outcome)
        assert (same.result, same.merged, same.patch, same.patch_type) == (
            "created",
            outcome.merged,
            outcome.patch,
            "apply",
        )
        assert reasons(same) == reasons(outcome)
    assert repr(outcome) == "<Outcome created by apply>"
