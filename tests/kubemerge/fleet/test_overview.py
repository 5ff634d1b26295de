"""The page of a fleet matches its rows, and shows some rows of everything."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from kubemerge.fleet import overview as module
from kubemerge.fleet.rows import Row
from kubemerge.fleet.sampling import quotas
from kubemerge.fleet.summary import Summary, is_undecided, text

from .findings import overview_of, rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PARTS = [[*rows(3000, 7, 9, seed)] for seed in (1, 2, 3)]
PARTS = [[one._replace(source=f"{at}/{one.source}") for one in part] for at, part in enumerate(PARTS)]
EVERY = [*itertools.chain(*PARTS)]
"""No object is in two parts, as in the results of a run."""


def objects(found: Sequence[Row]) -> int:
    return len({(one.cluster, one.kind, one.namespace, one.name, one.source) for one in found})


def test_counts_are_those_of_the_rows() -> None:
    found = overview_of(*PARTS)
    assert {one[:2] for one in found.whats} == {(one.what, one.severity) for one in EVERY}
    for what in found.whats:
        those = [one for one in EVERY if (one.what, one.severity) == what[:2]]
        assert (what.rows, what.objects) == (len(those), objects(those))
        assert what.clusters == len({one.cluster for one in those})
        assert what.kinds == tuple(sorted({one.kind for one in those}))
    for cluster, number in found.by_cluster.items():
        assert number == objects([one for one in EVERY if one.cluster == cluster])
    assert [one.severity for one in found.whats] == ["error", "error", "warning", "warning", "info"]
    assert found.summary.rows == len(EVERY)


def test_the_sample_is_some_of_everything_and_the_same_each_time() -> None:
    found = overview_of(*PARTS, most=200)
    sample = [row for what in found.whats for row in what.sample]
    assert len(sample) == 200
    assert not Counter(sample) - Counter(EVERY)
    for what in found.whats:
        assert {row[5:7] for row in what.sample} == {what[:2]}
        assert len({row.cluster for row in what.sample}) == what.clusters
    assert overview_of(*PARTS, most=200) == found


def test_every_row_is_there_if_there_are_few() -> None:
    found = overview_of(*PARTS, most=len(EVERY))
    assert Counter(row for what in found.whats for row in what.sample) == Counter(EVERY)


def test_a_part_may_have_nothing_for_the_sample() -> None:
    (what,) = overview_of(PARTS[0][:0], [Row("a", what="b")], [Row("a", what="b")], most=1).whats
    assert (what.rows, what.sample) == (2, (Row("a", what="b"),))


def test_each_gets_the_same_and_passes_on_what_it_does_not_need() -> None:
    counts = {
        ("a", "Pod", "few", "error"): 3,
        ("a", "Pod", "many", "info"): 500,
        ("b", "Pod", "many", "info"): 5,
        ("a", "Job", "many", "info"): 100,
        ("a", "Pod", "other", "info"): 9,
    }
    pairs = [("few", "error"), ("many", "info")]
    found = quotas(counts, pairs, ["b", "a"], 30)
    assert [*found.values()] == [3, 5, 11, 11]
    assert quotas(counts, pairs, ["b", "a"], 3) == {
        ("a", "Pod", "few", "error"): 1,
        ("b", "Pod", "many", "info"): 1,
        ("a", "Job", "many", "info"): 1,
    }


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("spec.containers[name=web].ports[0].name", "spec.containers[].ports[].name"),
        ('spec.ports[port=53,protocol="a]b"].name', "spec.ports[].name"),
        ('metadata.finalizers[="a/b"]', "metadata.finalizers[]"),
        ('metadata.labels["a.b/c"]', 'metadata.labels["a.b/c"]'),
        ("spec.containers[].image", "spec.containers[].image"),
    ],
)
def test_elements_of_lists_are_counted_together(path: str, found: str) -> None:
    assert [one.path for one in overview_of([Row("a", path=path, severity="info")]).fields] == [found]


def test_too_many_fields_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_COUNTED", 10)

    def part(number: int) -> Iterator[Row]:
        for at in range(20):
            yield Row("a", "b", "ConfigMap", f"{at}", f"data.key-{number}-{at}", "changed", "warning")
            yield Row("a", "b", "ConfigMap", f"{at}", "data.all", "changed", "warning")

    found = overview_of(*map(part, range(3)))
    assert found.fields[0][:4] == ("data.all", "warning", 60, 60)
    assert found.at_least
    assert found.more_fields
    assert not overview_of([]).at_least


def test_a_manager_may_have_any_name() -> None:
    assert is_undecided("unreadable", "error")
    assert not is_undecided("unreadable", "info")


def test_the_text_is_about_clusters_what_was_found_and_kinds() -> None:
    counts = {("a", "Pod", "KM1", "error"): 2, ("b", "Pod", "KM2", "info"): 1, ("b", "", "unreadable", "error"): 1}
    assert [*text(Summary(counts, {"a": {"Pod": 3}, "b": {"Pod": 2, "": 1}, "calm": {"Job": 3}}))] == [
        "4 rows about 9 objects",
        "",
        "cluster      error      info   objects",
        "a                2         0         3",
        "b                1         1         3",
        "1 more cluster without findings",
        "",
        "what            error      info  clusters",
        "KM1                 2         0         1",
        "unreadable          1         0         1",
        "KM2                 0         1         1",
        "",
        "kind        error      info  clusters",
        "Pod             2         1         2",
        "(none)          1         0         1",
    ]
    assert [*text(Summary({}, {}))] == ["0 rows about 0 objects"]


def test_nothing_found_is_said_only_of_clusters_of_which_all_is_known() -> None:
    looked = {"a": {"Pod": 1}, "calm": {"Pod": 1}, "empty": {}, "torn": {"Pod": 1}, "without": {"Pod": 1}}
    found = Summary({("a", "Pod", "KM1", "info"): 1}, looked)
    gaps = {"incomplete": {"torn": ""}, "unconfigured": {"without": ""}, "unexpected": {"calm": ""}}
    assert "3 more clusters without findings" in [*text(found)]
    assert "1 more cluster without findings" in [*text(found._replace(gaps=gaps))]


def test_what_is_missing_is_no_object_that_was_looked_at() -> None:
    there = [Row("a", "b", "Pod", f"{at}", "spec", "changed", "warning") for at in range(3)]
    missing = [Row("a", "b", "Pod", f"{at}", "", "missing", "error") for at in range(3, 7)]
    assert overview_of(there, missing).by_cluster == {"a": 7}
    assert overview_of(there, missing, looked=[3, 0]).by_cluster == {"a": 3}
