"""The field managers that kubectl's commands record in metadata.managedFields."""

from __future__ import annotations

ANNOTATE = "kubectl-annotate"
APPLY = "kubectl-client-side-apply"
CREATE = "kubectl-create"
EDIT = "kubectl-edit"
KUBECTL = "kubectl"
"""The default manager, also of `scale`, `apply set-last-applied` and server-side apply."""
LABEL = "kubectl-label"
LAST_APPLIED = "kubectl-last-applied"
"""The manager of the client-side annotation where server-side apply keeps it."""
PATCH = "kubectl-patch"
REPLACE = "kubectl-replace"
