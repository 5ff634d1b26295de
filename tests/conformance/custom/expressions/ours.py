"""kubemerge's responses to rules, in the oracle's format."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.cel.declarations import declared
from kubemerge.apiserver.cel.estimates import estimate
from kubemerge.apiserver.cel.language.types import type_of
from kubemerge.apiserver.cluster import EmbeddedCluster
from kubemerge.apiserver.crd import rules as judging
from kubemerge.apiserver.eras import NO_END, in_release
from kubemerge.apiserver.errors import Invalid
from kubemerge.apiserver.regex.large_stack import with_large_stack
from kubemerge.apiserver.schemas.schemas import Schema

if TYPE_CHECKING:
    from collections.abc import Iterable

Raw = dict[str, Any]
NAME = re.compile(r"selfType[0-9]+[A-Za-z0-9_.@]*")
"""The server's names of object types, which differ each time."""


def problems(definition: Raw) -> list[str]:
    """All problems of a definition, without random names."""
    with closing(EmbeddedCluster(":memory:")) as cluster:
        try:
            cluster.create(definition, dry_run=True)
        except Invalid as error:
            return without_names(map(str, error.problems))
    return []


def without_names(found: Iterable[str]) -> list[str]:
    """Problems in order, with one name for all types of objects."""
    return sorted({NAME.sub("object", one) for one in found})


def said(case: Raw) -> list[Raw]:
    """The responses for all rules at the root of a schema."""
    found = []
    for rule in case["schema"]["x-kubernetes-validations"]:
        alone = {**case["schema"], "x-kubernetes-validations": [rule]}
        found.append(_of_rule(Schema(alone), rule, case))
    return found


def _of_rule(schema: Schema, raw: Raw, case: Raw) -> Raw:
    of, sizes = type_of(schema, root=True), declared(schema, root=True)
    assert of is not None
    assert sizes is not None
    rule = judging.compile_rule(raw, of)
    answer: Raw = {"estimated": 0, "cost": 0}
    if rule.uses_old:
        answer["usesOldSelf"] = True
    if rule.program is None:
        return {**answer, "error": rule.why_not}
    answer["estimated"] = _estimate(rule.program, sizes)
    if rule.message is not None:
        answer["messageEstimated"] = _estimate(rule.message, sizes)
    if rule.why_no_message:
        answer["messageError"] = rule.why_no_message
    walk = judging.evaluate_with_cost(case["object"], case["old"], schema)
    if problems := in_release(walk.found, NO_END):
        answer["problems"] = [str(one) for one in problems]
    answer["cost"] = judging.BUDGET - walk.left if not walk.stopped else -1
    return answer


def _estimate(program: Any, sizes: Any) -> int:
    return with_large_stack(lambda: estimate(program.checked, sizes))


def comparable(answer: Raw) -> Raw:
    """A response without random names."""
    found = {key: value for key, value in answer.items() if value not in ("", None, [], False)}
    found.setdefault("cost", 0)
    found.setdefault("estimated", 0)
    for key in ("error", "messageError"):
        if key in found:
            found[key] = NAME.sub("object", found[key])
    if "problems" in found:
        found["problems"] = [NAME.sub("object", one) for one in found["problems"]]
    return found
