"""The definitions of custom resources, as a cluster has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ClusterError
from ..identity import Reference

if TYPE_CHECKING:
    from ..protocol import Cluster, Object, Resource

VERSIONS = ("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1")
"""v1 came in 1.16, v1beta1 went in 1.22."""


def definition_of(cluster: Cluster, resource: Resource) -> Object | None:
    """The definition of a custom resource; None if there is none."""
    for api_version in VERSIONS:
        try:
            return cluster.get(Reference(api_version, "CustomResourceDefinition", resource.called))
        except ClusterError:
            continue
    return None
