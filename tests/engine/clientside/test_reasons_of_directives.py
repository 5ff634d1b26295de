"""Fields removed by a directive in the config have the directive as their reason, not a rule of the field."""

from __future__ import annotations

import engine

SCHEMA = engine.load("1.37").schema("v1", "ConfigMap")


def test_fields_dropped_by_retain_keys_have_the_directive_as_reason() -> None:
    head = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}
    config = {**head, "data": {"a": "2"}, "$retainKeys": ["apiVersion", "kind", "metadata", "data", "$retainKeys"]}
    live = {**head, "data": {"a": "1"}, "immutable": False}
    outcome = engine.apply(config, live, SCHEMA, last_applied={})
    reasons = {change.path: (change.action, change.reason) for change in outcome.changes}
    assert reasons["immutable"] == ("cleared", "cleared: by a patch directive")
