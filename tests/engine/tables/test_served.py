"""The order of apiVersions, and messages about kinds that a release lacks."""

from __future__ import annotations

from functools import cache

import pytest

import codegen
import engine
from engine.tables.served import group_of, is_of_kubernetes, moved, rank, unserved

from ...conftest import ROOT


@cache
def tables(release: str | None) -> engine.Tables:
    return engine.load(release)


FROM_WORST_TO_BEST = ["x", "v1alpha1", "v1alpha2", "v2alpha1", "v1beta1", "v1beta10", "v2beta1", "v1", "v2", "v11"]


@pytest.mark.parametrize("group", ["", "apps/", "batch/"])
def test_a_later_version_is_better_and_a_stable_one_before_all(group: str) -> None:
    versions = [group + version for version in FROM_WORST_TO_BEST]
    backwards = versions[::-1]
    assert sorted(backwards, key=rank) == versions


@pytest.mark.parametrize("group", ["extensions", "events.k8s.io"])
def test_abandoned_group_ranks_last(group: str) -> None:
    assert rank(f"{group}/v1") < rank("apps/v1alpha1")


MISSING = [
    # apiVersion, kind, release, and the text after "APIVERSION KIND is not served"
    ("batch/v1", "CronJob", "1.20", ". Served as batch/v1beta1 since 1.8"),
    ("batch/v1beta1", "CronJob", "1.37", ". Served as batch/v1 since 1.21"),
    ("extensions/v1beta1", "Ingress", "1.37", ". Served as networking.k8s.io/v1 since 1.19"),
    ("events.k8s.io/v1", "Event", "1.18", ". Served as v1"),
    ("apps/v1", "Deploymen", "1.37", ". Did you mean Deployment of apps/v1?"),
    ("policy/v1beta1", "PodSecurityPolicy", "1.37", ". It is served only in 1.10 to 1.24"),
    ("apps/v1", "Zzz", "1.37", ""),
    ("foo/v1", "Bar", "1.37", ""),
]


@pytest.mark.parametrize(("api_version", "kind", "release", "there"), MISSING)
def test_kind_missing_in_a_release(api_version: str, kind: str, release: str, there: str) -> None:
    assert unserved((api_version, kind), tables(release)) == f"{api_version} {kind} is not served{there}"


@pytest.mark.parametrize(
    ("api_version", "kind", "release"),
    [
        ("apps/v1", "Deployment", "1.37"),
        ("example.com/v1", "Thing", "1.37"),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "1.7"),
        ("apiregistration.k8s.io/v1", "APIService", "1.7"),
    ],
)
def test_possibly_served_kind_has_no_message(api_version: str, kind: str, release: str) -> None:
    assert unserved((api_version, kind), tables(release)) == ""


def test_tables_without_release_have_no_message() -> None:
    custom = codegen.read(str(ROOT / "examples" / "crds"))
    assert custom.release is None
    assert unserved(("batch/v1", "CronJo"), custom) == ""


def test_the_most_stable_of_several_is_named() -> None:
    assert moved(("extensions/v1beta1", "Deployment"), tables("1.8")) == "Served as apps/v1beta2 since 1.8"
    assert moved(("apps/v1beta1", "Deployment"), tables("1.37")) == "Served as apps/v1 since 1.9"
    assert moved(("v1", "Nothing"), tables("1.37")) == ""


def test_kind_of_the_same_name_in_another_group_is_another_kind() -> None:
    assert moved(("example.com/v1", "Ingress"), tables("1.37")) == ""
    custom = tables(None).overlay(codegen.read(str(ROOT / "examples" / "crds")))
    assert moved(("storage.example.com/v2", "Backup"), custom) == "Served as storage.example.com/v1"
    assert moved(("other.example.com/v1", "Backup"), custom) == ""


@pytest.mark.parametrize(
    ("api_version", "group", "known"),
    [
        ("v1", "", True),
        ("apps/v1", "apps", True),
        ("apiextensions.k8s.io/v1", "apiextensions.k8s.io", True),
        ("example.com/v1", "example.com", False),
    ],
)
def test_the_group_of_an_api_version(api_version: str, group: str, known: bool) -> None:
    assert group_of(api_version) == group
    assert is_of_kubernetes(api_version) == known
