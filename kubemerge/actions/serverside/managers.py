"""The names by which kubectl's commands are booked in metadata.managedFields."""

from __future__ import annotations

ANNOTATE = "kubectl-annotate"
APPLY = "kubectl-client-side-apply"
CREATE = "kubectl-create"
EDIT = "kubectl-edit"
KUBECTL = "kubectl"
"""Whoever gives no name, as `scale` and `apply set-last-applied`; and server-side apply."""
LABEL = "kubectl-label"
LAST_APPLIED = "kubectl-last-applied"
"""For the annotation of client-side apply, where server-side apply keeps it."""
PATCH = "kubectl-patch"
REPLACE = "kubectl-replace"
