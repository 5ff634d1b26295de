"""What the server tells about its kinds and itself: discovery, its version, its health.

`served_by(cluster)` is what a cluster serves at one moment; the documents are made from it, and are kept with it.
"""

from .aggregated import aggregated
from .documents import Document
from .health import CHECKS, health, root, version
from .legacy import group, groups, resources, versions
from .served import Row, Served, served_by
from .subresources import LEFT_OUT

__all__ = [
    "CHECKS",
    "LEFT_OUT",
    "Document",
    "Row",
    "Served",
    "aggregated",
    "group",
    "groups",
    "health",
    "resources",
    "root",
    "served_by",
    "version",
    "versions",
]
