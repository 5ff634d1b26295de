"""Tables, compared with a real API server."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.http.negotiation import wanted
from kubemerge.apiserver.printers import ages
from kubemerge.cluster import open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.cluster import Cluster

Table = dict[str, Any]

ACCEPT = "application/json;as=Table;v=v1;g=meta.k8s.io"
RECORDED = Path(__file__).parent / "data" / "tables.jsonl.gz"
TABLES: list[Table] = [json.loads(line) for line in gzip.decompress(RECORDED.read_bytes()).decode().splitlines()]
WITHOUT_COLUMNS = {
    "CompositePodGroup",
    "Eviction",
    "EvictionRequest",
    "LeaseCandidate",
    "PodGroup",
    "ResourcePoolStatusRequest",
    "StorageVersion",
}
"""Kinds of alpha and beta versions that are not served by default: their tables only have name and age."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with open_cluster(":memory:", release="1.37") as opened:
        definitions = next(table for table in TABLES if table["kind"] == "CustomResourceDefinition")
        opened.load([row["object"] for row in definitions["rows"]])
        yield opened


DIFFERENT_CELLS = {("autoscaling/v1 HorizontalPodAutoscaler", name) for name in ("h-many", "h-object", "h-pods")}
"""autoscaling/v1 has most metrics in annotations, without their order and current values."""


def title(table: Table) -> str:
    return f"{table['apiVersion']} {table['kind']}"


@pytest.mark.parametrize("real", [one for one in TABLES if one["kind"] not in WITHOUT_COLUMNS], ids=title)
def test_a_table_of_a_kind(real: Table, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ages, "now", lambda: datetime.fromisoformat(real["now"].replace("Z", "+00:00")))
    resource = cluster.resource(real["apiVersion"], real["kind"])
    form = wanted(ACCEPT, include_object="Object")
    ours = form.of_list([row["object"] for row in real["rows"]], resource, cluster, {})
    for column in ours["columnDefinitions"]:
        del column["description"]
    assert ours["columnDefinitions"] == real["columnDefinitions"]
    for row, other in zip(ours["rows"], real["rows"], strict=True):
        if (title(real), row["cells"][0]) not in DIFFERENT_CELLS:
            assert row == other


@pytest.mark.parametrize("real", [one for one in TABLES if one["kind"] in WITHOUT_COLUMNS], ids=title)
def test_a_kind_without_columns_of_its_own(real: Table, cluster: Cluster) -> None:
    resource = cluster.resource(real["apiVersion"], real["kind"])
    columns = wanted(ACCEPT).of_list([], resource, cluster, {})["columnDefinitions"]
    assert [column["name"] for column in columns] == ["Name", "Age"]
    assert real["columnDefinitions"] != columns
