"""Clusters of a patch release: their version, and the algorithms of that release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import UnknownRelease
from engine.tables.behaviour import KEEPS_EMPTIED_FIELDS
from kubemerge.apiserver.http import discovery
from kubemerge.apiserver.pipeline import Server
from kubemerge.apiserver.releases import full_version, patch_release
from kubemerge.cluster import ClusterError, Reference, open_cluster

from .conftest import config_map, crontab, crontabs

if TYPE_CHECKING:
    from pathlib import Path


def test_a_cluster_keeps_the_patch_release_that_it_was_created_for(tmp_path: Path) -> None:
    file = str(tmp_path / "c.db")
    with open_cluster(file, release="v1.36.1") as cluster:
        cluster.create(config_map(a="1"))
    with open_cluster(file) as cluster:
        assert (cluster.release, cluster.patch_release) == ("1.36", "1.36.1")
        assert cluster.server_version["gitVersion"] == "v1.36.1"
        assert KEEPS_EMPTIED_FIELDS in cluster.schema("v1", "Pod").types.behaviour
    with open_cluster(file, release="1.36") as cluster:
        assert (cluster.release, cluster.patch_release) == ("1.36", "1.36")
        assert KEEPS_EMPTIED_FIELDS not in cluster.schema("v1", "Pod").types.behaviour
    with pytest.raises(UnknownRelease):
        open_cluster(file, release="1.36.x")


@pytest.mark.parametrize(("release", "left"), [("1.36.2", {}), ("1.36.3", None)])
def test_a_custom_resource_is_merged_by_the_algorithm_of_the_patch_release(
    release: str, left: dict[str, str] | None
) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        cluster.create(crontabs())
        reference = Reference("stable.example.com/v1", "CronTab", "night")
        cluster.patch(reference, crontab(options={"zone": "UTC"}), "apply", manager="me")
        stored = cluster.patch(reference, crontab(options={}), "apply", manager="me")
    assert stored["spec"] == {"options": left}


@pytest.mark.parametrize(
    ("release", "named"), [("1.22", ""), ("1.23", " (default/night; stable.example.com/v1, Kind=CronTab)")]
)
def test_the_error_for_a_wrong_type_names_the_object(release: str, named: str) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        cluster.create(crontabs())
        reference = Reference("stable.example.com/v1", "CronTab", "night")
        with pytest.raises(ClusterError) as caught:
            cluster.patch(reference, crontab(cron=[1]), "apply", manager="me")
    assert str(caught.value).startswith(f"failed to create typed patch object{named}: .spec.cron: expected string")


def test_versions_of_releases() -> None:
    assert [patch_release(one) for one in ("1.36", "v1.36.1-gke.5", "1.31.4", None)][:3] == ["1.36", "1.36.1", "1.31.4"]
    assert full_version("1.36.1") == discovery.version("1.36.1")["gitVersion"] == "v1.36.1"
    server = Server("1.36.1")
    assert (server.release, server.kinds.patch_release) == ("1.36", "1.36.1")
