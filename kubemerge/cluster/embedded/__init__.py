"""The embedded cluster: a store in a file, and what the API server does around it. It knows nothing about commands.

`cluster` answers requests, `writes` and `store` keep objects, `admission` says what becomes of them before that.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cluster import EmbeddedCluster
    from .metadata import Origins

__all__ = ["EmbeddedCluster", "Origins"]


def __getattr__(name: str) -> object:
    """The class of clusters and the origins of what it makes up, imported when somebody asks for them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{'cluster' if name == 'EmbeddedCluster' else 'metadata'}"), name)
