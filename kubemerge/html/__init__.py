"""Reports as HTML: each page is self-contained, and shows untrusted content as text only."""

from __future__ import annotations

from .compare import compare_page
from .fleet import RunInfo, fleet_page
from .merge import diff_page, merge_page
from .migrate import migrate_page
from .owners import owners_page
from .plan import plan_page
from .replay import replay_page

__all__ = [
    "RunInfo",
    "compare_page",
    "diff_page",
    "fleet_page",
    "merge_page",
    "migrate_page",
    "owners_page",
    "plan_page",
    "replay_page",
]
