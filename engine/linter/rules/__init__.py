"""Lint rules by subject. Each module has a tuple `RULES`, and each rule follows its check."""

from __future__ import annotations

from . import (
    choices,
    definitions,
    duplicates,
    equivalents,
    last_applied,
    live_only,
    lost_elements,
    never_unchanged,
    owners,
    server_side,
    unwanted_fields,
    whole_object,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..rule import LintRule

MODULES = (
    choices,
    definitions,
    duplicates,
    equivalents,
    last_applied,
    live_only,
    lost_elements,
    never_unchanged,
    owners,
    server_side,
    unwanted_fields,
    whole_object,
)

RULES: dict[str, LintRule] = {
    rule.code: rule
    for rule in sorted((rule for module in MODULES for rule in module.RULES), key=lambda rule: rule.code)
}
"""Rules by code, sorted."""
