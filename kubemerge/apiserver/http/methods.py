"""The methods that paths support, by the verbs of their resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..eras import minor_of
from .discovery.resources import verbs_of, virtual_kinds
from .discovery.subresources import subresources_of

if TYPE_CHECKING:
    from .routing import Target, VirtualKind

VERB_OF = {"GET": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
COLLECTION_VERB_OF = {"GET": "list", "POST": "create", "DELETE": "deletecollection"}


def is_supported(method: str, target: Target, release: str) -> bool:
    """Whether the resource or subresource of a path has the verb of a method. True for unknown subresources."""
    if method == "HEAD":
        return False
    verb = (VERB_OF if target.name else COLLECTION_VERB_OF).get(method, "")
    if not target.part:
        return verb in verbs_of(target.resource)
    known = subresources_of(target.resource.group, target.resource.kind, minor_of(release))
    verbs = next((one.verbs for one in known if one.name == target.part), None)
    return verbs is None or verb in verbs


def is_virtual(target: VirtualKind, release: str) -> bool:
    """Whether this is the path of a kind that is never stored and only has the verb create."""
    return any(
        (f"{group}/{version}" if group else version, name, namespaced)
        == (target.api_version, target.plural, target.namespace is not None)
        for group, version, name, namespaced, _ in virtual_kinds(release)
    )
