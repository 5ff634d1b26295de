"""A cluster in memory, and one whose objects another client changes between a read and a write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.cluster import EmbeddedCluster
from kubemerge.cluster import open_cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Crowded(EmbeddedCluster):
    """A cluster in which each act of `between` is done once, one before each request that writes."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self.between: list[Callable[[], Any]] = []

    def _come_between(self) -> None:
        if self.between:
            act, rest = self.between[0], self.between[1:]
            self.between = []
            act()
            self.between = rest

    def create(self, *args: Any, **options: Any) -> Any:
        self._come_between()
        return super().create(*args, **options)

    def patch(self, *args: Any, **options: Any) -> Any:
        self._come_between()
        return super().patch(*args, **options)

    def delete(self, *args: Any, **options: Any) -> Any:
        self._come_between()
        return super().delete(*args, **options)

    def recreate(self, *args: Any, **options: Any) -> Any:
        self._come_between()
        return super().recreate(*args, **options)


class TwoSteps:
    """A cluster that cannot delete and create as one step."""

    def __init__(self, cluster: EmbeddedCluster) -> None:
        self._cluster = cluster

    def __getattr__(self, name: str) -> Any:
        if name == "recreate":
            raise AttributeError(name)
        return getattr(self._cluster, name)


@pytest.fixture
def cluster() -> Iterator[EmbeddedCluster]:
    with open_cluster(":memory:") as made:
        yield made


@pytest.fixture
def crowded() -> Iterator[Crowded]:
    made = Crowded()
    yield made
    made.close()
