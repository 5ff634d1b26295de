"""PodSecurity: what a namespace allows its pods, by its labels. Without such labels nothing of it is read."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from ...unchecked import a_map

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...protocol import Object
    from ..around import Around

LABEL = "pod-security.kubernetes.io/"
SINCE = 25
"""The minor release since which servers look at the labels without being told to."""


def _asks(one: Object | None) -> bool:
    labels = a_map(a_map((one or {}).get("metadata")).get("labels"))
    return any(name.startswith(LABEL) for name in labels)


def namespace(content: Object, around: Around) -> None:
    """Judge the labels of a namespace, and its pods by them."""
    if _asks(content) or _asks(around.live):
        import_module(f"{__name__}.policy").namespace(content, around)


def pod(content: Object, around: Around) -> None:
    """Judge a pod."""
    if _asks(around.namespace(content["metadata"].get("namespace") or "")):
        import_module(f"{__name__}.policy").pod(content, around)


def template(at: str) -> Callable[[Object, Around], None]:
    """What judges a kind with a template of pods at this place."""
    return partial(_template, at)


def _template(at: str, content: Object, around: Around) -> None:
    if _asks(around.namespace(content["metadata"].get("namespace") or "")):
        import_module(f"{__name__}.policy").template(at, content, around)
