"""Whether an object means the same under another apiVersion: what a server fills in may differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine
from engine.values.plain import same
from engine.values.unchecked import a_map

from ..cluster.embedded.admission.defaults.fill import filled

if TYPE_CHECKING:
    from ..cluster.protocol import Object


def means_the_same(old: Object, new: Object, release: str) -> bool:
    """Whether servers fill in the same for both; the old one may only be served by releases before this one."""
    served = [one for one in engine.releases() if (old["apiVersion"], old["kind"]) in engine.load(one)]
    if not served or _selects_otherwise(old):
        return False
    before = filled(old, release if release in served else served[-1])
    return same({**before, "apiVersion": new["apiVersion"]}, filled(new, release))


def _selects_otherwise(content: Object) -> bool:
    """Whether it is an old PodDisruptionBudget with an empty selector, which selected nothing, and now selects all."""
    if (content["apiVersion"], content["kind"]) != ("policy/v1beta1", "PodDisruptionBudget"):
        return False
    selector = a_map(content.get("spec")).get("selector")
    return selector is not None and not any(a_map(selector).values())
