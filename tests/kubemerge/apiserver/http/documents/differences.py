"""Where our documents differ from those of a real server on purpose: each difference with its reason."""

from __future__ import annotations

from kubemerge.apiserver.http.discovery import LEFT_OUT

RESOURCES = LEFT_OUT
"""Resources that are not listed."""

HAS_NO_KEYS = "tokens are not signed with keys that others could check"
DOCUMENTS = {".well-known/openid-configuration": HAS_NO_KEYS, "openid/v1/jwks": HAS_NO_KEYS}
"""Documents of OpenAPI v3 that do not exist."""

PARAMETERS = {
    "ignoreStoreReadErrorWithClusterBreakingPotential": "an object that cannot be read is not deleted",
    "shardSelector": "lists are not divided into shards",
}
"""Parameters that no operation lists."""

PATHS = {
    "/watch/": "addresses of watches from before there was the parameter `watch`; they work, and nobody asks for them"
}
"""Parts of paths that are left out, besides those of resources that are."""

DELETED_CUSTOM = frozenset(
    {"allowWatchBookmarks", "watch", "dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"}
)
"""Parameters of deleting many custom resources: servers list those of listing them, we those that have an effect."""

SHARED = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"
"""The definition whose kinds servers list in the documents of custom resources, of every group that they know of."""
