"""The CustomResourceDefinition of a kind, in whichever version a release serves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cluster import ClusterError, Reference

if TYPE_CHECKING:
    from ..cluster import Cluster, Object, Resource

VERSIONS = ("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1")
"""The first one came in 1.16, the other went in 1.22."""


def definition_of(cluster: Cluster, resource: Resource) -> Object | None:
    """The definition of a custom resource; None if there is none."""
    for api_version in VERSIONS:
        try:
            return cluster.get(Reference(api_version, "CustomResourceDefinition", resource.called))
        except ClusterError:
            continue
    return None
