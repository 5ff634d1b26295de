"""Intended differences between our documents and those of a real server, each with its reason."""

from __future__ import annotations

from kubemerge.apiserver.http.discovery import LEFT_OUT

RESOURCES = LEFT_OUT
"""Resources that are not listed."""

HAS_NO_KEYS = "tokens are not signed with keys that others could check"
DOCUMENTS = {".well-known/openid-configuration": HAS_NO_KEYS, "openid/v1/jwks": HAS_NO_KEYS}
"""Missing documents of OpenAPI v3."""

PARAMETERS = {
    "ignoreStoreReadErrorWithClusterBreakingPotential": "an object that cannot be read is not deleted",
    "shardSelector": "lists are not divided into shards",
}
"""Parameters missing in all operations."""

PATHS = {
    "/watch/": "addresses of watches from before there was the parameter `watch`; they work, and nobody asks for them"
}
"""Path segments that are left out, besides those of unlisted resources."""

DELETED_CUSTOM = frozenset(
    {"allowWatchBookmarks", "watch", "dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"}
)
"""Parameters for deleting many custom resources: servers include the parameters for listing, we only effective ones."""

SHARED = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"
"""The definition with the kinds of every known group in the documents of custom resources."""
