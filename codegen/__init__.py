"""Specifications to merge tables: reads OpenAPI and CustomResourceDefinitions, prints `generated/`."""

from .errors import SpecError
from .reading import read

__all__ = ["SpecError", "read"]
