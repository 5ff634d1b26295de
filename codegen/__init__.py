"""Merge tables from specifications: reads OpenAPI and CustomResourceDefinitions, prints `generated/`.

Read it in the order in which a specification passes through it:

    documents/    bytes to YAML or JSON documents, for specifications and for manifests
    sources/      where specifications come from: files, addresses, clusters, packages
    shapes        what a specification must look like, checked first
    specs/        OpenAPI and CRDs to facts: definitions, kinds, scopes, patch types
    rules, names  one property to one row of a table; names of types and modules
    rows, eras    the rows of one specification, and of many releases
    reading       `codegen.read`, all of that in memory
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
    """Import `read` on first use, because readers of YAML do not need what it imports."""
    if name != "read":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .reading import read

    globals()[name] = read
    return read
