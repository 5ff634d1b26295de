"""Clusters for discovery: one with the recorded definitions, and a new cluster for each release."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from kubemerge.apiserver.http.discovery import ServedResources, served_by
from kubemerge.cluster import open_cluster

from .recorded import RELEASE, definitions

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="session")
def served() -> ServedResources:
    """The served resources of a cluster with the recorded definitions."""
    with open_cluster(":memory:", release=RELEASE) as cluster:
        for one in definitions():
            cluster.create(one)
        return served_by(cluster)


@pytest.fixture(scope="session")
def served_of() -> Callable[[str], ServedResources]:
    """The served resources of a new cluster of a release."""

    @cache
    def of(release: str) -> ServedResources:
        with open_cluster(":memory:", release=release) as cluster:
            return served_by(cluster)

    return of
