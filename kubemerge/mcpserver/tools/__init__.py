"""The tools, in the order in which they are listed: those for a conflict first."""

from __future__ import annotations

from .compare_releases import COMPARE_RELEASES
from .conflicts import CONFLICTS
from .explain_field import EXPLAIN_FIELD
from .field_owners import FIELD_OWNERS
from .lint import LINT
from .plan import PLAN
from .predict_apply import PREDICT_APPLY
from .why import WHY

TOOLS = {
    one.name: one for one in (PREDICT_APPLY, CONFLICTS, FIELD_OWNERS, WHY, EXPLAIN_FIELD, LINT, PLAN, COMPARE_RELEASES)
}
"""All tools, by their names."""
