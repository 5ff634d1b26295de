"""Aggregated discovery: one document each for `/api` and `/apis`, with every resource of every group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .documents import Document, cached

if TYPE_CHECKING:
    from ...protocol import Object
    from .served import ServedResource, ServedResources

GROUP = "apidiscovery.k8s.io"
RELEASES = {"v2": (30, None), "v2beta1": (27, 32)}
"""The first and last minor release that serve a version of the document by default."""


def aggregated(served: ServedResources, path: str, version: str) -> Document | None:
    """Return the APIGroupDiscoveryList of `/api` or `/apis` (`path`: "api", "apis").

    None if the release does not have this version of the document. It then serves the legacy one.
    """
    first, last = RELEASES.get(version, (served.minor + 1, None))
    if served.minor < first or (last is not None and served.minor > last):
        return None
    return cached(served, ("discovery", path, version), lambda: Document.of_json(_document(served, path, version)))


def _document(served: ServedResources, path: str, version: str) -> Object:
    core = path == "api"
    items = [
        {"metadata": {"name": group} if group else {}, "versions": [_version(served, group, one) for one in versions]}
        for group, versions in served.versions.items()
        if (group == "") is core
    ]
    return {"kind": "APIGroupDiscoveryList", "apiVersion": f"{GROUP}/{version}", "metadata": {}, "items": items}


def _version(served: ServedResources, group: str, version: str) -> Object:
    rows = served.of(f"{group}/{version}" if group else version)
    listed: dict[str, Object] = {}
    for row in rows:
        if not row.subresource:
            listed[row.name] = _resource(row)
        else:
            found: Object = {"subresource": row.subresource, "responseKind": _kind(row), "verbs": list(row.verbs)}
            listed[row.resource].setdefault("subresources", []).append(found)
    return {"version": version, "resources": list(listed.values()), "freshness": "Current"}


def _resource(row: ServedResource) -> Object:
    found: Object = {
        "resource": row.name,
        "responseKind": _kind(row),
        "scope": "Namespaced" if row.namespaced else "Cluster",
        "singularResource": row.singular,
        "verbs": list(row.verbs),
    }
    if row.short_names:
        found["shortNames"] = list(row.short_names)
    if row.categories:
        found["categories"] = list(row.categories)
    return found


def _kind(row: ServedResource) -> Object:
    """The responseKind. That of the built-in resource itself has an empty group and version."""
    group, _, version = (row.answers or ("" if row.built_in else row.api_version)).rpartition("/")
    return {"group": group, "version": version, "kind": row.kind}
