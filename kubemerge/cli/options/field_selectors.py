"""Field selectors: `metadata.name=web,metadata.namespace!=shop`. Only these two fields are supported."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from engine.values.unchecked import found

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...cluster import Object

FIELDS = ("metadata.name", "metadata.namespace")
_RULE = re.compile(r"\s*(?P<field>[^=!\s]+)\s*(?P<sign>==?|!=)\s*(?P<value>[^=!\s]*)\s*")


def field_selector(text: str) -> Callable[[Object], bool]:
    """A function that says whether an object is selected. An empty selector selects everything."""
    rules = [_rule(part) for part in text.split(",") if part.strip()]
    return lambda one: all((str(found(one, field) or "") == value) == equal for field, value, equal in rules)


def _rule(part: str) -> tuple[str, str, bool]:
    rule = _RULE.fullmatch(part)
    if not rule:
        raise click.UsageError(f"{part.strip()!r} is not a field selector; write metadata.name=NAME, or !=")
    if rule["field"] not in FIELDS:
        raise click.UsageError(
            f"a field selector can use {' and '.join(FIELDS)} here, not {rule['field']}; pick by labels with -l"
        )
    return rule["field"], rule["value"], rule["sign"] != "!="
