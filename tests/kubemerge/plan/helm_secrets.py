"""Secrets of releases, as Helm stores them."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

Object = dict[str, Any]


def encoded(data: bytes) -> str:
    """Bytes as the value of a Secret of Helm."""
    return base64.b64encode(base64.b64encode(data)).decode()


def secret(data: str, revision: int = 1, name: str = "shop") -> Object:
    """A Secret with this value."""
    metadata = {
        "name": f"sh.helm.release.v1.{name}.v{revision}",
        "namespace": "demo",
        "labels": {"owner": "helm", "name": name},
    }
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "helm.sh/release.v1",
        "metadata": metadata,
        "data": {"release": data},
    }


def release(
    manifest: str = "", revision: int = 1, method: str = "ssa", status: str = "deployed", **more: Any
) -> Object:
    """A Secret of a release with this manifest."""
    content = {
        "name": "shop",
        "namespace": "demo",
        "version": revision,
        "info": {"status": "deployed"},
        "manifest": manifest,
        **({"apply_method": method} if method else {}),
        **more,
    }
    return secret(encoded(gzip.compress(json.dumps(content).encode())), revision)
