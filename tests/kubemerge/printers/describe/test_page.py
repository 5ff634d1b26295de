"""Pages with tabs: columns, annotations, and lines without tabs."""

from __future__ import annotations

from kubemerge.printers.describe.page import Page, aligned

COLUMNS = {
    "a\tb\nlonger\tc\n": "a       b\nlonger  c\n",
    "a\tb\n\nlonger\tc\n": "a  b\n\nlonger  c\n",
    "a\tb\tc\naa\tbb\nx\ty\tz\n": "a   b  c\naa  bb\nx   y  z\n",
    "\tindented\ntitle\tvalue\n": "       indented\ntitle  value\n",
    "no tabs\n": "no tabs\n",
}


def test_a_column_is_as_wide_as_its_widest_cell_among_neighbours() -> None:
    assert {text: aligned(text) for text in COLUMNS} == COLUMNS


def test_a_flush_ends_all_columns() -> None:
    page = Page()
    page.field("A long title", "x")
    page.flush()
    page.field("A", "y")
    assert page.text() == "A long title:  x\nA:  y\n"


def test_a_long_annotation_stands_below_its_key_and_is_cut_off() -> None:
    page = Page()
    page.annotations("Annotations", {"long": "x" * 200, "two": "a\nb\n", "z": "short"})
    lines = page.text().splitlines()
    assert lines[0] == "Annotations:  long:"
    assert lines[1].strip() == "x" * 138 + "..."
    assert [line.strip() for line in lines[2:]] == ["two:", "a", "b", "z: short"]


def test_the_annotation_of_apply_is_not_described() -> None:
    page = Page()
    page.annotations("Annotations", {"kubectl.kubernetes.io/last-applied-configuration": "{}"})
    assert page.text() == "Annotations:  <none>\n"
