"""Environments: the functions, macros and checks that an expression has, by minor release.

A server compiles new expressions in the environment of the release before its own, so that they stay valid after a
downgrade. The table is that of upstream's `pkg/cel/environment/base.go`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from ...eras import NO_END, Era

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    T = TypeVar("T")

NEWEST = NO_END
"""The environment with everything."""
_LIBRARIES = {
    27: "(authorizer|groupcheck|resourcecheck|pathcheck|decision)_(?!.*selector)",
    28: "quantity_|string_to_quantity|is_quantity_string|optional_(?!unwrap)|select_optional_field|.*_optindex_",
    29: "string_format$|strings_quote$|list_sets_",
    30: "ip_|cidr_|string_to_(ip|cidr)$|is_(ip|cidr)$",
    31: "format[-.]|authorizer_(field|label)selector",
    32: "@mapInsert|list_first$|list_last$|optional_unwrap",
    33: "semver_|string_to_semver|string_bool_to_semver|is_semver",
    34: "list_(distinct|flatten|reverse|slice|[a-z]+_sort)|lists_range",
}
"""The overloads that an environment has first. All others are older."""
_MACROS = {
    ("optMap", 2): 28,
    ("optFlatMap", 2): 28,
    ("all", 3): 32,
    ("exists", 3): 32,
    ("exists_one", 3): 32,
    ("existsOne", 3): 32,
    ("transformList", 3): 32,
    ("transformList", 4): 32,
    ("transformMap", 3): 32,
    ("transformMap", 4): 32,
    ("transformMapEntry", 3): 32,
    ("transformMapEntry", 4): 32,
    ("sortBy", 2): 34,
}
_OLD_MACROS = ("all", "exists", "exists_one")
"""Macros that older environments have with two arguments."""
_MAYBE_NEW = re.compile(
    rf"[.\[{{,]\s*\?|//|\b({'|'.join({name for name, _ in _MACROS} - {*_OLD_MACROS})})\b"
    rf"|\b({'|'.join(_OLD_MACROS)})\s*\(\s*\w+\s*,\s*\w+\s*,"
)
"""Whatever may be a new macro or optional syntax. A comment may hide them."""
OPTIONAL_SYNTAX = 28
"""The first environment with `.?`, `[?` and optional elements, and with comparisons of different numbers.

The releases before it also report what follows from the result of an undeclared method.
"""
CHECKED_CONSTANTS = 29
"""The first environment in which constants are checked: durations, times, patterns and mixed lists."""
_NUMBERS = re.compile(r"(less|less_equals|greater|greater_equals)_(int64|uint64|double)_(int64|uint64|double)")
_BOUNDARIES = (0, *_LIBRARIES)
_BEHIND_SINCE = 28
"""The first release that compiles new expressions in the environment of the release before."""


@lru_cache(maxsize=1024)
def first_environment(overload: str) -> int:
    """Return the first environment with an overload."""
    if _NUMBERS.fullmatch(overload):
        return OPTIONAL_SYNTAX
    return next((first for first, pattern in _LIBRARIES.items() if re.match(pattern, overload)), 0)


def has_macro(name: str, arguments: int, environment: int) -> bool:
    """Whether an environment has a macro."""
    return _MACROS.get((name, arguments), 0) <= environment


def is_old(text: str, overloads: Iterable[str]) -> bool:
    """Whether a valid expression uses nothing that old environments lack, so that it is the same in all of them."""
    return not _MAYBE_NEW.search(text) and not any(map(first_environment, overloads))


def by_release(
    compile_in: Callable[[int], T], key: Callable[[T], object], is_same: Callable[[T], bool] = lambda _: False
) -> list[tuple[Era, T]]:
    """Return the results of compiling a new expression, with the releases that have each.

    Results with equal keys are one. Nearly always all releases have the same result. `is_same` is called with the
    newest result. If it returns true, no other environment is tried.
    """
    newest = compile_in(NEWEST)
    if is_same(newest) or key(compile_in(0)) == key(newest):
        return [(Era(), newest)]
    found: list[tuple[Era, T]] = []
    for environment in _BOUNDARIES:
        since = environment if environment < _BEHIND_SINCE else environment + 1
        result = compile_in(environment)
        if found and key(found[-1][1]) == key(result):
            continue
        if found:
            found[-1] = (found[-1][0]._replace(until=since - 1), found[-1][1])
        found.append((Era(since), result))
    return found
