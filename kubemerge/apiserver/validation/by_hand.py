"""The words of older servers for problems that newer ones print in another way.

Most of them are reported by declarative rules since 1.37, and were found by handwritten checks before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..problem_paths import steps_of, value_at
from ..problems import (
    DUPLICATE,
    IMMUTABLE,
    INVALID,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    UNSUPPORTED,
    Printed,
    Problem,
)
from ..schemas.problems import OF_SCHEMA
from ..unchecked import as_map
from . import names
from .eras import BOTH_REQUESTS
from .pod_spec.internal_form import on_one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..unchecked import Object

LAST = 36
"""The last minor release in which handwritten checks report these problems."""
KEYS_IN_PATHS_UNTIL = 34
"""The last minor release in which the path of a duplicate ends with its key."""
_INDEX = re.compile(r"\[\d+\]")
_STRUCTS = {("IPAddress", "spec.parentRef"): "*ParentReference", ("VolumeAttachment", "spec"): "VolumeAttachmentSpec"}
"""The internal types of immutable fields. The others are texts."""
_KEYS = {"requests": "name", "firstAvailable": "name", "sharedCounters": "name", "reservedFor": "uid"}
"""The lists whose duplicates are printed by their key."""
_CLAIMS, _OF_REQUEST = ("ResourceClaim", "ResourceClaimTemplate"), re.compile(r"(.*\.requests\[\d+\])\.[ef]")
"""Kinds with requests of devices, and a path inside of a request: in `exactly` or in `firstAvailable`."""
_LABEL_FORMATS = ("format=k8s-label-key", "format=k8s-label-value")
_BYTES = re.compile(r"(must be no more than \d+) bytes$")


class Wording(NamedTuple):
    """The words of some releases for a problem at a path, without indexes."""

    kind: str
    path: str
    of: str
    until: int
    change: Callable[[Problem], Problem]

    def fits(self, problem: Problem, kind: str, path: str, minor: int) -> bool:
        """Whether these are the words of a release for a problem of an object."""
        return (self.kind, self.path, self.of) == (kind, path, problem.kind) and minor <= self.until


def _detail(text: str) -> Callable[[Problem], Problem]:
    return lambda problem: problem._replace(detail=text)


def _without_effect(problem: Problem) -> Problem:
    return problem._replace(supported=tuple(one for one in problem.supported if one != "None"))


_NO_RESOURCE = "must be a valid extended resource name"
_WORDINGS = (
    Wording("DeviceClass", "spec.extendedResourceName", INVALID, LAST, _detail(_NO_RESOURCE)),
    Wording("EndpointSlice", "endpoints[].addresses", REQUIRED, LAST, _detail("must contain at least 1 address")),
    Wording("HorizontalPodAutoscaler", "spec.maxReplicas", REQUIRED, LAST, _detail("must be set and greater than 0")),
    Wording(
        "RuntimeClass", "handler", REQUIRED, 35, lambda one: one._replace(kind=INVALID, value="", detail=names.NO_LABEL)
    ),
    *(
        Wording(kind, f"{at}spec.devices.requests[].{part}.tolerations[].effect", UNSUPPORTED, 34, _without_effect)
        for kind, at in (("ResourceClaim", ""), ("ResourceClaimTemplate", "spec."))
        for part in ("exactly", "firstAvailable[]")
    ),
)


def worded(problem: Problem, kind: str, content: Object, minor: int) -> Problem | None:
    """Return a declarative problem in the words of the handwritten check that a release makes instead, if it does."""
    if minor > LAST:
        return problem
    if kind in _CLAIMS and not BOTH_REQUESTS.has(minor) and (inside := _OF_REQUEST.match(problem.path)):
        request = as_map(value_at(content, steps_of(inside[1], content)))
        if request.get("exactly") is not None and request.get("firstAvailable"):
            return None
    if problem.origin == IMMUTABLE:
        return _with_new_value(problem, kind, content, minor)
    if problem.kind == DUPLICATE:
        return _with_key(problem, content, minor)
    if problem.origin.startswith("format=") and problem.origin not in _LABEL_FORMATS:
        problem = problem._replace(detail=_BYTES.sub(r"\1 characters", problem.detail))
    path = _INDEX.sub("[]", problem.path)
    found = next((one for one in _WORDINGS if one.fits(problem, kind, path, minor)), None)
    return problem if found is None else found.change(problem)


def _with_new_value(problem: Problem, kind: str, content: Object, minor: int) -> Problem:
    """An immutable field with its new value. Declarative rules print null."""
    value = value_at(content, steps_of(problem.path, content))
    struct = _STRUCTS.get((kind, problem.path))
    return problem._replace(value=(value or "") if struct is None else Printed(on_one_line(struct, value, minor)))


def _with_key(problem: Problem, content: Object, minor: int) -> Problem:
    """A duplicate element by its key. Declarative rules print it as a whole."""
    key = _KEYS.get(_INDEX.sub("", problem.path).rpartition(".")[2])
    element = value_at(content, steps_of(problem.path, content))
    if key is None or not isinstance(element, dict):
        return problem
    path = f"{problem.path}.{key}" if minor <= KEYS_IN_PATHS_UNTIL else problem.path
    return problem._replace(path=path, value=element.get(key, ""))


SHORT_UNTIL, PLURAL_UNTIL = 31, 33
"""The last minor releases with other words for texts that are too long, and with "1 items" and "1 bytes"."""
_SINGULAR = re.compile(r"\b1 (item|byte|character)$")


def in_words_of(problem: Problem, minor: int) -> Problem:
    """A problem of a text or list that is too long, in the words of a release."""
    if minor > PLURAL_UNTIL or problem.kind not in (TOO_LONG, TOO_MANY):
        return problem
    detail = _SINGULAR.sub(r"1 \1s", problem.detail)
    if problem.kind == TOO_LONG and minor <= SHORT_UNTIL:
        size = detail.removeprefix("may not be more than ")
        detail = (
            f"may not be longer than {size.split()[0]}" if problem.origin == OF_SCHEMA else f"must have at most {size}"
        )
    return problem._replace(detail=detail)
