"""Lookup of CustomResourceDefinitions in a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ClusterError
from ..identity import Reference

if TYPE_CHECKING:
    from ..protocol import Cluster, Object, Resource

VERSIONS = ("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1")
"""v1 was added in 1.16, v1beta1 was removed in 1.22."""


def definition_of(cluster: Cluster, resource: Resource) -> Object | None:
    """Return the definition of a custom resource, or None."""
    for api_version in VERSIONS:
        try:
            return cluster.get(Reference(api_version, "CustomResourceDefinition", resource.called))
        except ClusterError:
            continue
    return None
