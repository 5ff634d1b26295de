"""Merge Kubernetes objects exactly as kubectl apply does: the engine and the code generator under one name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import engine

if TYPE_CHECKING:
    from codegen import SpecError, read
    from engine import *  # noqa: F403 - this is the re-export of the engine's public names

_CODEGEN = ("SpecError", "read")

__all__ = ["SpecError", "read"]
__all__ += engine.__all__


def __getattr__(name: str) -> Any:
    """The names of `engine` and `codegen` when they are first used: a command should not wait for the others' code."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module("codegen") if name in _CODEGEN else engine, name)
    globals()[name] = found
    return found
