"""Whether an object means the same under another apiVersion: what a server fills in may differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine
from engine.values.plain import same
from engine.values.unchecked import a_map

from ...cluster.embedded.admission.defaults.fill import filled

if TYPE_CHECKING:
    from ...cluster.protocol import Object


def means_the_same(old: Object, new: Object, release: str) -> bool:
    """Whether servers fill in the same for both; the old one may only be served by releases before this one."""
    served = [one for one in engine.releases() if (old["apiVersion"], old["kind"]) in engine.load(one)]
    if not served or _selects_otherwise(old):
        return False
    before = filled(old, release if release in served else served[-1])
    left_out = ("apiVersion", "metadata")
    return _holds({key: value for key, value in before.items() if key not in left_out}, filled(new, release))


def _holds(before: Any, now: Any) -> bool:
    """Whether all that was filled in before still is; what newer releases fill in besides is theirs."""
    if before is None:
        return True
    if isinstance(before, dict) and isinstance(now, dict):
        return all(value is None or (key in now and _holds(value, now[key])) for key, value in before.items())
    if isinstance(before, list) and isinstance(now, list):
        return len(before) == len(now) and all(map(_holds, before, now))
    return same(before, now)


def _selects_otherwise(content: Object) -> bool:
    """Whether it is an old PodDisruptionBudget with an empty selector, which selected nothing, and now selects all."""
    if (content["apiVersion"], content["kind"]) != ("policy/v1beta1", "PodDisruptionBudget"):
        return False
    selector = a_map(content.get("spec")).get("selector")
    return selector is not None and not any(a_map(selector).values())
