"""Merge Kubernetes objects exactly as kubectl apply does: the engine and the code generator under one name."""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing takes longer to import than all the rest here
if TYPE_CHECKING:
    from typing import Any

    import engine
    from codegen import SpecError, read
    from engine import *  # noqa: F403 - this is the re-export of the engine's public names

    __all__ = ["SpecError", "read"]
    __all__ += engine.__all__

_CODEGEN = ("SpecError", "SpecWarning", "read")


def __getattr__(name: str) -> Any:
    """A name of `engine` or `codegen`, imported at its first use: a command should not wait for other code."""
    import engine

    known = [*_CODEGEN, *engine.__all__]
    if name == "__all__":
        found: Any = known
    elif name not in known:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    elif name in _CODEGEN:
        import codegen

        found = getattr(codegen, name)
    else:
        found = getattr(engine, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
