"""Helpers for values of any shape."""

from __future__ import annotations

from typing import Any


def parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value, *(part for item in value.values() for part in parts(item))]
    if isinstance(value, list):
        return [value, *(part for item in value for part in parts(item))]
    return []
