"""PodSecurity: Pod security standards by namespace labels. Without labels, nothing else is imported."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from ...audit_annotations import annotate
from ...unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...protocol import Object
    from ..context import AdmissionContext

LABEL = "pod-security.kubernetes.io/"
SINCE = 25
NAMESPACES_SINCE = 23
"""The first minor release that enforces the labels by default."""


def _asks(one: Object | None) -> bool:
    labels = as_map(as_map((one or {}).get("metadata")).get("labels"))
    return any(name.startswith(LABEL) for name in labels)


def namespace(content: Object, context: AdmissionContext) -> None:
    """Check the labels of a namespace, and its Pods by them."""
    if _asks(content) or _asks(context.live):
        import_module(f"{__name__}.policy").namespace(content, context)


def pod(content: Object, context: AdmissionContext) -> None:
    """Check a Pod."""
    if _asks(context.namespace(content["metadata"].get("namespace") or "")):
        import_module(f"{__name__}.policy").pod(content, context)
    else:
        annotate(f"{LABEL}enforce-policy", "privileged:latest")


def template(at: str) -> Callable[[Object, AdmissionContext], None]:
    """Return a check of a kind with a Pod template at this path."""
    return partial(_template, at)


def _template(at: str, content: Object, context: AdmissionContext) -> None:
    if _asks(context.namespace(content["metadata"].get("namespace") or "")):
        import_module(f"{__name__}.policy").template(at, content, context)
