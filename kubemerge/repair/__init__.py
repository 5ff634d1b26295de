"""Drift repair: the smallest patch for each object that restores the config and leaves fields of others alone.

`intents` has the objects as a tool sends them, `drift` compares them with live objects, `patches` computes the
patch, `reduction` makes it the smallest, `model` has the results, and `report` prints them.
"""

from __future__ import annotations

from .model import DriftedField, ObjectRepair, Repair, RepairPatch
from .objects import repair_objects

__all__ = ["DriftedField", "ObjectRepair", "Repair", "RepairPatch", "repair_objects"]
