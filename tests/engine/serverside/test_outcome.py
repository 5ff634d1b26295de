"""The reasons of a server-side apply."""

from __future__ import annotations

import copy
import pickle

import engine

ADDED, SET, SAME = "added: in config, not in live", "set: config differs from live", "unchanged: config and live agree"

SCHEMA = engine.load().schema("v1", "ConfigMap")


def config(**data: str) -> dict[str, object]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": data}


def time(hour: int) -> str:
    return f"2024-01-01T{hour:02}:00:00Z"


def reasons(outcome: engine.Outcome) -> dict[str, tuple[str, str]]:
    return {change.path: (change.action, change.reason) for change in outcome.changes if not is_identity(change.path)}


def is_identity(path: str) -> bool:
    return path in ("apiVersion", "kind", "metadata.name", "metadata.uid")


def test_every_owned_field_says_who_owns_it_and_who_lost_it() -> None:
    first = engine.server_side_apply(config(a="1", b="1", c="1", d="1"), None, SCHEMA, manager="me", time=time(1))
    assert reasons(first) == {
        f"data.{key}": ("added", f"{ADDED}; owned by me (Apply since {time(1)})") for key in "abcd"
    }
    live = engine.server_side_apply(config(c="1", e="1"), first.merged, SCHEMA, manager="you", time=time(2)).merged
    live = engine.record_update(live, {**live, "data": {**live["data"], "f": "1"}}, SCHEMA, manager="ed", time=time(3))
    last = engine.server_side_apply(
        config(a="1", b="2", e="1", f="2"), live, SCHEMA, manager="me", time=time(4), force=True
    )
    assert reasons(last) == {
        "data.a": ("unchanged", f"{SAME}; owned by me (Apply since {time(4)})"),
        "data.b": ("changed", f"{SET}; owned by me (Apply since {time(4)})"),
        "data.c": (
            "kept",
            f"kept: not in config, but another manager owns it; owned by you (Apply since {time(2)})",
        ),
        "data.d": ("cleared", "removed: not in config, and no other manager owns it; owned by nobody"),
        "data.e": ("unchanged", f"{SAME}; owned by me (Apply since {time(4)}), and by you (Apply since {time(2)})"),
        "data.f": (
            "changed",
            f"{SET}; owned by me (Apply since {time(4)}), taken over from ed (Update since {time(3)})",
        ),
    }
    assert last.changes is last.changes


def test_fields_that_nobody_owns_have_a_reason_too() -> None:
    schema = engine.load("1.37").schema("apps/v1", "Deployment")
    live = engine.record_update(
        None,
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "d", "labels": {"l": "1"}},
            "spec": {"replicas": 1},
        },
        schema,
        manager="you",
        time=time(1),
    )
    live["status"] = {"replicas": 1}
    live["metadata"]["annotations"] = {"a": "b"}
    live["spec"]["strategy"] = {"type": "Recreate"}
    mine = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}}
    config = {**mine, "spec": {"minReadySeconds": 3}, "status": {"replicas": 2}}
    assert reasons(engine.server_side_apply(config, live, schema, manager="me", time=time(2))) == {
        "metadata.labels": ("matched", f"kept: contains other fields; owned by you (Update since {time(1)})"),
        "metadata.labels.l": ("kept", f"kept: not in config; owned by you (Update since {time(1)})"),
        "metadata.annotations.a": ("kept", "kept: not in config; owned by nobody"),
        "spec.minReadySeconds": ("added", f"{ADDED}; owned by me (Apply since {time(2)})"),
        "spec.replicas": ("kept", f"kept: not in config; owned by you (Update since {time(1)})"),
        "spec.strategy.type": ("kept", "kept: not in config; owned by nobody"),
        "status.replicas": ("kept", "kept: this write cannot change it; owned by nobody"),
    }


def test_an_element_is_told_with_its_fields_and_goes_with_them() -> None:
    schema = engine.load("1.37").schema("v1", "Service")
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}
    first = engine.server_side_apply({**service, "spec": {"ports": [{"port": 1}]}}, None, schema, manager="me")
    live = first.merged
    live["spec"]["ports"][0]["protocol"] = "TCP"
    both = engine.server_side_apply({**service, "spec": {"ports": [{"port": 1}]}}, live, schema, manager="me")
    assert reasons(both)["spec.ports[port=1,protocol=TCP]"][0] == "matched"
    gone = reasons(engine.server_side_apply({**service, "spec": {"ports": [{"port": 2}]}}, live, schema, manager="me"))
    assert gone["spec.ports[port=1,protocol=TCP].protocol"] == (
        "cleared",
        "removed: with its parent; owned by nobody",
    )


def test_what_is_written_through_a_subresource_says_so() -> None:
    schema = engine.load().schema("apps/v1", "Deployment")
    live = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "uid": "u"}, "spec": {}}
    scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "d"}, "spec": {"replicas": 2}}
    outcome = engine.server_side_apply(scale, live, schema, manager="hpa", subresource="scale", time=time(1))
    assert reasons(outcome) == {"spec.replicas": ("added", f"{ADDED}; owned by hpa (Apply through scale)")}
    other = engine.server_side_apply(
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}}, outcome.merged, schema, manager="me"
    )
    assert reasons(other) == {"spec.replicas": ("kept", "kept: not in config; owned by hpa (Apply through scale)")}


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
