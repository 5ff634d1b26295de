"""docs/cluster-defaults.md shows the tables as they are."""

from __future__ import annotations

import pytest

import engine
from kubemerge.cluster.embedded.admission.defaults.fill import TABLE
from kubemerge.cluster.embedded.admission.defaults.places import PLACES
from kubemerge.cluster.embedded.admission.defaults.rules import ABSENT, EMPTY, ZERO
from kubemerge.cluster.embedded.admission.kinds.table import all_records
from kubemerge.kinds import facts as facts_of_kinds

from .....conftest import ROOT
from .....docs.defaults import SECTIONS, page_with_table, rendered

RECORDS = all_records()
KINDS = {f"{version} {record.kind}" for record in RECORDS for version in record.versions}
PLACED = {**PLACES, **{of: places for record in RECORDS for of, places in record.places.items()}}
PAGE = (ROOT / "docs" / "cluster-defaults.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("section", SECTIONS)
def test_the_page_shows_the_table(section: str) -> None:
    shown = PAGE.partition(f"\n### {section}\n\n")[2].partition("\n\n")[0]
    assert shown + "\n" == rendered(SECTIONS[section]), "run `python -m tests.docs.reference`"


def test_a_row_that_is_new_is_printed_into_the_page() -> None:
    row = "| Secret | `stringData` |"
    assert row in PAGE
    assert page_with_table(PAGE.replace(row, "| Nobody | `stringData` |")) == PAGE


def test_the_sections_are_the_whole_table() -> None:
    assert tuple(group for groups in SECTIONS.values() for group in groups) == (
        *TABLE,
        *(group for record in RECORDS for group in record.defaults),
    )


def test_the_page_shows_the_places() -> None:
    rows = "".join(
        f"| {of} | `{place.path}` | {place.type} | {place.when.words if place.when else ''} |\n"
        for of, places in PLACED.items()
        for place in places
    )
    assert "| in | at | stands | when |\n|---|---|---|---|\n" + rows in PAGE


def test_the_page_names_the_kinds_and_the_fields_that_stay() -> None:
    named = {
        f"{version} {kind}"
        for kind, versions in (
            line.removeprefix("- **").split("**: ") for line in PAGE.splitlines() if line.startswith("- **")
        )
        if f"{versions.strip('`.').split('`, `')[0]} {kind}" in KINDS
        for version in versions.strip("`.").split("`, `")
    }
    assert named == KINDS
    for facts in facts_of_kinds.KINDS.values():
        assert (
            not facts.immutable or f"| {facts.kind} | {', '.join(f'`{field}`' for field in facts.immutable)} |" in PAGE
        )


def test_every_type_of_the_table_stands_somewhere() -> None:
    placed = {place.type for places in PLACED.values() for place in places}
    kinds = {kind for name in KINDS for kind in (name, name.split()[1])}
    types = {type_ for group in TABLE for type_ in group.types}
    assert types <= placed | kinds
    assert placed <= types | PLACED.keys()
    assert PLACED.keys() <= placed | kinds


def test_the_releases_of_the_rows_are_releases() -> None:
    known = (*engine.releases(), "")
    for group in TABLE:
        for row in group.rows:
            assert row.since in known
            assert row.until in known
            assert row.unset in (ABSENT, ZERO, EMPTY, None)
