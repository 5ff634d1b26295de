"""Discovery, version and health documents.

`served_by(cluster)` returns the resources of a cluster at one moment. Documents are made from it and cached with it.
"""

from .aggregated import GROUP, aggregated, shapes
from .documents import Document
from .health import CHECKS, health, root, version
from .legacy import group, groups, resource_list, versions
from .served import ServedResource, ServedResources, served_by
from .subresources import LEFT_OUT

__all__ = [
    "CHECKS",
    "GROUP",
    "LEFT_OUT",
    "Document",
    "ServedResource",
    "ServedResources",
    "aggregated",
    "group",
    "groups",
    "health",
    "resource_list",
    "root",
    "served_by",
    "shapes",
    "version",
    "versions",
]
