"""A page for each applicable kind: its versions, and the merge rules of its lists and maps across releases."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import engine
from engine.errors import spans
from engine.tables.served import rank
from kubemerge.compare.kinds import is_applied
from kubemerge.output import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Rule, Schema, Tables

ORPHAN = "---\norphan: true\n---\n\n"
"""Marks a page that has its own list and is not in the navigation."""
HEAD = """# How each kind merges

A page for each kind of Kubernetes {first} to {newest} that people apply, printed from the merge rules. For kinds of
your own, `kubemerge explain --schema FOLDER` prints the same from their definitions.

"""


class ApiKind(NamedTuple):
    """A kind of a group, in all versions."""

    group: str
    name: str

    @property
    def page(self) -> str:
        return f"{self.name}.{self.group}" if self.group else self.name


@cache
def tables(release: str) -> Tables:
    return engine.load(release)


def kinds() -> dict[ApiKind, dict[str, list[str]]]:
    """Every applicable kind, with the releases of each of its versions."""
    found: dict[ApiKind, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for release in engine.releases():
        for key in tables(release).kinds():
            if is_applied(key, tables(release)):
                group, _, version = key[0].rpartition("/")
                found[ApiKind(group, key[1])][key[0] if group else version].append(release)
    return dict(found)


def pages() -> dict[str, str]:
    found = kinds()
    made = {f"{kind.page}.md": _page(kind, versions) for kind, versions in found.items()}
    return {**made, "index.md": _index(found)}


def _index(found: dict[ApiKind, dict[str, list[str]]]) -> str:
    groups: dict[str, list[ApiKind]] = defaultdict(list)
    for kind in sorted(found):
        groups[kind.group].append(kind)
    parts = [HEAD.format(first=engine.releases()[0], newest=engine.releases()[-1])]
    for group, members in groups.items():
        parts.append(f"## {group or 'core'}\n\n" + "\n".join(_entry(kind, found[kind]) for kind in members) + "\n\n")
    return "".join(parts)


def _entry(kind: ApiKind, versions: dict[str, list[str]]) -> str:
    last = max((releases[-1] for releases in versions.values()), key=_minor)
    gone = "" if last == engine.releases()[-1] else f", until {last}"
    return f"- [{kind.name}]({kind.page}.md){gone}"


def _minor(release: str) -> int:
    return int(release.partition(".")[2])


def _page(kind: ApiKind, versions: dict[str, list[str]]) -> str:
    ordered = sorted(versions, key=lambda one: rank(one.rpartition("/")[2]), reverse=True)
    rows = "\n".join(f"| `{version}` | {spans(versions[version])} |" for version in ordered)
    last = max((releases[-1] for releases in versions.values()), key=_minor)
    shown = next(version for version in ordered if last in versions[version])
    title = f"{kind.name} of {kind.group}" if kind.group else kind.name
    schemas = [(release, tables(release).schema(shown, kind.name)) for release in versions[shown]]
    field = ".spec" if schemas[-1][1].rule("spec") else ""
    release = "" if last == engine.releases()[-1] else f" --release {last}"
    return f"""{ORPHAN}# {title}

| version | releases |
|---|---|
{rows}

How fields of `{shown}` merge that are lists, or maps that are not simply merged field by field. All other values are
replaced by those of the config. Where a release changed the rule, each is there with its releases. To see one field,
and everything below it, run `kubemerge explain {shown}/{kind.name}{field}{release}`; [how objects
merge](../semantics.md) explains the words, and [all kinds](index.md) are on a page.

| field | kubectl apply | server-side apply | releases |
|---|---|---|---|
{chr(10).join(_rows(schemas))}
"""


def _rows(schemas: list[tuple[str, Schema]]) -> Iterator[str]:
    """A row for each field, and for each change of its rule."""
    everywhere = [release for release, _ in schemas]
    for path, rule in schemas[-1][1].walk():
        if not _is_worth_a_row(rule):
            continue
        runs: list[tuple[list[str], tuple[str, str]]] = []
        for release, schema in schemas:
            older = schema.rule(path)
            ownership_words = (words.client_side(older), _ownership(older)) if older else ("", "")
            if runs and runs[-1][1] == ownership_words:
                runs[-1][0].append(release)
            else:
                runs.append(([release], ownership_words))
        for releases, (client, server) in reversed(runs):
            if client:
                when = "all" if releases == everywhere else spans(releases)
                yield f"| `{path}` | {client} | {server} | {when} |"


def _is_worth_a_row(rule: Rule) -> bool:
    return rule.kind == "list" or (rule.kind == "map" and (rule.map_type == "atomic" or bool(rule.strategies)))


def _ownership(rule: Rule) -> str:
    """The ownership of the field in server-side apply, stated by a release or derived."""
    return words.server_side(rule).replace(" (derived)", "")
