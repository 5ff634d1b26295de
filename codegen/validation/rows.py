"""Rows of declared validation, made from the snapshots of releases, with eras.

The rows of a type are in the server's order of evaluation: the fields as in the Go type, and for each field first the
rules that end its evaluation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ..eras import release_runs
from ..names import split
from ..specs.go_source import DEFAULT
from . import tags
from .order import CONDITIONS, INLINE, SHORT_CIRCUITS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from .declared import DeclaredValidation

Row = tuple[Any, ...]
DEFERRED = ("listType", "unique", "customUnique", "listMapKey", "eachVal")
"""Rules that a server evaluates after a field's other rules."""
_OPTIONAL = re.compile(r"\boptional$")
_ZEROS = ("0", '""', "false")
_DEFINITION = re.compile(r"[a-z][\w-]*(?:\.[\w-]+)+")


class DeclaredRows(NamedTuple):
    """Declared validation as `generated/` prints it."""

    types: dict[str, dict[str, list[Row]]]
    """module -> type -> rows of (field, first, last, enforced, rule, *arguments)."""
    kinds: list[Row]
    """The kinds that enforce rules: rows of (group in module names, kind, first, last)."""


def rows_of(
    releases: Mapping[int, DeclaredValidation],
    known: Mapping[int, Container[str]],
    modules: Mapping[str, str],
    minors: list[int],
) -> DeclaredRows:
    """The rows of all releases, for the types in the specification of a release. `minors` are all releases.

    A release that is newer than all snapshots of declared validation has the rules of the newest one.
    """
    minors = [minor for minor in minors if minor <= max(releases)]
    evaluated = {minor: _in_evaluation_order(found, known[minor], modules) for minor, found in releases.items()}
    types: dict[str, dict[str, list[Row]]] = {}
    enforcing = {minor for minor, found in releases.items() if found.enforced}
    for name in sorted({name for found in evaluated.values() for name in found}):
        module, _, own = name.partition(".")
        rows = {minor: found[name] for minor, found in evaluated.items() if name in found}
        types.setdefault(module, {})[own] = list(_with_eras(rows, minors, enforcing))
    enforced = {minor: {tuple(kind.split(".")) for kind in found.enforced} for minor, found in releases.items()}
    kinds = [
        (*kind, first, last)
        for kind in sorted({kind for found in enforced.values() for kind in found})
        for first, last in release_runs(minors, {minor for minor, found in enforced.items() if kind in found})
    ]
    return DeclaredRows(types, kinds)


def _with_eras(rows: Mapping[int, dict[Row, str]], minors: list[int], enforcing: set[int]) -> Iterator[Row]:
    """The rows of one type with their eras, and the first release that enforces each rule."""
    order: list[Row] = []
    for minor in sorted(rows, reverse=True):
        position = 0
        for row in rows[minor]:
            if row in order:
                position = order.index(row) + 1
            else:
                order.insert(position, row)
                position += 1
    for row in order:
        stages = {minor: found[row] for minor, found in rows.items() if row in found}
        counting = {minor for minor, stage in stages.items() if stage != "alpha"} & enforcing
        for first, last in release_runs(minors, stages):
            own = [minor for minor in minors if first <= minor <= (last or minor)]
            since = next((one for one, end in release_runs(own, counting) if end is None), None)
            yield (row[0], first, last, None if row[1] == "type" else since, *row[1:])


def _in_evaluation_order(
    declared: DeclaredValidation, known: Container[str], modules: Mapping[str, str]
) -> dict[str, dict[Row, str]]:
    """By type, the rows of (field, rule, *arguments) of one release with their stages, in the order of evaluation."""

    def named(definition: str) -> str:
        prefix, own = split(definition)
        return f"{modules[prefix]}.{own}" if prefix in modules else definition

    kept = _reachable_types(declared.types, known)
    found = {}
    for definition in sorted(kept):
        prefix, _ = split(definition)
        if prefix not in modules:
            continue
        type_ = declared.types[definition]
        rows = {("", *tag): stage for stage, tag in _own(type_)}
        for field, go_type, written in type_.get("fields", ()):
            shown = _DEFINITION.sub(lambda name: named(name[0]), go_type)
            rows[field or INLINE, "type", shown] = ""
            rows |= {(field or INLINE, *tag): stage for stage, tag in _order_tags(_server_meaning(go_type, written))}
        found[named(definition)] = rows
    return found


def _reachable_types(types: Mapping[str, dict[str, Any]], known: Container[str]) -> set[str]:
    """The types of the specification, and Go-only types: enums, and structs that are part of others."""
    waiting, found = [name for name in types if name in known], set[str]()
    while waiting:
        name = waiting.pop()
        if name in types and name not in found:
            found.add(name)
            for _, go_type, _ in types[name].get("fields", ()):
                waiting += _DEFINITION.findall(go_type)
    return found


def _server_meaning(go_type: str, written: list[str]) -> list[str]:
    """The tags as a server interprets them: an optional field with a default value is required."""
    default = next((tag.removeprefix(DEFAULT) for tag in written if tag.startswith(DEFAULT)), None)
    rules = [tag for tag in written if not tag.startswith(DEFAULT)]
    if default is None:
        return rules
    if default in _ZEROS and not go_type.startswith(("*", "[", "map")):
        return [tag for tag in rules if not _OPTIONAL.search(tag)]
    return [_OPTIONAL.sub("required", tag) for tag in rules]


def _own(type_: dict[str, Any]) -> Iterator[tuple[str, tags.Tag]]:
    """The tags of a type itself; the values of an enum are its arguments."""
    for stage, tag in _order_tags(type_.get("tags", ())):
        yield stage, ((*tag, *type_["values"]) if tag == ("enum",) else tag)


def _order_tags(written: Iterable[str]) -> list[tuple[str, tags.Tag]]:
    """Tags in the order of evaluation: upstream's generator sorts them by the outermost name."""
    found = sorted(map(tags.parse, written), key=lambda one: one[0] or one[1][0])
    return sorted(found, key=lambda one: _turn(one[1]))


def _turn(tag: tags.Tag) -> int:
    inner = tag[-1] if tag[0] in CONDITIONS else tag
    if inner[0] in SHORT_CIRCUITS:
        return 0
    return 2 if tag[0] == "subfield" else 3 if tag[0] in DEFERRED else 1
