"""Type names such as `Object` and `PatchType`, imported on first use.

Importing `typing` takes longer than the rest of the engine, and a merge does not need it. The annotations of public
functions refer to this module (`aliases.Object`), so `typing.get_type_hints` can resolve them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .typed import *  # noqa: F403 - this is the re-export


def __getattr__(name: str) -> object:
    from . import typed

    if name not in typed.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(typed, name)
    globals()[name] = found
    return found
