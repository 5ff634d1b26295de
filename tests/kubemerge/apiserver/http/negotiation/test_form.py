"""Objects, lists and events in each form, as on a real server of 1.37."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from kubemerge.apiserver.http.negotiation import Form, wanted
from kubemerge.cluster import open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.cluster import Cluster

META = "v=v1;g=meta.k8s.io"
TABLE = f"application/json;as=Table;{META}"
PARTIAL = f"application/json;as=PartialObjectMetadata;{META}"
PARTIALS = f"application/json;as=PartialObjectMetadataList;{META}"
NAMED = {"name": "default", "resourceVersion": "26", "creationTimestamp": "2026-11-22T15:54:58Z"}
ONE = {"kind": "Namespace", "apiVersion": "v1", "metadata": NAMED, "status": {"phase": "Active"}}
META_ONLY = {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": NAMED}
MARKED = {"resourceVersion": "87", "annotations": {"k8s.io/initial-events-end": "true"}}
BOOKMARK = {"kind": "Namespace", "apiVersion": "v1", "metadata": MARKED}
LIST = {"resourceVersion": "87", "continue": "x", "remainingItemCount": 3}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with open_cluster(":memory:", release="1.37") as opened:
        yield opened


def event(cluster: Cluster, form: Form, type_: str, one: dict[str, Any], *, first: bool = False) -> dict[str, Any]:
    return form.of_event(type_, one, cluster.resource("v1", "Namespace"), cluster, first=first)


def of_one(cluster: Cluster, accept: str, included: str = "") -> dict[str, Any]:
    form = wanted(accept, include_object=included)
    return form.of_object(ONE, cluster.resource("v1", "Namespace"), cluster)


def of_list(cluster: Cluster, accept: str) -> dict[str, Any]:
    return wanted(accept, listing=True).of_list([ONE], cluster.resource("v1", "Namespace"), cluster, LIST)


def test_an_object_as_it_is(cluster: Cluster) -> None:
    assert of_one(cluster, "application/json") == ONE


def test_only_its_metadata(cluster: Cluster) -> None:
    assert of_one(cluster, PARTIAL) == META_ONLY
    assert of_one(cluster, PARTIAL.replace("v1", "v1beta1"))["apiVersion"] == "meta.k8s.io/v1beta1"


@pytest.mark.parametrize(
    ("included", "row"), [("", META_ONLY), ("Metadata", META_ONLY), ("Object", ONE), ("None", None)]
)
def test_a_table_of_one_object(cluster: Cluster, included: str, row: Any) -> None:
    table = of_one(cluster, TABLE, included)
    assert table["metadata"] == {"resourceVersion": "26"}
    assert [column["name"] for column in table["columnDefinitions"]] == ["Name", "Status", "Age"]
    assert table["rows"][0]["cells"][:2] == ["default", "Active"]
    assert table["rows"][0]["object"] == row


def test_a_status_has_one_form(cluster: Cluster) -> None:
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
    assert wanted(TABLE).of_object(status, cluster.resource("v1", "Namespace"), cluster) is status


def test_the_elements_of_a_list_do_not_repeat_what_they_are(cluster: Cluster) -> None:
    found = of_list(cluster, "")
    items = [{"metadata": NAMED, "status": {"phase": "Active"}}]
    assert found == {"kind": "NamespaceList", "apiVersion": "v1", "metadata": LIST, "items": items}


def test_lists_in_other_forms_keep_what_a_client_needs_to_go_on(cluster: Cluster) -> None:
    assert of_list(cluster, TABLE)["metadata"] == LIST
    assert of_list(cluster, PARTIALS) == {
        "kind": "PartialObjectMetadataList",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": LIST,
        "items": [META_ONLY],
    }


def test_the_columns_stand_in_the_first_event_only(cluster: Cluster) -> None:
    first, second = (event(cluster, wanted(TABLE), "ADDED", ONE, first=first) for first in (True, False))
    assert first["type"] == "ADDED"
    assert len(first["object"]["columnDefinitions"]) == 3
    assert second["object"]["columnDefinitions"] is None
    assert second["object"]["rows"] == first["object"]["rows"]


def test_a_bookmark_in_a_table_is_seen_by_clients_that_want_no_objects(cluster: Cluster) -> None:
    table = event(cluster, wanted(TABLE, include_object="None"), "BOOKMARK", BOOKMARK)["object"]
    assert table == {
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": {"resourceVersion": "87"},
        "columnDefinitions": None,
        "rows": [{"cells": ["", "", "<unknown>"], "object": {**META_ONLY, "metadata": MARKED}}],
    }


def test_events_with_metadata(cluster: Cluster) -> None:
    assert event(cluster, wanted(PARTIAL), "DELETED", ONE) == {"type": "DELETED", "object": META_ONLY}
    assert event(cluster, wanted(PARTIALS), "ADDED", ONE) == {"type": "ADDED", "object": ONE}


def test_the_error_at_the_end_of_a_stream(cluster: Cluster) -> None:
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 410}
    assert event(cluster, wanted(TABLE), "ERROR", status) == {"type": "ERROR", "object": status}


def test_answers_in_yaml_and_in_json_for_people(cluster: Cluster) -> None:
    assert yaml.safe_load(wanted("application/yaml").encoded(ONE))["metadata"]["name"] == "default"
    plain, pretty = wanted("").encoded(ONE), wanted("application/json;pretty=1").encoded(ONE)
    assert json.loads(plain) == json.loads(pretty) == ONE
    assert plain.count(b"\n") == 1
    assert b'\n  "kind": "Namespace"' in pretty
