"""The API server in Python: storage, defaulting, validation, admission plugins, controllers and HTTP.

It imports `engine`, `generated` and the readers of `codegen`, and nothing else of kubemerge. The merge itself is in
`engine`, and real clusters are in `kubemerge.client`. A request passes these modules:

    cluster, reading     requests for objects of the embedded cluster: `EmbeddedCluster`
    writes, creation     the steps of one write, from conversion to storage
    plugins              admission plugins
    admission            defaulting and validation of one object
    policies             ValidatingAdmissionPolicies and MutatingAdmissionPolicies
    managed_fields       the owners of its fields
    pipeline             all this without a cluster: `stored`, and `Server.check_create` for `kubemerge lint`

Other places:

    rules of Pods        `validation/pod_spec`: containers and ports, probes, volumes, security
    rules of other kinds `validation` for the core, apps and batch groups, `registry` for the rest
    immutable fields     `kinds/builtin_kinds.py` has the list, `validation/updates.py` everything else
    permissions          `authorization`: RBAC, escalation checks, and the roles of a new server
    texts of errors      `problems.py` for fields ("field is immutable"), `errors.py` for requests; details at each rule
    watches              `http/watch` for clients, `watching.py` for Python
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
