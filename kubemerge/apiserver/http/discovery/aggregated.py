"""Aggregated discovery: one document each for `/api` and `/apis`, with every resource of every group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .documents import Document, cached

if TYPE_CHECKING:
    from ...protocol import Object
    from ..negotiation import Form, Shapes
    from .served import ServedResource, ServedResources

KIND, GROUP = "APIGroupDiscoveryList", "apidiscovery.k8s.io"
RELEASES: dict[str, tuple[int, int | None]] = {"v2": (30, None), "v2beta1": (27, 32)}
"""The first and last minor release that serve a version of the document by default."""


def shapes(minor: int) -> Shapes:
    """Return the versions of the document that a minor release serves, as shapes of content negotiation."""
    return frozenset(
        (KIND, GROUP, version)
        for version, (first, last) in RELEASES.items()
        if first <= minor and (last is None or minor <= last)
    )


def aggregated(served: ServedResources, path: str, form: Form) -> Document:
    """Return the APIGroupDiscoveryList of `/api` or `/apis` (`path`: "api", "apis") in a form of one of the shapes."""
    return cached(
        served, ("discovery", path, form), lambda: Document.of(form.encoded(_document(served, path, form.version)))
    )


def _document(served: ServedResources, path: str, version: str) -> Object:
    core = path == "api"
    items = [
        {"metadata": {"name": group} if group else {}, "versions": [_version(served, group, one) for one in versions]}
        for group, versions in served.versions.items()
        if (group == "") is core
    ]
    return {"kind": KIND, "apiVersion": f"{GROUP}/{version}", "metadata": {}, "items": items}


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
