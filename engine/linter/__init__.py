"""Findings on what an apply would lose, before it is made; with stable codes, derived from the merge tables.

A rule and its texts belong in `rules`; what several rules look at belongs beside it. Reading manifests and printing
findings belong outside of the engine.
"""

from __future__ import annotations

from ..clientside.apply import READ
from ..values.guard import with_room
from .context import Context
from .findings import Finding
from .rule import LintRule
from .rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..tables.schema import Schema
    from ..tables.tables import Tables
    from ..values.plain import Object

__all__ = ["RULES", "Finding", "LintRule", "lint"]

_CHECKS = [(rule, rule.check) for rule in RULES.values() if rule.check]
_PLACE_CHECKS = [(rule, rule.check_place) for rule in RULES.values() if rule.check_place]


def lint(
    config: Object,
    schema: Schema | None,
    *,
    live: Object | None = None,
    last_applied: Object | str | None = READ,
    tables: Tables | None = None,
) -> list[Finding]:
    """What `kubectl apply` of this config would lose or do unexpectedly, in the order of the paths.

    The last applied config is read from the live object's annotation, unless it is given as a document or as the text
    of the annotation; None means that the object was never applied. Without a live object, the config is taken as
    new. Without a schema, the tables of a release show whether the release has the kind at all.
    """
    found = with_room(lambda: list(_findings(Context(config, schema, live, last_applied, tables))))
    return sorted(dict.fromkeys(found), key=lambda finding: (finding.path, finding.code, finding.message))


def _findings(context: Context) -> Iterator[Finding]:
    for rule, check in _CHECKS:
        yield from map(rule.finding, check(context))
    for place in context.places:
        for rule, check_place in _PLACE_CHECKS:
            yield from map(rule.finding, check_place(context, place))
