"""docs/cluster-defaults.md equals the tables."""

from __future__ import annotations

import pytest

import engine
from kubemerge.apiserver.defaulting.fill import TABLE
from kubemerge.apiserver.defaulting.rules import ABSENT, EMPTY, NIL, NO_ITEMS, ZERO
from kubemerge.apiserver.kinds import builtin_kinds as facts_of_kinds
from kubemerge.apiserver.registry.table import all_records

from ...conftest import ROOT
from ...docs.defaults import PLACED, SECTIONS, kinds_listed, of_records, page_with_table, places_listed, rendered

RECORDS = all_records()
KINDS = {f"{version} {record.kind}" for record in RECORDS for version in record.versions}
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
        *of_records(),
    )


def test_the_page_shows_the_places() -> None:
    assert places_listed() in PAGE


def test_the_page_names_the_kinds_and_the_fields_that_stay() -> None:
    assert kinds_listed() in PAGE
    for facts in facts_of_kinds.KINDS.values():
        assert (
            not facts.immutable or f"| {facts.kind} | {', '.join(f'`{field}`' for field in facts.immutable)} |" in PAGE
        )


def test_every_type_of_the_table_stands_somewhere() -> None:
    placed = {place.type for places in PLACED.values() for place in places}
    kinds = {kind for name in KINDS for kind in (name, name.split()[1])}
    types = {type_ for groups in SECTIONS.values() for group in groups for type_ in group.types}
    assert types <= placed | kinds
    assert placed <= types | PLACED.keys()
    assert PLACED.keys() <= placed | kinds


def test_the_releases_of_the_rows_are_releases() -> None:
    known = (*engine.releases(), "")
    for group in (group for groups in SECTIONS.values() for group in groups):
        for row in group.rows:
            assert row.since in known
            assert row.until in known
            assert row.unset in (ABSENT, ZERO, EMPTY, NIL, NO_ITEMS, None)
