"""The API server in Python: storage, defaulting, validation, admission plugins, controllers and HTTP.

It imports `engine`, `generated` and the readers of `codegen`, and nothing else of kubemerge. `cluster` handles
requests, `writes` and `creation` store objects, and `admission` calls defaulting, validation and plugins.
`managed_fields` records owners, `problems` words field errors, `identity` identifies objects, and `pipeline` computes
the stored object of a write without a cluster. The merge itself is in `engine`. Real clusters are in
`kubemerge.client`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .cluster import EmbeddedCluster
    from .metadata import Origins
    from .pipeline import Stored, stored
    from .problems import Problem

__all__ = ["EmbeddedCluster", "Origins", "Problem", "Stored", "stored"]
_MODULES = {
    "EmbeddedCluster": "cluster",
    "Origins": "metadata",
    "Problem": "problems",
    "Stored": "pipeline",
    "stored": "pipeline",
}


def __getattr__(name: str) -> object:
    """A public name, imported on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
