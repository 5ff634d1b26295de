"""Names for types, such as `Object` and `PatchType`; each is imported when somebody asks for it.

`typing` takes longer to import than the rest of the engine, and a merge does not need it. The annotations of public
functions name this module (`aliases.Object`), so that `typing.get_type_hints` finds what they mean.
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
