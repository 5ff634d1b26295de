"""Legacy discovery, as every release has it: a document for all versions, groups, one group, and one
apiVersion each.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...protocol import Object
    from .served import ServedResource, ServedResources

SINGULAR_SINCE = 27
"""The first minor release that lists the singular names of built-in kinds."""
_HEAD: Object = {"apiVersion": "v1"}


def versions(served: ServedResources, address: str) -> Object:
    """Return the document of `/api`. `address` is the host and port of the server."""
    return {
        "kind": "APIVersions",
        "versions": list(served.versions[""]),
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": address}],
    }


def groups(served: ServedResources) -> Object:
    """Return the document of `/apis`."""
    listed = [_group(group, found) for group, found in _ordered(served) if group]
    return {"kind": "APIGroupList", **_HEAD, "groups": listed}


def group(served: ServedResources, name: str) -> Object | None:
    """Return the document of `/apis/NAME`, or None if the group is not served."""
    found = served.versions.get(name) if name else None
    return {"kind": "APIGroup", **_HEAD, **_group(name, found)} if found else None


def resource_list(served: ServedResources, api_version: str) -> Object | None:
    """Return the document of `/api/v1` or `/apis/apps/v1`, or None if the version is not served."""
    rows = served.of(api_version)
    if not rows:
        return None
    head = _HEAD if "/" in api_version else {}
    listed = [_resource(row, served.minor) for row in rows]
    return {"kind": "APIResourceList", **head, "groupVersion": api_version, "resources": listed}


def _ordered(served: ServedResources) -> list[tuple[str, list[str]]]:
    """The groups with their versions. Groups of definitions are sorted by their APIService, as `v1.example.com`."""
    custom = {row.group for row in served.rows if not row.built_in}
    found = list(served.versions.items())
    last = sorted((one for one in found if one[0] in custom), key=lambda one: f"{one[1][0]}.{one[0]}")
    return [*(one for one in found if one[0] not in custom), *last]


def _group(name: str, listed: list[str]) -> Object:
    found = [{"groupVersion": f"{name}/{version}", "version": version} for version in listed]
    return {"name": name, "versions": found, "preferredVersion": found[0]}


def _resource(row: ServedResource, minor: int) -> Object:
    found: Object = {
        "name": row.name,
        "singularName": row.singular if not row.built_in or minor >= SINGULAR_SINCE else "",
        "namespaced": row.namespaced,
    }
    if row.answers:
        found["group"], _, found["version"] = row.answers.rpartition("/")
    found.update(kind=row.kind, verbs=list(row.verbs))
    if row.short_names:
        found["shortNames"] = list(row.short_names)
    if row.categories:
        found["categories"] = list(row.categories)
    if row.stored_as:
        found["storageVersionHash"] = storage_hash(row.stored_as, row.kind)
    return found


def storage_hash(api_version: str, kind: str) -> str:
    """A hash by which clients detect changes of a kind's storage version."""
    group, _, version = api_version.rpartition("/")
    digest = hashlib.sha256(f"{group}/{version}/{kind}".encode()).digest()
    return base64.b64encode(digest[:8]).decode()
