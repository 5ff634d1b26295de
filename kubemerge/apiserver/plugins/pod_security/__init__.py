"""PodSecurity: Pod security standards by namespace labels. Without labels, nothing else is imported."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from ...unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...protocol import Object
    from ..around import Around

LABEL = "pod-security.kubernetes.io/"
SINCE = 25
"""The first minor release that enforces the labels by default."""


def _asks(one: Object | None) -> bool:
    labels = as_map(as_map((one or {}).get("metadata")).get("labels"))
    return any(name.startswith(LABEL) for name in labels)


def namespace(content: Object, around: Around) -> None:
    """Check the labels of a namespace, and its Pods by them."""
    if _asks(content) or _asks(around.live):
        import_module(f"{__name__}.policy").namespace(content, around)


def pod(content: Object, around: Around) -> None:
    """Check a Pod."""
    if _asks(around.namespace(content["metadata"].get("namespace") or "")):
        import_module(f"{__name__}.policy").pod(content, around)


def template(at: str) -> Callable[[Object, Around], None]:
    """Return a check of a kind with a Pod template at this path."""
    return partial(_template, at)


def _template(at: str, content: Object, around: Around) -> None:
    if _asks(around.namespace(content["metadata"].get("namespace") or "")):
        import_module(f"{__name__}.policy").template(at, content, around)
