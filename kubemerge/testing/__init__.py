"""Tests of operators: assertions about their writes, and strategies for the objects that they get."""

from __future__ import annotations

from .convergence import assert_converges
from .ownership import assert_owns
from .strategies import objects

__all__ = ["assert_converges", "assert_owns", "objects"]
