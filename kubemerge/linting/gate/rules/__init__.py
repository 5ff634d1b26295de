"""The rules of the gate by subject: each module has a tuple `RULES`, and each rule is below its check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.linter import RULES as OF_APPLY

from . import fields, inputs, policies, refusals, versions

if TYPE_CHECKING:
    from engine.linter import LintRule

GATE_RULES = (*fields.RULES, *refusals.RULES, *policies.RULES, *versions.RULES)
"""Rules that check one object. Only those about versions find something without results of a server."""

ALL: dict[str, LintRule] = dict(
    sorted({**OF_APPLY, **{one.rule.code: one.rule for one in GATE_RULES}, **inputs.RULES}.items())
)
"""Every lint rule, by its code: those of the engine, about an apply, and those of the gate."""

GROUPS = {"apply": "KM0", "server": "KM1", "versions": "KM2", "inputs": "KM3"}
"""Names for the groups of codes: losses in an apply, rejections, versions missing in releases, and input files."""
