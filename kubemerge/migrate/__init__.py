"""From client-side to server-side apply: what the first server-side apply by a tool would do, and the way out.

What tools do is in the table of `tools`; `plan` works out one object, and `report` says it.
"""

from __future__ import annotations

from .places import Place
from .plan import Migration, plan_migration
from .tools import TOOLS, Tool

__all__ = ["TOOLS", "Migration", "Place", "Tool", "plan_migration"]
