"""`stringData` of a Secret, which the API server moves to `data`."""

from __future__ import annotations

from base64 import b64encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .plain import Object


def data_of(secret: Object) -> Object:
    """Return the data of a Secret, with the texts of its stringData in base64. Values that are no texts stay."""
    data, texts = secret.get("data"), secret.get("stringData")
    found: dict[str, Any] = dict(data) if isinstance(data, dict) else {}
    if isinstance(texts, dict):
        found.update((name, _in_base64(value)) for name, value in texts.items())
    return found


def _in_base64(value: Any) -> Any:
    return b64encode(value.encode("utf-8", "replace")).decode() if isinstance(value, str) else value
