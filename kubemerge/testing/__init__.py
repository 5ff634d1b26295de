"""Tests of operators: assertions about their writes, and strategies for the objects that they get."""

from __future__ import annotations

from .ownership import assert_owns
from .strategies import objects

__all__ = ["assert_owns", "objects"]
