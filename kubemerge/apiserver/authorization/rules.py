"""Policy rules: requests that they match, and rules that they cover."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ..errors import BadRequest
from ..text.go_text import quoted
from ..unchecked import as_list, maps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..unchecked import Object
    from .attributes import Attributes

ALL = "*"


class Rule(NamedTuple):
    """A PolicyRule of a Role or ClusterRole."""

    verbs: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()

    def content(self) -> dict[str, list[str]]:
        """Return the rule as in an object, without empty fields."""
        return {field: list(values) for field, values in zip(_FIELDS, self, strict=True) if values}


_FIELDS = ("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs")
FULL_AUTHORITY = (Rule((ALL,), (ALL,), (ALL,)), Rule((ALL,), urls=(ALL,)))
"""The rules of cluster-admin."""


def rules_in(role: Object) -> tuple[Rule, ...]:
    """Return the rules of a Role or ClusterRole."""
    return tuple(Rule(*(_texts(one.get(field)) for field in _FIELDS)) for _, one in maps(role, "rules"))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in as_list(value) if isinstance(one, str))


# ---- matching -------------------------------------------------------------------------------------------------------


def rule_allows(rule: Rule, attributes: Attributes) -> bool:
    """Whether a rule allows a request."""
    if ALL not in rule.verbs and attributes.verb not in rule.verbs:
        return False
    if not attributes.is_resource:
        return any(_url_covers(url, attributes.path) for url in rule.urls)
    if ALL not in rule.groups and attributes.group not in rule.groups:
        return False
    if rule.names and attributes.name not in rule.names:
        return False
    return _has_resource(rule.resources, attributes.combined)


# ---- coverage -------------------------------------------------------------------------------------------------------


MOST_PARTS, MOST_MISSING = 1_000_000, 50_000
"""The maximum number of permissions that are looked up one by one, and of those that are missing: more of them do not
fit into a request. A hostile rule of 2 KB has a hundred thousand.
"""


class TooManyPermissions(BadRequest):
    """Rules that cannot be compared, because they have too many permissions."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"the rules have more than {most:,} combinations of verb, API group, resource and name to compare",
            advice='use "*" instead of long lists, or split the role',
        )


def missing_rules(held: Sequence[Rule], wanted: Iterable[Rule]) -> list[Rule]:
    """Return the parts of the wanted rules that no held rule covers. Raise TooManyPermissions if there are too many."""
    equal = {*held}
    left = [rule for rule in wanted if rule not in equal or (rule.names and rule.urls)]
    if sum(map(_size, left)) > MOST_PARTS:
        raise TooManyPermissions(MOST_PARTS)
    missing = not_covered(held, (part for rule in left for part in break_down(rule)))
    found = list(islice(missing, MOST_MISSING + 1))
    if len(found) > MOST_MISSING:
        raise TooManyPermissions(MOST_MISSING)
    return found


def not_covered(held: Sequence[Rule], parts: Iterable[Rule]) -> Iterator[Rule]:
    """Yield the parts, as from `break_down`, that no held rule covers."""
    index = _RuleIndex(held)
    return (part for part in parts if not index.covers(part))


class _RuleIndex:
    """Rules by their verbs, groups, resources and names. Only the few that have one in common are compared."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._by: tuple[dict[str, list[Rule]], ...] = ({}, {}, {}, {})
        for rule in rules:
            for by, values in zip(self._by, (*rule[:3], rule.names or ("",)), strict=True):
                for value in dict.fromkeys(values):
                    by.setdefault(value, []).append(rule)

    def covers(self, part: Rule) -> bool:
        """Whether a rule covers a part, as from `break_down`."""
        return any(_covers(rule, part) for rules in self._fewest(part) for rule in rules)

    def _fewest(self, part: Rule) -> list[list[Rule]]:
        """Lists with all rules that may cover a part: those that have its verb, its group, its resource or its name."""
        verbs, groups, resources, names = self._by
        found = [_under(names, [*part.names, ""]), _under(verbs, [*part.verbs, ALL])]
        if part.resources:
            subresource = part.resources[0].partition("/")[2]
            found += [_under(groups, [*part.groups, ALL])]
            found += [_under(resources, [*part.resources, ALL, f"*/{subresource}"])]
        return min(found, key=lambda lists: sum(map(len, lists)))


def _under(rules: dict[str, list[Rule]], keys: list[str]) -> list[list[Rule]]:
    return [rules.get(key, []) for key in dict.fromkeys(keys)]


def _size(rule: Rule) -> int:
    """The number of parts of a rule."""
    of_resources = len(rule.groups) * len(rule.resources) * max(1, len(rule.names))
    return len(rule.verbs) * (of_resources + len(rule.urls))


def break_down(rule: Rule) -> Iterator[Rule]:
    """Yield the rules of one verb and one resource, or one URL, that a rule consists of."""
    for group in rule.groups:
        for resource in rule.resources:
            for verb in rule.verbs:
                for name in rule.names or ("",):
                    yield Rule((verb,), (group,), (resource,), (name,) if rule.names else ())
    for url in rule.urls:
        for verb in rule.verbs:
            yield Rule((verb,), urls=(url,))


def _covers(owner: Rule, part: Rule) -> bool:
    """Whether a rule covers a part, as from `break_down`."""
    if not _has_all(owner.verbs, part.verbs) or not _has_all(owner.groups, part.groups):
        return False
    if owner.names and not (part.names and set(part.names) <= set(owner.names)):
        return False
    if not all(_has_resource(owner.resources, one) for one in part.resources):
        return False
    return all(any(_url_covers(url, one) for url in owner.urls) for one in part.urls)


def _has_all(held: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return ALL in held or all(one in held for one in wanted)


def _has_resource(held: tuple[str, ...], resource: str) -> bool:
    _, slash, subresource = resource.partition("/")
    return ALL in held or resource in held or (bool(slash) and f"*/{subresource}" in held)


def _url_covers(url: str, other: str) -> bool:
    return url == other or (url.endswith("*") and other.startswith(url.rstrip("*")))


def missing_text(missing: Iterable[Rule]) -> str:
    """Return missing rules as a server prints them, one on each line."""
    compact: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    others = []
    for rule in missing:
        if rule.urls:
            others.append(rule)
        else:
            compact.setdefault((rule.groups, rule.resources, rule.names), []).extend(rule.verbs)
    merged = [Rule(tuple(verbs), *of) for of, verbs in compact.items()]
    return "\n".join(sorted({_compact_text(rule) for rule in (*others, *merged)}))


def _compact_text(rule: Rule) -> str:
    parts = (
        ("APIGroups", rule.groups),
        ("Resources", rule.resources),
        ("NonResourceURLs", rule.urls),
        ("ResourceNames", rule.names),
        ("Verbs", rule.verbs),
    )
    return f"{{{', '.join(f'{name}:{quoted_list(values)}' for name, values in parts if values)}}}"


def quoted_list(values: Iterable[str]) -> str:
    """A list of strings as Go prints it with %q."""
    return f"[{' '.join(map(quoted, values))}]"
