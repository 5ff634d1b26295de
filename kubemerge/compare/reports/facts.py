"""Comparisons and replays as JSON data: plain dicts whose keys are never removed.

A comparison

    sides     the compared sides, in order
    counts    the number of changes: breaking, notable, info
    steps     for each two successive sides: left, right, counts, and changes

A change

    apiVersion, kind, path   where; an empty path is the kind itself, or its object as a whole
    aspects                  the differences: "kind added", "kind removed", "field added", "field removed", or any of
                             "field kind", "strategy", "merge key", "list type", "map keys", "map type"
    severity                 breaking, notable or info
    before, after            the rules, or null: kind, of, strategies, mergeKey, listType, mapKeys, derived, mapType,
                             clientSide and serverSide (both in words)
    effect                   the effect on an apply, in a sentence

A replay

    object, source   the object and its file
    groups           sides with equal results: releases, result ("created", "configured", "unchanged"), patchType,
                     patch, merged, problem; with a problem, the others are null, else problem is null
    namespace, line  its position in the cluster, and in the file
    severity         the worst of its findings, or null if there are none
    findings         the effects of the sides, in order: at, previous (null: every side), sort, severity, path, text,
                     fix, before, after, source (of the statement, if not in the specifications)
    splits           the changes of the result: at, previous, differences (path, before, after) and
                     rules, the changes that caused it
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ...output import words
from ..model import SEVERITIES
from ..upgrade.findings import worst

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..model import Comparison, Finding, Group, Replay, RuleChange, Split


def by_severity(changes: Iterable[RuleChange]) -> dict[str, int]:
    """The number of changes of each severity, the worst first."""
    found = Counter(change.severity for change in changes)
    return {severity: found[severity] for severity in SEVERITIES}


def comparison_facts(comparison: Comparison) -> dict[str, Any]:
    """A comparison as JSON data."""
    steps = [
        {
            "left": step.left,
            "right": step.right,
            "counts": by_severity(step.changes),
            "changes": [change_facts(change) for change in step.changes],
        }
        for step in comparison.steps
    ]
    return {"sides": list(comparison.sides), "counts": by_severity(comparison.changes), "steps": steps}


def change_facts(change: RuleChange) -> dict[str, Any]:
    """A change as JSON data."""
    return {
        "apiVersion": change.api_version,
        "kind": change.kind,
        "path": change.path,
        "aspects": list(change.aspects),
        "severity": change.severity,
        "before": words.facts(change.before),
        "after": words.facts(change.after),
        "effect": change.effect,
    }


def replay_facts(replay: Replay) -> dict[str, Any]:
    """A replay as JSON data."""
    return {
        "object": replay.title,
        "source": replay.source,
        "groups": [_group(group) for group in replay.groups],
        "splits": [_split(split) for split in replay.splits],
        "namespace": replay.namespace or None,
        "line": replay.line,
        "severity": worst(replay.findings) or None,
        "findings": [finding_facts(one) for one in replay.findings],
    }


def finding_facts(one: Finding) -> dict[str, Any]:
    """A finding as JSON data."""
    return {
        "at": one.at,
        "previous": one.previous or None,
        "sort": one.sort,
        "severity": one.severity,
        "path": one.path,
        "text": one.text,
        "fix": one.advice or None,
        "before": one.before,
        "after": one.after,
        "source": one.source or None,
    }


def _group(group: Group) -> dict[str, Any]:
    outcome = group.outcome
    return {
        "releases": list(group.releases),
        "result": outcome.result if outcome else None,
        "patchType": outcome.patch_type if outcome else None,
        "patch": outcome.patch if outcome else None,
        "merged": outcome.merged if outcome else None,
        "problem": group.problem or None,
    }


def _split(split: Split) -> dict[str, Any]:
    return {
        "at": split.at,
        "previous": split.previous,
        "differences": [
            {"path": difference.path, "before": difference.before, "after": difference.after}
            for difference in split.differences
        ],
        "rules": [change_facts(change) for change in split.rules],
    }
