"""Scheduling of a Pod: affinity, tolerations, topology spread constraints, and gates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...problems import Problem, duplicate, forbidden, invalid, required, unsupported
from ...unchecked import as_map, as_number, as_text, maps
from .. import eras, names, selectors
from ..values import formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

REQUIRED, PREFERRED = (
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
)
ACTIONS = ("DoNotSchedule", "ScheduleAnyway")
TWICE = "exists in both matchLabelKeys and labelSelector"
NOT_SELECTED = "must not be specified when labelSelector is not set"


def affinity(at: str, one: Any) -> Iterator[Problem]:
    """Validate an affinity."""
    found = as_map(one)
    nodes = as_map(found.get("nodeAffinity"))
    if isinstance(nodes.get(REQUIRED), dict):
        yield from node_selector(f"{at}.nodeAffinity.{REQUIRED}", nodes[REQUIRED])
    for index, term in maps(nodes, PREFERRED):
        place = f"{at}.nodeAffinity.{PREFERRED}[{index}]"
        yield from _weight(place, term)
        yield from _node_term(f"{place}.preference", as_map(term.get("preference")), values=False)
    for field in ("podAffinity", "podAntiAffinity"):
        for index, term in maps(as_map(found.get(field)), REQUIRED):
            yield from _pod_term(f"{at}.{field}.{REQUIRED}[{index}]", term)
        for index, term in maps(as_map(found.get(field)), PREFERRED):
            place = f"{at}.{field}.{PREFERRED}[{index}]"
            yield from _weight(place, term)
            yield from _pod_term(f"{place}.podAffinityTerm", as_map(term.get("podAffinityTerm")))


def _weight(at: str, term: Object) -> Iterator[Problem]:
    weight = as_number(term.get("weight")) or 0
    if not 0 < weight <= 100:
        yield invalid(f"{at}.weight", weight, "must be in the range 1-100")


def node_selector(at: str, selector: Object) -> Iterator[Problem]:
    """Validate a node selector."""
    if not selector.get("nodeSelectorTerms"):
        yield required(f"{at}.nodeSelectorTerms", "must have at least one node selector term")
    for index, term in maps(selector, "nodeSelectorTerms"):
        yield from _node_term(f"{at}.nodeSelectorTerms[{index}]", term)


def _node_term(at: str, term: Object, *, values: bool = True) -> Iterator[Problem]:
    for index, one in maps(term, "matchExpressions"):
        yield from _node_requirement(f"{at}.matchExpressions[{index}]", one, values=values)
    for index, one in maps(term, "matchFields"):
        yield from _node_field(f"{at}.matchFields[{index}]", one)


def _node_requirement(at: str, one: Object, *, values: bool) -> Iterator[Problem]:
    operator, given, key = as_text(one.get("operator")), one.get("values") or [], as_text(one.get("key"))
    yield from selectors.values_of_operator(at, one)
    if operator in ("Gt", "Lt"):
        if len(given) != 1:
            yield required(f"{at}.values", "must be specified single value when `operator` is 'Lt' or 'Gt'")
    elif operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
        yield invalid(f"{at}.operator", operator, selectors.NO_OPERATOR)
    yield from (invalid(f"{at}.key", key, why) for why in names.key(key))
    if values:
        yield from eras.NODE_VALUES.limit(selectors.label_values(f"{at}.values", given))


def _node_field(at: str, one: Object) -> Iterator[Problem]:
    operator, given, key = as_text(one.get("operator")), one.get("values") or [], as_text(one.get("key"))
    if operator not in ("In", "NotIn"):
        yield invalid(f"{at}.operator", operator, selectors.NO_OPERATOR)
    elif len(given) != 1:
        why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        yield required(f"{at}.values", why)
    if key != "metadata.name":
        yield invalid(f"{at}.key", key, "not a valid field selector key")
        return
    for index, value in enumerate(given):
        yield from (invalid(f"{at}.values[{index}]", value, why) for why in names.subdomain(as_text(value)))


def _pod_term(at: str, term: Object) -> Iterator[Problem]:
    yield from selectors.label_selector(f"{at}.labelSelector", term.get("labelSelector"))
    yield from selectors.label_selector(f"{at}.namespaceSelector", term.get("namespaceSelector"))
    for name in term.get("namespaces") or ():
        yield from (invalid(f"{at}.namespace", name, why) for why in names.label(as_text(name)))
    yield from _label_keys(at, term)
    key = as_text(term.get("topologyKey"))
    if not key:
        yield required(f"{at}.topologyKey", "can not be empty")
    yield from (invalid(f"{at}.topologyKey", key, why) for why in names.key(key))


def _label_keys(at: str, term: Object) -> Iterator[Problem]:
    yield from _key_names(at, term)
    yield from _merged_twice(at, term)
    mismatch = term.get("mismatchLabelKeys") or []
    for index, key in enumerate(term.get("matchLabelKeys") or []):
        if key in mismatch:
            why = "exists in both matchLabelKeys and mismatchLabelKeys"
            yield invalid(f"{at}.matchLabelKeys[{index}]", key, why)


def _key_names(at: str, term: Object) -> Iterator[Problem]:
    selector, match = term.get("labelSelector"), term.get("matchLabelKeys") or []
    mismatch = term.get("mismatchLabelKeys") or []
    for field, keys in (("matchLabelKeys", match), ("mismatchLabelKeys", mismatch)):
        if keys and selector is None:
            yield forbidden(f"{at}.{field}", NOT_SELECTED)
        for index, key in enumerate(keys if selector is not None else ()):
            yield from (invalid(f"{at}.{field}[{index}]", key, why) for why in names.key(as_text(key)))


def _merged_twice(at: str, term: Object) -> Iterator[Problem]:
    """Keys that a selector has besides the expression that the server added for them."""
    selector, match = as_map(term.get("labelSelector")), term.get("matchLabelKeys") or []
    seen = set(as_map(selector.get("matchLabels")))
    for _, one in maps(selector, "matchExpressions"):
        key = one.get("key")
        if key in match and key in seen:
            yield invalid(f"{at}[{match.index(key)}]", key, TWICE)
        seen.add(as_text(key))


def spreading(at: str, spec: Object) -> Iterator[Problem]:
    """Validate topology spread constraints."""
    every = list(maps(spec, "topologySpreadConstraints"))
    for index, one in every:
        place, action = f"{at}[{index}]", as_text(one.get("whenUnsatisfiable"))
        skew, key = as_number(one.get("maxSkew")) or 0, as_text(one.get("topologyKey"))
        if skew <= 0:
            yield invalid(f"{place}.maxSkew", skew, formats.POSITIVE)
        if not key:
            yield required(f"{place}.topologyKey", "can not be empty")
        if action not in ACTIONS:
            yield unsupported(f"{place}.whenUnsatisfiable", action, ACTIONS)
        later = [
            (as_text(other.get("topologyKey")), as_text(other.get("whenUnsatisfiable")))
            for at_, other in every
            if at_ > index
        ]
        if (key, action) in later:
            yield duplicate(f"{place}.{{topologyKey, whenUnsatisfiable}}", f"{{{key}, {action}}}")
        yield from _spread_details(place, one, action)


def _spread_details(at: str, one: Object, action: str) -> Iterator[Problem]:
    least = as_number(one.get("minDomains"))
    if least is not None:
        if least <= 0:
            yield invalid(f"{at}.minDomains", least, formats.POSITIVE)
        if action != "DoNotSchedule":
            why = f"can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {action}"
            yield invalid(f"{at}.minDomains", least, why)
    for field in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        if one.get(field) is not None and one[field] not in ("Honor", "Ignore"):
            yield unsupported(f"{at}.{field}", one[field], ("Honor", "Ignore"))
    yield from _key_names(at, {**one, "mismatchLabelKeys": None})
    yield from eras.MERGED_TWICE.limit(_merged_twice(at, one))
    yield from _selected_twice(f"{at}.matchLabelKeys", one)
    problems = selectors.label_selector(f"{at}.labelSelector", one.get("labelSelector"))
    yield from eras.SPREAD_SELECTOR.limit(problems)


def _selected_twice(at: str, one: Object) -> Iterator[Problem]:
    selector = as_map(one.get("labelSelector"))
    selected = {
        *as_map(selector.get("matchLabels")),
        *(found.get("key") for _, found in maps(selector, "matchExpressions")),
    }
    for index, key in enumerate(one.get("matchLabelKeys") or ()):
        if key in selected:
            yield from eras.SELECTED_TWICE.limit([invalid(f"{at}[{index}]", key, TWICE)])


def readiness_gates(at: str, spec: Object) -> Iterator[Problem]:
    """Validate readiness gates."""
    for index, one in maps(spec, "readinessGates"):
        type_ = as_text(one.get("conditionType"))
        yield from (invalid(f"{at}[{index}].conditionType", type_, why) for why in names.key(type_))


def scheduling_gates(at: str, spec: Object) -> Iterator[Problem]:
    """Validate scheduling gates."""
    taken: set[str] = set()
    for index, one in maps(spec, "schedulingGates"):
        name, place = as_text(one.get("name")), f"{at}[{index}]"
        yield from (invalid(place, name, why) for why in names.key(name))
        if name in taken:
            yield duplicate(place, name)
        taken.add(name)
