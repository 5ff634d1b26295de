"""Merge tables from specifications: reads OpenAPI and CustomResourceDefinitions, prints `generated/`.

A specification passes through the modules in this order:

    documents/    bytes to YAML or JSON documents, for specifications and for manifests
    sources/      sources of specifications: files, addresses, clusters, packages
    shape_tests   these schemas, compiled to fast tests
    shapes        JSON Schemas of specifications, for validation before anything else
    specs/        OpenAPI and CRDs to facts: definitions, kinds, scopes, patch types
    rules, names  one property to one row of a table; names of types and modules
    rows, eras    the rows of one specification, and of many releases
    reading       `codegen.read`, all of the above in memory
    snapshots     the facts of one release as a file
    generating    snapshots to `generated/`; `printing` prints it
"""

from __future__ import annotations

from engine.version import __version__

from .errors import SpecError, SpecWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .reading import read

__all__ = ["SpecError", "SpecWarning", "__version__", "read"]


def __getattr__(name: str) -> Any:
    """Import `read` on first use, because YAML readers do not need its imports."""
    if name != "read":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .reading import read

    globals()[name] = read
    return read
