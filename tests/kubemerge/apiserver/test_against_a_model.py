"""Random sequences of requests, compared with the same on a dict, and with random content."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from engine import MergeError
from kubemerge.cluster import AlreadyExists, Conflict, NotFound, Reference, open_cluster

from .conftest import config_map, config_map_ref, crontabs, deployment, version_of

NAMES = st.sampled_from(["a", "b", "c"])
DATA = st.dictionaries(st.sampled_from("xyz"), st.sampled_from(["0", "1", "é\n"]), max_size=3)
PATCHES = st.dictionaries(st.sampled_from("xyz"), st.sampled_from(["0", "1", None]), max_size=3)


class Requests(RuleBasedStateMachine):
    """ConfigMaps in a file. `model` holds its expected content, `seen` every resourceVersion so far."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.file = str(Path(self.folder.name, "c.db"))
        self.cluster = open_cluster(self.file)
        self.model: dict[str, dict[str, Any]] = {}
        self.highest = 0

    def teardown(self) -> None:
        self.cluster.close()
        self.folder.cleanup()

    def stored(self, after: dict[str, Any], data: dict[str, str]) -> None:
        name = after["metadata"]["name"]
        before = self.model.get(name)
        assert after.get("data", {}) == data
        if before is not None and before.get("data", {}) == data:
            assert after == before
        else:
            assert version_of(after) > self.highest
            self.highest = version_of(after)
        if before is not None:
            assert after["metadata"]["uid"] == before["metadata"]["uid"]
        self.model[name] = after

    @rule(name=NAMES, data=DATA, dry_run=st.booleans())
    def create(self, name: str, data: dict[str, str], dry_run: bool) -> None:
        if name in self.model:
            with pytest.raises(AlreadyExists):
                self.cluster.create(config_map(name, **data), dry_run=dry_run)
            return
        after = self.cluster.create(config_map(name, **data), dry_run=dry_run)
        if not dry_run:
            self.stored(after, data)

    @rule(name=NAMES, data=DATA, stale=st.booleans(), dry_run=st.booleans())
    def replace(self, name: str, data: dict[str, str], stale: bool, dry_run: bool) -> None:
        wanted = config_map(name, **data)
        if name not in self.model:
            with pytest.raises(NotFound):
                self.cluster.replace(wanted, dry_run=dry_run)
            return
        if stale:
            wanted["metadata"]["resourceVersion"] = str(version_of(self.model[name]) - 1)
            with pytest.raises(Conflict):
                self.cluster.replace(wanted, dry_run=dry_run)
            return
        after = self.cluster.replace(wanted, dry_run=dry_run)
        if not dry_run:
            self.stored(after, data)

    @rule(name=NAMES, patch=PATCHES, patch_type=st.sampled_from(["merge", "strategic"]), dry_run=st.booleans())
    def patch(self, name: str, patch: dict[str, str | None], patch_type: str, dry_run: bool) -> None:
        if name not in self.model:
            with pytest.raises(NotFound):
                self.cluster.patch(config_map_ref(name), {"data": patch}, patch_type)
            return
        whole = {**self.model[name].get("data", {}), **patch}
        after = self.cluster.patch(config_map_ref(name), {"data": patch}, patch_type, dry_run=dry_run)
        if not dry_run:
            self.stored(after, {key: value for key, value in whole.items() if value is not None})

    @rule(name=NAMES, dry_run=st.booleans())
    def delete(self, name: str, dry_run: bool) -> None:
        if name not in self.model:
            with pytest.raises(NotFound):
                self.cluster.delete(config_map_ref(name), dry_run=dry_run)
            return
        assert self.cluster.delete(config_map_ref(name), dry_run=dry_run) == self.model[name]
        if not dry_run:
            del self.model[name]

    @rule()
    @precondition(lambda self: self.model)
    def open_again(self) -> None:
        self.cluster.close()
        self.cluster = open_cluster(self.file)

    @invariant()
    def the_file_holds_what_the_model_holds(self) -> None:
        assert list(self.cluster.list("v1", "ConfigMap")) == [self.model[name] for name in sorted(self.model)]


TestRequests = Requests.TestCase
TestRequests.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)

LEAVES = st.none() | st.booleans() | st.integers(-5, 2**65) | st.floats() | st.sampled_from(["", "a", "1", "%", "x/y"])
WORDS = st.sampled_from(
    [
        *(
            "metadata",
            "spec",
            "status",
            "name",
            "namespace",
            "labels",
            "annotations",
            "finalizers",
            "template",
            "ports",
        ),
        *(
            "containers",
            "group",
            "names",
            "kind",
            "versions",
            "schema",
            "scope",
            "replicas",
            "selector",
            "rules",
            "type",
        ),
        *(
            "strategy",
            "$patch",
            "uid",
            "resourceVersion",
            "generateName",
            "deletionTimestamp",
            "creationTimestamp",
            "data",
        ),
    ]
)
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12
)
OPERATION = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]),
        "path": st.sampled_from(
            [
                "",
                "/metadata",
                "/spec/template",
                "/spec/template/spec/containers/0",
                "/metadata/labels/app",
                "/spec/-",
                3,
            ]
        ),
    },
    optional={"value": ANYTHING, "from": st.sampled_from(["/spec", "/metadata/name", "x"])},
)


@given(
    start=st.sampled_from([deployment(), crontabs(), config_map(), {"apiVersion": "v1", "kind": "Service"}]),
    changes=st.dictionaries(WORDS, ANYTHING, max_size=4),
    patch=ANYTHING | st.dictionaries(WORDS, ANYTHING, max_size=3) | st.lists(OPERATION, max_size=3),
    patch_type=st.sampled_from(["json", "merge", "strategic"]),
)
@settings(max_examples=60, deadline=None)
def test_any_content_is_stored_or_refused_in_a_sentence(
    start: dict[str, Any], changes: dict[str, Any], patch: Any, patch_type: str
) -> None:
    with open_cluster(":memory:") as cluster:
        there = [Reference.of(one) for one in cluster.dump()]
        for content in (start, {**start, **changes}):
            with suppress(MergeError):
                cluster.create(content)
            with suppress(MergeError):
                cluster.replace(content)
        now = [Reference.of(one) for one in cluster.dump()]
        for reference in [one for one in now if one not in there] or now[:: len(now) // 3]:
            with suppress(MergeError):
                cluster.patch(reference, patch, patch_type)
        cluster.check()
        cluster.resources()
        for one in list(cluster.dump()):
            with suppress(MergeError):
                cluster.delete(Reference.of(one))
        with suppress(MergeError):
            cluster.load([{**start, **changes}])
        cluster.resources()
