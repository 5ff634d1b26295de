"""Hover: a field's type, merge rules, releases, default, and its live value with its owners."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import engine
from engine.errors import spans

from ..apiserver.kinds.deprecated import lifecycle, successor
from ..kinds.explain import stored
from ..output import words
from .fields import defaults_of, field_at, releases_of, values_of
from .model import Hover, Line
from .places import target_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .fields import Field
    from .live import LiveSource
    from .places import Target
    from .repository import Rules

MOST_VALUES = 20
"""Values of a field that are listed."""
MOST_TEXT = 1_000
"""Characters of a description."""
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+!|~-])")


def hover(text: str, offset: int, rules: Rules, live: LiveSource | None) -> Hover | None:
    """The hover at an offset."""
    target = target_at(text, offset)
    if target is None:
        return None
    if target.steps in (("kind",), ("apiVersion",)):
        return _of_kind(target, rules)
    field = field_at(rules, target.key, target.steps)
    if field is None:
        return None
    lines = [*_of_field(field), *(live.lines(target, field.schema) if live else ())]
    return Hover(f"{field.path}: {words.noun(field.rule)}", lines, target.start, target.end)


def warm() -> None:
    """Load the tables of all releases."""
    schema = engine.load().schema("v1", "Pod")
    releases_of(schema, "spec")
    stored(schema, "spec")


def _of_field(field: Field) -> Iterator[Line]:
    description = field.node.get("description")
    if isinstance(description, str):
        yield Line("", _shortened(description))
    yield Line("kubectl apply", words.client_side(field.rule))
    yield Line("server-side apply", words.server_side(field.rule))
    releases = releases_of(field.schema, field.path)
    if releases:
        yield Line("releases", releases)
    gate = stored(field.schema, field.path)
    if gate:
        yield Line("API server", gate)
    for default in defaults_of(field):
        yield Line("default", default, is_code=True)
    values = values_of(field)
    if values and field.rule.of != "boolean":
        more = f" and {len(values) - MOST_VALUES} more" if len(values) > MOST_VALUES else ""
        yield Line("values", ", ".join(values[:MOST_VALUES]) + more, is_code=True)


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= MOST_TEXT else f"{plain[:MOST_TEXT]}..."


def _of_kind(target: Target, rules: Rules) -> Hover:
    """The hover of a kind: its releases and its deprecation, or its definition."""
    api_version, kind = target.key
    lines = []
    definition = rules.definition(target.key)
    served = [release for release in engine.releases() if target.key in engine.load(release)]
    if served:
        lines.append(Line("served by Kubernetes", spans(served)))
    elif definition is not None:
        lines.append(Line("defined in", f"{definition.source}:{definition.line}", is_code=True))
    else:
        lines.append(Line("", "No schema of this kind is known."))
    found = lifecycle(api_version, kind) if served else None
    if found is not None:
        if found.deprecated:
            lines.append(Line("deprecated since", found.deprecated))
        if found.gone:
            lines.append(Line("removed in", found.gone))
        better = successor(api_version, kind, rules.releases[-1])
        if better:
            lines.append(Line("use instead", better, is_code=True))
    return Hover(f"{api_version} {kind}", lines, target.start, target.end)


def as_markdown(found: Hover) -> str:
    """The hover as Markdown. Foreign text in it is no markup."""
    rows = [f"**{_plain(found.title)}**", ""]
    for line in found.lines:
        text = _code(line.text) if line.is_code else _plain(line.text)
        rows.append(f"- {line.label}: {text}" if line.label else f"{text}\n")
    return "\n".join(rows)


def as_text(found: Hover) -> str:
    """The hover as plain text."""
    return "\n".join([found.title, *(f"{one.label}: {one.text}" if one.label else one.text for one in found.lines)])


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _code(text: str) -> str:
    plain = " ".join(text.split())
    fence = "`" * (max((len(one) for one in re.findall("`+", plain)), default=0) + 1)
    space = " " if "`" in plain else ""
    return f"{fence}{space}{plain}{space}{fence}"
