"""Merge Kubernetes objects exactly as kubectl apply does: the engine, the code generator and more under one name."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` takes longer to import than all the rest here
if TYPE_CHECKING:
    from typing import Any

    import engine
    from codegen import SpecError, read
    from engine import *  # noqa: F403 - this is the re-export of the engine's public names

    from .migrate import Migration, plan_migration

    __all__ = ["Migration", "SpecError", "plan_migration", "read"]
    __all__ += engine.__all__

_CODEGEN = ("SpecError", "SpecWarning", "read")
_MIGRATE = ("Migration", "plan_migration")


def __getattr__(name: str) -> Any:
    """A name of `engine`, `codegen` or `migrate`, imported on first use, so that commands start faster."""
    import engine

    known = [*_CODEGEN, *_MIGRATE, *engine.__all__]
    if name == "__all__":
        found: Any = known
    elif name not in known:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    elif name in _CODEGEN:
        import codegen

        found = getattr(codegen, name)
    elif name in _MIGRATE:
        from . import migrate

        found = getattr(migrate, name)
    else:
        found = getattr(engine, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
