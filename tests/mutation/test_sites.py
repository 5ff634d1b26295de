"""The places where the engine is damaged. Code without any effect is left alone."""

from __future__ import annotations

import pytest

from .drawing import SUBJECTS, drawn, known_equivalents
from .sites import sites

CHANGES = [
    ("def f(a): return a < 1", {"a < 1 -> ((a) <= (1))", "1 -> 2", "return a < 1 -> return None"}),
    ("def f(a):\n if a: g()", {"a -> (not (a))", "g() -> pass"}),
    (
        "x = a and not b",
        {
            "a and not b -> ((a) or (not b))",
            "a and not b -> ((a))",
            "a and not b -> ((not b))",
            "not b -> (b)",
            "x = a and not b -> pass",
        },
    ),
    ("x = {'a', ''}", {"{'a', ''} -> {''}", "{'a', ''} -> {'a'}", "'a' -> ''", "'' -> 'x'", "x = {'a', ''} -> pass"}),
    ("while True: break", {"True -> (not (True))", "True -> False", "break -> continue"}),
    ("def f(a: int = 1) -> int: '''One.'''", {"1 -> 2"}),
    ("def __repr__(self): return 'a'", set()),
    ("if TYPE_CHECKING:\n    x = 1", set()),
    ("raise MergeError('it is wrong')", {"raise MergeError('it is wrong') -> pass"}),
]


@pytest.mark.parametrize(("source", "changes"), CHANGES)
def test_what_can_be_changed(source: str, changes: set[str]) -> None:
    assert {site.change for site in sites("engine/x.py", source)} == changes


def test_a_change_is_made_in_its_place() -> None:
    source = "é = 'é'\nx = [1, 1]\n"
    (site,) = [site for site in sites("engine/x.py", source) if site.change == "1 -> 2"][1:]
    assert site.applied(source) == "é = 'é'\nx = [1, 2]\n"
    assert (site.lines, site.line) == ((2, 2), "x = [1, 1]")


def test_the_same_seed_draws_the_same_sites() -> None:
    for subject in SUBJECTS:
        sources = subject.sources([])
        assert drawn(sources, 5, 1) == drawn(sources, 5, 1) != drawn(sources, 5, 2)


def test_only_some_modules_are_drawn_from() -> None:
    chosen = [drawn(subject.sources(["engine/paths.py", "kubemerge/apiserver/cel"]), 5, 1) for subject in SUBJECTS]
    assert [{site.file.rpartition("/")[0][:23] for site in sites} for sites in chosen] == [
        {"engine"},
        {"kubemerge/apiserver/cel"},
    ]


def test_each_equivalent_change_can_still_be_made() -> None:
    every = {
        site.key for subject in SUBJECTS for file, source in subject.sources([]).items() for site in sites(file, source)
    }
    assert known_equivalents().keys() <= every
    assert all(known_equivalents().values())
