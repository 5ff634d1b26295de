"""Findings about an apply before it is made, with stable codes, derived from the merge tables.

A rule and its texts belong in `rules`, helpers of several rules beside it. Reading manifests and printing findings
belong outside the engine.
"""

from __future__ import annotations

from .. import aliases
from ..clientside.apply import READ
from ..errors import MergeError, UnknownKind, flat
from ..tables.lookup import schema_for
from ..tables.schema import Schema
from ..tables.tables import Tables
from ..values.guard import with_room
from .context import LintContext
from .findings import Finding
from .plain_check import DEFINITION, findings_if_plain
from .rule import BOTH, CLIENT, SERVER, LintRule
from .rules import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DEFINITION", "RULES", "Finding", "LintRule", "findings_if_plain", "lint"]

_CHECKS = [(rule, rule.check) for rule in RULES.values() if rule.check]
_PLACE_CHECKS = [(rule, rule.check_place) for rule in RULES.values() if rule.check_place]


def lint(
    config: aliases.Document,
    schema: Schema | Tables | None,
    *,
    live: aliases.Document | None = None,
    last_applied: aliases.Document | str | None = READ,
    tables: Tables | None = None,
    manager: str | None = None,
    tool: Tables | None = None,
) -> list[Finding]:
    """Findings on values that `kubectl apply` of this config would lose, and on other surprises, in path order.

    The last applied config is read from the live object's annotation, unless it is passed as a document or as the text
    of the annotation; None means that the object was never applied. Without a live object, the config counts as new.
    `tables` show if the release has the kind at all. Tables passed as `schema` look up the schema of the kind.

    With a `manager`, the findings are about a server-side apply by that manager: its conflicts and its errors. With
    `tool`, the tables that a tool was built with, fields unknown to that tool are also reported.
    """
    if isinstance(schema, Tables):
        tables = schema
        schema = _schema_in(tables, config)
    known = schema_for(schema)
    alone = live is None and (last_applied is READ or last_applied is None)
    simple = alone and manager is None and tool is None
    try:
        found = findings_if_plain(config, known) if simple and known is not None else None
        if found is None:
            found = with_room(
                lambda: list(_findings(LintContext(config, known, live, last_applied, tables, manager, tool)))
            )
    except MergeError as error:
        raise flat(error) from None
    return sorted(dict.fromkeys(found), key=lambda finding: (finding.path, finding.code, finding.message))


def _schema_in(tables: Tables, config: aliases.Document) -> Schema | None:
    """The schema of a config; None for a kind that the tables lack: a finding reports it."""
    try:
        return schema_for(tables, config=config)
    except UnknownKind:
        return None


def _findings(context: LintContext) -> Iterator[Finding]:
    about = (BOTH, CLIENT if context.manager is None else SERVER)
    for rule, check in _CHECKS:
        if rule.about in about and not (rule.needs_live and context.is_new):
            yield from map(rule.finding, check(context))
    checks = [
        (rule, check_place)
        for rule, check_place in _PLACE_CHECKS
        if rule.about in about and not (rule.needs_live and context.is_new)
    ]
    for place in context.places:
        for rule, check_place in checks:
            yield from map(rule.finding, check_place(context, place))
