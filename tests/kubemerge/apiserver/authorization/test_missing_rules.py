"""The permissions that no rule covers: with an index, as in a comparison of each with each, and never too many."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from kubemerge.apiserver.authorization.rules import Rule, TooManyPermissions, break_down, missing_rules

from ....attack.costs import steep_functions

if TYPE_CHECKING:
    from collections.abc import Callable

RANDOM_CASES = 2_000


def drawn(chance: random.Random) -> Rule:
    def some(*values: str) -> tuple[str, ...]:
        return tuple(chance.sample(values, chance.randint(1, 2)))

    verbs = some("get", "list", "*")
    if chance.random() < 0.2:
        return Rule(verbs, urls=some("/a", "/a/b", "/a/*", "*"))
    names = some("x", "y") if chance.random() < 0.4 else ()
    return Rule(verbs, some("", "apps", "*"), some("pods", "pods/log", "*/log", "*"), names)


def is_covered(part: Rule, held: list[Rule]) -> bool:
    """Whether one rule covers a part, without an index."""

    def covers(rule: Rule) -> bool:
        (verb,) = part.verbs
        if "*" not in rule.verbs and verb not in rule.verbs:
            return False
        if rule.names and not {*part.names} & {*rule.names}:
            return False
        if part.urls:
            (url,) = part.urls
            return any(one == url or (one[-1] == "*" and url.startswith(one.rstrip("*"))) for one in rule.urls)
        (group,), (resource,) = part.groups, part.resources
        if "*" not in rule.groups and group not in rule.groups:
            return False
        return bool({resource, "*", "*/" + (resource.partition("/")[2] or "-")} & {*rule.resources})

    return any(map(covers, held))


@pytest.mark.parametrize("seed", range(4))
def test_the_missing_parts_are_those_that_no_rule_covers(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(RANDOM_CASES // 4):
        held, wanted = ([drawn(chance) for _ in range(chance.randint(0, 3))] for _ in range(2))
        parts = [part for rule in wanted for part in break_down(rule)]
        assert missing_rules(held, wanted) == [part for part in parts if not is_covered(part, held)]


@pytest.mark.parametrize("count", [40, 200, 100_000])
def test_too_many_permissions_are_an_error(count: int) -> None:
    verbs, groups, resources = (tuple(f"{letter}{number}" for number in range(count)) for letter in "vgr")
    with pytest.raises(TooManyPermissions, match="combinations of verb, API group, resource and name to compare"):
        missing_rules([Rule(("get",), ("",), ("pods",))], [Rule(verbs, groups, resources)])


def test_rules_that_are_held_have_no_limit() -> None:
    verbs, groups, resources = (tuple(f"{letter}{number}" for number in range(200)) for letter in "vgr")
    assert missing_rules([Rule(verbs, groups, resources)], [Rule(verbs, groups, resources)]) == []


def test_many_rules_are_compared_in_linear_time() -> None:
    def make(size: int) -> Callable[[], object]:
        held, wanted = ([Rule(("get",), ("",), (f"{letter}{n}",)) for n in range(size)] for letter in "ab")
        return lambda: missing_rules(held, wanted)

    assert steep_functions(make, 20, 80) == []
