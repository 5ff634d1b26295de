"""API approval of definitions in protected groups."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...problems import Problem, required
from ...schemas.problems import invalid
from ...unchecked import as_map, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

Raw = dict[str, Any]
ANNOTATION = "api-approved.kubernetes.io"
SEE = "see https://github.com/kubernetes/enhancements/pull/1111"
MISSING, BYPASSED, APPROVED, INVALID = "missing", "bypassed", "approved", "invalid"


def is_protected(group: str) -> bool:
    """Whether a group is protected: a community group of Kubernetes."""
    return group in ("k8s.io", "kubernetes.io") or group.endswith((".k8s.io", ".kubernetes.io"))


def state(definition: Raw) -> tuple[str, str]:
    """Return the approval of a definition, and its message."""
    value = as_text(as_map(as_map(definition.get("metadata")).get("annotations")).get(ANNOTATION))
    need = f'protected groups must have approval annotation "{ANNOTATION}"'
    if not value:
        return MISSING, f"{need}, {SEE}"
    if value.startswith("unapproved"):
        return BYPASSED, f'not approved: "{value}"'
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]", value):
        return APPROVED, f"approved in {value}"
    return INVALID, f'{need} with either a URL or a reason starting with "unapproved", {SEE}'


def problems(definition: Raw, before: Raw | None) -> Iterator[Problem]:
    """Validate the approval. An unchanged one is valid."""
    if not is_protected(as_text(as_map(definition.get("spec")).get("group"))):
        return
    found, why = state(definition)
    if before is not None and state(before)[0] == found:
        return
    at = f"metadata.annotations[{ANNOTATION}]"
    if found == MISSING:
        yield required(at, why)
    elif found == INVALID:
        yield invalid(at, as_map(as_map(definition.get("metadata")).get("annotations"))[ANNOTATION], why)
