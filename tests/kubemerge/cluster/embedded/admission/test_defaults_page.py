"""docs/cluster-defaults.md shows the tables as they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import engine
from kubemerge.cluster.embedded.admission.checks.validation import CHECKS
from kubemerge.cluster.embedded.admission.defaults.fill import TABLE
from kubemerge.cluster.embedded.admission.defaults.places import KINDS, PLACES
from kubemerge.cluster.embedded.admission.defaults.pods import PODS, SERVICES_AND_CLAIMS, VOLUMES
from kubemerge.cluster.embedded.admission.defaults.rules import ABSENT, EMPTY, REMOVED, ZERO, Computed
from kubemerge.cluster.embedded.admission.defaults.secrets import SECRETS
from kubemerge.cluster.embedded.admission.defaults.workloads import WORKLOADS
from kubemerge.kinds import facts as facts_of_kinds

from .....conftest import ROOT

if TYPE_CHECKING:
    from kubemerge.cluster.embedded.admission.defaults.rules import Default, Group

PAGE = (ROOT / "docs" / "cluster-defaults.md").read_text(encoding="utf-8")
HEAD = "| of | field | default | when | releases | source |\n|---|---|---|---|---|---|\n"
SECTIONS = {
    "Workloads": WORKLOADS,
    "Pods": PODS,
    "Volumes": VOLUMES,
    "Services and claims": SERVICES_AND_CLAIMS,
    "Secrets": SECRETS,
}


def value(default: Default) -> str:
    if isinstance(default.value, Computed):
        return default.value.words
    return "taken out" if default.value is REMOVED else f"`{json.dumps(default.value)}`"


def releases(default: Default) -> str:
    if default.until:
        return f"until {default.until}" if default.since == "1.7" else f"{default.since} to {default.until}"
    return "all" if default.since == "1.7" else f"since {default.since}"


def condition(default: Default) -> str:
    parts = [default.when.words] if default.when else []
    return "; ".join(parts + (["whatever is there"] if default.unset is None else []))


def rendered(groups: tuple[Group, ...]) -> str:
    """The rows of some groups as the page shows them."""
    return HEAD + "".join(
        f"| {', '.join(group.types)} | `{row.field}` | {value(row)} | {condition(row)} | {releases(row)} "
        f"| {group.source} |\n"
        for group in groups
        for row in group.rows
    )


@pytest.mark.parametrize("section", SECTIONS)
def test_the_page_shows_the_table(section: str) -> None:
    shown = PAGE.partition(f"\n### {section}\n\n")[2].partition("\n\n")[0]
    assert shown + "\n" == rendered(SECTIONS[section]), "print rendered(...) into the page"


def test_the_sections_are_the_whole_table() -> None:
    assert tuple(group for groups in SECTIONS.values() for group in groups) == TABLE


def test_the_page_shows_the_places() -> None:
    rows = "".join(
        f"| {of} | `{place.path}` | {place.type} | {place.when.words if place.when else ''} |\n"
        for of, places in PLACES.items()
        for place in places
    )
    assert "| in | at | stands | when |\n|---|---|---|---|\n" + rows in PAGE


def test_the_page_names_the_kinds_and_the_fields_that_stay() -> None:
    named = {
        f"{version} {kind}"
        for kind, versions in (
            line.removeprefix("- **").split("**: ") for line in PAGE.splitlines() if line.startswith("- **")
        )
        if kind in CHECKS
        for version in versions.strip("`.").split("`, `")
    }
    assert named == KINDS
    for facts in facts_of_kinds.KINDS.values():
        assert (
            not facts.immutable or f"| {facts.kind} | {', '.join(f'`{field}`' for field in facts.immutable)} |" in PAGE
        )


def test_every_type_of_the_table_stands_somewhere() -> None:
    placed = {place.type for places in PLACES.values() for place in places}
    kinds = {kind for name in KINDS for kind in (name, name.split()[1])}
    types = {type_ for group in TABLE for type_ in group.types}
    assert types <= placed | kinds
    assert placed <= types | PLACES.keys()
    assert PLACES.keys() <= placed | kinds


def test_the_releases_of_the_rows_are_releases() -> None:
    known = (*engine.releases(), "")
    for group in TABLE:
        for row in group.rows:
            assert row.since in known
            assert row.until in known
            assert row.unset in (ABSENT, ZERO, EMPTY, None)
