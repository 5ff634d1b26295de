"""Predictions of deployment tools: the requests that a tool sends for a config, and their effects.

`model` has the plan, `tools` the table of tools, `requests` the API server that handles a tool's requests, `fields` the
comparison of objects, and `report` prints a plan. Each tool is a module of its own.
"""

from __future__ import annotations

from .model import Advice, FieldChange, FieldConflict, Plan, PlannedObject, StuckField
from .tools import PLANNERS, PlanOptions, plan

__all__ = [
    "PLANNERS",
    "Advice",
    "FieldChange",
    "FieldConflict",
    "Plan",
    "PlanOptions",
    "PlannedObject",
    "StuckField",
    "plan",
]
