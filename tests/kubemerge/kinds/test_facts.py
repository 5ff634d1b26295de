"""The table of facts: it has every stored kind, and does not contradict the specifications."""

from __future__ import annotations

import pytest

import engine
from engine.tables import served
from kubemerge.apiserver.http.discovery import served as served_resources
from kubemerge.apiserver.kinds.builtin_kinds import DOMAIN_NAME, KINDS, KindFacts, facts_of, stored_in
from kubemerge.apiserver.printers.printer_columns import BUILT_IN
from kubemerge.apiserver.resources import Kinds
from kubemerge.apiserver.validation.object_names import RULES

NEWEST_REVIEWED = "1.37"
"""The newest release whose new kinds were reviewed. Raise it with the rows of a newer one."""
RELEASES = engine.releases()[: engine.releases().index(NEWEST_REVIEWED) + 1]
KEPT = {(one.group, one.kind) for release in RELEASES for one in Kinds(release, list).all()}
OTHERS = {(group, facts.kind) for facts in KINDS.values() for group in facts.also_in}
"""The same kinds in the other groups that serve them."""


def test_every_kind_that_a_release_keeps_has_one_row() -> None:
    """A new kind needs a row, and a review of its unusual fields."""
    assert KINDS.keys() | OTHERS == KEPT
    assert not KINDS.keys() & OTHERS
    assert len({kind for _, kind in KINDS}) == len(KINDS), "words for kinds know them by their names alone"
    assert list(KINDS) == sorted(KINDS)


def test_the_scope_is_the_one_that_the_specifications_know() -> None:
    for release in engine.releases():
        tables = engine.load(release)
        for api_version, kind in tables.kinds():
            group, said = api_version.rpartition("/")[0], tables.schema(api_version, kind).namespaced
            if (group, kind) in KEPT and said is not None:
                assert facts_of(group, kind).namespaced == said, (release, api_version, kind)


def test_there_are_columns_for_every_kind_but_those_with_plain_ones() -> None:
    assert BUILT_IN.keys() == {key for key, facts in KINDS.items() if not facts.plain_columns}
    for key, facts in KINDS.items():
        assert facts.listed_by in ("", *(column.title for column in BUILT_IN.get(key, ())))


def test_there_is_a_rule_for_whatever_names_are() -> None:
    assert {facts.names_are for facts in KINDS.values()} | {DOMAIN_NAME} == RULES.keys()


def test_the_engine_knows_the_groups_whose_kinds_are_kept_in_others() -> None:
    assert {group for group, _ in OTHERS} == served._OLD_GROUPS


def test_no_short_name_means_two_kinds() -> None:
    short = [name for facts in KINDS.values() for name in facts.short_names]
    assert len(short) == len(set(short))


@pytest.mark.parametrize("column", ["pruned", "in_all"])
def test_places_are_counted_without_a_gap(column: str) -> None:
    places = sorted(filter(None, (getattr(facts, column) for facts in KINDS.values())))
    assert places == list(range(1, len(places) + 1))


def test_a_kind_is_one_kind_in_all_its_groups() -> None:
    assert stored_in("extensions", "Deployment") == "apps"
    assert facts_of("extensions", "Deployment") is KINDS["apps", "Deployment"]


def test_an_unknown_kind_has_nothing_unusual() -> None:
    assert facts_of("stable.example.com", "Deployment") == KindFacts("Deployment")


def test_every_group_of_kubernetes_has_a_place_in_lists() -> None:
    groups = {one.group for release in engine.releases() for one in Kinds(release, list).all()}
    listed = set(served_resources._GROUPS)
    assert groups - listed == {"lifecycle.k8s.io"}, "it comes after all others"
    assert listed - groups == {"authentication.k8s.io", "authorization.k8s.io"}, "nothing of these is stored"
