"""From client-side to server-side apply: the effects of a tool's first server-side apply, and their resolution.

`tools` is the table of tools, `plan` computes one object, and `report` prints it.
"""

from __future__ import annotations

from .places import MigratedField
from .plan import Migration, plan_migration
from .tools import TOOLS, Tool

__all__ = ["TOOLS", "MigratedField", "Migration", "Tool", "plan_migration"]
