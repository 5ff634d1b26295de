"""Every record is found by its kinds, and by no others."""

from __future__ import annotations

from collections import Counter

import engine
from kubemerge.apiserver.kinds.builtin_kinds import stored_in
from kubemerge.apiserver.registry import strategy
from kubemerge.apiserver.registry.record import KindRecord, after_create_check
from kubemerge.apiserver.registry.table import all_records, find

RECORDS = all_records()


def test_a_record_is_found_in_all_its_versions() -> None:
    assert len(RECORDS) > 10
    for record in RECORDS:
        for version in record.versions:
            assert find(version, record.kind) is record
            assert stored_in(version.rpartition("/")[0], record.kind) == record.group


def test_a_kind_has_one_record() -> None:
    assert set(Counter((record.group, record.kind) for record in RECORDS).values()) == {1}


def test_every_version_was_served_by_some_release() -> None:
    for record in RECORDS:
        served = {
            version
            for release in engine.releases()
            for version, kind in engine.load(release).kinds()
            if kind == record.kind
        }
        assert set(record.versions) <= served | {"apiextensions.k8s.io/v1beta1"}


def test_other_kinds_have_no_record() -> None:
    assert find("example.com/v1", "Deployment") is None
    assert find("apps/v1", "Nothing") is None
    assert find(None, "Pod") is None
    assert find("v1", {}) is None
    assert strategy.prepare({"kind": "X"}, None, 37) == {"kind": "X"}
    assert strategy.warnings({"kind": "X"}, None, 37) == []


def test_a_replacement_is_judged_as_a_new_object_first() -> None:
    judge = after_create_check(
        lambda content: iter([content["a"]]), lambda content, before: iter([before["a"] + content["a"]])
    )
    assert list(judge({"a": "x"}, {"a": "y"})) == ["x", "yx"]


def test_another_version_of_a_kind_differs_by_its_name_only() -> None:
    assert strategy.in_version({"apiVersion": "apps/v1beta1", "kind": "Deployment"}, "apps/v1", 37) == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
    }
    assert KindRecord("", "X", ()).converted is None
