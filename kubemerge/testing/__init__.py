"""Assertions for tests of operators."""

from __future__ import annotations

from .ownership import assert_owns

__all__ = ["assert_owns"]
