"""Merge Kubernetes objects exactly as kubectl apply does: the engine and the code generator under one name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import engine
from engine import *  # noqa: F403 - this is the re-export of the engine's public names

if TYPE_CHECKING:
    from codegen import SpecError, read

_CODEGEN = ("SpecError", "read")

__all__ = ["SpecError", "read"]
__all__ += engine.__all__


def __getattr__(name: str) -> Any:
    """The names of `codegen`, whose libraries are slow to import, when they are first used."""
    if name in _CODEGEN:
        return getattr(import_module("codegen"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
