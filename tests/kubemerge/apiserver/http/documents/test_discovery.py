"""Discovery equals a real server's, in each release."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.apiserver.http import discovery
from kubemerge.apiserver.http.discovery import ServedResources, served_by
from kubemerge.apiserver.http.negotiation import Form
from kubemerge.cluster import open_cluster

from .differences import RESOURCES
from .recorded import definitions, recorded

if TYPE_CHECKING:
    from collections.abc import Callable

SERVED_RELEASES = [release for release in engine.releases() if int(release[2:]) >= 16]
LISTS = [path for path in recorded() if path.startswith(("/api/", "/apis/")) and "(" not in path]


def without_left_out(listed: dict[str, Any]) -> dict[str, Any]:
    kept = [one for one in listed["resources"] if one["name"] not in RESOURCES]
    return {**listed, "resources": kept}


@pytest.mark.parametrize("path", [path for path in LISTS if path.count("/") > 2 or path == "/api/v1"])
def test_the_resources_of_a_version_are_those_of_a_server(path: str, served: ServedResources) -> None:
    api_version = path.removeprefix("/apis/").removeprefix("/api/")
    assert discovery.resource_list(served, api_version) == without_left_out(recorded()[path])


@pytest.mark.parametrize("path", [path for path in LISTS if path.count("/") == 2 and path != "/api/v1"])
def test_a_group_is_that_of_a_server(path: str, served: ServedResources) -> None:
    assert discovery.group(served, path.removeprefix("/apis/")) == recorded()[path]


def test_the_groups_are_those_of_a_server_in_its_order(served: ServedResources) -> None:
    assert discovery.groups(served) == recorded()["/apis"]


def test_the_core_versions_are_those_of_a_server(served: ServedResources) -> None:
    wanted = recorded()["/api"]
    address = wanted["serverAddressByClientCIDRs"][0]["serverAddress"]
    assert discovery.versions(served, address) == wanted


def test_what_is_left_out_of_discovery_is_there_on_a_server() -> None:
    assert set(RESOURCES) <= {one["name"] for one in recorded()["/api/v1"]["resources"]}


@pytest.mark.parametrize("path", ["api", "apis"])
def test_aggregated_discovery_is_that_of_a_server(path: str, served: ServedResources) -> None:
    wanted = json.loads(json.dumps(recorded()[f"/{path} (aggregated)"]))
    for group in wanted["items"]:
        for version in group["versions"]:
            for one in version["resources"]:
                parts = one.get("subresources", [])
                parts = [part for part in parts if f"{one['resource']}/{part['subresource']}" not in RESOURCES]
                one.pop("subresources", None)
                if parts:
                    one["subresources"] = parts
    found = discovery.aggregated(served, path, Form(version="v2"))
    assert json.loads(found.data) == wanted


def test_the_version_has_the_fields_of_a_server() -> None:
    assert discovery.version("1.37").keys() == recorded()["/version"].keys()
    assert discovery.version("1.37")["minor"] == recorded()["/version"]["minor"]


def test_the_addresses_of_groups_are_those_of_a_server(served_of: Callable[[str], ServedResources]) -> None:
    ours = set(discovery.root(served_of("1.37"))["paths"])
    theirs = {path for path in recorded()["/"]["paths"] if "example" not in path}
    assert {path for path in theirs if path.startswith("/api")} == {path for path in ours if path.startswith("/api")}
    assert ours <= theirs


@pytest.mark.parametrize(
    ("release", "version", "there"),
    [
        ("1.16", "v2", False),
        ("1.26", "v2beta1", False),
        ("1.27", "v2beta1", True),
        ("1.29", "v2", False),
        ("1.30", "v2", True),
        ("1.32", "v2beta1", True),
        ("1.33", "v2beta1", False),
        ("1.37", "v3", False),
    ],
)
def test_a_release_has_aggregated_discovery_as_it_did(
    release: str, version: str, there: bool, served_of: Callable[[str], ServedResources]
) -> None:
    served = served_of(release)
    assert (version in {shape[2] for shape in discovery.shapes(served.minor)}) is there
    if there:
        found = json.loads(discovery.aggregated(served, "apis", Form(version=version)).data)
        assert found["apiVersion"] == f"apidiscovery.k8s.io/{version}"


@pytest.mark.parametrize("release", SERVED_RELEASES)
def test_each_release_lists_what_it_serves(release: str, served_of: Callable[[str], ServedResources]) -> None:
    served = served_of(release)
    listed = {one["name"]: one["versions"] for one in discovery.groups(served)["groups"]}
    assert {"apps", "batch", "authorization.k8s.io"} <= set(listed)
    assert ("extensions" in listed) is (int(release[2:]) < 22)
    for versions in listed.values():
        for version in versions:
            found = discovery.resource_list(served, version["groupVersion"])
            assert found is not None
            names = [one["name"] for one in found["resources"]]
            assert len(set(names)) == len(names)
            assert {name.partition("/")[0] for name in names} <= set(names)


def test_what_changed_is_seen_and_what_did_not_is_kept() -> None:
    with open_cluster(":memory:") as cluster:
        before = served_by(cluster)
        assert served_by(cluster, before) is before
        cluster.create(definitions()[0])
        after = served_by(cluster, before)
        assert after is not before
        first = discovery.aggregated(before, "apis", Form(version="v2"))
        second = discovery.aggregated(after, "apis", Form(version="v2"))
        assert first.etag != second.etag
        assert discovery.group(before, "stable.example.com") is None
        assert discovery.group(after, "stable.example.com") is not None


def test_the_hash_of_a_document_is_the_same_in_every_process(served_of: Callable[[str], ServedResources]) -> None:
    with open_cluster(":memory:", release="1.37") as cluster:
        again = discovery.aggregated(served_by(cluster), "apis", Form(version="v2"))
    first = discovery.aggregated(served_of("1.37"), "apis", Form(version="v2"))
    assert first is not again
    assert first.etag == again.etag


def test_health_is_told_shortly_or_check_by_check() -> None:
    assert discovery.health("/readyz") == "ok"
    assert discovery.health("/livez/ping") == "ok"
    assert discovery.health("/livez/pong") is None
    assert discovery.health("/health") is None
    said = discovery.health("/livez", verbose=True, exclude=["etcd", "x"])
    assert said is not None
    assert said.splitlines() == [
        "[+]ping ok",
        "[+]log ok",
        "[+]etcd excluded: ok",
        'warn: some health checks cannot be excluded: no matches for "x"',
        "livez check passed",
    ]


@pytest.mark.parametrize(("release", "version"), [("1.16", "v1.16.0"), ("1.32", "v1.32.13"), ("1.33", "v1.33.13")])
def test_an_old_release_says_less_of_its_version(release: str, version: str) -> None:
    said = discovery.version(release)
    assert said["gitVersion"] == version
    assert ("emulationMinor" in said) is (release == "1.33")


@pytest.mark.parametrize("release", ["1.16", "1.17"])
def test_what_was_turned_off_before_it_was_removed_is_not_listed(
    release: str, served_of: Callable[[str], ServedResources]
) -> None:
    versions = served_of(release).versions
    assert versions["apps"] == ["v1"]
    assert {row.resource for row in served_of(release).of("extensions/v1beta1")} == {"ingresses"}
    assert versions["autoscaling"] == ["v1", "v2beta2", "v2beta1"]


@pytest.mark.parametrize("release", ["1.21", "1.22"])
def test_old_releases_answer_reviews_in_two_versions(release: str, served_of: Callable[[str], ServedResources]) -> None:
    wanted = ["v1", "v1beta1"] if release == "1.21" else ["v1"]
    assert served_of(release).versions["authorization.k8s.io"] == wanted
    assert served_of(release).versions["authentication.k8s.io"] == wanted
