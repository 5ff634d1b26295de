"""The objects that a server creates at its start, like the post-start hooks of kube-apiserver.

Left out are:

- the Lease of the server, because it is written again every ten seconds;
- the Endpoints and EndpointSlice of the Service `kubernetes`, which cannot have a loopback address;
- the ConfigMap `extension-apiserver-authentication`, which a server without certificate authorities does not create;
- ComponentStatuses, because there are no other components.

Roles and bindings are created only for authorization by RBAC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import api_registration, flow_control, ip_addresses, server_objects
from .server_objects import FieldsOwner, owned

if TYPE_CHECKING:
    from ..storage.changes import Changes

TOKENS_TRACKED_SINCE = 27
"""The first minor release that tracks ServiceAccount tokens in Secrets by default."""
TRACKING = "kube-apiserver-legacy-service-account-token-tracking"


def ensure_objects(changes: Changes) -> None:
    """Create missing objects."""
    ip_addresses.ensure_objects(changes)
    flow_control.ensure_objects(changes)
    api_registration.ensure_objects(changes)
    if changes.kinds.minor >= TOKENS_TRACKED_SINCE:
        _track_tokens(changes)


def _track_tokens(changes: Changes) -> None:
    """Store the day since when the use of such tokens is recorded. Controllers delete unused ones much later."""
    made = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": TRACKING, "namespace": "kube-system"},
        "data": {"since": changes.origins.now()[: len("2026-01-31")]},
    }
    server_objects.create(changes, made, FieldsOwner({"f:data": owned("since")}))
