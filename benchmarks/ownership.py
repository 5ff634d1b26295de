"""Benchmark of server-side apply: a config of one of three managers, force, bytes in to bytes out."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import engine
from engine.values.go_json import decode, encode
from tests.conformance.ownership.kinds import key_defaults

if TYPE_CHECKING:
    from collections.abc import Callable

    from .documents import Work

TIME = "2024-01-01T00:00:00Z"


MOST_FOR_THE_REFERENCE = 500_000
"""Maximum bytes of live: beyond this, the reference takes seconds, because it keeps lists of steps sorted."""


def server_side_apply(work: Work) -> tuple[Callable[[], bytes], dict[str, Any] | None]:
    """The call, and the request for the same by the reference."""
    schema = engine.load().schema(work.api_version, work.kind)
    config, live = _bare(work.config), _live(work, schema)
    config_text, live_text = encode(config).encode(), encode(live).encode()

    def call() -> bytes:
        given, stored = decode(config_text), decode(live_text)
        outcome = engine.server_side_apply(given, stored, schema, manager="shop", force=True, time=TIME)
        return encode(outcome.merged).encode()

    types = {
        "file": f"../../openapi/{schema.release}.json",
        "apiVersion": work.api_version,
        "described": work.api_version,
        "kind": work.kind,
        "key_defaults": key_defaults(str(schema.release)),
    }
    write = {
        "do": "apply",
        "manager": "shop",
        "force": True,
        "time": TIME,
        "bare": True,
        "live": live,
        "object": config,
    }
    question = {"op": "ownership", "types": types, "write": write}
    return call, question if len(live_text) < MOST_FOR_THE_REFERENCE else None


def _bare(document: dict[str, Any]) -> dict[str, Any]:
    """The document without fields of client-side apply and of servers."""
    metadata = {
        key: value for key, value in document["metadata"].items() if key not in ("annotations", "managedFields")
    }
    return {**deepcopy(document), "metadata": metadata}


def _live(work: Work, schema: engine.Schema) -> dict[str, Any]:
    """The live object with three managers: the applier, the defaulter of the spec, and the writer of the status."""
    applied = engine.server_side_apply(_bare(work.last_applied), None, schema, manager="shop", time=TIME).merged
    entries = applied["metadata"]["managedFields"]
    grown = _bare(work.live)
    grown["metadata"]["managedFields"] = entries
    spec = {**grown, "status": {}}
    stored = engine.record_update(applied, spec, schema, manager="kube-apiserver", time=TIME)
    grown["metadata"]["managedFields"] = stored["metadata"]["managedFields"]
    return engine.record_update(
        stored, grown, schema, manager="kube-controller-manager", subresource="status", time=TIME
    )
