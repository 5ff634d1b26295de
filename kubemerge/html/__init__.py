"""Reports as HTML: each is one page that holds all it needs, and shows what others wrote as text only."""

from __future__ import annotations

from .compare import compare_page
from .merge import diff_page, merge_page
from .replay import replay_page

__all__ = ["compare_page", "diff_page", "merge_page", "replay_page"]
