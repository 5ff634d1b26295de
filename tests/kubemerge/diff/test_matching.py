"""Edits make one text into the other, and take no time to speak of."""

from __future__ import annotations

import difflib
import shutil
import subprocess
from random import Random
from time import process_time
from typing import TYPE_CHECKING

import pytest

from kubemerge.diff.matching import edits
from kubemerge.diff.unified import unified

from ...attack import costs

if TYPE_CHECKING:
    from pathlib import Path

LINES = 50_000


def rebuilt(one: list[str], other: list[str]) -> list[str]:
    """The first text with the edits applied."""
    made, place = [], 0
    for i1, i2, j1, j2 in edits(one, other):
        assert place <= i1 <= i2
        made += one[place:i1] + other[j1:j2]
        place = i2
    return made + one[place:]


@pytest.mark.parametrize("seed", range(20))
def test_edits_make_one_text_into_the_other(seed: int) -> None:
    random = Random(seed)
    for size in (3, 12, 60, 3000):
        one = random.choices("abcdefghij", k=random.randrange(size)) + [str(at) for at in range(size)]
        other = random.choices("abcdefghij", k=random.randrange(size)) + [str(at) for at in range(size) if at % 7]
        random.shuffle(other[: size // 2])
        assert rebuilt(one, other) == other


def shuffled(random: Random) -> tuple[list[str], list[str]]:
    lines = [str(at) for at in range(LINES)]
    return lines, random.sample(lines, LINES)


LONG = {
    "every line elsewhere": shuffled,
    "two lines over and over": lambda random: (random.choices("ab", k=LINES), random.choices("ab", k=LINES)),
    "one line over and over": lambda _: (["x"] * LINES, ["y", *["x"] * LINES, "z"]),
    "short parts, each over and over": lambda _: (
        [str(at) if at % 400 == 0 else "x" for at in range(LINES)],
        [str(at) if at % 400 == 0 else "xy"[at % 2] for at in range(LINES)],
    ),
    "every third line": lambda _: (
        [str(at) for at in range(LINES)],
        [str(at) if at % 3 else f"new {at}" for at in range(LINES)],
    ),
}


@pytest.mark.parametrize("case", LONG.values(), ids=LONG)
def test_long_and_repetitive_texts_do_not_hang(case: object) -> None:
    one, other = case(Random(1))  # type: ignore[operator]
    started = process_time()
    assert rebuilt(one, other) == other
    assert process_time() - started < 10


def test_a_few_changes_in_a_long_text_are_few_edits() -> None:
    one = [f"{at}" if at % 5 else "again" for at in range(LINES)]
    other = [f"new {at}" if at % 10_000 == 1 else line for at, line in enumerate(one)]
    assert list(edits(one, other)) == [(at, at + 1, at, at + 1) for at in range(1, LINES, 10_000)]


@pytest.mark.parametrize("size", [2000, 8000])
def test_the_work_for_shuffled_elements_is_limited(size: int) -> None:
    orders = range(size), [at * 7919 % size for at in range(size)]
    one, other = ([line for at in order for line in ("- emptyDir: {}", f"  name: v-{at}")] for order in orders)
    found = costs.lines(lambda: list(edits(one, other)))
    assert sum(times for place, times in found.items() if place.startswith(difflib.__file__)) < 4000 * size


UNIFIED = {
    "one line in the middle": (
        "a\nb\nc\nd\ne\nf\ng\nh\ni\n",
        "a\nb\nc\nd\nE\nf\ng\nh\ni\n",
        "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n",
    ),
    "one line": ("a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"),
    "all new": ("", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"),
    "all gone": ("a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"),
    "two hunks": (
        "".join(f"{at}\n" for at in range(20)),
        "".join(f"{at}\n" for at in range(1, 19)),
        "@@ -1,4 +1,3 @@\n-0\n 1\n 2\n 3\n@@ -17,4 +16,3 @@\n 16\n 17\n 18\n-19\n",
    ),
    "changes whose contexts touch": (
        "".join(f"{at}\n" for at in range(9)),
        "X\n" + "".join(f"{at}\n" for at in range(1, 7)) + "Y\n8\n",
        "@@ -1,9 +1,9 @@\n-0\n+X\n 1\n 2\n 3\n 4\n 5\n 6\n-7\n+Y\n 8\n",
    ),
    "a line separator is no newline": ("a\u2028b\n", "a\u2028c\n", "@@ -1 +1 @@\n-a\u2028b\n+a\u2028c\n"),
}


@pytest.mark.parametrize("case", UNIFIED.values(), ids=UNIFIED)
def test_a_unified_difference(case: tuple[str, str, str]) -> None:
    before, after, hunks = case
    lines = "".join(f"{line}\n" for line in unified(before, after, "v1.Pod.default.x"))
    assert lines == (
        "diff -u -N LIVE/v1.Pod.default.x MERGED/v1.Pod.default.x\n"
        f"--- LIVE/v1.Pod.default.x\n+++ MERGED/v1.Pod.default.x\n{hunks}"
    )


def test_equal_texts_have_no_difference() -> None:
    assert list(unified("a\n", "a\n", "x")) == []


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no patch on the PATH")
@pytest.mark.parametrize("seed", range(5))
def test_patch_understands_it(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    before = [f"{random.randrange(30)}\n" for _ in range(60)]
    after = [line for line in before if random.random() > 0.1]
    after.insert(random.randrange(len(after)), "new\n")
    file = tmp_path / "file"
    file.write_text("".join(before))
    text = "".join(f"{line}\n" for line in unified("".join(before), "".join(after), "x"))
    done = subprocess.run(["patch", "-s", str(file)], input=text, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout, file.read_text()) == (0, "", "".join(after))
