"""Warnings of deprecated node labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import as_map, as_text, maps
from ..validation import names
from .eras import LABEL_VALUES, DatedWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

_ROWS = (
    ("beta.kubernetes.io/arch", 22, 'deprecated since v1.14; use "kubernetes.io/arch" instead'),
    ("beta.kubernetes.io/os", 22, 'deprecated since v1.14; use "kubernetes.io/os" instead'),
    (
        "failure-domain.beta.kubernetes.io/region",
        22,
        'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
    ),
    (
        "failure-domain.beta.kubernetes.io/zone",
        22,
        'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ),
    (
        "beta.kubernetes.io/instance-type",
        22,
        'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
    ),
    ("app.kubernetes.io/created-by", 31, "deprecated since v1.9"),
    (
        "scheduler.alpha.kubernetes.io/preferAvoidPods",
        31,
        "deprecated since v1.22; use Taints and Tolerations instead",
    ),
    ("node-role.kubernetes.io/master", 31, 'use "node-role.kubernetes.io/control-plane" instead'),
)
DEPRECATED = {key: DatedWarning(text, since) for key, since, text in _ROWS}
"""The deprecated labels of Nodes."""


def in_map(at: str, value: object, *, keyed: bool = True) -> Iterator[DatedWarning]:
    """Return the warnings of the keys of a map."""
    for key in sorted(as_map(value)):
        if key in DEPRECATED:
            yield DEPRECATED[key].at(f"{at}[{key}]" if keyed else at)


def with_key(at: str, key: str) -> DatedWarning:
    """Return the warning of a deprecated label, with the label."""
    warning = DEPRECATED[key]
    return warning._replace(text=f"{at}: {key} is {warning.text}")


def in_term(at: str, term: Object, *, values: bool = False) -> Iterator[DatedWarning]:
    """Return the warnings of one node selector term."""
    for index, one in maps(term, "matchExpressions"):
        key = as_text(one.get("key"))
        if key in DEPRECATED:
            yield with_key(f"{at}.matchExpressions[{index}].key", key)
        given = one.get("values")
        for place, value in enumerate(given if values and isinstance(given, list) else ()):
            for why in names.label_value(as_text(value)):
                yield LABEL_VALUES(f"{at}.matchExpressions[{index}].values[{place}]: {value} is invalid, {why}")


def in_affinity(at: str, affinity: Object) -> Iterator[DatedWarning]:
    """Return the warnings of a node affinity."""
    required, preferred = (
        "requiredDuringSchedulingIgnoredDuringExecution",
        "preferredDuringSchedulingIgnoredDuringExecution",
    )
    for index, term in maps(as_map(affinity.get(required)), "nodeSelectorTerms"):
        yield from in_term(f"{at}.{required}.nodeSelectorTerms[{index}]", term)
    for index, one in maps(affinity, preferred):
        yield from in_term(f"{at}.{preferred}[{index}].preference", as_map(one.get("preference")), values=True)


def in_selector(at: str, value: object) -> Iterator[DatedWarning]:
    """Return the warnings of a label selector for nodes."""
    selector = as_map(value)
    yield from in_term(at, selector)
    for key in sorted(as_map(selector.get("matchLabels"))):
        if key in DEPRECATED:
            yield DEPRECATED[key].at(f"{at}.matchLabels.{key}")
