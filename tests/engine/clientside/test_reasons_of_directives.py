"""What a directive in the config takes away is put down to the directive, and not to a rule of the field."""

from __future__ import annotations

import engine

SCHEMA = engine.load("1.37").schema("v1", "ConfigMap")


def test_what_retained_keys_of_a_config_drop_was_dropped_by_a_directive() -> None:
    head = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}
    config = {**head, "data": {"a": "2"}, "$retainKeys": ["apiVersion", "kind", "metadata", "data", "$retainKeys"]}
    live = {**head, "data": {"a": "1"}, "immutable": False}
    outcome = engine.apply(config, live, SCHEMA, last_applied={})
    reasons = {change.path: (change.action, change.reason) for change in outcome.changes}
    assert reasons["immutable"] == ("cleared", "cleared: by a patch directive")
