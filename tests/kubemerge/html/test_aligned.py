"""Alignment of the lines of documents."""

from __future__ import annotations

import time

from kubemerge.html.aligned import aligned
from kubemerge.html.tables import Head, against_the_last, before_and_after, neighbours, shortened


def test_equal_lines_stand_in_one_row_and_so_do_values_of_one_field() -> None:
    before = "a: 1\nb: 2\nc:\n  d: 3\n"
    after = "a: 1\nb: 9\nc:\n  d: 3\n  e: 4\n"
    assert aligned([before, after]) == [
        ("a: 1", "a: 1"),
        ("b: 2", "b: 9"),
        ("c:", "c:"),
        ("  d: 3", "  d: 3"),
        (None, "  e: 4"),
    ]


def test_three_documents() -> None:
    assert aligned(["a: 1\n", "b: 2\n", "a: 1\nb: 2\n"]) == [("a: 1", None, "a: 1"), (None, "b: 2", "b: 2")]
    assert aligned(["", "a: 1\n", "a: 2\n"]) == [(None, "a: 1", "a: 2")]


def test_equal_lines_of_different_parents_are_told_apart() -> None:
    left = "one:\n  name: x\ntwo:\n  name: y\n"
    right = "two:\n  name: x\n"
    assert aligned([left, right]) == [
        ("one:", None),
        ("  name: x", None),
        ("two:", "two:"),
        ("  name: y", "  name: x"),
    ]


def test_elements_of_a_list_that_is_not_indented() -> None:
    left = "list:\n- image: a\n  name: one\nother: 1\n"
    right = "list:\n- image: b\n  name: one\n- image: c\n  name: two\nother: 1\n"
    assert aligned([left, right]) == [
        ("list:", "list:"),
        ("- image: a", "- image: b"),
        ("  name: one", "  name: one"),
        (None, "- image: c"),
        (None, "  name: two"),
        ("other: 1", "other: 1"),
    ]


def test_every_line_of_every_document_is_in_the_rows_in_its_order() -> None:
    documents = ["a: 1\nb: 2\n", "b: 3\na: 1\n", "c: 1\n", "a: 1\nb: 2\nc: 1\n"]
    rows = aligned(documents)
    for at, document in enumerate(documents):
        assert [row[at] for row in rows if row[at] is not None] == document.splitlines()


def test_long_documents_with_repeated_lines_take_no_time() -> None:
    started = time.process_time()
    aligned(["a:\n" + "- x\n- y\n" * 3000, "a:\n" + "- y\n- x\n- x\n" * 2000])
    assert time.process_time() - started < 2


def test_what_an_apply_changes_stands_out() -> None:
    config, live, after = {"b": 2, "c": 1}, {"a": 1, "b": 1, "c": 1}, {"b": 2, "c": 1, "d": 1}
    table = before_and_after([(Head("config"), config), (Head("live"), live), (Head("result"), after)])
    assert [(row.style, row.sign, row.marks) for row in table.rows] == [
        ("r", "−", (False, True, True)),  # noqa: RUF001 - a minus sign
        ("r", "±", (False, True, True)),
        ("e", "", (False, False, False)),
        ("r", "+", (False, True, True)),
    ]


def test_a_result_is_compared_with_the_one_on_its_left() -> None:
    table = neighbours([(Head("A"), {"a": 1, "b": 1}), (Head("B"), {"a": 2, "b": 1}), (Head("C"), {"a": 2, "b": 1})])
    assert [(row.style, row.marks) for row in table.rows] == [
        ("r", (True, True, False)),
        ("e", (False, False, False)),
    ]
    assert neighbours([(Head("A"), {"a": 1})]).rows[0].style == "e"


def test_inputs_are_compared_with_the_last_of_them() -> None:
    table = against_the_last([(Head("live"), {"a": 1}), (Head("config"), {"a": 2})])
    assert [(row.style, row.marks) for row in table.rows] == [("d", (True, False))]


def test_equal_lines_far_from_any_other_are_left_out() -> None:
    one = {f"a{number:02}": 1 for number in range(20)}
    table = shortened(neighbours([(Head("A"), one), (Head("B"), {**one, "a09": 2})]))
    assert [row.skipped or (row.cells[0] or "")[:3] for row in table.rows] == [
        6, "a06", "a07", "a08", "a09", "a10", "a11", "a12", 7
    ]  # fmt: skip


def test_many_elements_with_the_same_values_take_no_time() -> None:
    one, other = ("".join(f"- image: a:{value}\n  name: n{at}\n" for at in range(3_000)) for value in (1, 2))
    begun = time.thread_time()
    rows = aligned([one, other, one])
    assert time.thread_time() - begun < 5
    assert rows[-1] == ("  name: n2999",) * 3
