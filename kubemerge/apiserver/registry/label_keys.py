"""Label keys of a new Pod's scheduling terms, which a server adds to their label selectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..unchecked import as_map
from .feature_gates import is_on

if TYPE_CHECKING:
    from ..unchecked import Object

SPREAD_GATES = ("MatchLabelKeysInPodTopologySpread", "MatchLabelKeysInPodTopologySpreadSelectorMerge")
AFFINITIES = ("podAffinity", "podAntiAffinity")
REQUIRED, PREFERRED = (
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
)
OPERATORS = (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))


def merge_label_keys(content: Object, minor: int) -> Object:
    """Return a new Pod whose label selectors contain the values of matchLabelKeys and mismatchLabelKeys."""
    spec = as_map(content.get("spec"))
    affinity, constraints = spec.get("affinity"), spec.get("topologySpreadConstraints")
    labels = as_map(content["metadata"].get("labels"))
    if not labels or not (affinity or constraints):
        return content
    made: Object = {}
    if affinity:
        made["affinity"] = _affinity(as_map(affinity), labels)
    if constraints and all(is_on(gate, minor) for gate in SPREAD_GATES):
        made["topologySpreadConstraints"] = _each(constraints, labels)
    return {**content, "spec": {**spec, **made}}


def _affinity(affinity: Object, labels: Object) -> Object:
    made = dict(affinity)
    for field in AFFINITIES:
        terms = affinity.get(field)
        if isinstance(terms, dict):
            made[field] = {key: _each(value, labels, key) for key, value in terms.items()}
    return made


def _each(terms: Any, labels: Object, field: str = REQUIRED) -> Any:
    """The terms of a list; preferred ones are below their weights."""
    if not isinstance(terms, list):
        return terms
    if field == PREFERRED:
        weighed = (as_map(one) for one in terms)
        return [{**one, "podAffinityTerm": _term(as_map(one.get("podAffinityTerm")), labels)} for one in weighed]
    return [_term(as_map(one), labels) for one in terms]


def _term(term: Object, labels: Object) -> Object:
    selector = term.get("labelSelector")
    added = [
        {"key": key, "operator": operator, "values": [labels[key]]}
        for field, operator in OPERATORS
        for key in term.get(field) or ()
        if key in labels
    ]
    if selector is None or not added:
        return term
    expressions = [*(selector.get("matchExpressions") or ()), *added]
    return {**term, "labelSelector": {**selector, "matchExpressions": expressions}}
