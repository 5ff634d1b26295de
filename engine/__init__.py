"""The runtime: merges Kubernetes objects by tables. Standard library only; no files, no network, no printing."""

from .errors import (
    BadFieldPath,
    MergeError,
    TablesError,
    UnknownDefinition,
    UnknownKind,
    UnknownRelease,
)
from .loading import load, releases
from .rules import Rule
from .schema import Schema
from .tables import Tables

__all__ = [
    "BadFieldPath",
    "MergeError",
    "Rule",
    "Schema",
    "Tables",
    "TablesError",
    "UnknownDefinition",
    "UnknownKind",
    "UnknownRelease",
    "load",
    "releases",
]
