"""What an object is called in what people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..reading.manifests import Manifest

if TYPE_CHECKING:
    from ..cluster import Object


def title(content: Object) -> str:
    """The object as kubectl calls it: `deployment.apps/nginx`."""
    return Manifest("", content).title
